import { systemClock } from "../../service/clock.ts";
import { Fault } from "../../service/fault.ts";
import type { Log } from "../../service/log.ts";
import type { SessionNotices } from "../../service/sessions/session-notices.ts";
import { openStorage } from "../../service/store/open-storage.ts";
import { seed } from "../../service/store/seed.ts";
import type { FileStore, Store } from "../../service/store/store.ts";
import { alderHomeInstructions } from "../alder-home.ts";
import { readSettings } from "../settings.ts";
import type { EngineMachine } from "./engine-check.ts";

/** Where an operator's commands come from and where their answers go. */
export interface Terminal {
  environment: Record<string, string | undefined>;
  /** The text of a file; without one, of the standard input. */
  read(file: string | undefined): Promise<string>;
  /** A line of the answer, for people and programs. */
  print(line: string): void;
  /** A line beside the answer, for people. */
  note(line: string): void;
  /** Why the command failed. */
  fail(reason: string): void;
}

/** What an operator's command works on. */
export interface Operator {
  store: Store;
  files: FileStore;
  /** How the processes that serve the store hear of a session. */
  notices: SessionNotices;
  organization: { id: string; name: string };
  nowMs: number;
  machine: EngineMachine;
}

/** A command that cannot be done, with the reason in words for the operator. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}

/** The log of a command: what the operator must know is said in the answer. */
export const silentLog: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

function reasonOf(error: unknown): string {
  if (error instanceof Fault)
    return error.body.errors
      .map(({ attr, detail }) => (attr === null ? detail : `${attr}: ${detail}`))
      .join("\n");
  return error instanceof Error ? error.message : String(error);
}

/**
 * Runs a command on the store that the environment names, beside a server that may be running on it. An empty store is
 * filled first, as the first start does.
 */
export async function operate(
  terminal: Terminal,
  command: (operator: Operator) => Promise<void>,
): Promise<void> {
  try {
    const settings = readSettings(terminal.environment);
    const storage = await openStorage(settings, silentLog);
    try {
      const { store, files, notices } = storage;
      await seed({ store, clock: systemClock, demoInstructions: alderHomeInstructions });
      const organization = await store.organizations.first();
      if (organization === null) throw new CommandError("The store has no organization.");
      const machine = { ...settings, environment: terminal.environment };
      await command({ store, files, notices, organization, nowMs: systemClock.nowMs(), machine });
    } finally {
      await storage.close();
    }
  } catch (error) {
    terminal.fail(reasonOf(error));
  }
}
