import { existsSync } from "node:fs";

/** A file or folder that a configuration names and that is not there; `field` such as `modelConfig.tokens`. */
export interface MissingFile {
  field: string;
  path: string;
}

/** What can only be a file or a folder: an absolute path, or a name that ends like the files of models. */
const pathPattern = /^\/|\.(?:onnx|txt|bin|fst|far)$/;

/** Files that an engine's configuration names and that are not there. Some of its fields hold several, parted by commas. */
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
