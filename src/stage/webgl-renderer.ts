import { alphaFloor, alphaSpan, chromaFar, chromaNear, type Matte } from "./matte.ts";
import { fit, type FrameRenderer } from "./frame-renderer.ts";
import type { Size, StageRect } from "./stage-geometry.ts";

/** A quad over `rect` (left, top, width, height in fractions of the frame). */
const vertexShader = `#version 300 es
uniform vec4 rect;
out vec2 at;
void main() {
  at = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  vec2 p = rect.xy + at * rect.zw;
  gl_Position = vec4(p.x * 2.0 - 1.0, 1.0 - p.y * 2.0, 0.0, 1.0);
}`;

/**
 * The picture with premultiplied alpha. `mode` 0: opaque; 1: packed alpha, premultiplied colour above, matte below, each
 * half sampled at least half a texel away from the other; 2: chroma key, with the key's share removed from the colour.
 */
const fragmentShader = `#version 300 es
precision mediump float;
uniform sampler2D frame;
uniform int mode;
uniform vec3 key;
in vec2 at;
out vec4 result;
vec2 chroma(vec3 c) {
  return vec2(dot(c, vec3(-0.169, -0.331, 0.5)), dot(c, vec3(0.5, -0.419, -0.081)));
}
void main() {
  if (mode == 0) {
    result = vec4(texture(frame, at).rgb, 1.0);
  } else if (mode == 1) {
    float edge = 0.5 / float(textureSize(frame, 0).y);
    float y = clamp(at.y * 0.5, edge, 0.5 - edge);
    float a = clamp((texture(frame, vec2(at.x, y + 0.5)).g - ${alphaFloor}) / ${alphaSpan}, 0.0, 1.0);
    result = vec4(min(texture(frame, vec2(at.x, y)).rgb, a), a);
  } else {
    vec3 c = texture(frame, at).rgb;
    float a = smoothstep(${chromaNear}, ${chromaFar}, distance(chroma(c), chroma(key)));
    result = vec4(clamp(c - key * (1.0 - a), 0.0, a), a);
  }
}`;

const modes = { none: 0, "packed-alpha": 1, chroma: 2 } as const;

const loseExtension = "WEBGL_lose_context";

/**
 * Draws on the GPU. `onLost` is called when the browser loses the context. Null without WebGL2, and where the processor would
 * do the GPU's work: reading each picture back then costs more than drawing it in a 2D canvas.
 */
export function createWebglRenderer(onLost: () => void): FrameRenderer | null {
  const element = document.createElement("canvas");
  const gl = element.getContext("webgl2", { antialias: false, depth: false });
  const program = gl && !isSoftware(gl) && buildProgram(gl);
  if (!program) {
    gl?.getExtension(loseExtension)?.loseContext();
    return null;
  }
  const uniform = (name: string): WebGLUniformLocation | null => gl.getUniformLocation(program, name);
  const [rectAt, modeAt, keyAt] = [uniform("rect"), uniform("mode"), uniform("key")];
  gl.useProgram(program);
  gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
  for (const side of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T])
    gl.texParameteri(gl.TEXTURE_2D, side, gl.CLAMP_TO_EDGE);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
  // Some drivers compile a program at its first draw call. This empty draw keeps that out of the first frame.
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
      // A page can have 16 contexts, so this one is released now, not at garbage collection.
      gl.getExtension(loseExtension)?.loseContext();
    },
  };
}

/** By the name of what draws; `failIfMajorPerformanceCaveat` has no effect in Chromium. */
function isSoftware(gl: WebGL2RenderingContext): boolean {
  const info = gl.getExtension("WEBGL_debug_renderer_info");
  const name: unknown = gl.getParameter(info?.UNMASKED_RENDERER_WEBGL ?? gl.RENDERER);
  return /swiftshader|llvmpipe|software/i.test(String(name));
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
