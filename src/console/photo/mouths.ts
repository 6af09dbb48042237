import { html, type TemplateResult } from "lit";
import { visemes } from "../../protocol/timed-viseme.ts";
import { texts } from "../texts/texts.ts";
import { picture } from "./picture-canvas.ts";

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
