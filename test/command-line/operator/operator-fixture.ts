import { join } from "node:path";
import { Command } from "commander";
import { onTestFinished } from "vitest";
import { storeSecretBox } from "../../../src/command-line/secrets/secrets.ts";
import { openSqliteStore } from "../../../src/service/store/database/sqlite-store.ts";
import { fillFolder, runService, type RunningService } from "../../service/service-fixture.ts";
import { openKeptStore } from "../../service/http/shared-service.ts";
import { addOperatorCommands } from "../../../src/command-line/operator/operator-commands.ts";

const boxOf = (folder: string) => storeSecretBox({ secret: undefined, oldSecrets: [], dataFolder: folder });

/** A running service on a data folder. Commands run at the same time, on a store that the command line opens. */
export async function runServiceOn(
  folder: string,
  overrides: Parameters<typeof runService>[0] = {},
): Promise<RunningService> {
  await fillFolder(folder);
  const store = openSqliteStore(folder, boxOf(folder));
  onTestFinished(() => store.close());
  return runService({ folder, store, ...overrides });
}

/** The same for several tests, which end it themselves. */
export async function keepServiceOnFolder(): Promise<{
  folder: string;
  run: RunningService;
  end(): Promise<void>;
}> {
  const { folder, store, end } = await openKeptStore(boxOf);
  return { folder, run: await runService({ folder, store }), end };
}

/** A command's result. */
export interface Answer {
  printed: string;
  noted: string;
  /** The lines of progress; empty ones end them. */
  shown: string[];
  /** Null when the command succeeded. */
  failure: string | null;
}

/**
 * The command line on a data folder, with its arguments and its standard input. `scripts` are the built workers and
 * processes that the commands start, by name.
 */
export function commandLine(
  folder: string,
  environment: Record<string, string> = {},
  scripts: Record<string, URL> = {},
) {
  return async (words: string[], input: unknown = ""): Promise<Answer> => {
    const printed: string[] = [];
    const noted: string[] = [];
    const failures: string[] = [];
    const shown: string[] = [];
    const program = new Command("visavis");
    addOperatorCommands(program, {
      environment: { PATH: process.env["PATH"], VISAVIS_DATA: folder, ...environment },
      publicFolder: join(import.meta.dirname, "../../../public"),
      // A script that the test has not built fails when it is started.
      scriptUrl: (name) => scripts[name] ?? new URL(`file:///not-built/${name}.js`),
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
      progress: (line) => shown.push(line ?? ""),
      fail: (reason) => failures.push(reason),
    });
    await program.parseAsync(words, { from: "user" });
    return {
      printed: printed.join("\n"),
      noted: noted.join("\n"),
      shown,
      failure: failures.length === 0 ? null : failures.join("\n"),
    };
  };
}
