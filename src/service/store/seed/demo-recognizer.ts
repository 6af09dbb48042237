import type { Clock } from "../../clock.ts";
import { isPlainObject } from "../../plain-object.ts";
import { demoAvatars } from "./seed.ts";
import { starterRecognizer } from "./built-in-entries.ts";
import type { CatalogueRow, Store } from "../store.ts";

/** What `chooseDemoRecognizer` needs. */
export interface DemoRecognizerOptions {
  store: Pick<Store, "organizations" | "catalogue" | "contexts">;
  clock: Clock;
  /** The engine of an STT type; null when it is not installed. */
  recognizer: (row: CatalogueRow<"stt_type">) => unknown;
}

/** Engines of this machine. A remote one would get the visitors' speech, and may cost money: owners choose it themselves. */
const localEngines: readonly unknown[] = ["sherpa-onnx", "command"];

function speaksEnglish({ engine }: CatalogueRow<"stt_type">): boolean {
  const locale = engine?.["locale"];
  return typeof locale !== "string" || /^en\b/i.test(locale);
}

function isInstalled(row: CatalogueRow<"stt_type">, find: DemoRecognizerOptions["recognizer"]): boolean {
  try {
    return find(row) !== null;
  } catch {
    // The entry names an engine of another version.
    return false;
  }
}

/**
 * Gives the demo contexts that name no recognizer one that is installed on this machine, if there is one. Recognizers that the
 * operator has added come first. A context whose owner wants none says `auto`.
 */
export async function chooseDemoRecognizer({
  store,
  clock,
  recognizer,
}: DemoRecognizerOptions): Promise<void> {
  const organization = await store.organizations.first();
  if (!organization) return;
  const rows = await store.catalogue.rows("stt_type", organization.id);
  const usable = rows.filter(
    (row) =>
      localEngines.includes(row.engine?.["type"]) && speaksEnglish(row) && isInstalled(row, recognizer),
  );
  const chosen = usable.find(({ id }) => id !== starterRecognizer.id) ?? usable[0];
  if (!chosen) return;
  for (const { contextId } of demoAvatars) {
    const context = await store.contexts.byContextId(organization.id, contextId);
    // A recognizer that is named wrongly is the owner's to correct.
    if (!context || !isPlainObject(context.embed_config)) continue;
    if (context.embed_config["stt_type"] !== undefined) continue;
    const embed_config = { ...context.embed_config, stt_type: chosen.id };
    await store.contexts.replace(organization.id, context.id, { ...context, embed_config }, clock.nowMs());
  }
}
