import { spawn } from "node:child_process";
import { mkdir, rm } from "node:fs/promises";
import { errorMessage } from "../../faults/error-message.ts";
import { findSherpa } from "../../speech/engines/sherpa/sherpa-program.ts";
import { AdministrationError } from "../administration-error.ts";
import { sherpaFolder } from "./model-record.ts";

/** The library that runs the models. It is installed on request only. */
export const sherpaName = "sherpa-onnx";

/** The package, and the versions that the engine was written for. */
export const sherpaPackage = "sherpa-onnx-node@^1.13.8";

/** How much of npm's output an error repeats. */
const reportedChars = 1_000;

interface Run {
  environment: Readonly<Record<string, string | undefined>>;
  signal?: AbortSignal | undefined;
}

function npm(args: readonly string[], { environment, signal }: Run): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn("npm", args, {
      env: environment,
      stdio: ["ignore", "ignore", "pipe"],
      ...(signal && { signal }),
    });
    let said = "";
    child.stderr.on("data", (piece: Buffer) => (said = (said + piece.toString()).slice(-reportedChars)));
    child.on("error", reject);
    child.on("close", (code) =>
      code === 0
        ? resolve()
        : reject(new Error(`npm ended with status ${code ?? "unknown"}. ${said.trim()}`)),
    );
  });
}

/** The arguments of npm. Scripts of packages are not run: sherpa-onnx-node needs none. */
export function sherpaInstallation(dataFolder: string): string[] {
  const folder = sherpaFolder(dataFolder);
  return ["install", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund", sherpaPackage];
}

/**
 * Installs sherpa-onnx-node with npm into the data folder. Resolves with the folder. Rejects with AdministrationError
 * `installation_failed`.
 */
export async function installSherpa(dataFolder: string, run: Run): Promise<string> {
  const folder = sherpaFolder(dataFolder);
  await mkdir(folder, { recursive: true });
  try {
    await npm(sherpaInstallation(dataFolder), run);
  } catch (error) {
    run.signal?.throwIfAborted();
    const reason = errorMessage(error);
    throw new AdministrationError(
      "installation_failed",
      `sherpa-onnx-node could not be installed: ${reason.replace(/\.$/, "")}. To install it yourself, run: npm ${sherpaInstallation(dataFolder).join(" ")}`,
      { cause: error },
    );
  }
  if (findSherpa(folder) === null)
    throw new AdministrationError(
      "installation_failed",
      `npm has finished, but sherpa-onnx-node is not in ${folder}.`,
    );
  return folder;
}

/** Removes what `installSherpa` installed. */
export async function removeSherpa(dataFolder: string): Promise<void> {
  await rm(sherpaFolder(dataFolder), { recursive: true, force: true });
}
