/** Makes pictures of one character and size that share what is costly. */
export interface PictureStock<Picture> {
  /** `onRelease` is to be called when the picture is no longer needed. */
  newPicture(onRelease: () => void): Picture;
  /** It is not used any more. */
  close(): void;
}

/** How many unused stocks are kept, because a new one delays a visitor by about 40 ms. */
const keptUnused = 4;

/** The stocks of a process, by their keys. */
export class PictureShelves<Picture> {
  readonly #shelves = new Map<string, { stock: PictureStock<Picture>; users: number }>();

  has(key: string): boolean {
    return this.#shelves.has(key);
  }

  /** A picture of the stock with this key, which is made if there is none. */
  take(key: string, newStock: () => PictureStock<Picture>): Picture {
    const shelf = this.#shelves.get(key) ?? { stock: newStock(), users: 0 };
    this.#shelves.set(key, shelf);
    shelf.users++;
    return shelf.stock.newPicture(() => {
      shelf.users--;
      this.#tidy();
    });
  }

  /** Forgets a stock, so that the next picture of this key has a new one. */
  drop(key: string): void {
    this.#shelves.delete(key);
  }

  #tidy(): void {
    const unused = [...this.#shelves].filter(([, { users }]) => users === 0);
    for (const [key, { stock }] of unused.slice(0, -keptUnused)) {
      stock.close();
      this.#shelves.delete(key);
    }
  }
}
