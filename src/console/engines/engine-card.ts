import type { Engine, EngineTest, OfflineModel } from "../../protocol/console/engines.ts";
import { moment, secondsExact, size } from "../format.ts";
import { language, texts } from "../texts/texts.ts";
import { html, nothing, type TemplateResult } from "lit";
import { icon } from "../parts/icons.ts";
import { menu, type MenuItem } from "../parts/menu.ts";
import { voiceIcon } from "../voices/voice-sample.ts";

/** A state as the ring and its word show it. */
export interface StateSign {
  readonly kind: "" | "idle" | "draft" | "bad" | "work";
  readonly text: string;
}

/** Whether an engine lacks only its key. */
const isKeyMissing = ({ state, key }: Engine): boolean =>
  state === "unavailable" && key.from === "environment" && !key.is_set;

/** How an engine is. */
function engineSign(engine: Engine): StateSign {
  const { states } = texts.engines;
  switch (engine.state) {
    case "working":
      return { kind: "", text: states.working };
    case "ready":
      return { kind: "idle", text: states.ready };
    case "failing":
      return {
        kind: "bad",
        text: engine.since === null ? states.failing : states.failingSince(moment(engine.since)),
      };
    case "unavailable":
      return { kind: "bad", text: isKeyMissing(engine) ? states.keyMissing : states.unavailable };
  }
}

/** Languages by their names in the console's language. */
function languageNames(tags: readonly string[]): string[] {
  const names = new Intl.DisplayNames([language], { type: "language" });
  return tags.map((tag) => {
    try {
      return names.of(tag) ?? tag;
    } catch {
      return tag;
    }
  });
}

const hostOf = (address: string | null): string =>
  address !== null && URL.canParse(address) ? new URL(address).host : "";

/** Where an engine runs, what it can do, and who uses it. `bytes`: the size of its model; null: it has none here. */
function engineDescription(engine: Engine, bytes: number | null): string {
  const { describe } = texts.engines;
  const about = texts.engines.voices.known[engine.id]?.about;
  const parts = [
    about ?? (engine.is_built_in ? describe.builtIn : ""),
    hostOf(engine.address),
    engine.model ?? "",
    engine.is_offline ? describe.offline : "",
    // What is said about a voice that is known names its language.
    ...(about === undefined ? languageNames(engine.languages) : []),
    bytes === null ? "" : size(bytes),
  ];
  const users = engine.used_by.map(({ name }) => name).join(", ");
  return describe.whole(parts.filter(Boolean).join(", "), users);
}

/** What a model for this server can do, and how large it is. */
export function modelDescription({ languages, bytes, licence }: OfflineModel): string {
  const { describe } = texts.engines;
  const parts = [...languageNames(languages), describe.offline, bytes === null ? "" : size(bytes)];
  return describe.licensed(parts.filter(Boolean).join(", "), licence);
}

/** A test's result in words. */
function testWords({ outcome, detail, remedy, first_ms: firstMs, said }: EngineTest): string {
  const { test } = texts.engines;
  if (outcome !== "ok") return [detail, remedy].filter(Boolean).join(" ");
  const after = firstMs === null ? "" : test.after(secondsExact(firstMs / 1000));
  return said ? test.said(said, after) : test.works(after);
}

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

/** What the last test said; why the engine does not work, without a test or where visitors' calls have failed since. */
function resultOf({ last_test: test, state, reason }: Engine): TemplateResult | typeof nothing {
  const isOverridden = state === "failing" && test?.outcome !== "failed";
  if (test !== null && !(isOverridden && reason !== null)) return testNote(test);
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
