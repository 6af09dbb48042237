import type { AttachmentKind } from "../../../protocol/answers/attachment.ts";
import { recognizerOf } from "../../../protocol/settings/voice-settings.ts";
import { randomUUID } from "node:crypto";
import type { IceServer } from "../../../protocol/session/ice.ts";
import { UnknownEngineError } from "../../engines/engine.ts";
import type { TurnProbe } from "../../media/turn-probe.ts";
import { kindsInWords } from "../../sessions/answers/session-attachments.ts";
import { iceServersFor } from "../../sessions/life/session-view.ts";
import type { ServiceSettings } from "../../service-settings.ts";
import { retrievalModel } from "../../store/seed/built-in-entries.ts";
import type { CatalogueRow, ContextRecord, FileStore, Store } from "../../store/store.ts";
import { configWarnings } from "../contexts/contexts.ts";
import { failed, faultOf, succeeded, timeSince, type Trial, warned } from "./trial.ts";
import { type TrialEngines, tryEntry } from "./entry-trial.ts";
import { checkAddress, checkOrigin } from "./page-check.ts";

/** What a check works with. */
export interface CheckParts {
  store: Pick<Store, "catalogue" | "ping">;
  files: FileStore;
  organizationId: string;
  /** The address under which visitors reach the relay. */
  publicUrl: string;
  ice: ServiceSettings["ice"];
  engines: TrialEngines;
  turnProbe: TurnProbe;
  fetch: typeof fetch;
  nowMs: number;
}

/** What a check is about. */
export interface CheckRequest {
  contexts: readonly ContextRecord[];
  /** The origin of a page that is to show the widget. Default: the origins that the contexts list. */
  origin?: string | undefined;
}

/** One line of a check. */
export interface CheckLine extends Trial {
  /** The part: `address`, `storage`, `TURN`, or a part of a context with its name. */
  part: string;
}

async function checkStorage({ store, files }: CheckParts): Promise<Trial> {
  const startedMs = performance.now();
  const name = `check-${randomUUID()}.txt`;
  const remedy = "Check VISAVIS_DATA and DATABASE_URL, the free space of the disk, and who may write there.";
  try {
    await store.ping();
    await files.write(name, new TextEncoder().encode(name));
    const read = await files.read(name);
    await files.remove(name);
    if (read === null || new TextDecoder().decode(read) !== name)
      return failed("A file that had just been written could not be read.", remedy);
    return succeeded(`Database and files answered in ${timeSince(startedMs)}.`);
  } catch (error) {
    return failed(faultOf(error).reason, remedy);
  }
}

/** The TURN servers with one URL each, so that each gets a verdict. */
function turnServers({ ice, nowMs }: CheckParts): (IceServer & { urls: string })[] {
  return iceServersFor(ice, randomUUID(), nowMs).flatMap((server) =>
    [server.urls]
      .flat()
      .filter((url) => /^turns?:/.test(url))
      .map((url) => ({ ...server, urls: url })),
  );
}

async function checkTurn(parts: CheckParts): Promise<Trial> {
  const servers = turnServers(parts);
  if (servers.length === 0)
    return warned(
      "No TURN server is set.",
      "Behind strict firewalls the avatar starts late, speaks from single requests and does not hear the visitor: set VISAVIS_TURN_URLS and VISAVIS_TURN_SECRET.",
    );
  const remedy = "Check that it runs, that its ports are open, and that it shares the secret.";
  try {
    const verdicts = await parts.turnProbe(servers);
    const silent = servers.filter((_, index) => verdicts[index] !== true).map(({ urls }) => urls);
    if (silent.length > 0) return failed(`${silent.join(", ")} gave no relay address.`, remedy);
    return succeeded(`${servers.map(({ urls }) => urls).join(", ")} relays.`);
  } catch (error) {
    return failed(faultOf(error).reason, remedy);
  }
}

type EngineKind = "llm_type" | "tts_type" | "stt_type";

async function checkEngine(parts: CheckParts, kind: EngineKind, name: string): Promise<Trial> {
  const row = await parts.store.catalogue.row(kind, parts.organizationId, name);
  const command = `visavis ${kind.replace("_", "-")}`;
  if (row === null)
    return failed(`There is no ${kind} "${name}".`, `"${command} list" shows those that there are.`);
  try {
    const trial = await tryEntry(parts.engines, kind, row);
    return trial ?? succeeded("It calls nothing.");
  } catch (error) {
    if (!(error instanceof UnknownEngineError)) throw error;
    return failed(error.message, `Correct the entry: "${command} put".`);
  }
}

/** What a model takes. An entry that names no known engine has its own line in the check. */
function kindsTakenBy(
  engines: TrialEngines,
  row: CatalogueRow<"llm_type"> | null,
): readonly AttachmentKind[] {
  try {
    return (row && engines.languageModel(row)?.takesAttachments) ?? [];
  } catch (error) {
    if (error instanceof UnknownEngineError) return [];
    throw error;
  }
}

/** Whether the context's model takes the files that visitors may attach; null where they may attach none. */
async function checkAttachments(
  { store, organizationId, engines }: CheckParts,
  { config: { attachments = [], llm_type = retrievalModel } }: ContextRecord,
): Promise<Trial | null> {
  if (attachments.length === 0) return null;
  const row = await store.catalogue.row("llm_type", organizationId, llm_type);
  const taken = kindsTakenBy(engines, row);
  const missing = attachments.filter((kind) => !taken.includes(kind));
  if (missing.length === 0) return succeeded(`Visitors may attach ${kindsInWords(attachments)}.`);
  return warned(
    `Visitors may attach ${kindsInWords(missing)}, which the model "${llm_type}" does not take.`,
    "Name these kinds in engine.attachments of the LLM type if the model takes them, or remove them from embed_config.attachments.",
  );
}

/** What of the context's settings has no effect; null where all have. */
async function checkSettings(
  { store, organizationId }: CheckParts,
  { embed_config: config }: ContextRecord,
): Promise<Trial | null> {
  const warnings = await configWarnings(store.catalogue, organizationId, config);
  if (warnings.length === 0) return null;
  const places = warnings.map(({ attr, detail }) => `${attr ?? "embed_config"}: ${detail}`);
  return warned(places.join(" "), "Correct or remove these settings: they have no effect.");
}

interface NamedEngine {
  part: "model" | "voice" | "recognizer";
  kind: EngineKind;
  name: string;
}

/** The engines that the contexts name, each once. */
function enginesOf(contexts: readonly ContextRecord[]): NamedEngine[] {
  const each = (names: (string | undefined)[]) => [...new Set(names)].filter((name) => name !== undefined);
  const named = (part: NamedEngine["part"], kind: EngineKind, names: (string | undefined)[]): NamedEngine[] =>
    each(names).map((name) => ({ part, kind, name }));
  return [
    ...named(
      "model",
      "llm_type",
      contexts.map(({ config: { llm_type = retrievalModel } }) => llm_type),
    ),
    ...named(
      "voice",
      "tts_type",
      contexts.map(({ tts_type }) => tts_type),
    ),
    ...named(
      "recognizer",
      "stt_type",
      contexts.map(({ config }) => recognizerOf(config)),
    ),
  ];
}

/**
 * Checks an installation from a visitor's and an operator's side, one part after the other: address, storage, TURN, and for the
 * contexts who may use them, models, voices and recognizers. Models, voices and recognizers get a real request.
 */
export async function* checkInstallation(
  parts: CheckParts,
  { contexts, origin }: CheckRequest,
): AsyncGenerator<CheckLine> {
  const address = await checkAddress(parts);
  yield { part: "address", ...address };
  yield { part: "storage", ...(await checkStorage(parts)) };
  yield { part: "TURN", ...(await checkTurn(parts)) };
  const answers = address.outcome !== "failed";
  for (const context of contexts)
    yield {
      part: `origin ${context.contextId}`,
      ...(await checkOrigin(parts, context, { origin, answers })),
    };
  for (const context of contexts) {
    const settings = await checkSettings(parts, context);
    if (settings) yield { part: `settings ${context.contextId}`, ...settings };
    const attachments = await checkAttachments(parts, context);
    if (attachments) yield { part: `attachments ${context.contextId}`, ...attachments };
  }
  for (const { part, kind, name } of enginesOf(contexts))
    yield { part: `${part} ${name}`, ...(await checkEngine(parts, kind, name)) };
  if (contexts.length > 0 && contexts.every((context) => recognizerOf(context.config) === undefined))
    yield {
      part: "recognizer",
      ...succeeded("None is set: the visitors' browsers recognize speech themselves."),
    };
}
