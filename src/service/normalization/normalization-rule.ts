import * as z from "zod";

/**
 * One step of rewriting a text: every match of `pattern` (RE2 syntax) becomes `replacement`, which may name groups
 * (`$1`, `$<name>`, `$&`, `$$`) and functions (`{number:$1}`, see replacement.ts). Rules run in ascending `order`; those of
 * the same order as they are listed. `locale` null: for every text, else only for texts of that locale.
 */
export interface NormalizationRule {
  order: number;
  pattern: string;
  replacement: string;
  locale: string | null;
  description?: string | undefined;
}

/** Limits of what may be saved. A pattern's program is what the regular expression engine makes of it. */
export const ruleLimits = { rules: 500, patternLength: 1_000, replacementLength: 1_000, programSize: 2_000 };

export const normalizationRuleSchema = z.object({
  order: z.int(),
  pattern: z.string().min(1).max(ruleLimits.patternLength),
  replacement: z.string().max(ruleLimits.replacementLength),
  locale: z.string().min(1).max(10).nullable().default(null),
  description: z.string().max(500).optional(),
});

/** What the private settings of a text normalization config hold. */
export const normalizationSettingsSchema = z.object({
  rules: z.array(normalizationRuleSchema).max(ruleLimits.rules).default([]),
});

const canonical = (locale: string): string => locale.toLowerCase().replaceAll("_", "-");

/**
 * Whether a rule is for texts of a locale (interface specification, Normalize rules). A rule without one is for all; a rule
 * of a language (`en`) is also for its regions (`en-US`), as language ranges match (RFC 4647, basic filtering).
 */
export function appliesTo(rule: NormalizationRule, locale: string | undefined): boolean {
  if (rule.locale === null) return true;
  if (locale === undefined || locale === "") return false;
  return `${canonical(locale)}-`.startsWith(`${canonical(rule.locale)}-`);
}
