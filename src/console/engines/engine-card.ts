import { html, nothing, type TemplateResult } from "lit";
import type { Engine, EngineTest } from "../../protocol/console/engines.ts";
import { icon } from "../parts/icons.ts";
import { menu, type MenuItem } from "../parts/menu.ts";
import { texts } from "../texts/texts.ts";
import { voiceIcon } from "../voices/voice-icons.ts";
import { engineDescription, engineSign, isKeyMissing, testWords, type StateSign } from "./engine-state.ts";

/** The word for a state, with its ring. */
export const sign = ({ kind, text }: StateSign): TemplateResult =>
  html`<span class="sig ${kind}">${text}</span>`;

/** What a test said. */
export function testNote(test: EngineTest): TemplateResult {
  const isBad = test.outcome === "failed";
  return html`<p class="note tested ${isBad ? "bad" : ""}">
    ${icon(test.outcome === "ok" ? "check" : "alert", 18)}<span class="num">${testWords(test)}</span>
  </p>`;
}

/** The name of an engine: those that are built in have one in the console's language. */
export const engineTitle = ({ id, name }: Pick<Engine, "id" | "name">): string =>
  texts.engines.voices.known[id]?.name ?? texts.engines.known[id] ?? name;

interface Card {
  engine: Engine;
  /** The size of its model on this server; null: it has none here. */
  bytes: number | null;
  isTesting: boolean;
  /** The role may test. */
  mayTest: boolean;
  /** What the role may do beside testing; empty: nothing. */
  actions: readonly MenuItem[];
  onTest: () => void;
  /** Lets a voice be heard, or stops it; null: it is none. */
  hearing: { readonly isHeard: boolean; readonly toggle: () => void } | null;
  /** Opens the form for the key; null: the role may not. */
  onKey: (() => void) | null;
}

/** An engine as a card. */
export function engineCard(card: Card): TemplateResult {
  const { engine, bytes, isTesting, actions } = card;
  const { engines } = texts;
  const title = engineTitle(engine);
  const state = isTesting ? { kind: "work" as const, text: engines.test.running } : engineSign(engine);
  return html`<article class="sheet eng" aria-label=${title}>
    <div>
      <h3>${title}</h3>
      <p class="d">${engineDescription(engine, bytes)}</p>
    </div>
    ${resultOf(engine)}
    <div class="go">
      <span role="status">${sign(state)}</span>
      <span class="row"
        >${testButton(card, title)}
        ${actions.length === 0 ? nothing : menu(engines.more(title), actions)}</span
      >
    </div>
  </article>`;
}

/** What the last test said; without one, why the engine does not work. */
function resultOf({ last_test: test, reason }: Engine): TemplateResult | typeof nothing {
  if (test !== null) return testNote(test);
  if (reason === null) return nothing;
  return html`<p class="note tested bad">${icon("alert", 18)}<span>${reason}</span></p>`;
}

function testButton(
  { engine, isTesting, mayTest, onTest, hearing, onKey }: Card,
  title: string,
): TemplateResult | typeof nothing {
  const { engines } = texts;
  if (isKeyMissing(engine) && onKey !== null)
    return html`<button class="btn sm" @click=${onKey}>
      ${engines.addKey}<span class="sr"> ${title}</span>
    </button>`;
  if (!mayTest) return nothing;
  if (hearing !== null) return hearButton(hearing, title);
  return html`<button class="btn sm" ?disabled=${isTesting} @click=${onTest}>
    ${engine.last_test === null ? engines.test.start : engines.test.again}<span class="sr"> ${title}</span>
  </button>`;
}

function hearButton({ isHeard, toggle }: NonNullable<Card["hearing"]>, title: string): TemplateResult {
  const { voices } = texts.engines;
  return html`<button class="btn sm" @click=${toggle}>
    ${voiceIcon(isHeard ? "pause" : "play")} ${isHeard ? voices.stopIt : voices.hear}<span class="sr">
      ${title}</span
    >
  </button>`;
}
