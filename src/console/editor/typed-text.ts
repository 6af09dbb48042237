import { html, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { faultText, fieldId, type EditorView } from "./editor-view.ts";

const typed = new WeakMap<object, Map<string, string>>();

/**
 * What a field shows: the text as typed while it means the same as what is set, else what is set. An empty line at the end of a list,
 * or "1.", is somebody who types.
 */
export function typedText(
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
export function setTyped(
  { state }: EditorView,
  path: string,
  text: string,
  read: (text: string) => unknown,
): void {
  const all = typed.get(state) ?? new Map<string, string>();
  all.set(path, text);
  typed.set(state, all);
  state.set(path, read(text));
}

/** A line whose setting is no text, or not the one that is typed. */
export interface TypedLine {
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
