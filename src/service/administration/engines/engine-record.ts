import type { EngineKind, EnginePut, EngineTest } from "../../../protocol/console/engines.ts";
import { LRUCache } from "lru-cache";
import { isPlainObject } from "../../plain-object.ts";
import type { EngineSettings } from "../../store/store.ts";
import { AdministrationError } from "../administration-error.ts";

/** The kind of catalogue entry behind each kind of engine. */
export const entryKinds = {
  model: "llm_type",
  voice: "tts_type",
  recognizer: "stt_type",
  tools: "mcp_server",
  agent: "interactive_agent_config",
} as const satisfies Record<EngineKind, string>;

/** A kind of catalogue entry that is an engine. */
export type EngineEntryKind = (typeof entryKinds)[EngineKind];

/** After this many failed calls in a row, an engine counts as failing. A single failure may be a network fault. */
const failuresInARow = 2;
const maxEngines = 1_000;

interface Calls {
  failures: number;
  /** Whether a plain connection succeeded and only a call over it failed. Then another connection does not end the failure. */
  isConnected: boolean;
  /** Since when its calls fail; null: its last call succeeded. */
  failingSinceMs: number | null;
  /** Why the last call failed; null: it succeeded, or nobody knows. */
  reason: string | null;
}

/** The name under which an entry's calls are remembered. */
export const recordKey = (kind: EngineEntryKind, id: string): string => `${kind} ${id}`;

/** Remembers in memory whether calls of engines succeeded, and the results of their last tests. */
export class EngineRecord {
  readonly #calls = new LRUCache<string, Calls>({ max: maxEngines });
  readonly #tests = new LRUCache<string, EngineTest>({ max: maxEngines });

  /** Notes a call. `key`: the kind and id of the entry. `reason`: why it failed, if that is known. */
  note(key: string, succeeded: boolean, nowMs: number, reason: string | null = null): void {
    this.#note(key, { succeeded, isConnected: true, reason }, nowMs);
  }

  /** Notes that an entry's server was connected to, or that this failed, before any call. */
  noteConnection(key: string, succeeded: boolean, nowMs: number, reason: string | null = null): void {
    const before = this.#calls.get(key);
    if (succeeded && before?.isConnected && before.failures > 0) return;
    this.#note(key, { succeeded, isConnected: succeeded, reason }, nowMs);
  }

  #note(
    key: string,
    { succeeded, isConnected, reason }: { succeeded: boolean; isConnected: boolean; reason: string | null },
    nowMs: number,
  ): void {
    const before = this.#calls.get(key);
    const failures = succeeded ? 0 : (before?.failures ?? 0) + 1;
    const failingSinceMs = succeeded ? null : (before?.failingSinceMs ?? nowMs);
    this.#calls.set(key, { failures, isConnected, failingSinceMs, reason });
  }

  /** Whether its calls succeeded; null: it has not been called. */
  stateOf(key: string): { isFailing: boolean; sinceMs: number | null; reason: string | null } | null {
    const calls = this.#calls.get(key);
    if (!calls) return null;
    const isFailing = calls.failures >= failuresInARow;
    return {
      isFailing,
      sinceMs: isFailing ? calls.failingSinceMs : null,
      reason: isFailing ? calls.reason : null,
    };
  }

  noteTest(key: string, test: EngineTest): void {
    this.#tests.set(key, test);
  }

  lastTest(key: string): EngineTest | null {
    return this.#tests.get(key) ?? null;
  }

  /** Its entry was changed or removed, so the record is about another engine and is dropped. */
  forget(key: string): void {
    this.#calls.delete(key);
    this.#tests.delete(key);
  }
}

/** Settings that only a shell may set: a program that is run, and paths of files. */
const shellOnly = ["command", "config", "file"];

function refuse(message: string, field: string): never {
  throw new AdministrationError("engine_refused", message, { field });
}

const originOf = (address: unknown): string | null =>
  typeof address === "string" && URL.canParse(address) ? new URL(address).origin : null;

/**
 * Refuses a tool server's new address while its header is kept: the header was given for the address before. Throws
 * AdministrationError `engine_refused`.
 */
export function checkKeptHeader(known: object | undefined, url: unknown, key: EnginePut["key"]): void {
  if (known === undefined || key !== undefined || url === undefined) return;
  const hasHeader = "auth_header" in known && known.auth_header !== null;
  const before = "url" in known ? known.url : undefined;
  if (hasHeader && originOf(before) !== originOf(url))
    refuse("The address is another one, so give the key again.", "key");
}

/** The settings that the console neither shows nor sends back: headers, commands, fields of requests. */
function hidden(known: EngineSettings, given: EngineSettings): EngineSettings {
  const keep = ["headers", "extra_body", "api_key", "api_key_env", ...shellOnly];
  return Object.fromEntries(Object.entries(known).filter(([key]) => keep.includes(key) && !(key in given)));
}

function withKey(settings: EngineSettings, key: EnginePut["key"]): EngineSettings {
  if (key === undefined) return settings;
  const { api_key: _key, api_key_env: _variable, ...rest } = settings;
  if ("value" in key) return { ...rest, api_key: key.value };
  return "variable" in key ? { ...rest, api_key_env: key.variable } : rest;
}

/**
 * The settings of an engine after a change in the console. What the console does not show stays as it is, but a key and headers are never
 * sent to another address than the one that they were given for. Throws AdministrationError `engine_refused`.
 */
export function changedSettings(
  known: EngineSettings | null,
  given: unknown,
  key: EnginePut["key"],
): EngineSettings | null {
  if (given === undefined && known === null && key === undefined) return null;
  const settings = given ?? {};
  if (!isPlainObject(settings)) return refuse("This field must be an object.", "fields.engine");
  for (const field of ["api_key", "api_key_env"])
    if (field in settings) refuse('Send the key in the field "key".', `fields.engine.${field}`);
  for (const field of shellOnly)
    if (field in settings)
      refuse("Only the shell commands on the server may set this.", `fields.engine.${field}`);
  if (settings["type"] === "command" && known?.["type"] !== "command")
    refuse("Set up programs with the shell commands on the server.", "fields.engine.type");
  const kept = known ? hidden(known, settings) : {};
  const isElsewhere = known !== null && originOf(known["base_url"]) !== originOf(settings["base_url"]);
  if (isElsewhere && key === undefined && ("api_key" in kept || "api_key_env" in kept))
    refuse("The address has changed, so enter the key again.", "key");
  const own = isElsewhere
    ? Object.fromEntries(Object.entries(kept).filter(([name]) => name !== "headers"))
    : kept;
  return withKey({ ...own, ...settings }, key);
}
