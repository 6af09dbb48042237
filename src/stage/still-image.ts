import { fill, place } from "./box-style.ts";
import type { StageRect } from "./stage-geometry.ts";

/** A decorative picture in the frame. It is hidden while it has no URL or could not be loaded. */
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

  /** Hides a picture that could not be loaded, because the browser would show a broken image. */
  #update(): void {
    const broken = this.element.complete && this.element.naturalWidth === 0;
    this.element.style.display = this.#shown && this.#url !== null && !broken ? "block" : "none";
  }
}
