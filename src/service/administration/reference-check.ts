import * as z from "zod";
import type { AgentConfig, BackgroundImage, KnowledgeDocument } from "../../protocol/catalogue.ts";
import type { WireError } from "../../protocol/error-body.ts";
import type { SessionTemplateRecord } from "../../protocol/session-template.ts";
import type { Voice } from "../../protocol/voice.ts";
import { Fault } from "../fault.ts";
import { validated } from "../http/operations/validation.ts";
import { agentSettingsSchema } from "../sessions/agent-settings.ts";
import { documentSettingsSchema } from "../sessions/documents.ts";
import { referenceFaults } from "../sessions/session-references.ts";
import type { SessionRequest, EngineSettings } from "../store/store.ts";
import type { CheckPlace } from "./check-place.ts";
import { checkNoSettings, settingsBy } from "./private-settings.ts";

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
