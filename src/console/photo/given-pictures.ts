import type { ReactiveController, ReactiveControllerHost } from "lit";

/** A picture before any other file; null: there is no file, as when a picture of another page is dropped. */
function pictureOf(given: DataTransfer | null): File | null {
  const files = [...(given?.files ?? [])];
  return files.find(({ type }) => type.startsWith("image/")) ?? files[0] ?? null;
}

/** What a browser would open in place of this page, or leave in a field of it. */
const opened = ["Files", "text/uri-list"];

/**
 * Takes pictures that are dropped anywhere on the page, or pasted. Without it, a file that misses its place would replace the page,
 * with all that was made there.
 */
export class GivenPictures implements ReactiveController {
  readonly #take: (file: File | null) => void;
  #stop = new AbortController();

  /** `take` gets the file that was dropped or pasted; null: what was dropped is no file. */
  constructor(host: ReactiveControllerHost, take: (file: File | null) => void) {
    this.#take = take;
    host.addController(this);
  }

  hostConnected(): void {
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    addEventListener("dragover", this.#over, { signal });
    addEventListener("drop", this.#drop, { signal });
    addEventListener("paste", this.#paste, { signal });
  }

  hostDisconnected(): void {
    this.#stop.abort();
  }

  readonly #over = (event: DragEvent): void => {
    if (event.dataTransfer?.types.some((type) => opened.includes(type))) event.preventDefault();
  };

  readonly #drop = (event: DragEvent): void => {
    if (!event.dataTransfer?.types.some((type) => opened.includes(type))) return;
    event.preventDefault();
    this.#take(pictureOf(event.dataTransfer));
  };

  readonly #paste = (event: ClipboardEvent): void => {
    const file = pictureOf(event.clipboardData);
    if (!file) return;
    event.preventDefault();
    this.#take(file);
  };
}
