const colours: Readonly<Record<string, string>> = {
  debug: "\u001b[2m",
  info: "\u001b[36m",
  warn: "\u001b[33m",
  error: "\u001b[31m",
};
const plain = "\u001b[0m";

/** A terminal obeys control characters, and values may come from outside. */
function shown(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const visible = text.replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, "\u{fffd}");
  return /[\s"=]/.test(visible) || visible === "" ? JSON.stringify(visible) : visible;
}

/** A JSON line of the log as a person reads it: `12:00:00.000 WARN  message field=value`. `colour`: with ANSI colours. */
export function readableLine(line: string, { colour }: { colour: boolean }): string {
  const { level, time, message, ...fields } = JSON.parse(line) as Record<string, unknown>;
  const label = String(level).toUpperCase().padEnd(5);
  const facts = Object.entries(fields).map(([name, value]) => `${name}=${shown(value)}`);
  return [
    String(time).slice(11, 23),
    colour ? `${colours[String(level)] ?? ""}${label}${plain}` : label,
    String(message),
    ...facts,
  ].join(" ");
}
