import type {
  AgentConfig,
  BackgroundImage,
  InteractiveAgentConfig,
  KnowledgeDocument,
  LlmType,
  McpServer,
  SttType,
  TextNormalizationConfig,
  TtsType,
} from "../../../protocol/catalogue.ts";
import { type EngineDefinition, UnknownEngineError } from "../../engines/engine.ts";
import { Fault } from "../../faults/fault.ts";
import { agentEngine, languageEngine } from "../../language/language-engines.ts";
import { recognitionEngine, synthesisEngine } from "../../speech/speech-engines.ts";
import type { EngineSettings, SessionRequest } from "../../store/store.ts";
import type { CheckPlace } from "../check-place.ts";
import { checkNoSettings, settingsBy } from "./private-settings.ts";
import * as z from "zod";
import { checkRules } from "../../normalization/compiled-rule.ts";
import { allowEverywhere, allowInEntry, checkOutboundAddress } from "../../outbound/outbound-address.ts";
import type { WireError } from "../../../protocol/schema/error-body.ts";
import type { SessionTemplateRecord } from "../../../protocol/session/session-template.ts";
import type { Voice } from "../../../protocol/speech/voice.ts";
import { validated } from "../../http/operations/validation.ts";
import { agentSettingsSchema } from "../../sessions/answers/session-language-rules.ts";
import { documentSettingsSchema } from "../../sessions/documents.ts";
import { referenceFaults } from "../../sessions/life/session-references.ts";

/** The engine that an entry names. Throws a Fault that lists the engines. */
function named<Engine>(find: () => Engine): Engine {
  try {
    return find();
  } catch (error) {
    if (!(error instanceof UnknownEngineError)) throw error;
    const { choice, known } = error;
    const detail =
      choice.field === "model"
        ? `The service visavis has the models ${known.join(" and ")}.`
        : `Allowed here: ${known.join(", ")}.`;
    throw Fault.invalid("invalid_choice", detail, choice.field);
  }
}

/** Checks an entry with its engine. `owner` names the entry in the error about settings of a built-in engine. */
function checkWith<Body>(
  engine: EngineDefinition<Body, unknown>,
  body: Body,
  given: EngineSettings | null,
  { machine }: CheckPlace,
  owner: string,
): string[] {
  if (engine.isBuiltIn) checkNoSettings(given, owner);
  return engine.check({ body, settings: settingsBy(engine.settingsSchema.strict(), given) }, machine);
}

/** Checks the engine of a language model. Returns notes on what is still missing. Throws a Fault. */
export function checkChatEngine(body: LlmType, given: EngineSettings | null, place: CheckPlace): string[] {
  const engine = named(() => languageEngine(body, given));
  return checkWith(engine, body, given, place, `The service ${body.service}`);
}

/** Checks the engine of a voice. Returns notes on what is still missing. Throws a Fault. */
export function checkVoiceEngine(body: TtsType, given: EngineSettings | null, place: CheckPlace): string[] {
  const engine = named(() => synthesisEngine(body, given));
  return checkWith(engine, body, given, place, `The engine ${engine.kind}`);
}

/** Checks the engine of a recognizer. Returns notes on what is still missing. Throws a Fault. */
export function checkRecognitionEngine(
  body: SttType,
  given: EngineSettings | null,
  place: CheckPlace,
): string[] {
  const engine = named(() => recognitionEngine(body, given));
  return checkWith(engine, body, given, place, `The engine ${engine.kind}`);
}

/** Checks how an interactive agent is called. Throws a Fault. */
export function checkInteractiveAgent(
  body: InteractiveAgentConfig,
  given: EngineSettings | null,
  place: CheckPlace,
): string[] {
  const engine = named(() => agentEngine(given));
  return checkWith(engine, body, given, place, `The engine ${engine.kind}`);
}

const mcpSettingsSchema = z.strictObject({
  /** The operator trusts the address, so it may use http and be in a private network. */
  allow_private: z.boolean().optional(),
});

/** Checks a tool server. Throws a Fault. */
export function checkMcpServer(
  { url }: McpServer,
  engine: EngineSettings | null,
  { machine }: CheckPlace,
): string[] {
  const { allow_private = false } = settingsBy(mcpSettingsSchema, engine);
  const isTrusted = allow_private || machine.allowPrivateAddresses;
  checkOutboundAddress({ field: "url", address: url, isTrusted, remedy: allowInEntry });
  return [];
}

const rulesSchema = z.strictObject({ rules: z.unknown().optional() });

/** Checks a config's rules and the addresses of its hooks. Throws a Fault. */
export function checkNormalization(
  body: TextNormalizationConfig,
  engine: EngineSettings | null,
  { machine }: CheckPlace,
): string[] {
  const { rules = [] } = settingsBy(rulesSchema, engine);
  const check = checkRules(rules);
  if (!check.ok)
    throw Fault.validation(check.faults.map((fault) => ({ ...fault, attr: `engine.${fault.attr ?? ""}` })));
  const isTrusted = machine.allowPrivateAddresses;
  for (const field of ["pre_hook_url", "post_hook_url"] as const) {
    const address = body[field];
    if (address !== null) checkOutboundAddress({ field, address, isTrusted, remedy: allowEverywhere });
  }
  return [];
}

type Names = Partial<Pick<SessionRequest, "llm_type" | "tts_type" | "mcp_servers">>;

/** One error for each name that does not exist for the entry's owner. A shared entry may only name shared entries. */
async function missing({ store, owner }: CheckPlace, names: Names): Promise<WireError[]> {
  return referenceFaults(store, owner ?? "", names);
}

function refuse(faults: readonly WireError[], under: string): void {
  if (faults.length > 0)
    throw Fault.validation(faults.map((fault) => ({ ...fault, attr: `${under}${fault.attr ?? ""}` })));
}

/** Checks the settings of an agent config, and that everything it names exists. Throws a Fault. */
export async function checkAgentConfig(
  { config }: AgentConfig,
  engine: EngineSettings | null,
  place: CheckPlace,
): Promise<string[]> {
  const settings = validated(z.object({ config: agentSettingsSchema }), { config: config ?? {} }).config;
  refuse(await missing(place, settings), "config.");
  return checkNoSettings(engine, "An agent config");
}

/** Checks that everything a template names exists. Throws a Fault. */
export async function checkSessionTemplate(
  record: SessionTemplateRecord,
  engine: EngineSettings | null,
  place: CheckPlace,
): Promise<string[]> {
  const named = Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null));
  refuse(await missing(place, named), "");
  return checkNoSettings(engine, "A session template");
}

const voiceSettingsSchema = z.strictObject({ tts_type: z.string().min(1).optional() });

/** Checks that the TTS type of a listed voice exists. Throws a Fault. */
export async function checkListedVoice(
  _body: Voice,
  engine: EngineSettings | null,
  place: CheckPlace,
): Promise<string[]> {
  refuse(await missing(place, settingsBy(voiceSettingsSchema, engine)), "engine.");
  return [];
}

/** Checks the setting that says where a document's text is. Throws a Fault. */
export function checkDocument(_body: KnowledgeDocument, engine: EngineSettings | null): string[] {
  if (engine === null)
    return ['It has no text, so no session finds anything in it; "visavis document add" adds a text.'];
  settingsBy(documentSettingsSchema, engine);
  return [];
}

/** Checks the address of a background image, which browsers load. Throws a Fault. */
export function checkBackgroundImage({ image }: BackgroundImage, engine: EngineSettings | null): string[] {
  const url = URL.canParse(image) ? new URL(image) : null;
  const isPath = /^\/(?![/\\])/.test(image);
  if (!isPath && (url?.protocol !== "https:" || url.username !== "" || url.password !== ""))
    throw Fault.invalid(
      "invalid",
      "Set an https address without user name, or a path of this server that begins with /.",
      "image",
    );
  return checkNoSettings(engine, "A background image");
}
