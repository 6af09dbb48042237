import type { CanvasLike, PuppetEnvironment } from "../canvas.ts";

/** A run of layers that keeps pictures in a room. */
interface Tenant {
  /** When its least recently used picture was used last; undefined if it has none to spare. */
  readonly oldestUse: number | undefined;
  /** Drops that picture and gives its canvas back. */
  drop(): CanvasLike | undefined;
}

/** This share of the memory may be in canvases that wait for a picture of their size: resizing one allocates its memory anew. */
const spareShare = 1 / 4;
/** A picture may have a canvas of up to so many times its own pixels. */
const mostLarger = 1.6;

const pixels = ({ width, height }: CanvasLike): number => width * height;

/** The memory that the cached pictures of one character share: what is seen often stays, whichever part it is of. */
export class PictureRoom {
  readonly #tenants: Tenant[] = [];
  /** Canvases without a picture, the one that waits for the longest first. */
  readonly #spares: CanvasLike[] = [];
  /** Those without pixels. */
  readonly #empty: CanvasLike[] = [];
  #uses = 0;
  /** Of all canvases, and of those without a picture. */
  #px = 0;
  #sparePx = 0;

  /** Without a limit, no canvas has to wait. */
  readonly #isBounded: boolean;

  /** `limitPx`: how many pixels all canvases may have together. */
  constructor(
    private readonly env: PuppetEnvironment,
    private readonly limitPx: number,
  ) {
    this.#isBounded = limitPx < Infinity;
  }

  add(tenant: Tenant): void {
    this.#tenants.push(tenant);
  }

  /** The number of a use: later ones are higher. */
  nextUse(): number {
    return ++this.#uses;
  }

  /**
   * A canvas for a new picture, of at least this size. `unused`: one that its run needs no more. Where there is no room, the least
   * recently used pictures go.
   */
  canvas(width: number, height: number, unused?: CanvasLike): CanvasLike {
    const sizePx = width * height;
    if (unused) this.#keep(unused);
    const lacks = (): boolean => this.#px + sizePx > this.limitPx;
    while (lacks() && this.#sparePx < this.limitPx * spareShare) {
      const dropped = this.#oldest()?.drop();
      if (!dropped) break;
      this.#keep(dropped);
    }
    const fits = (canvas: CanvasLike): boolean =>
      canvas.width >= width && canvas.height >= height && pixels(canvas) <= sizePx * mostLarger;
    const spare = this.#isBounded ? this.#spares.find(fits) : undefined;
    if (!spare) return this.#resized(width, height, lacks);
    this.#spares.splice(this.#spares.indexOf(spare), 1);
    this.#sparePx -= pixels(spare);
    return spare;
  }

  #keep(canvas: CanvasLike): void {
    this.#spares.push(canvas);
    this.#sparePx += pixels(canvas);
  }

  /** A canvas of exactly this size: a spare one, whose memory may be allocated anew, or a new one. */
  #resized(width: number, height: number, lacks: () => boolean): CanvasLike {
    let unused: CanvasLike | undefined;
    while (this.#spares.length > 0 && (lacks() || (!unused && !this.#isBounded))) {
      // Browsers free its memory at once then, not when they collect garbage.
      if (unused) unused.width = unused.height = 0;
      if (unused) this.#empty.push(unused);
      unused = this.#spares.shift();
      const px = unused ? pixels(unused) : 0;
      this.#px -= px;
      this.#sparePx -= px;
    }
    this.#px += width * height;
    unused ??= this.#empty.pop();
    return unused?.width === width && unused.height === height
      ? unused
      : this.env.createCanvas(width, height, unused);
  }

  #oldest(): Tenant | undefined {
    let oldest: Tenant | undefined;
    for (const tenant of this.#tenants)
      if ((tenant.oldestUse ?? Infinity) < (oldest?.oldestUse ?? Infinity)) oldest = tenant;
    return oldest;
  }
}
