import type { Engine, EngineKind, EngineTest } from "../../../protocol/console/engines.ts";
import { recognizerOf } from "../../../protocol/settings/voice-settings.ts";
import { isPlainObject } from "../../plain-object.ts";
import { retrievalModel } from "../../store/seed/built-in-entries.ts";
import type { ContextRecord, EngineSettings, KeptRow } from "../../store/store.ts";
import type { EngineEntryKind } from "./engine-record.ts";
import { engineVariable } from "../../engines/engine-key.ts";

/** A tool server has its own time limit in its entry. */
const serversOwn = (body: object): Engine["settings"] =>
  "server_timeout_sec" in body ? { server_timeout_sec: body.server_timeout_sec } : {};

/** Settings of engines that hold no secret. Headers, commands and the fields of requests may hold one. */
const shownSettings = [
  "type",
  "base_url",
  "model",
  "voice",
  "temperature",
  "tools",
  "attachments",
  "response_format",
  "timeout_sec",
  "price",
  "first_byte_sec",
  "idle_sec",
  "streaming",
  "locale",
  "allow_private",
] as const;

/** Engines that call a server. The others run on this machine. */
const calling = new Set(["chat-completions", "openai", "interactive-agent", "tool-server"]);

const text = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);

/** The program or protocol of an entry. */
function engineName(kind: EngineKind, body: object, settings: EngineSettings | null): string {
  if (kind === "tools") return "tool-server";
  if (kind === "agent") return "interactive-agent";
  const [service, model] = ["service" in body ? body.service : null, "model" in body ? body.model : null];
  if (service === "visavis" && settings === null)
    return kind === "model" ? "retrieval" : (text(model) ?? "visavis");
  return text(settings?.["type"]) ?? (kind === "model" ? "chat-completions" : "openai");
}

/** An address without its query, which may contain a secret. */
function shownAddress(address: string | null): string | null {
  if (address === null || !URL.canParse(address)) return null;
  const url = new URL(address);
  return `${url.origin}${url.pathname}`;
}

function languagesOf(body: object): string[] {
  const extra = "voice_extra_data" in body ? body.voice_extra_data : null;
  const language = isPlainObject(extra) ? extra["language"] : null;
  return [language].flat().filter((one): one is string => typeof one === "string");
}

function keyOf(
  body: object,
  settings: EngineSettings | null,
  environment: Readonly<Record<string, string | undefined>>,
): Engine["key"] {
  const variable = text(settings?.["api_key_env"]);
  if (text(settings?.["api_key"]) !== null) return { from: "stored" };
  if (variable !== null)
    return { from: "environment", variable, is_set: engineVariable(variable, environment) !== undefined };
  return "auth_header" in body && body.auth_header !== null ? { from: "stored" } : { from: "none" };
}

/** Whether an avatar uses an engine. */
function isUsedBy(context: ContextRecord, kind: EngineKind, names: readonly string[]): boolean {
  const { config, tts_type } = context;
  const used: Readonly<Record<EngineKind, readonly (string | undefined)[]>> = {
    model: [config.llm_type ?? retrievalModel],
    voice: [tts_type],
    recognizer: [recognizerOf(config)],
    tools: config.mcp_servers ?? [],
    agent: [],
  };
  return used[kind].some((name) => name !== undefined && names.includes(name));
}

/** What is known about an engine in addition to its entry. */
export interface EngineCircumstances {
  contexts: readonly ContextRecord[];
  environment: Readonly<Record<string, string | undefined>>;
  canChange: boolean;
  state: Pick<Engine, "state" | "reason" | "since">;
  lastTest: EngineTest | null;
}

/** An engine as the console shows it, without its secrets. */
export function engineView(
  kind: EngineKind,
  { id, name, body, engine: settings, isShared, revision }: KeptRow<EngineEntryKind>,
  { contexts, environment, canChange, state, lastTest }: EngineCircumstances,
): Engine {
  const engine = engineName(kind, body, settings);
  const address = text(settings?.["base_url"]) ?? ("url" in body ? text(body.url) : null);
  return {
    kind,
    id,
    name,
    engine,
    is_built_in: settings === null && kind !== "tools" && kind !== "agent",
    is_offline: !calling.has(engine),
    is_shared: isShared,
    can_change: canChange,
    ...state,
    address: shownAddress(address),
    model: text(settings?.["model"]),
    languages: languagesOf(body),
    key: keyOf(body, settings, environment),
    used_by: contexts
      .filter((context) => isUsedBy(context, kind, [id, name]))
      .map(({ id: uuid, name: title, config: { ui } }) => ({
        id: uuid,
        name: ui?.avatar_name ?? title,
      })),
    last_test: lastTest,
    settings: {
      ...Object.fromEntries(
        shownSettings.flatMap((key) => (settings?.[key] === undefined ? [] : [[key, settings[key]]])),
      ),
      ...serversOwn(body),
    },
    revision,
  };
}
