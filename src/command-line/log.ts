/** What a log line may carry besides its message: plain values, never keys, tokens, texts or session descriptions. */
export type LogFields = Record<string, string | number | boolean | null | undefined>;

/** Writes one line an event. */
export interface Log {
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

/** A log of JSON lines: `{"time","level","message",…}`. */
export function createLog(write: (line: string) => void, clock: () => number = Date.now): Log {
  const line = (level: string) => (message: string, fields?: LogFields) =>
    write(`${JSON.stringify({ time: new Date(clock()).toISOString(), level, message, ...fields })}\n`);
  return { info: line("info"), warn: line("warn"), error: line("error") };
}
