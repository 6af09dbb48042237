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
 * Whether a program exists on this machine: by its absolute path, or by its name in a folder of `PATH`. Relative paths are not
 * accepted, because they would depend on the current folder.
 */
export function hasProgram(program: string, env: Readonly<Record<string, string | undefined>>): boolean {
  if (/[/\\]/.test(program)) return isAbsolute(program) && isProgram(program);
  const folders = (env["PATH"] ?? "").split(delimiter).filter(isAbsolute);
  return folders.some((folder) => isProgram(join(folder, program)));
}
