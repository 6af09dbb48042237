import { html, nothing, type TemplateResult } from "lit";
import { editorIcon, type EditorIconName } from "../editor-icons.ts";
import { texts } from "../../texts/texts.ts";

/** The devices whose sizes the preview has. */
export type Device = "desktop" | "phone";

interface Bar {
  device: Device;
  dark: boolean;
  /** Where the avatar is alone, with what is typed; null: not known yet. */
  address: string | null;
  chooseDevice: (device: Device) => void;
  chooseDark: (dark: boolean) => void;
}

/** One of several that stand side by side. `isBare`: only its icon is shown. */
function choice(
  label: string,
  name: EditorIconName,
  isOn: boolean,
  choose: () => void,
  isBare = false,
): TemplateResult {
  return html`<button
    type="button"
    aria-pressed=${isOn ? "true" : "false"}
    aria-label=${label}
    @click=${choose}
  >
    ${editorIcon(name)}${isBare ? nothing : html`<span>${label}</span>`}
  </button>`;
}

/** Device and colours of the preview, and the way to the avatar in a tab of its own. */
export function previewBar({ device, dark, address, chooseDevice, chooseDark }: Bar): TemplateResult {
  const { preview } = texts.editor;
  const deviceChoice = (one: Device, name: EditorIconName): TemplateResult =>
    choice(preview[one], name, device === one, () => chooseDevice(one));
  return html`<div class="pv-bar onwall">
    <div class="seg pv-dev-sw" role="group" aria-label=${preview.device}>
      ${deviceChoice("desktop", "desktop")}${deviceChoice("phone", "phone")}
    </div>
    <span class="sp1"></span>
    <div class="seg pv-th" role="group" aria-label=${preview.theme}>
      ${choice(preview.light, "sun", !dark, () => chooseDark(false), true)}
      ${choice(preview.dark, "moon", dark, () => chooseDark(true), true)}
    </div>
    ${
      address === null
        ? nothing
        : html`<a
            class="icb"
            href=${address}
            target="_blank"
            rel="noopener"
            aria-label=${preview.newTab}
            title=${preview.newTab}
            >${editorIcon("external")}</a
          >`
    }
  </div>`;
}

interface Notice {
  text: string;
  /** A conversation runs with settings from before the latest changes. */
  isOld: boolean;
  again: () => void;
}

/** What is written below the preview. */
export function noticeText({ text, isOld, again }: Notice): TemplateResult | typeof nothing {
  if (text === "") return nothing;
  return html`<div class="pv-hint">
    <span role="status">${text}</span>
    ${isOld ? html`<button type="button" @click=${again}>${texts.editor.preview.again}</button>` : nothing}
  </div>`;
}

interface Actions {
  isEntered: boolean;
  isTrying: boolean;
  enter: () => void;
  tryIt: () => void;
}

/** The buttons below the preview. */
export function previewActions({ isEntered, isTrying, enter, tryIt }: Actions): TemplateResult {
  const { preview } = texts.editor;
  return html`<div class="pv-acts">
    ${isTrying ? nothing : html`<button class="btn" type="button" @click=${tryIt}>${editorIcon("chat")} ${preview.tryOpen}</button>`}
    <button class="btn" type="button" @click=${enter}>${isEntered ? preview.leave : preview.enter}</button>
  </div>`;
}

interface Chat {
  isOpen: boolean;
  isBehind: boolean;
  /** How long the last answer took until its first words; null: none yet. */
  answerMs: number | null;
  close: () => void;
  again: () => void;
}

/** A conversation in writing with what is typed, docked under the preview. */
export function chat({ isOpen, isBehind, answerMs, close, again }: Chat): TemplateResult | typeof nothing {
  if (!isOpen) return nothing;
  const { preview } = texts.editor;
  const took = answerMs === null ? "" : preview.answered((answerMs / 1000).toFixed(1));
  return html`<section class="try" aria-labelledby="try-title">
    <header>
      <div>
        <h2 id="try-title">${preview.tryTitle}</h2>
        <p class="help">${preview.tryText}</p>
      </div>
      <button class="icb" type="button" aria-label=${preview.tryClose} @click=${close}>
        ${editorIcon("close")}
      </button>
    </header>
    ${
      isBehind
        ? html`<div class="note" role="status">
            <span>${preview.isOld}</span>
            <button class="btn sm" type="button" @click=${again}>${preview.again}</button>
          </div>`
        : nothing
    }
    <iframe class="try-frame" src="./preview" title=${preview.tryFrame}></iframe>
    <p class="src num" role="status">${took}</p>
  </section>`;
}
