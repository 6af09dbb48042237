/**
 * The fields that a log line may have. No field holds a key, a token, a prompt, a text of a visitor, a session description or
 * a whole session id.
 */
export const logFieldNames = [
  "address",
  "agent",
  "arguments",
  "background",
  "bytes",
  "capability",
  "cause",
  "code",
  "config",
  "context",
  "detail",
  "direction",
  "duration_sec",
  "ends_sessions",
  "entries",
  "error",
  "failures",
  "fault",
  "field",
  "files",
  "from",
  "host",
  "method",
  "mode",
  "ms",
  "of_this_address",
  "origins",
  "path",
  "pid",
  "reason",
  "route",
  "seconds",
  "server",
  "service",
  "session",
  "status",
  "to",
  "tool",
] as const;

/** Facts of a log line: plain values under the names of the allow-list. */
export type LogFields = {
  readonly [Name in (typeof logFieldNames)[number]]?: string | number | boolean | null | undefined;
};

/**
 * Structured log lines: `info` for each change of a lifecycle, `warn` and `error` for faults, `debug` for what explains them.
 * The message is a constant; what varies is in the fields.
 */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

/** The values of `LOG_LEVEL`, from most lines to none. */
export const logLevels = ["debug", "info", "warn", "error", "silent"] as const;

/** The least severe lines that are written. */
export type LogLevel = (typeof logLevels)[number];

/** A logger that writes nothing. */
export const silentLogger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/**
 * What a log may show of a session: the first characters of its id. The whole id is the session's capability, and the rest
 * still holds 128 random bits.
 */
export function sessionReference(sessionId: string): string {
  return sessionId.slice(0, 8);
}
