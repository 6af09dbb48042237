import type { Logger, LogLevel } from "../logging/logger.ts";
import { createPinoLogger } from "../logging/pino-logger.ts";
import { readableLine } from "../logging/readable-line.ts";

/** The output for lines: the used part of `process.stderr`. */
interface LineOutput {
  isTTY?: boolean;
  write(text: string): unknown;
}

/** The logger of a command: JSON lines, or a readable format on a terminal. `NO_COLOR` turns colours off. */
export function createProcessLogger(
  level: LogLevel,
  output: LineOutput = process.stderr,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Logger {
  const colour = !environment["NO_COLOR"];
  return createPinoLogger({
    level,
    write: (line) => void output.write(output.isTTY ? `${readableLine(line, { colour })}\n` : line),
  });
}
