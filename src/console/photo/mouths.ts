import { html, LitElement, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit";
import { createRef, ref } from "lit/directives/ref.js";
import { visemes } from "../../protocol/speech/timed-viseme.ts";
import { texts } from "../texts/texts.ts";

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
const picture = (image: ImageData | null, label: string): TemplateResult =>
  html`<visavis-console-picture .image=${image} .label=${label}></visavis-console-picture>`;

/** Poses that show each viseme, in their order. */
export const mouthPoses = visemes.map((viseme) => ({ visemeWeights: { [viseme]: 1 } }));

/** Pictures of all visemes, with the sounds that they belong to. */
export function mouthList(pictures: readonly ImageData[]): TemplateResult {
  const { mouths } = texts.photo;
  return html`<ul class="mouths" aria-label=${mouths.title}>
    ${visemes.map((viseme, index) => {
      const sounds = mouths.sounds[viseme];
      return html`<li>
        ${picture(pictures[index] ?? null, mouths.mouth(sounds))}<span aria-hidden="true">${sounds}</span>
      </li>`;
    })}
  </ul>`;
}
