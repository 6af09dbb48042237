import * as z from "zod";
import type { CallPart } from "./chat-chunk.ts";

/**
 * What chat templates write into a model's text although no reader is meant: its thoughts between tags, and its calls. `hides`: what
 * stands between `open` and one of `close` is a thought or a call.
 */
const spans: readonly { hides: "thought" | "call"; open: string; close: readonly string[] }[] = [
  ...["think", "thinking", "thought", "reasoning", "seed:think"].map((name) => ({
    ...{ hides: "thought" as const, open: `<${name}>`, close: [`</${name}>`] },
  })),
  { hides: "thought", open: "[THINK]", close: ["[/THINK]"] },
  { hides: "thought", open: "◁think▷", close: ["◁/think▷"] },
  ...["analysis", "commentary"].map((channel) => ({
    ...{ hides: "thought" as const, open: `<|channel|>${channel}` },
    close: ["<|end|>", "<|channel|>final<|message|>", "<|call|>"],
  })),
  ...["tool_call", "function_call"].map((name) => ({
    ...{ hides: "call" as const, open: `<${name}>`, close: [`</${name}>`] },
  })),
  { hides: "call", open: "<function=", close: ["</function>"] },
  { hides: "call", open: "[TOOL_CALLS]", close: ["</s>"] },
  { hides: "call", open: "<|python_tag|>", close: ["<|eom_id|>", "<|eot_id|>"] },
  { hides: "call", open: "<｜tool▁calls▁begin｜>", close: ["<｜tool▁calls▁end｜>"] },
];

/** Marks of templates that only have to go. */
const marks = [
  ...["<|start|>assistant", "<|channel|>final<|message|>", "<|start|>", "<|end|>", "<|return|>"],
  ...["<|message|>", "<|im_start|>assistant", "<|im_end|>", "<|eot_id|>", "<|endoftext|>", "<end_of_turn>"],
  ...["<|eom_id|>", "<｜end▁of▁sentence｜>"],
];

/** The end of thoughts whose beginning the template has written already. */
const loneEnds = spans.filter(({ hides }) => hides === "thought").flatMap(({ close }) => close.slice(0, 1));

const everyMark = [
  ...spans.map(({ open }) => open),
  ...marks,
  ...loneEnds.filter((one) => one !== "<|end|>"),
];

const lower = (text: string): string => text.toLowerCase();

/** The first of these marks in a text, the longest of those at one place; null if there is none. */
function firstMark(text: string, of: readonly string[]): { at: number; mark: string } | null {
  const small = lower(text);
  let first: { at: number; mark: string } | null = null;
  for (const mark of of) {
    const at = small.indexOf(lower(mark));
    if (at === -1) continue;
    if (first === null || at < first.at || (at === first.at && mark.length > first.mark.length))
      first = { at, mark };
  }
  return first;
}

/** How much of a text's end may be the beginning of one of these marks. */
function beginningLength(text: string, of: readonly string[]): number {
  const small = lower(text);
  const longest = Math.max(...of.map(({ length }) => length)) - 1;
  for (let length = Math.min(longest, small.length); length > 0; length--) {
    const end = small.slice(-length);
    if (of.some((mark) => mark.length > length && lower(mark).startsWith(end))) return length;
  }
  return 0;
}

const namedCall = z.object({
  name: z.string().min(1),
  arguments: z.unknown().optional(),
  parameters: z.unknown().optional(),
});

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The values of parameters that are written as tags. */
function taggedArguments(text: string): Record<string, unknown> {
  const values = [
    ...text.matchAll(/<parameter=([^>\s]{1,100})>([^<]*)<\/parameter>/g),
    ...text.matchAll(/<arg_key>([^<]{1,100})<\/arg_key>\s*<arg_value>([^<]*)<\/arg_value>/g),
  ];
  return Object.fromEntries(values.map(([, name = "", value = ""]) => [name, jsonOf(value) ?? value.trim()]));
}

/** What stands between several calls in one text. */
const betweenCalls = /\[TOOL_CALLS\]|<｜tool▁call▁begin｜>/i;
/** A name, and what may stand between it and its arguments: JSON or tags. */
const namedText =
  /^\s*(?:function<｜tool▁sep｜>|<function=)?([\w.-]{1,100})(?:\[CALL_ID\]\w+)?(?:>|\[ARGS\]|<｜tool▁sep｜>|\s*(?=[`{]|<arg_key>))([^]*)$/;

/** The calls in a text that a model wrote as its template says: JSON, a list of it, or a name with JSON or tags after it. */
export function callsInText(text: string): CallPart[] {
  return text.split(betweenCalls).flatMap(callsIn);
}

function callsIn(text: string): CallPart[] {
  const named = namedText.exec(text);
  if (named) {
    const [, name = "", rest = ""] = named;
    const json = rest.slice(rest.indexOf("{"), rest.lastIndexOf("}") + 1);
    return [
      { function: { name, arguments: /^\s*(?:```json\s*)?\{/.test(rest) ? json : taggedArguments(rest) } },
    ];
  }
  const value = jsonOf(text.trim());
  return (Array.isArray(value) ? value : [value]).flatMap((one) => {
    const call = namedCall.safeParse(one).data;
    return call
      ? [{ function: { name: call.name, arguments: call.arguments ?? call.parameters ?? {} } }]
      : [];
  });
}

/** What is to be seen of a text, and the calls that were written in it. */
export interface ReadText {
  text: string;
  calls: CallPart[];
  /** All text before this was thoughts. What was sent of it cannot be taken back, but it will be known next time. */
  wereThoughts: boolean;
}

/** What is known about how a model's texts begin. Shared by all answers of an engine. */
export interface TextHabits {
  /** Whether a text begins within thoughts, whose beginning is not in it. Null: not known yet. */
  beginsInThoughts: boolean | null;
}

/**
 * Reads an answer's text as it arrives, without the model's thoughts and the marks of its template, and with the calls written in it.
 * What may be the beginning of a mark is held back until it is known.
 */
export class AnswerText {
  readonly #habits: TextHabits;
  readonly #mayCall: boolean;
  #rest = "";
  #inside: (typeof spans)[number] | null = null;
  /** Text that may turn out to be thoughts. */
  #doubtful = "";
  #isDoubtful: boolean;
  #isBlank = true;
  #wereThoughts = false;
  #calls: CallPart[] = [];

  /** `mayThink`: whether the model's name says that it thinks, and so may begin within thoughts if nothing is known. */
  constructor(habits: TextHabits, { mayThink, mayCall }: { mayThink: boolean; mayCall: boolean }) {
    this.#habits = habits;
    this.#mayCall = mayCall;
    this.#isDoubtful = habits.beginsInThoughts ?? mayThink;
  }

  /** Reads more text. */
  add(text: string): ReadText {
    this.#rest += text;
    return this.#read(false);
  }

  /** The server sends thoughts apart, so there are none in the text. */
  hasThoughtsApart(): void {
    this.#habits.beginsInThoughts ??= false;
    this.#isDoubtful &&= this.#habits.beginsInThoughts;
  }

  /** The text has ended. */
  end(): ReadText {
    const { text, calls, wereThoughts } = this.#read(true);
    const held = this.#doubtful + text;
    const whole = this.#isBlank ? held.trimStart() : held;
    this.#doubtful = "";
    this.#habits.beginsInThoughts ??= false;
    const bare = this.#mayCall && /^\s*[[{]/.test(whole) ? callsInText(whole) : [];
    const shown = bare.length > 0 ? "" : whole;
    return { text: shown, calls: [...calls, ...bare], wereThoughts };
  }

  #read(isEnd: boolean): ReadText {
    let seen = "";
    for (;;) {
      const inside = this.#inside;
      const of = inside ? inside.close : everyMark;
      const found = firstMark(this.#rest, of);
      if (found === null) {
        const held = isEnd ? 0 : beginningLength(this.#rest, of);
        const kept = inside?.hides === "call" ? this.#rest.length : held;
        const end = this.#rest.length - kept;
        if (inside === null) seen += this.#rest.slice(0, end);
        this.#rest = this.#rest.slice(end);
        if (isEnd && inside?.hides === "call") this.#calls.push(...callsInText(this.#rest));
        break;
      }
      const before = this.#rest.slice(0, found.at);
      this.#rest = this.#rest.slice(found.at + found.mark.length);
      if (inside) {
        if (inside.hides === "call") this.#calls.push(...callsInText(before));
        this.#inside = null;
      } else {
        seen = this.#beforeMark(found.mark, seen + before);
      }
    }
    const wereThoughts = this.#wereThoughts;
    this.#wereThoughts = false;
    return { text: this.#shown(seen), calls: this.#calls.splice(0), wereThoughts };
  }

  /** What is left of the text before a mark. */
  #beforeMark(mark: string, seen: string): string {
    const span = spans.find(({ open }) => open === mark);
    if (span) this.#inside = span;
    if (span?.hides === "thought" && this.#isDoubtful && seen.trim() === "" && this.#doubtful.trim() === "") {
      // The thoughts have a beginning, so the text does not begin within them.
      this.#habits.beginsInThoughts ??= false;
      this.#isDoubtful = false;
    }
    if (span || marks.includes(mark)) return seen;
    // Thoughts that had no beginning end here.
    this.#wereThoughts = true;
    this.#isBlank = true;
    this.#habits.beginsInThoughts = true;
    this.#isDoubtful = false;
    this.#doubtful = "";
    return "";
  }

  #shown(seen: string): string {
    const isCall = this.#mayCall && this.#isBlank && /^\s*[[{]/.test(this.#doubtful + seen);
    if (this.#isDoubtful || isCall) {
      this.#doubtful += seen;
      return "";
    }
    const text = this.#doubtful + seen;
    this.#doubtful = "";
    const shown = this.#isBlank ? text.trimStart() : text;
    if (shown !== "") this.#isBlank = false;
    return shown;
  }
}
