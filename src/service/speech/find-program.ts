import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/**
 * Whether a program can be run on this machine: its whole path, or its name in one of the folders of `PATH`. A relative path
 * is none, since it would mean another file wherever the command is run from.
 */
export function hasProgram(program: string, env: Readonly<Record<string, string | undefined>>): boolean {
  if (/[/\\]/.test(program)) return isAbsolute(program) && isProgram(program);
  const folders = (env["PATH"] ?? "").split(delimiter).filter(isAbsolute);
  return folders.some((folder) => isProgram(join(folder, program)));
}
