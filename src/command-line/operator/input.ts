import { CommandError } from "./command-error.ts";
import type { Terminal } from "./operate.ts";

/** What a command was given to read. */
export interface Input {
  /** What it is called in errors. */
  source: string;
  /** The file's path; undefined: it is the standard input. */
  path: string | undefined;
  bytes: Uint8Array;
}

/** A file's contents, or the standard input's (no file, or `-`). Throws a CommandError where it cannot be read. */
export async function readInput(terminal: Terminal, file: string | undefined): Promise<Input> {
  const path = file === "-" ? undefined : file;
  const source = path ?? "The standard input";
  try {
    return { source, path, bytes: await terminal.read(path) };
  } catch (error) {
    throw new CommandError(
      `${source} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

function parsed({ source, bytes }: Input): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message : "it is not text in UTF-8.";
    throw new CommandError(`${source} holds no JSON: ${reason}`);
  }
}

/** The JSON object in a file, or in the standard input. Throws a CommandError where it holds something else. */
export async function readJsonObject(
  terminal: Terminal,
  file: string | undefined,
): Promise<Record<string, unknown>> {
  const input = await readInput(terminal, file);
  const value = parsed(input);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new CommandError(`${input.source} holds no JSON object.`);
  return value as Record<string, unknown>;
}
