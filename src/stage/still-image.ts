import { fill, place } from "./box-style.ts";
import type { StageRect } from "./stage-geometry.ts";

/** A decorative picture in the frame, absent while it has no address or cannot be loaded. */
export class StillImage {
  readonly element = document.createElement("img");
  #url: string | null = null;
  #shown = true;

  constructor() {
    this.element.alt = "";
    this.element.setAttribute("aria-hidden", "true");
    this.element.decoding = "async";
    this.element.draggable = false;
    this.element.style.objectFit = "cover";
    this.element.onload = this.element.onerror = () => this.#update();
    fill(this.element);
    this.#update();
  }

  setUrl(url: string | null): void {
    if (url === this.#url) return;
    this.#url = url;
    if (url === null) this.element.removeAttribute("src");
    else this.element.src = url;
    this.#update();
  }

  show(shown: boolean): void {
    this.#shown = shown;
    this.#update();
  }

  place(rect: StageRect): void {
    place(this.element, rect);
  }

  /** A picture that could not be loaded would show as a broken one. */
  #update(): void {
    const broken = this.element.complete && this.element.naturalWidth === 0;
    this.element.style.display = this.#shown && this.#url !== null && !broken ? "block" : "none";
  }
}
