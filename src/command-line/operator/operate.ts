import { systemClock } from "../../service/clock.ts";
import { Fault } from "../../service/fault.ts";
import type { Log } from "../../service/log.ts";
import type { SessionNotices } from "../../service/sessions/session-notices.ts";
import { openStorage } from "../../service/store/open-storage.ts";
import { seed } from "../../service/store/seed.ts";
import type { FileStore, OrganizationRecord, Store } from "../../service/store/store.ts";
import { alderHomeInstructions } from "../alder-home.ts";
import { storeSecretBox } from "../store-secret.ts";
import { readSettings } from "../settings.ts";
import type { EngineMachine } from "./check-place.ts";
import { chosenOrganization, type OrganizationOptions } from "./organization-choice.ts";

/** Where an operator's commands come from and where their answers go. */
export interface Terminal {
  environment: Record<string, string | undefined>;
  /** The folder of the files that the server serves itself. */
  publicFolder: string;
  /** What is in a file; without one, in the standard input. */
  read(file: string | undefined): Promise<Uint8Array>;
  /** A line of the answer, for people and programs. */
  print(line: string): void;
  /** A line beside the answer, for people. */
  note(line: string): void;
  /** Why the command failed. */
  fail(reason: string): void;
}

/** What every operator's command works on. */
export interface StoreAccess {
  store: Store;
  files: FileStore;
  /** How the processes that serve the store hear of a session. */
  notices: SessionNotices;
  nowMs: number;
  machine: EngineMachine;
  /** The address under which visitors reach the relay. */
  publicUrl: string;
}

/** What a command for one organization works on. */
export interface Operator extends StoreAccess {
  organization: OrganizationRecord;
  /** Whether the store has no other organization. */
  isOnly: boolean;
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
export async function onStore(
  terminal: Terminal,
  command: (access: StoreAccess) => Promise<void>,
): Promise<void> {
  try {
    const settings = readSettings(terminal.environment);
    const storage = await openStorage({ ...settings, box: storeSecretBox(settings) }, silentLog);
    try {
      const { store, files, notices } = storage;
      await seed({ store, clock: systemClock, demoInstructions: alderHomeInstructions });
      const { environment, publicFolder } = terminal;
      const machine = { ...settings, environment, publicFolder };
      const { publicUrl } = settings;
      await command({ store, files, notices, nowMs: systemClock.nowMs(), machine, publicUrl });
    } finally {
      await storage.close();
    }
  } catch (error) {
    terminal.fail(reasonOf(error));
  }
}

/** The same for one organization: the one that the options name, else the only one. */
export async function operate(
  terminal: Terminal,
  options: OrganizationOptions,
  command: (operator: Operator) => Promise<void>,
): Promise<void> {
  await onStore(terminal, async (access) => {
    const organizations = await access.store.organizations.list();
    const organization = chosenOrganization(organizations, options);
    await command({ ...access, organization, isOnly: organizations.length === 1 });
  });
}
