import { fit, type FrameRenderer } from "./frame-renderer.ts";
import type { Matte } from "./matte.ts";
import { fragmentShader, vertexShader } from "./shaders.ts";
import type { Size, StageRect } from "./stage-geometry.ts";

const modes = { none: 0, "packed-alpha": 1, chroma: 2 } as const;

/** Draws on the graphics processor. `onLost` is called when the browser takes the context away. Null without WebGL2. */
export function createWebglRenderer(onLost: () => void): FrameRenderer | null {
  const element = document.createElement("canvas");
  const gl = element.getContext("webgl2", { antialias: false, depth: false });
  const program = gl && buildProgram(gl);
  if (!program) return null;
  const uniform = (name: string): WebGLUniformLocation | null => gl.getUniformLocation(program, name);
  const [rectAt, modeAt, keyAt] = [uniform("rect"), uniform("mode"), uniform("key")];
  gl.useProgram(program);
  gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
  for (const side of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T])
    gl.texParameteri(gl.TEXTURE_2D, side, gl.CLAMP_TO_EDGE);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
  // Some drivers compile a program when it first draws: better before the first frame than with it.
  gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  element.addEventListener("webglcontextlost", onLost);
  return {
    kind: "webgl2",
    element,
    upload(video: HTMLVideoElement): void {
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, video);
    },
    draw(size: Size, rect: StageRect, { mode, key }: Matte): void {
      fit(element, size);
      gl.viewport(0, 0, size.width, size.height);
      gl.clear(gl.COLOR_BUFFER_BIT);
      gl.uniform4f(rectAt, rect.left, rect.top, rect.width, rect.height);
      gl.uniform1i(modeAt, modes[mode]);
      gl.uniform3f(keyAt, ...key);
      gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    },
    destroy(): void {
      element.removeEventListener("webglcontextlost", onLost);
      // A page may have 16 contexts: this one is given back now, not when it is collected.
      gl.getExtension("WEBGL_lose_context")?.loseContext();
    },
  };
}

function buildProgram(gl: WebGL2RenderingContext): WebGLProgram | null {
  const program = gl.createProgram();
  for (const [type, source] of [
    [gl.VERTEX_SHADER, vertexShader],
    [gl.FRAGMENT_SHADER, fragmentShader],
  ] as const) {
    const shader = gl.createShader(type);
    if (!shader) return null;
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  return gl.getProgramParameter(program, gl.LINK_STATUS) ? program : null;
}
