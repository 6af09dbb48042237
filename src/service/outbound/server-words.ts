/** So much of what a server says about an error is kept. */
const maxCharacters = 200;

/** Keys and tokens: long words of letters and digits, and what follows the usual names of secrets. */
const secrets = [
  /\b(?:sk|pk|rk|gsk|hf|xai|AIza)[-_]?[\w.*-]{4,}/g,
  /\b(?:bearer\s|(?:api[-_ ]?)?(?:key|token)\s?[:=])\s*["']?[\w.*+/-]{4,}/gi,
  /\b(?=[\w+/-]{0,99}\d)(?=[\w+/-]{0,99}[a-z])[\w+/-]{24,}/gi,
];

function textOf(value: unknown, depth = 0): string | null {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null || depth > 4) return null;
  if (Array.isArray(value)) {
    const texts = value.slice(0, 5).flatMap((one) => textOf(one, depth + 1) ?? []);
    return texts.length > 0 ? texts.join("; ") : null;
  }
  const { error, message, detail, msg, loc, errors, title }: Partial<Record<string, unknown>> = { ...value };
  for (const inner of [error, message, detail, errors, title]) {
    const text = inner === undefined || inner === null ? null : textOf(inner, depth + 1);
    if (text !== null) return text;
  }
  if (typeof msg !== "string") return null;
  return Array.isArray(loc) ? `${loc.join(".")}: ${msg}` : msg;
}

/**
 * What a server says about an error, for the owner of the installation: its sentence in the usual shapes of JSON, or its text, with
 * keys masked and cut to 200 characters. Null when it says nothing. Never for visitors.
 */
export function serverWords(said: unknown): string | null {
  const text = textOf(said);
  if (text === null || /^\s*</.test(text)) return null;
  const masked = secrets.reduce((words, pattern) => words.replace(pattern, "…"), text);
  const words = masked.replace(/\s+/g, " ").trim();
  if (words === "") return null;
  return words.length > maxCharacters ? `${words.slice(0, maxCharacters - 1)}…` : words;
}

/** What the body of an error says, as `serverWords`. */
export function wordsOfBody(body: string): string | null {
  try {
    return serverWords(JSON.parse(body));
  } catch {
    return serverWords(body);
  }
}
