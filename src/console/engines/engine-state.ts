import type { Engine, EngineTest, OfflineModel } from "../../protocol/console/engines.ts";
import { moment, secondsExact, size } from "../format.ts";
import { language, texts } from "../texts/texts.ts";

/** A state as the ring and its word show it. */
export interface StateSign {
  readonly kind: "" | "idle" | "draft" | "bad" | "work";
  readonly text: string;
}

/** Whether an engine lacks only its key. */
export const isKeyMissing = ({ state, key }: Engine): boolean =>
  state === "unavailable" && key.from === "environment" && !key.is_set;

/** How an engine is. */
export function engineSign(engine: Engine): StateSign {
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
export function languageNames(tags: readonly string[]): string[] {
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
export function engineDescription(engine: Engine, bytes: number | null): string {
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
export function testWords({ outcome, detail, remedy, first_ms: firstMs, said }: EngineTest): string {
  const { test } = texts.engines;
  if (outcome !== "ok") return [detail, remedy].filter(Boolean).join(" ");
  const after = firstMs === null ? "" : test.after(secondsExact(firstMs / 1000));
  return said ? test.said(said, after) : test.works(after);
}
