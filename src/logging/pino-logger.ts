import { pino } from "pino";
import { logFieldNames, type LogFields, type Logger, type LogLevel } from "./logger.ts";
import { withoutSecrets } from "./without-secrets.ts";

/** How a logger writes. */
export interface PinoLoggerOptions {
  level: LogLevel;
  /** Takes one line with its newline. */
  write(line: string): void;
  /** Milliseconds since the epoch. Default: the system's clock. */
  clock?(): number;
}

const allowed: ReadonlySet<string> = new Set(logFieldNames);

/** Longer values are cut: a line is for a person to read. */
const valueMaxLength = 2_000;

/** A value as it is written; undefined for one that is not plain. */
function writtenValue(value: unknown): unknown {
  if (typeof value === "string") return withoutSecrets(value).slice(0, valueMaxLength);
  return value === null || typeof value === "number" || typeof value === "boolean" ? value : undefined;
}

/** The fields as they are written. Types allow no others, but an object may have more fields than its type names. */
function writtenFields(fields: LogFields): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([name]) => allowed.has(name))
      .map(([name, value]) => [name, writtenValue(value)]),
  );
}

/** A logger of JSON lines: `{"level":"info","time":"2026-01-31T12:00:00.000Z",…,"message":"…"}`. */
export function createPinoLogger({ level, write, clock = Date.now }: PinoLoggerOptions): Logger {
  const lines = pino(
    {
      level,
      base: null,
      messageKey: "message",
      timestamp: () => `,"time":"${new Date(clock()).toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write },
  );
  const at =
    (severity: keyof Logger) =>
    (message: string, fields: LogFields = {}): void =>
      lines[severity](writtenFields(fields), withoutSecrets(message));
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}
