import type { PhotoFace } from "../../../../photo/index.ts";
import type { PhotoLayer } from "../../../../protocol/characters/photo-character.ts";
import type { PhotoLayers, PhotoPictures } from "./photo-layers.ts";

/** `place` is in pixels of the character's picture, `texel` in shares of its layer. */
const vertexShader = `#version 300 es
in vec2 place;
in vec2 texel;
in float alpha;
in float shade;
uniform float side;
out vec2 at;
out vec2 light;
void main() {
  at = texel;
  light = vec2(shade, alpha);
  gl_Position = vec4(place.x / side * 2.0 - 1.0, 1.0 - place.y / side * 2.0, 0.0, 1.0);
}`;

/** Premultiplied colours with their brightness and opacity changed. The layers are seen smaller than they are: a little sharper then. */
const fragmentShader = `#version 300 es
precision highp float;
uniform sampler2D layer;
in vec2 at;
in vec2 light;
out vec4 result;
void main() {
  vec4 c = texture(layer, at, -0.5);
  result = vec4(min(c.rgb * light.x, c.a), c.a) * light.y;
}`;

/** What the page is told of the GPU. */
interface WebglEvents {
  /** The browser has taken the context away: the canvas is empty. */
  handleLost(): void;
  /** It is back, and can draw again. */
  handleRestored(): void;
}

/** What a context has, until it is lost. */
interface Resources {
  readonly places: WebGLBuffer;
  readonly alphas: WebGLBuffer;
  readonly shades: WebGLBuffer;
  readonly textures: ReadonlyMap<PhotoLayer, WebGLTexture>;
}

/** A context that nothing is drawn with yet. */
interface FreshContext {
  readonly canvas: HTMLCanvasElement;
  readonly gl: WebGL2RenderingContext;
}

/** The next pictures' context, made ahead. Null where the GPU does not draw; undefined until that is asked for. */
let next: FreshContext | null | undefined;

/**
 * Whether the GPU draws, with a context for that made ahead: making one or giving it up can block the page. Not without WebGL2, nor where
 * the processor would do the GPU's work: it does less without WebGL.
 */
export function findGpu(): boolean {
  if (next !== undefined && !next?.gl.isContextLost()) return next !== null;
  const canvas = document.createElement("canvas");
  const gl = canvas.getContext("webgl2", { antialias: false, depth: false });
  next = gl && !isSoftware(gl) ? { canvas, gl } : null;
  if (gl && !next) release(gl);
  return next !== null;
}

/** A page can have 16 contexts, so one is released when it is needed no more, not at garbage collection. */
function release(gl: WebGL2RenderingContext): void {
  gl.getExtension("WEBGL_lose_context")?.loseContext();
}

/** Pictures of a photo character that the GPU draws. */
export class WebglPictures implements PhotoPictures {
  readonly canvas: HTMLCanvasElement;
  readonly #gl: WebGL2RenderingContext;
  readonly #photo: PhotoFace;
  readonly #layers: PhotoLayers;
  readonly #stop = new AbortController();
  /** All vertices of all meshes, one mesh after the other. */
  readonly #places: Float32Array;
  readonly #alphas: Float32Array;
  readonly #shades: Float32Array;
  #resources: Resources | null = null;

  /** Null where the GPU does not draw. */
  static create(
    photo: PhotoFace,
    layers: PhotoLayers,
    size: number,
    events: WebglEvents,
  ): WebglPictures | null {
    if (!findGpu() || !next) return null;
    const pictures = new WebglPictures(next, photo, layers);
    next = undefined;
    if (pictures.#prepare()) {
      pictures.#listen(events);
      pictures.resize(size);
      return pictures;
    }
    pictures.destroy();
    return null;
  }

  private constructor({ gl, canvas }: FreshContext, photo: PhotoFace, layers: PhotoLayers) {
    this.#gl = gl;
    this.canvas = canvas;
    this.#photo = photo;
    this.#layers = layers;
    const vertices = photo.meshes.reduce((sum, { count }) => sum + count, 0);
    this.#places = new Float32Array(2 * vertices);
    this.#alphas = new Float32Array(vertices);
    this.#shades = new Float32Array(vertices);
  }

  draw(): void {
    const gl = this.#gl;
    if (!this.#resources) return;
    const { places, alphas, shades, textures } = this.#resources;
    let first = 0;
    for (const { positions, alpha, shade, count } of this.#photo.meshes) {
      this.#places.set(positions, 2 * first);
      this.#alphas.set(alpha, first);
      this.#shades.set(shade, first);
      first += count;
    }
    this.#write(places, this.#places);
    this.#write(alphas, this.#alphas);
    this.#write(shades, this.#shades);
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    gl.clear(gl.COLOR_BUFFER_BIT);
    let byte = 0;
    for (const { layer, indices, isHidden } of this.#photo.meshes) {
      if (!isHidden) {
        gl.bindTexture(gl.TEXTURE_2D, textures.get(layer) ?? null);
        gl.drawElements(gl.TRIANGLES, indices.length, gl.UNSIGNED_SHORT, byte);
      }
      byte += indices.byteLength;
    }
  }

  resize(size: number): void {
    this.canvas.width = this.canvas.height = size;
  }

  destroy(): void {
    this.#stop.abort();
    this.#resources = null;
    release(this.#gl);
    this.canvas.width = this.canvas.height = 0;
  }

  #listen({ handleLost, handleRestored }: WebglEvents): void {
    const { signal } = this.#stop;
    this.canvas.addEventListener(
      "webglcontextlost",
      (event) => {
        // Otherwise the browser does not restore it.
        event.preventDefault();
        this.#resources = null;
        handleLost();
      },
      { signal },
    );
    this.canvas.addEventListener(
      "webglcontextrestored",
      () => {
        if (this.#prepare()) handleRestored();
      },
      { signal },
    );
  }

  /** Gives a new context all that it draws with. Returns whether it can draw. */
  #prepare(): boolean {
    const gl = this.#gl;
    const program = buildProgram(gl);
    if (!program) return false;
    gl.useProgram(program);
    gl.uniform1f(gl.getUniformLocation(program, "side"), this.#photo.face.size);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    const attribute = (name: string, values: Float32Array, size: number): WebGLBuffer => {
      const buffer = gl.createBuffer();
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.bufferData(gl.ARRAY_BUFFER, values, gl.DYNAMIC_DRAW);
      const at = gl.getAttribLocation(program, name);
      gl.enableVertexAttribArray(at);
      gl.vertexAttribPointer(at, size, gl.FLOAT, false, 0, 0);
      return buffer;
    };
    attribute("texel", this.#texels(), 2);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, this.#indices(), gl.STATIC_DRAW);
    this.#resources = {
      places: attribute("place", this.#places, 2),
      alphas: attribute("alpha", this.#alphas, 1),
      shades: attribute("shade", this.#shades, 1),
      textures: new Map([...this.#layers].map(([layer, bitmap]) => [layer, textureOf(gl, bitmap)])),
    };
    return true;
  }

  #write(buffer: WebGLBuffer, values: Float32Array): void {
    this.#gl.bindBuffer(this.#gl.ARRAY_BUFFER, buffer);
    this.#gl.bufferSubData(this.#gl.ARRAY_BUFFER, 0, values);
  }

  /** Shares of each layer's size. */
  #texels(): Float32Array {
    const shares = new Float32Array(this.#places.length);
    let at = 0;
    for (const { layer, texels } of this.#photo.meshes) {
      const { width = 1, height = 1 } = this.#layers.get(layer) ?? {};
      texels.forEach((texel, i) => (shares[at + i] = texel / (i % 2 ? height : width)));
      at += texels.length;
    }
    return shares;
  }

  #indices(): Uint16Array {
    let first = 0;
    const all = this.#photo.meshes.map(({ indices, count }) => {
      const moved = indices.map((index) => index + first);
      first += count;
      return [...moved];
    });
    return Uint16Array.from(all.flat());
  }
}

function textureOf(gl: WebGL2RenderingContext, bitmap: ImageBitmap): WebGLTexture {
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, bitmap);
  gl.generateMipmap(gl.TEXTURE_2D);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
  for (const side of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T])
    gl.texParameteri(gl.TEXTURE_2D, side, gl.CLAMP_TO_EDGE);
  return texture;
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

/** By the name of what draws, as the stage does it. The code is not shared: the stage's is loaded before the first frame. */
function isSoftware(gl: WebGL2RenderingContext): boolean {
  const info = gl.getExtension("WEBGL_debug_renderer_info");
  const name: unknown = gl.getParameter(info?.UNMASKED_RENDERER_WEBGL ?? gl.RENDERER);
  return /swiftshader|llvmpipe|software/i.test(String(name));
}
