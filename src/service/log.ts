/** Facts of a log line. Never keys, tokens, texts of people or session descriptions. */
export type LogFields = Record<string, string | number | boolean | null>;

/** Structured log lines: one info line for each change of a lifecycle, warnings and errors for faults. */
export interface Log {
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

/**
 * What a log may show of a session: the first characters of its id. The whole id is the session's capability, and what
 * is left of it still holds 128 random bits.
 */
export function sessionReference(sessionId: string): string {
  return sessionId.slice(0, 8);
}
