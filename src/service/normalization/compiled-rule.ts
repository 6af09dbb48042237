import { RE2JS } from "re2js";
import { isPlainObject } from "../plain-object.ts";
import { patternFault } from "./pattern-fault.ts";
import { ruleLimits, type NormalizationRule } from "./normalization-rule.ts";
import { prepareReplacement, ReplacementError, type Replacement } from "./replacement.ts";

/** Why a rule cannot be used: which of its texts, and where in it. */
export class RuleError extends Error {
  readonly field: "pattern" | "replacement";
  readonly position: number;

  constructor(field: "pattern" | "replacement", message: string, position: number) {
    super(message);
    this.name = "RuleError";
    this.field = field;
    this.position = position;
  }
}

/** A rule made ready; `apply` rewrites a text in time linear in its length. */
export interface CompiledRule {
  rule: NormalizationRule;
  /** `locale`: in which language numbers are said. */
  apply(text: string, locale: string | undefined): string;
}

function compilePattern(pattern: string): RE2JS {
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(pattern);
  } catch (error) {
    const { reason, piece, position } = patternFault(pattern, error);
    throw new RuleError("pattern", `At position ${position}: ${reason}${piece && `, "${piece}"`}.`, position);
  }
  if (compiled.programSize() > ruleLimits.programSize)
    throw new RuleError("pattern", "At position 0: the pattern is too complex; repeat less.", 0);
  return compiled;
}

function compileReplacement(text: string, pattern: RE2JS): Replacement {
  try {
    return prepareReplacement(text, {
      count: pattern.groupCount(),
      names: Object.keys(pattern.namedGroups()),
    });
  } catch (error) {
    if (!(error instanceof ReplacementError)) throw error;
    throw new RuleError("replacement", `At position ${error.position}: ${error.message}`, error.position);
  }
}

const textOrNull = (group: unknown): string | null => (typeof group === "string" ? group : null);

/** The named groups of a match. A pattern without any gets no object. */
function namedGroups(groups: unknown): Record<string, string | null> {
  const entries = isPlainObject(groups) ? Object.entries(groups) : [];
  return Object.fromEntries(entries.map(([name, group]) => [name, textOrNull(group)]));
}

/** Makes a rule ready. Throws RuleError. */
export function compileRule(rule: NormalizationRule): CompiledRule {
  const pattern = compilePattern(rule.pattern);
  const replacement = compileReplacement(rule.replacement, pattern);
  const count = pattern.groupCount();
  return {
    rule,
    apply: (text, locale) =>
      pattern.matcher(text).replaceAll((whole: string, ...rest: unknown[]) =>
        replacement({
          whole,
          groups: rest.slice(0, count).map(textOrNull),
          named: namedGroups(rest[count + 2]),
          locale: rule.locale ?? locale,
        }),
      ),
  };
}
