import { html, nothing, type TemplateResult } from "lit";
import { icon } from "../parts/icons.ts";
import { texts } from "../texts/texts.ts";
import { hasCamera } from "./camera-dialog.ts";

const accepted = "image/jpeg,image/png,image/webp,image/avif";

interface PhotoChoice {
  onChosen: (file: File) => void;
  onCamera: () => void;
}

/** Chooses a file of this device, or the camera. There is no way to name an address: pictures of others are not collected from the web. */
export function photoChoice({ onChosen, onCamera }: PhotoChoice): TemplateResult {
  const { choose } = texts.photo;
  const change = ({ target }: Event): void => {
    const file = target instanceof HTMLInputElement ? target.files?.[0] : undefined;
    if (file) onChosen(file);
  };
  return html`<section class="sheet" aria-labelledby="photo-choose">
    <header><h2 id="photo-choose" tabindex="-1">${choose.title}</h2></header>
    <div class="drop">
      ${icon("person", 22)}
      <p><b>${choose.drop}</b> <label class="lk" for="photo-file">${choose.file}</label></p>
      <p class="s q2" id="photo-kinds">${choose.kinds}</p>
      <input
        class="choose"
        id="photo-file"
        type="file"
        accept=${accepted}
        aria-describedby="photo-kinds"
        @change=${change}
      />
    </div>
    ${
      hasCamera()
        ? html`<button class="btn" type="button" @click=${onCamera}>${choose.camera}</button>`
        : nothing
    }
    <h3>${choose.good}</h3>
    <ul class="advice">
      ${choose.advice.map((line) => html`<li>${line}</li>`)}
    </ul>
    <p class="note">${icon("lock")}<span>${choose.private}</span></p>
  </section>`;
}

/** The chosen photograph, as long as nothing was made of it. */
export function chosenPhoto({ address }: { address: string }): TemplateResult {
  const hide = ({ target }: Event): void => {
    if (target instanceof HTMLElement) target.hidden = true;
  };
  return html`<div class="face">
    <img src=${address} alt=${texts.photo.chosen.picture} @error=${hide} />
  </div>`;
}
