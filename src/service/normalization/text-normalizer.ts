import { LRUCache } from "lru-cache";
import type { TextNormalizationConfig } from "../../protocol/catalogue.ts";
import type { GuardedFetch } from "../guarded-fetch.ts";
import type { CatalogueRow } from "../store/store.ts";
import { compileRule, type CompiledRule } from "./compiled-rule.ts";
import { callHook } from "./normalization-hook.ts";
import { appliesTo, normalizationSettingsSchema } from "./normalization-rule.ts";

/** Why a normalization step was skipped. */
export type NormalizationFaultCode =
  "pre_hook_failed" | "post_hook_failed" | "rules_unusable" | "text_too_long" | "took_too_long";

/** A skipped step; `detail` contains nothing of the text. */
export interface NormalizationFault {
  code: NormalizationFaultCode;
  detail: string;
}

/** The rewritten text, and the steps that were skipped. */
export interface NormalizedText {
  text: string;
  faults: NormalizationFault[];
}

interface NormalizationOptions {
  locale?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** Rewrites texts by the rules of a text normalization config. */
export interface TextNormalizer {
  /** Rejects only when the signal is aborted. A step that fails is skipped and reported as a fault. */
  normalize(
    row: CatalogueRow<"text_normalization_config">,
    text: string,
    options?: NormalizationOptions,
  ): Promise<NormalizedText>;
}

/** The longest text at any step, in characters. */
export const normalizedTextMaxLength = 20_000;

/** How long all rules together may take for one text. A single rule's time is linear in the text. */
const rulesBudgetMs = 250;

/** How many configs stay compiled. */
const rememberedConfigs = 50;

/** Compiled rules, by the settings they were compiled from: a changed config is another. */
class RuleMemory {
  readonly #compiled = new LRUCache<string, CompiledRule[]>({ max: rememberedConfigs });

  /** In the order in which they run. Throws where a rule cannot be used. */
  rulesOf(settings: unknown): CompiledRule[] {
    const key = JSON.stringify(settings ?? null);
    const known = this.#compiled.get(key);
    if (known) return known;
    const { rules } = normalizationSettingsSchema.parse(settings ?? {});
    const compiled = rules.toSorted((a, b) => a.order - b.order).map(compileRule);
    this.#compiled.set(key, compiled);
    return compiled;
  }
}

function applyRules(rules: CompiledRule[], given: string, locale: string | undefined): NormalizedText {
  const startMs = performance.now();
  let text = given;
  for (const { rule, apply } of rules) {
    if (!appliesTo(rule, locale)) continue;
    const next = apply(text, locale);
    if (next.length > normalizedTextMaxLength)
      return { text, faults: [{ code: "text_too_long", detail: "A rule made the text too long." }] };
    text = next;
    if (performance.now() - startMs > rulesBudgetMs)
      return { text, faults: [{ code: "took_too_long", detail: "The rules took too long." }] };
  }
  return { text, faults: [] };
}

type HookName = "pre" | "post";

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  return "code" in error ? String(error.code) : error.name;
}

/** Normalizes with re2js, whose time is linear whatever the pattern. Hooks are called through the guard. */
export function createTextNormalizer(fetch: GuardedFetch): TextNormalizer {
  const memory = new RuleMemory();

  async function hooked(
    body: TextNormalizationConfig,
    hook: HookName,
    text: string,
    { locale, signal }: NormalizationOptions,
  ): Promise<NormalizedText> {
    const url = body[`${hook}_hook_url`];
    if (!body.hook_enabled || !url) return { text, faults: [] };
    try {
      const args = body[`${hook}_hook_args`];
      return { text: await callHook(fetch, { url, text, locale, args, signal }), faults: [] };
    } catch (error) {
      signal?.throwIfAborted();
      return { text, faults: [{ code: `${hook}_hook_failed`, detail: reasonOf(error) }] };
    }
  }

  function ruled(settings: unknown, text: string, locale: string | undefined): NormalizedText {
    try {
      return applyRules(memory.rulesOf(settings), text, locale);
    } catch (error) {
      return { text, faults: [{ code: "rules_unusable", detail: reasonOf(error) }] };
    }
  }

  return {
    async normalize({ body, engine }, text, options = {}) {
      if (text.length > normalizedTextMaxLength)
        return { text, faults: [{ code: "text_too_long", detail: "The text is too long." }] };
      const before = await hooked(body, "pre", text, options);
      const between = ruled(engine, before.text, options.locale);
      const after = await hooked(body, "post", between.text, options);
      return { text: after.text, faults: [...before.faults, ...between.faults, ...after.faults] };
    },
  };
}
