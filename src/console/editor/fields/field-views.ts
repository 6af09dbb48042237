import { html, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { type EditorView, faultText, fieldId, textAt, textsAt } from "../editor-view.ts";
import { describedBy, fieldError, select } from "../../parts/field.ts";
import { linkTo } from "../../router.ts";
import { texts } from "../../texts/texts.ts";
import type { Field } from "./form-fields.ts";

const typed = new WeakMap<object, Map<string, string>>();

/**
 * What a field shows: the text as typed while it means the same as what is set, else what is set. An empty line at the end of a list,
 * or "1.", is somebody who types.
 */
function typedText(
  { state }: EditorView,
  path: string,
  shown: string,
  read: (text: string) => unknown,
): string {
  const text = typed.get(state)?.get(path);
  return text !== undefined && JSON.stringify(read(text)) === JSON.stringify(state.value(path))
    ? text
    : shown;
}

/** Sets what a typed text means, and keeps the text as it was typed. */
function setTyped({ state }: EditorView, path: string, text: string, read: (text: string) => unknown): void {
  const all = typed.get(state) ?? new Map<string, string>();
  all.set(path, text);
  typed.set(state, all);
  state.set(path, read(text));
}

/** A line whose setting is no text, or not the one that is typed. */
interface TypedLine {
  /** What is set, as it is shown. */
  readonly shown: string;
  /** The value that a text means; undefined removes the setting. */
  read(text: string): unknown;
  readonly inputMode?: "decimal" | "numeric";
  readonly placeholder?: string;
  /** The ids of what describes it. */
  readonly describedBy?: string | typeof nothing;
}

/**
 * The control of a typed line. It is read as it is typed: the form may be drawn again at any moment (for a kept draft or a new
 * preview), and would put back what was set. Left, it shows what is set.
 */
export function typedLine(view: EditorView, path: string, line: TypedLine): TemplateResult {
  const read = (text: string): unknown => line.read(text);
  const take = ({ target }: Event): void => {
    if (target instanceof HTMLInputElement) setTyped(view, path, target.value, read);
  };
  const leave = (): void => {
    typed.get(view.state)?.delete(path);
    view.update();
  };
  return html`<input
    class=${line.inputMode ? "in num" : "in"}
    id=${fieldId(path)}
    inputmode=${line.inputMode ?? nothing}
    .value=${live(typedText(view, path, line.shown, read))}
    placeholder=${line.placeholder ?? nothing}
    autocomplete="off"
    aria-invalid=${faultText(view, path) ? "true" : "false"}
    aria-describedby=${line.describedBy ?? nothing}
    @input=${take}
    @change=${leave}
  />`;
}

type Kind<Name extends Field["kind"]> = Extract<Field, { kind: Name }>;

/** The words of a setting. */
export function wordsOf(path: string): { label: string; help: string | undefined } {
  const [label = path, help] = texts.editor.fields[path] ?? [];
  return { label, help };
}

const isOptional = (path: string): boolean => path.startsWith("embed_config.");

/** What is meant by what is typed. Without a word, settings of `embed_config` go, and the others stay empty. */
const meant = (path: string, text: string): string | undefined =>
  text.trim() ? text : isOptional(path) ? undefined : "";

const valueOf = (event: Event): string =>
  event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement
    ? event.target.value
    : "";

/** A control below its label. */
export function labelled(
  view: EditorView,
  path: string,
  control: TemplateResult,
  note?: string,
): TemplateResult {
  const { label, help } = wordsOf(path);
  const id = fieldId(path);
  return html`<div class="f">
    <label for=${id}>${label}${note ? html`<span class="q3 num">${note}</span>` : nothing}</label>
    ${control} ${fieldError(id, faultText(view, path))}
    ${help ? html`<p class="help" id=${`${id}-help`}>${help}</p>` : nothing}
  </div>`;
}

/** A control beside its label. */
export function beside(view: EditorView, path: string, control: TemplateResult): TemplateResult {
  const { label, help } = wordsOf(path);
  const id = fieldId(path);
  return html`<div class="opt">
    <div>
      <b id=${`${id}-label`}>${label}</b>
      ${help ? html`<p id=${`${id}-help`}>${help}</p>` : nothing} ${fieldError(id, faultText(view, path))}
    </div>
    ${control}
  </div>`;
}

/** A link to another page of the console, where it has that page. */
export const linkIfThere = (
  view: EditorView,
  path: string,
  label: string,
  query: Record<string, string> = {},
): TemplateResult | typeof nothing =>
  view.services.hasPage(path) ? html`<a class="lk s" href=${linkTo(path, query)}>${label}</a>` : nothing;

/** What describes a control to screen readers. */
export const described = (view: EditorView, path: string): string | typeof nothing =>
  describedBy({ id: fieldId(path), help: wordsOf(path).help, error: faultText(view, path) });

function line(view: EditorView, { path }: Field): TemplateResult {
  const set = (event: Event): void => view.state.set(path, meant(path, valueOf(event)));
  return labelled(
    view,
    path,
    html`<input
      class="in"
      id=${fieldId(path)}
      .value=${live(textAt(view, path))}
      autocomplete="off"
      aria-invalid=${faultText(view, path) ? "true" : "false"}
      aria-describedby=${described(view, path)}
      @input=${set}
    />`,
  );
}

function textArea(
  view: EditorView,
  path: string,
  rows: number,
  value: string,
  set: (text: string) => void,
): TemplateResult {
  return labelled(
    view,
    path,
    html`<textarea
      class="in"
      id=${fieldId(path)}
      rows=${rows}
      .value=${live(value)}
      aria-invalid=${faultText(view, path) ? "true" : "false"}
      aria-describedby=${described(view, path)}
      @input=${(event: Event) => set(valueOf(event))}
    ></textarea>`,
  );
}

const area = (view: EditorView, { path, rows }: Kind<"area">): TemplateResult =>
  textArea(view, path, rows, textAt(view, path), (text) => view.state.set(path, meant(path, text)));

const linesIn = (text: string): string[] =>
  text
    .split("\n")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");

function pairsIn(text: string): Record<string, string> {
  const pairs = linesIn(text).map((entry): [string, string] => {
    const [key = "", ...rest] = entry.split("=");
    return [key.trim(), rest.join("=").trim()];
  });
  return Object.fromEntries(pairs.filter(([key]) => key !== ""));
}

/** A list in a text area. `read` gives undefined for an empty one. */
function list(
  view: EditorView,
  path: string,
  shown: string,
  read: (text: string) => object | undefined,
): TemplateResult {
  const text = typedText(view, path, shown, read);
  return textArea(view, path, 3, text, (next) => setTyped(view, path, next, read));
}

const lines = (view: EditorView, { path }: Field): TemplateResult =>
  list(view, path, textsAt(view, path).join("\n"), (text) => {
    const entries = linesIn(text);
    return entries.length === 0 ? undefined : entries;
  });

function pairs(view: EditorView, { path }: Field): TemplateResult {
  const value = view.state.value(path);
  const entries = typeof value === "object" && value !== null ? Object.entries(value) : [];
  const shown = entries.map(([key, words]) => `${key} = ${String(words)}`).join("\n");
  return list(view, path, shown, (text) => {
    const read = pairsIn(text);
    return Object.keys(read).length === 0 ? undefined : read;
  });
}

/** Sets a value; what holds anyway is left out, unless it was written down before. */
function setUnlessStandard({ state }: EditorView, path: string, value: unknown, standard: unknown): void {
  const wasWritten = state.savedValue(path) !== undefined;
  state.set(path, value === standard && !wasWritten ? undefined : value);
}

/** A switch with the name of its setting. */
export function toggle(options: {
  id: string;
  label?: string;
  isOn: boolean;
  set: (on: boolean) => void;
}): TemplateResult {
  const { id, label, isOn, set } = options;
  return html`<button
    class="sw"
    type="button"
    role="switch"
    id=${id}
    aria-checked=${isOn ? "true" : "false"}
    aria-label=${label ?? nothing}
    aria-labelledby=${label === undefined ? `${id}-label` : nothing}
    @click=${() => set(!isOn)}
  ></button>`;
}

function switched(view: EditorView, { path, standard }: Kind<"switch">): TemplateResult {
  const value = view.state.value(path);
  const isOn = typeof value === "boolean" ? value : standard;
  const set = (on: boolean): void =>
    setUnlessStandard(view, path, on, isOptional(path) ? standard : undefined);
  return beside(view, path, toggle({ id: fieldId(path), isOn, set }));
}

function choice(view: EditorView, { path, values, standard }: Kind<"choice">): TemplateResult {
  const words = texts.editor.choices[path] ?? {};
  const control = select({
    id: fieldId(path),
    label: wordsOf(path).label,
    value: textAt(view, path) || standard,
    choices: values.map((value) => ({ value, label: words[value] ?? value })),
    onChange: (value) => setUnlessStandard(view, path, value, standard),
  });
  return beside(view, path, html`<span class="choice">${control}</span>`);
}

/** The number in a text; the text itself where it is none, which the form then calls wrong. */
function numberIn(text: string, scale: number): number | string {
  const value = Number(text.replace(",", "."));
  return Number.isFinite(value) ? Math.round(value * scale * 1000) / 1000 : text;
}

function number(view: EditorView, { path, standard, scale = 1 }: Kind<"number">): TemplateResult {
  const value = view.state.value(path);
  const isNone = value === undefined || (!isOptional(path) && value === 0);
  const shown = typeof value === "number" ? String(value / scale) : typeof value === "string" ? value : "";
  const read = (text: string): number | string | undefined =>
    text.trim() === "" ? (isOptional(path) ? undefined : 0) : numberIn(text.trim(), scale);
  return labelled(
    view,
    path,
    typedLine(view, path, {
      shown: isNone ? "" : shown,
      read,
      inputMode: "decimal",
      placeholder: standard,
      describedBy: described(view, path),
    }),
  );
}

function range(view: EditorView, { path, from, to, standard }: Kind<"range">): TemplateResult {
  const value = view.state.value(path);
  const shown = typeof value === "number" ? value : standard;
  const isShare = to <= 2;
  const set = (event: Event): void => setUnlessStandard(view, path, Number(valueOf(event)), standard);
  return labelled(
    view,
    path,
    html`<span class="rng">
      <input
        type="range"
        id=${fieldId(path)}
        min=${from}
        max=${to}
        step=${isShare ? 0.05 : 1}
        .value=${live(String(shown))}
        @input=${set}
      />
      <output for=${fieldId(path)}>${isShare ? `${shown.toFixed(2)} ×` : `${shown} px`}</output>
    </span>`,
  );
}

/** The control of a setting, by its kind. Settings with views of their own are not drawn here. */
export function fieldView(view: EditorView, field: Field): TemplateResult | typeof nothing {
  switch (field.kind) {
    case "text":
      return line(view, field);
    case "area":
      return area(view, field);
    case "lines":
      return lines(view, field);
    case "pairs":
      return pairs(view, field);
    case "switch":
      return switched(view, field);
    case "choice":
      return choice(view, field);
    case "number":
      return number(view, field);
    case "range":
      return range(view, field);
    case "own":
      return nothing;
  }
}
