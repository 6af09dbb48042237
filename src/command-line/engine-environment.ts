import { existsSync } from "node:fs";
import { join } from "node:path";
import { installedVoiceActivity, sherpaFolder } from "../service/administration/models/model-folders.ts";
import { findSherpa } from "../service/speech/engines/sherpa/find-sherpa.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The environment of the engines: this process's own, and what `visavis model install` put into the data folder, unless the
 * environment names another place. Without sherpa-onnx beside this program, its folder is named even if it is still empty, so
 * that entries work as soon as it is installed.
 */
export function engineEnvironment(environment: Environment, dataFolder: string): Environment {
  const sherpa = environment["VISAVIS_SHERPA_PATH"] || undefined;
  const inData = sherpaFolder(dataFolder);
  const useData = sherpa === undefined && (existsSync(join(inData, "node_modules")) || findSherpa() === null);
  return {
    ...environment,
    VISAVIS_SHERPA_PATH: useData ? inData : sherpa,
    VISAVIS_VAD_MODEL: environment["VISAVIS_VAD_MODEL"] || installedVoiceActivity(dataFolder),
  };
}
