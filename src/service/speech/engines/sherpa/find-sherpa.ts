import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const packageName = "sherpa-onnx-node";

/**
 * The script of sherpa-onnx's package: from the folder where it was installed, else from next to this program. Null when it is
 * not installed.
 */
export function findSherpa(folder?: string): string | null {
  const from = folder === undefined ? import.meta.url : join(resolve(folder), "package.json");
  try {
    return createRequire(from).resolve(packageName);
  } catch {
    return null;
  }
}
