import * as z from "zod";
import type { InteractiveAgentConfig, McpServer, TextNormalizationConfig } from "../../protocol/catalogue.ts";
import { Fault } from "../../service/fault.ts";
import { interactiveAgentSettingsSchema } from "../../service/language/interactive-agent-settings.ts";
import { checkRules } from "../../service/normalization/rule-check.ts";
import { isCallable } from "../../service/outbound-address.ts";
import type { EngineSettings } from "../../service/store/store.ts";
import type { CheckPlace } from "./check-place.ts";
import { settingsBy } from "./private-settings.ts";

/** An address that the service is to call, and what its entry says of it. */
interface OutboundAddress {
  field: string;
  address: string;
  /** Whether the entry vouches for it. */
  isTrusted: boolean;
  /** How it is vouched for. */
  remedy: string;
}

/** The IP address that a host is without being looked up; null where it is a name. */
function ipOf(hostname: string): string | null {
  if (/(?:^|\.)localhost$/.test(hostname)) return "127.0.0.1";
  const literal = hostname.replace(/^\[|\]$/g, "");
  return /^[\d.]+$|:/.test(literal) ? literal : null;
}

/** Refuses an address that the guard of outbound calls would refuse each time. Throws a Fault. */
function checkOutbound({ field, address, isTrusted, remedy }: OutboundAddress): void {
  const refuse = (detail: string): never => {
    throw Fault.invalid("invalid", detail, field);
  };
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    return refuse("Set an https address, such as https://server.example/path.");
  if (url.username !== "" || url.password !== "")
    refuse("The address must not hold a user name or password.");
  const ip = ipOf(url.hostname);
  if (ip !== null && !isCallable(ip, true)) refuse(`No server may be called at ${url.hostname}.`);
  if (isTrusted) return;
  if (url.protocol === "http:") refuse(`Set an https address; for one by http, ${remedy}.`);
  if (ip !== null && !isCallable(ip, false))
    refuse(`${url.hostname} is in a private network; if it is meant, ${remedy}.`);
}

const everywhere = "set VISAVIS_ALLOW_PRIVATE_ADDRESSES=true, for this command too";
const inEntry = "set engine.allow_private to true";

const mcpSettingsSchema = z.strictObject({
  /** The operator vouches for the address, which may then be http and in a private network. */
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
  checkOutbound({ field: "url", address: url, isTrusted, remedy: inEntry });
  return [];
}

/** Checks how an interactive agent is reached. Throws a Fault. */
export function checkInteractiveAgent(
  _body: InteractiveAgentConfig,
  engine: EngineSettings | null,
  { machine }: CheckPlace,
): string[] {
  const { url, allow_private } = settingsBy(interactiveAgentSettingsSchema.strict(), engine);
  const isTrusted = allow_private || machine.allowPrivateAddresses;
  checkOutbound({ field: "engine.url", address: url, isTrusted, remedy: inEntry });
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
    if (address !== null) checkOutbound({ field, address, isTrusted, remedy: everywhere });
  }
  return [];
}
