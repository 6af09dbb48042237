import { html, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { automaticRecognizer } from "../../protocol/voice-settings.ts";
import { fieldError, select } from "../parts/field.ts";
import { texts } from "../texts/texts.ts";
import { voiceIcon } from "../voices/voice-icons.ts";
import { heardVoice, playSample, stopSample } from "../voices/voice-sample.ts";
import { beside, linkIfThere, wordsOf } from "./field-views.ts";
import { faultText, fieldId, textAt, type EditorView } from "./editor-view.ts";

const numberAt = ({ state }: EditorView, path: string): number | undefined => {
  const value = state.value(path);
  return typeof value === "number" && value >= 0.5 && value <= 2 ? value : undefined;
};

function play(view: EditorView, name: string, title: string): Promise<void> {
  const { voices } = texts.editor;
  const { services } = view;
  const host = { services, failed: voices.failed, update: () => view.update() };
  return playSample(host, {
    tts_type: name,
    text: voices.sample(view.name || title).slice(0, 200),
    rate: numberAt(view, "embed_config.voice.rate"),
    pitch: numberAt(view, "embed_config.voice.pitch"),
  });
}

/** The choice of the voice. Each can be heard. */
export function voices(view: EditorView): TemplateResult {
  const { voice } = texts.editor;
  const chosen = textAt(view, "tts_type");
  return html`<ul class="vlist" aria-label=${wordsOf("tts_type").label}>
      ${view.resources.tts_types.map((type) => voiceChoice(view, type, chosen === type.name))}
    </ul>
    ${fieldError(fieldId("tts_type"), faultText(view, "tts_type"))}${linkIfThere(view, "/engines", voice.more)}`;
}

type VoiceType = EditorView["resources"]["tts_types"][number];

function voiceChoice(
  view: EditorView,
  { name, model, service }: VoiceType,
  isChosen: boolean,
): TemplateResult {
  const { voice, voices } = texts.editor;
  const known = voices.known[name];
  const title = known?.name ?? name;
  const about = known ? `${known.about}. ${voices.offline}.` : [service, model].filter(Boolean).join(", ");
  const isPlaying = heardVoice() === name;
  const press = (): void => {
    if (!isPlaying) return void play(view, name, title);
    stopSample();
    view.update();
  };
  return html`<li class=${isChosen ? "on" : ""}>
    <button
      class="icb fill"
      type="button"
      aria-label=${isPlaying ? voices.stop(title) : voices.play(title)}
      @click=${press}
    >
      ${voiceIcon(isPlaying ? "pause" : "play")}
    </button>
    <div class="t"><b>${title}</b><span>${about}</span></div>
    <input
      class="radio"
      type="radio"
      name="tts_type"
      aria-label=${voice.use(title)}
      .checked=${live(isChosen)}
      @change=${() => view.state.set("tts_type", name)}
    />
  </li>`;
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
