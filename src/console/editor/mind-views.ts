import { html, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { automaticRecognizer } from "../../protocol/settings/voice-settings.ts";
import { fieldError, select } from "../parts/field.ts";
import { texts } from "../texts/texts.ts";
import { heardVoice, playSample, stopSample, voiceIcon } from "../voices/voice-sample.ts";
import { beside, linkIfThere, toggle, wordsOf } from "./fields/field-views.ts";
import { type EditorView, faultText, fieldId, setTexts, textAt, textsAt } from "./editor-view.ts";
import { attachmentKinds } from "../../protocol/answers/attachment.ts";
import { messageFields } from "../../protocol/settings/late-settings.ts";
import { icon } from "../parts/icons.ts";

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
function withChosen(
  choices: readonly { value: string; label: string }[],
  chosen: string,
): { value: string; label: string }[] {
  const isKnown = chosen === "" || choices.some(({ value }) => value === chosen);
  return isKnown ? [...choices] : [...choices, { value: chosen, label: chosen }];
}

interface Choices {
  readonly path: string;
  /** What no choice is called. */
  readonly none: string;
  readonly choices: readonly { value: string; label: string }[];
}

function chosenFrom(view: EditorView, { path, none, choices }: Choices): TemplateResult {
  const value = textAt(view, path);
  const control = select({
    id: fieldId(path),
    label: wordsOf(path).label,
    value,
    choices: withChosen([{ value: "", label: none }, ...choices], value),
    onChange: (chosen) => view.state.set(path, chosen || undefined),
  });
  return beside(view, path, html`<span class="choice">${control}</span>`);
}

/** A prompt of the catalogue instead of the instructions. */
export const prompt = (view: EditorView): TemplateResult =>
  chosenFrom(view, {
    path: "embed_config.prompt",
    none: texts.editor.mind.noPrompt,
    choices: view.resources.prompts.map(({ prompt_id: value, name: label }) => ({ value, label })),
  });

/** The language model. Without one the built-in one quotes the texts. */
export const model = (view: EditorView): TemplateResult =>
  chosenFrom(view, {
    path: "embed_config.llm_type",
    none: texts.editor.mind.standardModel,
    choices: view.resources.llm_types
      .filter(({ service }) => service !== "visavis")
      .map(({ name }) => ({ value: name, label: name })),
  });

/** The documents that it answers from, each switched on or off. */
export function documents(view: EditorView): TemplateResult {
  const path = "embed_config.documents";
  const { mind } = texts.editor;
  const chosen = textsAt(view, path);
  const known = view.resources.documents.map(({ document_id: id, title }) => ({ id, title }));
  const gone = chosen.filter((id) => !known.some((one) => one.id === id)).map((id) => ({ id, title: id }));
  const list = html`<ul class="rows">
    ${[...known, ...gone].map(({ id, title }, index) => {
      const set = (on: boolean): void =>
        setTexts(view, path, on ? [...chosen, id] : chosen.filter((other) => other !== id));
      return html`<li>
        <span class="docic">${icon("book")}</span>
        <div class="t"><b>${title}</b></div>
        ${toggle({ id: `${fieldId(path)}-${index}`, label: mind.use(title), isOn: chosen.includes(id), set })}
      </li>`;
    })}
  </ul>`;
  const isEmpty = known.length + gone.length === 0;
  return html`${isEmpty ? html`<p class="help">${mind.noDocument}</p>` : list}
  ${fieldError(fieldId(path), faultText(view, path))}`;
}

/** The first document, and the way to all of them where the console has that page. */
export const firstDocument = (view: EditorView): TemplateResult =>
  html`${chosenFrom(view, {
    path: "embed_config.document",
    none: texts.editor.mind.noDocument,
    choices: view.resources.documents.map(({ document_id: value, title: label }) => ({ value, label })),
  })}
  ${linkIfThere(view, "/knowledge", texts.editor.mind.openKnowledge, { avatar: view.state.saved.id })}`;

/** Some of a few kinds, each with a box. */
export function someOf<Kind extends string>(
  view: EditorView,
  path: string,
  kinds: readonly Kind[],
  labels: Readonly<Record<Kind, string>>,
): TemplateResult {
  const chosen = textsAt(view, path);
  const control = html`<span class="row">
    ${kinds.map(
      (kind) =>
        html`<label class="row">
          <input
            class="check"
            type="checkbox"
            .checked=${chosen.includes(kind)}
            @change=${() =>
              setTexts(
                view,
                path,
                kinds.filter((one) => chosen.includes(one) !== (one === kind)),
              )}
          />${labels[kind]}
        </label>`,
    )}
  </span>`;
  return beside(view, path, control);
}

/** What visitors may attach. */
export const attachments = (view: EditorView): TemplateResult =>
  someOf(view, "embed_config.attachments", attachmentKinds, texts.editor.mind);

/** What visitors are asked for with a message; nothing: none can be left. */
export const messageAsks = (view: EditorView): TemplateResult =>
  someOf(view, "embed_config.ui.handover_message", messageFields, texts.editor.messageFields);

/** The tool servers that it may use. */
export function toolServers(view: EditorView): TemplateResult {
  const path = "embed_config.mcp_servers";
  const { mind } = texts.editor;
  const chosen = textsAt(view, path);
  const names = [...new Set([...view.resources.mcp_servers.map(({ name }) => name), ...chosen])];
  const connect = linkIfThere(view, "/engines", mind.connectTool);
  if (names.length === 0)
    return html`<p class="help">${mind.noTools}</p>
      ${connect}`;
  const describe = (name: string): string =>
    view.resources.mcp_servers.find((server) => server.name === name)?.url ?? "";
  return html`<ul class="rows">
      ${names.map((name, index) => {
        const isOn = chosen.includes(name);
        const set = (on: boolean): void =>
          setTexts(view, path, on ? [...chosen, name] : chosen.filter((other) => other !== name));
        return html`<li>
          <span class="docic">${icon("chip")}</span>
          <div class="t"><b>${name}</b><span>${describe(name)}</span></div>
          ${toggle({ id: `${fieldId(path)}-${index}`, label: mind.use(name), isOn, set })}
        </li>`;
      })}
    </ul>
    ${fieldError(fieldId(path), faultText(view, path))}${connect}`;
}
