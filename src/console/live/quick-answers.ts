import { html, nothing, type TemplateResult } from "lit";
import { ref } from "lit/directives/ref.js";
import type { LiveTalk } from "../../protocol/console/live.ts";
import type { OpenTalk } from "./live-feed.ts";
import { live } from "./live-texts.ts";

/** What quick answers are shown from. */
export interface QuickAnswers {
  /** Those of the avatar, as its owner wrote them. */
  readonly all: readonly string[];
  /** The place of the chosen one among those that fit. */
  readonly at: number;
  readonly move: (at: number) => void;
  readonly choose: (answer: string) => void;
}

/** The id of the list, for the field that moves in it. */
export const quickListId = "quick-answers";
const optionId = (at: number): string => `${quickListId}-${at}`;

/** The quick answers with all words that are written after the slash. None where the draft does not begin with one. */
export function fittingAnswers(draft: string, all: readonly string[]): string[] {
  if (!draft.startsWith("/")) return [];
  const words = draft.slice(1).toLowerCase().split(/\s+/);
  return all.filter((answer) => words.every((word) => answer.toLowerCase().includes(word)));
}

/** A quick answer with what is known of the visitor. What is not known stays, for the operator to write. */
export const filledAnswer = (answer: string, known: Readonly<Record<"name" | "page", string>>): string =>
  answer.replace(/\{(name|page)\}/g, (place, key: "name" | "page") => known[key] || place);

interface Choosing {
  readonly at: number;
  readonly move: (at: number) => void;
  /** Puts a text into the field. */
  readonly write: (answer: string) => void;
}

/** The quick answers of the conversation that is open. */
export function quickAnswersOf(
  open: OpenTalk | null,
  { page }: LiveTalk,
  { at, move, write }: Choosing,
): QuickAnswers {
  const known = { name: open?.variables["name"] ?? "", page };
  return { all: open?.quickAnswers ?? [], at, move, choose: (answer) => write(filledAnswer(answer, known)) };
}

/** The id of the chosen one; null where none is shown. */
export function chosenId(draft: string, { all, at }: QuickAnswers): string | null {
  const count = fittingAnswers(draft, all).length;
  return count === 0 ? null : optionId(Math.min(at, count - 1));
}

/** Handles a key while the list is shown: arrows move, Enter chooses, Escape closes. Returns whether it did. */
export function handleQuickKey(
  key: string,
  draft: string,
  { all, at, move, choose }: QuickAnswers,
  close: () => void,
): boolean {
  const fitting = fittingAnswers(draft, all);
  const last = fitting.length - 1;
  const chosen = fitting[Math.min(at, last)];
  if (chosen === undefined) return false;
  if (key === "ArrowDown") move(at >= last ? 0 : at + 1);
  else if (key === "ArrowUp") move(at <= 0 || at > last ? last : at - 1);
  else if (key === "Enter") choose(chosen);
  else if (key === "Escape") close();
  else return false;
  return true;
}

/** Scrolls to the chosen one, once it is drawn. */
const showChosen = (list?: Element): void =>
  queueMicrotask(() => list?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" }));

/** The quick answers that fit what is written. */
export function quickList(draft: string, { all, at, choose }: QuickAnswers): TemplateResult | typeof nothing {
  const fitting = fittingAnswers(draft, all);
  if (fitting.length === 0) return nothing;
  return html`<div class="quick sheet">
    <p class="hd" id="quick-title">${live.quickAnswers}</p>
    <div role="listbox" id=${quickListId} aria-labelledby="quick-title" ${ref((list) => showChosen(list))}>
      ${fitting.map(
        (answer, place) =>
          html`<button
            role="option"
            id=${optionId(place)}
            tabindex="-1"
            dir="auto"
            aria-selected=${place === Math.min(at, fitting.length - 1) ? "true" : "false"}
            @click=${() => choose(answer)}
          >
            ${answer}
          </button>`,
      )}
    </div>
    <p class="hd">${live.quickHelp}</p>
  </div>`;
}
