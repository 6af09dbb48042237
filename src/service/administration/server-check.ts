import * as z from "zod";
import type { McpServer, TextNormalizationConfig } from "../../protocol/catalogue.ts";
import { Fault } from "../fault.ts";
import { checkRules } from "../normalization/rule-check.ts";
import { allowEverywhere, allowInEntry, checkOutboundAddress } from "../outbound-check.ts";
import type { EngineSettings } from "../store/store.ts";
import type { CheckPlace } from "./check-place.ts";
import { settingsBy } from "./private-settings.ts";

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
