import type { Mesh } from "./mesh.ts";
import type { Pixels } from "./pixels.ts";

/** Two of the four channels of a word: red and blue, or green and alpha. */
const pair = 0x00ff00ff;
/** Texels are mixed in sixteenths: finer steps cannot be seen, and all products fit into an integer. */
const steps = 16;

/** The texel at a place in sixteenths, mixed with its neighbours. */
function sample(words: Uint32Array, width: number, u: number, v: number): number {
  const fu = u & 15;
  const fv = v & 15;
  const at = (v >> 4) * width + (u >> 4);
  const a = words[at]!;
  const b = words[at + 1]!;
  const c = words[at + width]!;
  const d = words[at + width + 1]!;
  if (a === b && a === c && a === d) return a;
  const gu = steps - fu;
  const gv = steps - fv;
  const even =
    (((((a & pair) * gu + (b & pair) * fu) >>> 4) & pair) * gv +
      ((((c & pair) * gu + (d & pair) * fu) >>> 4) & pair) * fv) >>>
    4;
  const odd =
    ((((((a >>> 8) & pair) * gu + ((b >>> 8) & pair) * fu) >>> 4) & pair) * gv +
      (((((c >>> 8) & pair) * gu + ((d >>> 8) & pair) * fu) >>> 4) & pair) * fv) >>>
    4;
  return ((even & pair) | ((odd & pair) << 8)) >>> 0;
}

/** A texel with its brightness and opacity changed. */
function tint(texel: number, shade: number, alpha: number): number {
  const light = shade * alpha;
  const most = (texel >>> 24) * alpha;
  const channel = (value: number): number => Math.min(most, value * light) & 255;
  return (
    (channel(texel & 255) |
      (channel((texel >>> 8) & 255) << 8) |
      (channel((texel >>> 16) & 255) << 16) |
      ((most & 255) << 24)) >>>
    0
  );
}

/** Paints a premultiplied colour over another. */
function over(colour: number, below: number): number {
  const alpha = colour >>> 24;
  if (alpha === 255 || below === 0) return colour;
  const rest = 256 - alpha;
  const even = (((below & pair) * rest) >>> 8) & pair;
  const odd = ((((below >>> 8) & pair) * rest) >>> 8) & pair;
  return (colour + ((even | (odd << 8)) >>> 0)) >>> 0;
}

/** Above so many texels for each pixel, a layer of half the size is drawn: between texels that are skipped, fine lines would flicker. */
const mostTexels = 1.5;

/** How many texels lie on a pixel, in each direction. */
function densityOf({ indices, positions, texels }: Mesh, scale: number): number {
  const areaOf = (values: Float32Array, i: number): number => {
    const [a, b, c] = [2 * indices[i]!, 2 * indices[i + 1]!, 2 * indices[i + 2]!];
    const [x, y] = [values[a]!, values[a + 1]!];
    return Math.abs((values[b]! - x) * (values[c + 1]! - y) - (values[c]! - x) * (values[b + 1]! - y));
  };
  let [there, here] = [0, 0];
  for (let i = 0; i < indices.length; i += 3) {
    there += areaOf(texels, i);
    here += areaOf(positions, i);
  }
  return here > 0 ? Math.sqrt(there / here) / scale : 1;
}

/** Draws triangles into pixels. `scale`: pixels of the target for each pixel of the character's picture. */
export class Rasteriser {
  readonly #target: Pixels;
  readonly #scale: number;
  /**
   * Column, row, opacity and brightness of the texels over the present triangle: for each the value at its first vertex, and its
   * change to the right and down. Flat, because a frame has thousands of triangles.
   */
  readonly #planes = new Float64Array(12);
  /** The same for the distances from its three edges: positive inside. */
  readonly #edges = new Float64Array(9);
  /** The size of the present layer: 1, or a half, a quarter, … */
  #share = 1;

  constructor(target: Pixels, scale: number) {
    this.#target = target;
    this.#scale = scale;
  }

  draw(mesh: Mesh, texture: Pixels): void {
    const { indices } = mesh;
    let layer = texture;
    this.#share = 1;
    for (let texels = layer.half ? densityOf(mesh, this.#scale) : 1; layer.half && texels > mostTexels;) {
      layer = layer.half;
      this.#share /= 2;
      texels /= 2;
    }
    for (let i = 0; i < indices.length; i += 3)
      this.#triangle(mesh, layer, indices[i]!, indices[i + 1]!, indices[i + 2]!);
  }

  #triangle(mesh: Mesh, texture: Pixels, a: number, b: number, c: number): void {
    const { positions: p, texels, alpha, shade } = mesh;
    const k = this.#scale;
    const x0 = p[2 * a]! * k;
    const y0 = p[2 * a + 1]! * k;
    const x1 = p[2 * b]! * k - x0;
    const y1 = p[2 * b + 1]! * k - y0;
    const x2 = p[2 * c]! * k - x0;
    const y2 = p[2 * c + 1]! * k - y0;
    const det = x1 * y2 - x2 * y1;
    if (det < 1e-6 && det > -1e-6) return;
    const top = Math.max(0, Math.ceil(y0 + Math.min(0, y1, y2) - 0.5));
    const bottom = Math.min(this.#target.height, Math.ceil(y0 + Math.max(0, y1, y2) - 0.5)) - 1;
    if (top > bottom) return;
    const edges = this.#edges;
    edges[0] = edges[3] = 0;
    edges[1] = y2 / det;
    edges[2] = -x2 / det;
    edges[4] = -y1 / det;
    edges[5] = x1 / det;
    edges[6] = 1;
    edges[7] = -edges[1] - edges[4];
    edges[8] = -edges[2] - edges[5];
    const texel = (i: number): number => texels[i]! * this.#share - 0.5;
    this.#plane(0, texel(2 * a), texel(2 * b), texel(2 * c), steps);
    this.#plane(3, texel(2 * a + 1), texel(2 * b + 1), texel(2 * c + 1), steps);
    const isPlain =
      alpha[a]! + alpha[b]! + alpha[c]! === 3 && shade[a] === 1 && shade[b] === 1 && shade[c] === 1;
    if (!isPlain) {
      this.#plane(6, alpha[a]!, alpha[b]!, alpha[c]!, 1);
      this.#plane(9, shade[a]!, shade[b]!, shade[c]!, 1);
    }
    for (let row = top; row <= bottom; row++) this.#row(texture, row, x0, row + 0.5 - y0, isPlain);
  }

  /** Sets a plane from its values at the three vertices. */
  #plane(at: number, atA: number, atB: number, atC: number, unit: number): void {
    const [planes, edges] = [this.#planes, this.#edges];
    planes[at] = atA * unit;
    planes[at + 1] = ((atB - atA) * edges[1]! + (atC - atA) * edges[4]!) * unit;
    planes[at + 2] = ((atB - atA) * edges[2]! + (atC - atA) * edges[5]!) * unit;
  }

  /** Draws the part of a row that is inside of the triangle. */
  #row(texture: Pixels, row: number, x0: number, dy: number, isPlain: boolean): void {
    const edges = this.#edges;
    const { width } = this.#target;
    let from = -x0;
    let to = width - x0;
    for (let i = 0; i < 9; i += 3) {
      const base = edges[i]! + edges[i + 2]! * dy;
      const slope = edges[i + 1]!;
      if (slope > 1e-9) from = Math.max(from, -base / slope);
      else if (slope < -1e-9) to = Math.min(to, -base / slope);
      else if (base < -1e-6) return;
    }
    // A pixel on an edge belongs to the triangle on its right, so that none is drawn twice.
    const first = Math.max(0, Math.ceil(x0 + from - 0.5 - 1e-9));
    const last = Math.min(width, Math.ceil(x0 + to - 0.5 - 1e-9)) - 1;
    if (last < first) return;
    const start = row * width;
    if (isPlain) this.#plain(texture, start + first, start + last, first + 0.5 - x0, dy);
    else this.#tinted(texture, start + first, start + last, first + 0.5 - x0, dy);
  }

  #plain(
    { words: source, width, height }: Pixels,
    first: number,
    last: number,
    dx: number,
    dy: number,
  ): void {
    const planes = this.#planes;
    const { words } = this.#target;
    const mostU = (width - 1) * steps - 1;
    const mostV = (height - 1) * steps - 1;
    const stepU = planes[1]!;
    const stepV = planes[4]!;
    let u = planes[0]! + stepU * dx + planes[2]! * dy;
    let v = planes[3]! + stepV * dx + planes[5]! * dy;
    for (let at = first; at <= last; at++) {
      const colour = sample(
        source,
        width,
        u < 0 ? 0 : u > mostU ? mostU : u | 0,
        v < 0 ? 0 : v > mostV ? mostV : v | 0,
      );
      const opacity = colour >>> 24;
      if (opacity === 255) words[at] = colour;
      else if (opacity !== 0) words[at] = over(colour, words[at]!);
      u += stepU;
      v += stepV;
    }
  }

  #tinted(
    { words: source, width, height }: Pixels,
    first: number,
    last: number,
    dx: number,
    dy: number,
  ): void {
    const planes = this.#planes;
    const { words } = this.#target;
    const mostU = (width - 1) * steps - 1;
    const mostV = (height - 1) * steps - 1;
    const value = (plane: number, x: number): number =>
      planes[plane]! + planes[plane + 1]! * x + planes[plane + 2]! * dy;
    for (let at = first; at <= last; at++) {
      const x = dx + at - first;
      const u = Math.min(mostU, Math.max(0, value(0, x))) | 0;
      const v = Math.min(mostV, Math.max(0, value(3, x))) | 0;
      const texel = sample(source, width, u, v);
      const colour = tint(texel, value(9, x), Math.min(1, Math.max(0, value(6, x))));
      if (colour >>> 24 !== 0) words[at] = over(colour, words[at]!);
    }
  }
}
