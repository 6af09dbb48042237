import type { TextNormalizationConfig } from "../../../src/protocol/catalogue.ts";
import type { NormalizationRule } from "../../../src/service/normalization/normalization-rule.ts";
import type { CatalogueRow } from "../../../src/service/store/store.ts";

/** A rule with defaults for the fields that do not matter. */
export function rule(pattern: string, replacement: string, fields: Partial<NormalizationRule> = {}) {
  return { order: 1, pattern, replacement, locale: null, ...fields };
}

/** A config as the store returns it. */
export function configRow(
  rules: unknown,
  fields: Partial<TextNormalizationConfig> = {},
): CatalogueRow<"text_normalization_config"> {
  const names = {
    textnormalizationconfig_id: "config",
    name: "Config",
    created_at: "2026-01-01T00:00:00.000Z",
  };
  const hooks = { hook_enabled: false, pre_hook_url: null, post_hook_url: null };
  return {
    ...{ id: "config", name: "Config", isOperators: true, engine: { rules } },
    body: { ...names, ...hooks, pre_hook_args: null, post_hook_args: null, ...fields },
  };
}
