import { AdministrationError } from "../../service/administration/administration-error.ts";
import type { EngineMachine } from "../../service/administration/check-place.ts";
import { systemClock } from "../../service/clock.ts";
import { Fault } from "../../service/faults/fault.ts";
import { silentLogger } from "../../logging/logger.ts";
import type { SessionNotices } from "../../service/sessions/life/session-notices.ts";
import { openStorage } from "../../service/store/open-storage.ts";
import { seed } from "../../service/store/seed/seed.ts";
import type { FileStore, OrganizationRecord, Store } from "../../service/store/store.ts";
import { alderHome } from "../alder-home.ts";
import type { IceSettings } from "../settings/ice-settings.ts";
import { engineEnvironment } from "../engines.ts";
import { storeSecretBox } from "../secrets/secrets.ts";
import { readSettings } from "../settings/settings.ts";
import { startFailure } from "../output-errors.ts";
import { organizationFor, type OrganizationOptions } from "./organization-choice.ts";

/** The input and output of an operator's commands. */
export interface Terminal {
  environment: Record<string, string | undefined>;
  /** The folder of the files that the server serves. */
  publicFolder: string;
  /** The URL of a built worker or child process script, by its name without extension. */
  scriptUrl(name: string): URL;
  /** Reads a file; without one, the standard input. */
  read(file: string | undefined): Promise<Uint8Array>;
  /** Prints a line of the result, for people and programs. */
  print(line: string): void;
  /** Prints a note in addition to the result, for people. */
  note(line: string): void;
  /** Shows how far something is, in place of the line before. Null: it is finished. */
  progress(line: string | null): void;
  /** Prints why the command failed. */
  fail(reason: string): void;
}

/** What every operator command works with. */
export interface StoreAccess {
  store: Store;
  files: FileStore;
  /** Notifies the processes that serve the store about a session. */
  notices: SessionNotices;
  nowMs: number;
  machine: EngineMachine;
  /** The address under which visitors reach the relay. */
  publicUrl: string;
  /** The STUN and TURN servers of visitors. */
  ice: IceSettings;
  /** The folder of what is installed: models, and the library that runs them. */
  dataFolder: string;
  /** The address of the releases from which models are installed. */
  modelsUrl: string;
}

/** What a command for one organization works with. */
export interface Operator extends StoreAccess {
  organization: OrganizationRecord;
  /** Whether the store has only this organization. */
  isOnly: boolean;
}

function reasonOf(error: unknown): string {
  if (error instanceof Fault)
    return error.body.errors
      .map(({ attr, detail }) => (attr === null ? detail : `${attr}: ${detail}`))
      .join("\n");
  if (error instanceof AdministrationError && error.code === "invalid_name")
    return `--name: ${error.message}`;
  return startFailure(error);
}

/**
 * Runs a command on the store of the environment's settings, also while a server uses it. An empty store is filled first, as at a
 * first start.
 */
export async function onStore(
  terminal: Terminal,
  command: (access: StoreAccess) => Promise<void>,
): Promise<void> {
  try {
    const settings = readSettings(terminal.environment);
    const storage = await openStorage({ ...settings, box: storeSecretBox(settings) }, silentLogger);
    try {
      const { store, files, notices } = storage;
      await seed({ store, clock: systemClock, ...alderHome });
      const environment = engineEnvironment(terminal.environment, settings.dataFolder);
      const machine = { ...settings, environment, publicFolder: terminal.publicFolder };
      const { publicUrl, ice, dataFolder, modelsUrl } = settings;
      const nowMs = systemClock.nowMs();
      await command({ store, files, notices, nowMs, machine, publicUrl, ice, dataFolder, modelsUrl });
    } finally {
      await storage.close();
    }
  } catch (error) {
    terminal.fail(reasonOf(error));
  }
}

/** The same for one organization: the one in the options, else the only one. */
export async function operate(
  terminal: Terminal,
  options: OrganizationOptions,
  command: (operator: Operator) => Promise<void>,
): Promise<void> {
  await onStore(terminal, async (access) => {
    const organizations = await access.store.organizations.list();
    const organization = organizationFor(organizations, options);
    await command({ ...access, organization, isOnly: organizations.length === 1 });
  });
}
