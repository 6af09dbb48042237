import { existsSync } from "node:fs";

/** A missing file or folder that a configuration names; `field` is such as `modelConfig.tokens`. */
export interface MissingFile {
  field: string;
  path: string;
}

/** A string that must be the name of a file or folder: an absolute path, or a name with the extension of a model file. */
const pathPattern = /^\/|\.(?:onnx|txt|bin|fst|far)$/;

/** The files of an engine's configuration that do not exist. Some fields contain several, separated by commas. */
export function missingFiles(config: unknown, field = ""): MissingFile[] {
  if (typeof config === "string") {
    if (!pathPattern.test(config) || existsSync(config)) return [];
    const paths = config.split(",");
    return paths.filter((path) => !existsSync(path)).map((path) => ({ field, path }));
  }
  if (typeof config !== "object" || config === null) return [];
  return Object.entries(config).flatMap(([name, value]) =>
    missingFiles(value, field === "" ? name : `${field}.${name}`),
  );
}
