import type { WireError } from "../../protocol/error-body.ts";
import { compileRule, RuleError } from "./compiled-rule.ts";
import { normalizationSettingsSchema, type NormalizationRule } from "./normalization-rule.ts";

/** Rules that may be saved, or one fault for each that may not: `attr` such as `rules.3.pattern`, with reason and position. */
export type RuleCheck = { ok: true; rules: NormalizationRule[] } | { ok: false; faults: WireError[] };

/** Checks rules before they are saved, from whatever was given. Pure; for the command line and for HTTP. */
export function checkRules(given: unknown): RuleCheck {
  const parsed = normalizationSettingsSchema.safeParse({ rules: given });
  if (!parsed.success)
    return {
      ok: false,
      faults: parsed.error.issues.map(({ path, message }) => ({
        code: "invalid",
        detail: message,
        attr: path.map(String).join("."),
      })),
    };
  const { rules } = parsed.data;
  const faults: WireError[] = [];
  for (const [index, rule] of rules.entries())
    try {
      compileRule(rule);
    } catch (error) {
      if (!(error instanceof RuleError)) throw error;
      faults.push({ code: "invalid", detail: error.message, attr: `rules.${index}.${error.field}` });
    }
  return faults.length > 0 ? { ok: false, faults } : { ok: true, rules };
}
