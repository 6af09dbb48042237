import { RE2JS } from "re2js";
import { isPlainObject } from "../plain-object.ts";
import { type NormalizationRule, normalizationSettingsSchema, ruleLimits } from "./normalization-rule.ts";
import { prepareReplacement, type Replacement, ReplacementError } from "./replacement.ts";
import type { WireError } from "../../protocol/schema/error-body.ts";

/** Why the regular expression engine refuses a pattern. */
interface PatternFault {
  reason: string;
  /** The part of the pattern that is wrong; empty where that is not known. */
  piece: string;
  /** Where the piece begins, in UTF-16 units. */
  position: number;
}

type Complaint = Omit<PatternFault, "position">;

function complaintOf(error: unknown): Complaint {
  const thrown: Record<string, unknown> = isPlainObject(error) ? error : {};
  const { error: reason, input } = thrown;
  return {
    reason: typeof reason === "string" ? reason : "not a pattern",
    piece: typeof input === "string" ? input : "",
  };
}

/** Null for a valid pattern. */
function complaintAbout(pattern: string): Complaint | null {
  try {
    RE2JS.compile(pattern);
    return null;
  } catch (error) {
    return complaintOf(error);
  }
}

/** Parts of a pattern in which a parenthesis is literal: escapes, quoted text, character classes. */
const opaque = /\\Q[\s\S]*?(?:\\E|$)|\\[\s\S]|\[\^?\]?(?:\[:\^?\w+:\]|\\[\s\S]|[^\]\\])*\]/y;

/** Where a parenthesis has no other: the first that closes nothing, else the last that nothing closes; null where none is. */
function loneParenthesis(pattern: string): number | null {
  const open: number[] = [];
  for (let at = 0; at < pattern.length;) {
    opaque.lastIndex = at;
    const skipped = opaque.exec(pattern)?.[0].length ?? 0;
    if (pattern[at] === "(") open.push(at);
    if (pattern[at] === ")" && open.pop() === undefined) return at;
    at += skipped || 1;
  }
  return open.at(-1) ?? null;
}

/** The engine names the piece and not its place: where it stands several times, the one with which the complaint begins. */
function placeOf(pattern: string, { reason, piece }: Complaint): number {
  let last = -1;
  for (let at = pattern.indexOf(piece); at >= 0; at = pattern.indexOf(piece, at + 1)) {
    last = at;
    // A group's name is only complained about once its end mark is read.
    for (const length of [piece.length, piece.length + 1]) {
      const found = complaintAbout(pattern.slice(0, at + length));
      if (found?.reason === reason && found.piece === piece) return at;
    }
  }
  return Math.max(0, last);
}

/** Why the engine could not take a pattern, and where, from what it threw. */
function patternFault(pattern: string, error: unknown): PatternFault {
  const complaint = complaintOf(error);
  const { reason, piece } = complaint;
  if (piece === "" && reason.startsWith("trailing backslash"))
    return { reason, piece: "\\", position: pattern.length - 1 };
  if (piece === "") return { reason, piece, position: 0 };
  // Of parentheses the engine names the whole pattern.
  const lone = piece === pattern && reason.endsWith(")") ? loneParenthesis(pattern) : null;
  if (lone === null) return { reason, piece, position: placeOf(pattern, complaint) };
  return { reason, piece: pattern[lone] === ")" ? ")" : pattern.slice(lone), position: lone };
}

/** Why a rule cannot be used: which of its texts, and where in it. */
class RuleError extends Error {
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
  /** How many instructions the pattern's program has: each may cost a step for each letter of a text. */
  programSize: number;
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
    programSize: pattern.programSize(),
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

/** Rules that may be saved, or one fault for each that may not: `attr` such as `rules.3.pattern`, with reason and position. */
type RuleCheck = { ok: true; rules: NormalizationRule[] } | { ok: false; faults: WireError[] };

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
