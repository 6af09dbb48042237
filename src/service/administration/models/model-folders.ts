import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** The folder of installed models: one folder for each. */
export const modelsFolder = (dataFolder: string): string => join(dataFolder, "models");

/** The folder of one installed model. */
export const modelFolder = (dataFolder: string, name: string): string => join(modelsFolder(dataFolder), name);

/** The folder in which sherpa-onnx-node is installed on request. */
export const sherpaFolder = (dataFolder: string): string => join(dataFolder, "sherpa");

const voiceActivityFile = /^silero_vad.*\.onnx$/;

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/** The file of the voice activity model that was installed last; undefined if there is none. */
export function installedVoiceActivity(dataFolder: string): string | undefined {
  const folders = namesIn(modelsFolder(dataFolder))
    .filter((name) => !name.startsWith("."))
    .map((name) => modelFolder(dataFolder, name));
  const files = folders.flatMap((folder) => {
    const name = namesIn(folder).find((one) => voiceActivityFile.test(one));
    return name === undefined ? [] : [{ file: join(folder, name), atMs: statSync(folder).mtimeMs }];
  });
  return files.sort((one, other) => other.atMs - one.atMs)[0]?.file;
}
