import { html, type TemplateResult } from "lit";
import { attachmentKinds } from "../../protocol/attachment.ts";
import { fieldError, select } from "../parts/field.ts";
import { icon } from "../parts/icons.ts";
import { texts } from "../texts/texts.ts";
import { beside, linkIfThere, toggle, wordsOf } from "./field-views.ts";
import { faultText, fieldId, setTexts, textAt, textsAt, type EditorView } from "./editor-view.ts";
import { withChosen } from "./voice-views.ts";

/** A suggestion, which a click removes. */
const chip = (text: string, remove: () => void): TemplateResult =>
  html`<button class="chipb" type="button" aria-label=${texts.editor.mind.remove(text)} @click=${remove}>
    ${text} ${icon("close", 16)}
  </button>`;

/** The suggestions as chips, with a field for another one. */
export function suggestions(view: EditorView): TemplateResult {
  const path = "embed_config.ui.suggestions";
  const { mind } = texts.editor;
  const { label, help } = wordsOf(path);
  const all = textsAt(view, path);
  const add = (form: HTMLElement): void => {
    const input = form.querySelector("input");
    const text = input?.value.trim() ?? "";
    if (!input || text === "" || all.includes(text)) return;
    setTexts(view, path, [...all, text]);
    input.value = "";
    input.focus();
  };
  const enter = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || event.isComposing || !(event.currentTarget instanceof HTMLElement)) return;
    event.preventDefault();
    add(event.currentTarget);
  };
  return html`<div class="f">
    <label for=${fieldId(path)}>${label}</label>
    <div class="chips">
      ${all.map((text) =>
        chip(text, () =>
          setTexts(
            view,
            path,
            all.filter((other) => other !== text),
          ),
        ),
      )}
    </div>
    <div class="with" @keydown=${enter}>
      <input
        class="in"
        id=${fieldId(path)}
        maxlength="200"
        placeholder=${mind.addSuggestion}
        autocomplete="off"
      />
      <button
        class="btn"
        type="button"
        ?disabled=${all.length >= 6}
        @click=${({ currentTarget }: Event) => {
          const form = currentTarget instanceof HTMLElement ? currentTarget.parentElement : null;
          if (form) add(form);
        }}
      >
        ${mind.add}
      </button>
    </div>
    ${fieldError(fieldId(path), faultText(view, path))}
    <p class="help">${help}</p>
  </div>`;
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
  ${linkIfThere(view, "/knowledge", texts.editor.mind.openKnowledge)}`;

/** What visitors may attach. */
export function attachments(view: EditorView): TemplateResult {
  const path = "embed_config.attachments";
  const chosen = textsAt(view, path);
  const control = html`<span class="row">
    ${attachmentKinds.map(
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
                attachmentKinds.filter((one) => chosen.includes(one) !== (one === kind)),
              )}
          />${texts.editor.mind[kind]}
        </label>`,
    )}
  </span>`;
  return beside(view, path, control);
}

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
