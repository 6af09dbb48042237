import { kernelModule } from "./kernel-module.ts";

/** The functions of `webassembly/planes`. Places in memory are byte offsets. */
export interface PlaneKernel {
  /** The bytes of a picture of this size; both sides are even. */
  pictureBytes(width: number, height: number): number;
  /** The bytes for drawing moved pictures on frames of this size. */
  scratchBytes(sizePx: number): number;
  /** Gives it the memory for that. */
  useScratch(at: number, sizePx: number): void;
  /**
   * Makes the planes of a picture from premultiplied RGBA pixels, which begin at column `shiftX` and row `shiftY` of the planes (0 or 1).
   */
  split(
    ...args: [
      picture: number,
      width: number,
      height: number,
      left: number,
      top: number,
      rgba: number,
      rgbaWidth: number,
      rgbaHeight: number,
      shiftX: number,
      shiftY: number,
    ]
  ): void;
  /** Makes a box of a frame black and transparent. Its columns are multiples of 16, its rows even; so they are below. */
  clearBox(
    ...args: [frame: number, sizePx: number, left: number, top: number, right: number, bottom: number]
  ): void;
  /** Draws the part of a picture that is in a box, where it was drawn first. */
  pasteStill(
    ...args: [
      picture: number,
      frame: number,
      sizePx: number,
      left: number,
      top: number,
      right: number,
      bottom: number,
    ]
  ): void;
  /** The same, moved: `a` to `f` map places in the frame to those where it was drawn first. */
  pasteMoved(
    ...args: [
      picture: number,
      frame: number,
      sizePx: number,
      left: number,
      top: number,
      right: number,
      bottom: number,
      a: number,
      b: number,
      c: number,
      d: number,
      e: number,
      f: number,
    ]
  ): void;
}

let compiled: WebAssembly.Module | null | undefined;

/** Its module; null on a processor without the instructions that it needs. */
function compiledModule(): WebAssembly.Module | null {
  try {
    return new WebAssembly.Module(Buffer.from(kernelModule, "base64"));
  } catch {
    return null;
  }
}

/** Whether this processor has the instructions that the kernel needs. */
export function hasPlaneKernel(): boolean {
  if (compiled === undefined) compiled = compiledModule();
  return compiled !== null;
}

/** The kernel with this memory. Only if there is one. */
export function planeKernel(memory: WebAssembly.Memory): PlaneKernel {
  if (!hasPlaneKernel() || !compiled) throw new Error("This processor has no SIMD instructions.");
  // eslint-disable-next-line no-restricted-syntax -- WebAssembly has no types
  return new WebAssembly.Instance(compiled, { env: { memory } }).exports as unknown as PlaneKernel;
}
