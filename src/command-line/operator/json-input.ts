import { CommandError, type Terminal } from "./operate.ts";

/** The JSON object in a file, or in the standard input. Throws a CommandError where it holds something else. */
export async function readJsonObject(
  terminal: Terminal,
  file: string | undefined,
): Promise<Record<string, unknown>> {
  const source = file ?? "The standard input";
  let parsed: unknown;
  try {
    parsed = JSON.parse(await terminal.read(file));
  } catch (error) {
    throw new CommandError(`${source} cannot be read: ${error instanceof Error ? error.message : ""}`);
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed))
    throw new CommandError(`${source} holds no JSON object.`);
  return parsed as Record<string, unknown>;
}
