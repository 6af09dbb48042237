import type { Engine, EngineKind, EnginePut } from "../../protocol/console/engines.ts";

type EditedKind = Exclude<EngineKind, "agent">;

/** Settings that most owners leave as they are, as texts of the form. */
export const moreNames = [
  "wait",
  "temperature",
  "tools",
  "priceInput",
  "priceOutput",
  "currency",
  "extra",
  "isPrivate",
] as const;
export type MoreName = (typeof moreNames)[number];
export type More = Readonly<Record<MoreName, string>>;

/** Those that each kind has. */
export const moreOfKind: Readonly<Record<EditedKind, readonly MoreName[]>> = {
  model: ["wait", "temperature", "tools", "priceInput", "priceOutput", "currency", "extra"],
  voice: ["wait"],
  recognizer: ["wait"],
  tools: ["wait", "isPrivate"],
};

/** What each kind calls its longest wait, in seconds. */
export const waitName: Readonly<Record<EditedKind, string>> = {
  model: "first_byte_sec",
  voice: "timeout_sec",
  recognizer: "timeout_sec",
  tools: "server_timeout_sec",
};

/** The fields of the server's reasons, by the form's. */
export const moreFaultNames: Readonly<Record<MoreName, readonly string[]>> = {
  wait: ["first_byte_sec", "timeout_sec", "server_timeout_sec"],
  temperature: ["temperature"],
  tools: ["tools"],
  priceInput: ["price.input", "price"],
  priceOutput: ["price.output"],
  currency: ["price.currency"],
  extra: ["extra_body"],
  isPrivate: ["allow_private"],
};

const textOf = (value: unknown): string =>
  typeof value === "number" || typeof value === "string" || typeof value === "boolean" ? String(value) : "";

function valueIn(value: unknown, key: string): unknown {
  const entries: [string, unknown][] =
    typeof value === "object" && value !== null ? Object.entries(value) : [];
  return entries.find(([name]) => name === key)?.[1];
}

/** What the form begins with. Additional fields may hold a secret: they are never shown, and kept where nothing is typed. */
export function moreOf(kind: EditedKind, engine: Engine | null): More {
  const settings = engine?.settings ?? {};
  const price = settings["price"];
  return {
    wait: textOf(settings[waitName[kind]]),
    temperature: textOf(settings["temperature"]),
    tools: textOf(settings["tools"]),
    priceInput: textOf(valueIn(price, "input")),
    priceOutput: textOf(valueIn(price, "output")),
    currency: textOf(valueIn(price, "currency")),
    extra: "",
    isPrivate: settings["allow_private"] === true ? "true" : "",
  };
}

/** A number as it is written in any of the console's languages; what is none is sent as it is, and the server says what is wrong. */
function numberOf(text: string): number | string | undefined {
  const trimmed = text.trim().replace(",", ".");
  if (trimmed === "") return undefined;
  const value = Number(trimmed);
  return Number.isNaN(value) ? text : value;
}

function objectIn(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

/** Whether the additional fields are no JSON object. */
export const isExtraWrong = ({ extra }: More): boolean => extra.trim() !== "" && objectIn(extra) === null;

function priceOf({ priceInput, priceOutput, currency }: More): object | undefined {
  const [input, output] = [numberOf(priceInput), numberOf(priceOutput)];
  if (input === undefined && output === undefined) return undefined;
  return { input: input ?? 0, output: output ?? 0, currency: currency.trim().toUpperCase() || "USD" };
}

/** The settings of a model, a voice or a recognizer that these texts say; undefined: none. */
export function moreSettings(kind: EditedKind, more: More): Readonly<Record<string, unknown>> {
  const wait = { [waitName[kind]]: numberOf(more.wait) };
  if (kind !== "model") return wait;
  return {
    ...wait,
    temperature: numberOf(more.temperature),
    tools: more.tools === "" ? undefined : more.tools === "true",
    price: priceOf(more),
    ...(more.extra.trim() !== "" && { extra_body: objectIn(more.extra) ?? more.extra }),
  };
}

/** The fields of a tool server's entry that these texts say. */
export function toolServerFields({ wait, isPrivate }: More): EnginePut["fields"] {
  const seconds = numberOf(wait);
  return {
    ...(seconds !== undefined && { [waitName.tools]: seconds }),
    engine: isPrivate === "true" ? { allow_private: true } : {},
  };
}
