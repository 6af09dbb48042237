import { setImmediate as nextTurn } from "node:timers/promises";
import * as z from "zod";
import type { GuardedFetch } from "../outbound/guarded-fetch.ts";
import { LRUCache } from "lru-cache";
import type { OutboundCalls } from "../outbound/outbound-calls.ts";
import type { CatalogueRow } from "../store/store.ts";
import { type CompiledRule, compileRule } from "./compiled-rule.ts";
import { appliesTo, normalizationSettingsSchema } from "./normalization-rule.ts";
import { piecesFor } from "./text-pieces.ts";

const hookTimeoutMs = 3_000;
const hookMaxBytes = 256 * 1024;

/** The longest text that a hook may answer with, in characters. */
const hookTextMaxLength = 20_000;

const answerSchema = z.object({ text: z.string().max(hookTextMaxLength) });

/** A text on its way through a hook, with the arguments that the config has for it. */
interface HookRequest {
  url: string;
  text: string;
  locale: string | undefined;
  args: unknown;
  signal?: AbortSignal | undefined;
}

/** Asks a hook to rewrite a text: POST `{text, locale, args}`, answered by `{text}`. Rejects with whatever went wrong. */
async function callHook(fetch: GuardedFetch, request: HookRequest): Promise<string> {
  const { url, text, locale = null, args = null, signal } = request;
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify({ text, locale, args }),
    timeoutMs: hookTimeoutMs,
    maxBytes: hookMaxBytes,
    signal,
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`The hook answered with status ${response.status}.`);
  }
  return answerSchema.parse(await response.json()).text;
}

/** Why a normalization step was skipped. */
type NormalizationFaultCode =
  | "pre_hook_failed"
  | "post_hook_failed"
  | "rules_unusable"
  | "text_too_long"
  | "took_too_long";

/** A skipped step; `detail` contains nothing of the text. */
export interface NormalizationFault {
  code: NormalizationFaultCode;
  detail: string;
}

/** The rewritten text, and the steps that were skipped. */
interface NormalizedText {
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

/**
 * How long all rules together may work on one text. Others have their turn meanwhile, and on a busy machine a short text takes long
 * too, so it is not little.
 */
const rulesBudgetMs = 1_000;

/** After so much work others have their turn. */
const turnMs = 20;

/** How many configs stay compiled. */
const rememberedConfigs = 50;

/** Work in small parts, between which others have their turn. */
class Work {
  /** How long all of it took. */
  totalMs = 0;
  #sinceTurnMs = 0;

  async does<Result>(part: () => Result): Promise<Result> {
    const startMs = performance.now();
    const result = part();
    const tookMs = performance.now() - startMs;
    this.totalMs += tookMs;
    this.#sinceTurnMs += tookMs;
    if (this.#sinceTurnMs > turnMs) {
      await nextTurn();
      this.#sinceTurnMs = 0;
    }
    return result;
  }
}

/** Compiled rules, by the settings they were compiled from: a changed config is another. */
class RuleMemory {
  readonly #compiled = new LRUCache<string, CompiledRule[]>({ max: rememberedConfigs });

  /** In the order in which they run. Rejects where a rule cannot be used. */
  async rulesOf(settings: unknown): Promise<CompiledRule[]> {
    const key = JSON.stringify(settings ?? null);
    const known = this.#compiled.get(key);
    if (known) return known;
    const { rules } = normalizationSettingsSchema.parse(settings ?? {});
    const work = new Work();
    const compiled: CompiledRule[] = [];
    for (const rule of rules.toSorted((a, b) => a.order - b.order))
      compiled.push(await work.does(() => compileRule(rule)));
    this.#compiled.set(key, compiled);
    return compiled;
  }
}

async function applyRules(
  rules: CompiledRule[],
  given: string,
  locale: string | undefined,
): Promise<NormalizedText> {
  const work = new Work();
  let text = given;
  for (const { rule, programSize, apply } of rules) {
    if (!appliesTo(rule, locale)) continue;
    let next = "";
    for (const piece of piecesFor(text, programSize)) {
      next += await work.does(() => apply(piece, locale));
      if (next.length > normalizedTextMaxLength)
        return { text, faults: [{ code: "text_too_long", detail: "A rule made the text too long." }] };
      if (work.totalMs > rulesBudgetMs)
        return { text, faults: [{ code: "took_too_long", detail: "The rules took too long." }] };
    }
    text = next;
  }
  return { text, faults: [] };
}

type HookName = "pre" | "post";

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  return "code" in error ? String(error.code) : error.name;
}

/** Normalizes with re2js, whose time is linear whatever the pattern. Hooks are called through the guard. */
export function createTextNormalizer(outbound: OutboundCalls): TextNormalizer {
  const memory = new RuleMemory();

  async function hooked(
    row: CatalogueRow<"text_normalization_config">,
    hook: HookName,
    text: string,
    { locale, signal }: NormalizationOptions,
  ): Promise<NormalizedText> {
    const { body } = row;
    const url = body[`${hook}_hook_url`];
    if (!body.hook_enabled || !url) return { text, faults: [] };
    try {
      const args = body[`${hook}_hook_args`];
      return { text: await callHook(outbound.address(row), { url, text, locale, args, signal }), faults: [] };
    } catch (error) {
      signal?.throwIfAborted();
      return { text, faults: [{ code: `${hook}_hook_failed`, detail: reasonOf(error) }] };
    }
  }

  async function ruled(settings: unknown, text: string, locale: string | undefined): Promise<NormalizedText> {
    try {
      return await applyRules(await memory.rulesOf(settings), text, locale);
    } catch (error) {
      return { text, faults: [{ code: "rules_unusable", detail: reasonOf(error) }] };
    }
  }

  return {
    async normalize(row, text, options = {}) {
      if (text.length > normalizedTextMaxLength)
        return { text, faults: [{ code: "text_too_long", detail: "The text is too long." }] };
      const before = await hooked(row, "pre", text, options);
      const between = await ruled(row.engine, before.text, options.locale);
      const after = await hooked(row, "post", between.text, options);
      return { text: after.text, faults: [...before.faults, ...between.faults, ...after.faults] };
    },
  };
}
