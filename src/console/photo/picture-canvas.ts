import { html, LitElement, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit";
import { createRef, ref } from "lit/directives/ref.js";

/** Shows pixels. */
class PictureCanvas extends LitElement {
  static override properties: PropertyDeclarations = {
    image: { attribute: false },
    label: { attribute: false },
  };
  declare image: ImageData | null;
  declare label: string;
  readonly #canvas = createRef<HTMLCanvasElement>();

  constructor() {
    super();
    this.image = null;
    this.label = "";
  }

  protected override createRenderRoot(): this {
    return this;
  }

  protected override render(): TemplateResult {
    const { width = 1, height = 1 } = this.image ?? {};
    return html`<canvas
      width=${width}
      height=${height}
      role="img"
      aria-label=${this.label}
      ${ref(this.#canvas)}
    ></canvas>`;
  }

  protected override updated(changed: PropertyValues<this>): void {
    super.updated(changed);
    if (this.image) this.#canvas.value?.getContext("2d")?.putImageData(this.image, 0, 0);
  }
}

customElements.define("visavis-console-picture", PictureCanvas);

/** Pixels as a picture. `label` is what screen readers say. */
export const picture = (image: ImageData | null, label: string): TemplateResult =>
  html`<visavis-console-picture .image=${image} .label=${label}></visavis-console-picture>`;
