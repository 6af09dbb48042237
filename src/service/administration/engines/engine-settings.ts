import type { EnginePut } from "../../../protocol/console/engines.ts";
import { isPlainObject } from "../../plain-object.ts";
import type { EngineSettings } from "../../store/store.ts";
import { AdministrationError } from "../administration-error.ts";

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
