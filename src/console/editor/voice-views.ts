import { html, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { automaticRecognizer } from "../../protocol/voice-settings.ts";
import { errorText } from "../parts/error-text.ts";
import { fieldError, select } from "../parts/field.ts";
import { editorIcon } from "./editor-icons.ts";
import { texts } from "../texts/texts.ts";
import { beside, linkIfThere, wordsOf } from "./field-views.ts";
import { faultText, fieldId, textAt, type EditorView } from "./editor-view.ts";

/** A voice that is heard. Without a sound, the server is asked for it. */
interface Sample {
  readonly name: string;
  sound: HTMLAudioElement | null;
  address: string | null;
}

/** The sample that is heard, one at a time. */
let playing: Sample | null = null;

/** Ends the sample that is heard. */
export function stopSample(): void {
  playing?.sound?.pause();
  if (playing?.address) URL.revokeObjectURL(playing.address);
  playing = null;
}

const numberAt = ({ state }: EditorView, path: string): number | undefined => {
  const value = state.value(path);
  return typeof value === "number" && value >= 0.5 && value <= 2 ? value : undefined;
};

async function play(view: EditorView, name: string): Promise<void> {
  stopSample();
  const sample: Sample = { name, sound: null, address: null };
  playing = sample;
  view.update();
  const body = {
    tts_type: name,
    text: texts.editor.voice.sample(view.name).slice(0, 200),
    rate: numberAt(view, "embed_config.voice.rate"),
    pitch: numberAt(view, "embed_config.voice.pitch"),
  };
  try {
    const sound = await view.services.api.file("/api/console/voice-sample/", { method: "POST", body });
    if (playing === sample) await heard(view, sample, sound);
  } catch (error) {
    if (playing !== sample) return;
    stopSample();
    view.services.toasts.show(`${texts.editor.voice.failed} ${errorText(error)}`);
    view.update();
  }
}

async function heard(view: EditorView, sample: Sample, sound: Blob): Promise<void> {
  sample.address = URL.createObjectURL(sound);
  const player = new Audio(sample.address);
  sample.sound = player;
  player.addEventListener("ended", () => {
    if (playing === sample) stopSample();
    view.update();
  });
  await player.play();
}

/** The choice of the voice. Each can be heard. */
export function voices(view: EditorView): TemplateResult {
  const { voice } = texts.editor;
  const chosen = textAt(view, "tts_type");
  return html`<ul class="vlist" aria-label=${wordsOf("tts_type").label}>
      ${view.resources.tts_types.map(({ name, model, service }) => {
        const isPlaying = playing?.name === name;
        const press = (): void => {
          if (!isPlaying) return void play(view, name);
          stopSample();
          view.update();
        };
        return html`<li class=${chosen === name ? "on" : ""}>
          <button
            class="icb fill"
            type="button"
            aria-label=${isPlaying ? voice.stop(name) : voice.play(name)}
            @click=${press}
          >
            ${editorIcon(isPlaying ? "pause" : "play")}
          </button>
          <div class="t"><b>${name}</b><span>${[service, model].filter(Boolean).join(", ")}</span></div>
          <input
            class="radio"
            type="radio"
            name="tts_type"
            aria-label=${voice.use(name)}
            .checked=${live(chosen === name)}
            @change=${() => view.state.set("tts_type", name)}
          />
        </li>`;
      })}
    </ul>
    ${fieldError(fieldId("tts_type"), faultText(view, "tts_type"))}${linkIfThere(view, "/engines", voice.more)}`;
}

/** The choice of the recognizer. */
export function recognizer(view: EditorView): TemplateResult {
  const path = "embed_config.stt_type";
  const choices = [
    { value: automaticRecognizer, label: texts.editor.voice.automatic },
    ...view.resources.stt_types.map(({ name }) => ({ value: name, label: name })),
  ];
  const control = select({
    id: fieldId(path),
    label: wordsOf(path).label,
    value: textAt(view, path) || automaticRecognizer,
    choices: withChosen(choices, textAt(view, path)),
    onChange: (value) => view.state.set(path, value === automaticRecognizer ? undefined : value),
  });
  return beside(view, path, html`<span class="choice">${control}</span>`);
}

/** The choices with the chosen one, which the server may not have any more. */
export function withChosen(
  choices: readonly { value: string; label: string }[],
  chosen: string,
): { value: string; label: string }[] {
  const isKnown = chosen === "" || choices.some(({ value }) => value === chosen);
  return isKnown ? [...choices] : [...choices, { value: chosen, label: chosen }];
}
