import { errorMessage } from "../../service/faults/error-message.ts";
import { isPlainObject } from "../../service/plain-object.ts";
import { CommandError } from "./command-error.ts";
import type { Terminal } from "./operate.ts";

/** The input of a command. */
export interface Input {
  /** Its name in error messages. */
  source: string;
  /** The file's path; undefined for the standard input. */
  path: string | undefined;
  bytes: Uint8Array;
}

/** The contents of a file, or of the standard input (no file, or `-`). Throws a CommandError when it cannot be read. */
export async function readInput(terminal: Terminal, file: string | undefined): Promise<Input> {
  const path = file === "-" ? undefined : file;
  const source = path ?? "The standard input";
  try {
    return { source, path, bytes: await terminal.read(path) };
  } catch (error) {
    throw new CommandError(`${source} cannot be read: ${errorMessage(error)}`);
  }
}

function parsed({ source, bytes }: Input): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message : "it is not UTF-8 text.";
    throw new CommandError(`${source} does not contain JSON: ${reason}`);
  }
}

/** The JSON object in a file or in the standard input. Throws a CommandError for any other content. */
export async function readJsonObject(
  terminal: Terminal,
  file: string | undefined,
): Promise<Record<string, unknown>> {
  const input = await readInput(terminal, file);
  const value = parsed(input);
  if (!isPlainObject(value)) throw new CommandError(`${input.source} does not contain a JSON object.`);
  return value;
}
