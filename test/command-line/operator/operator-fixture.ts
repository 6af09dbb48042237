import { join } from "node:path";
import { Command } from "commander";
import { storeSecretBox } from "../../../src/command-line/store-secret.ts";
import { openSqliteStore } from "../../../src/service/store/sqlite-store.ts";
import { runService, type RunningService } from "../../service/service-fixture.ts";
import { addOperatorCommands } from "../../../src/command-line/operator/operator-commands.ts";

/** The service on a data folder, beside which commands run: as the command line would open its store. */
export function runServiceOn(
  folder: string,
  overrides: Parameters<typeof runService>[0] = {},
): Promise<RunningService> {
  const box = storeSecretBox({ secret: undefined, oldSecrets: [], dataFolder: folder });
  return runService({ folder, store: openSqliteStore(folder, box), ...overrides });
}

/** What a command answered. */
export interface Answer {
  printed: string;
  noted: string;
  /** Null where it was done. */
  failure: string | null;
}

/** The command line on a data folder, with what is typed and what comes in by the standard input. */
export function commandLine(folder: string, environment: Record<string, string> = {}) {
  return async (words: string[], input: unknown = ""): Promise<Answer> => {
    const printed: string[] = [];
    const noted: string[] = [];
    const failures: string[] = [];
    const program = new Command("visavis");
    addOperatorCommands(program, {
      environment: { PATH: process.env["PATH"], VISAVIS_DATA: folder, ...environment },
      publicFolder: join(import.meta.dirname, "../../../public"),
      read: (file) =>
        file === undefined
          ? Promise.resolve(
              input instanceof Uint8Array
                ? input
                : Buffer.from(typeof input === "string" ? input : JSON.stringify(input)),
            )
          : Promise.reject(new Error("no such file")),
      print: (line) => printed.push(line),
      note: (line) => noted.push(line),
      fail: (reason) => failures.push(reason),
    });
    await program.parseAsync(words, { from: "user" });
    return {
      printed: printed.join("\n"),
      noted: noted.join("\n"),
      failure: failures.length === 0 ? null : failures.join("\n"),
    };
  };
}
