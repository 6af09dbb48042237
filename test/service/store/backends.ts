import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, onTestFinished } from "vitest";
import { openFolderFiles } from "../../../src/service/store/files/folder-files.ts";
import { openPostgresStore } from "../../../src/service/store/database/postgres-store.ts";
import { openSqliteStore } from "../../../src/service/store/database/sqlite-store.ts";
import type { FileStore, SessionDetail, SessionRecord, Store } from "../../../src/service/store/store.ts";
import { silentLog, temporaryFolder } from "../service-fixture.ts";
import { emptyStore, hasPostgres, startPostgres, type PostgresServer } from "./postgres-server.ts";
import { writeEmptyStore } from "./seeded-store.ts";

interface OpenedStore {
  store: Store;
  files: FileStore;
}

/**
 * Opens a store at a place: a folder or a database. A new place has the tables already: to make them takes longer than most tests.
 * It has no rows; the database is the same one for all tests of a file.
 */
interface Backend {
  name: string;
  isThere: boolean;
  newPlace(): string | Promise<string>;
  open(place: string): OpenedStore | Promise<OpenedStore>;
}

let server: PostgresServer | undefined;
/** The database of the test file. */
let database: string | undefined;

async function emptyDatabase(): Promise<string> {
  if (database === undefined) database = await server!.newStore();
  else await emptyStore(database);
  return database;
}

async function folderWithStore(): Promise<string> {
  const folder = temporaryFolder();
  await writeEmptyStore(folder);
  return folder;
}

/** Both databases. The test file that calls this starts the server of Postgres, and stops it at its end. */
export function storeBackends(): Backend[] {
  beforeAll(async () => {
    if (hasPostgres) server = await startPostgres();
  });
  afterAll(async () => {
    database = undefined;
    await server?.remove();
  });
  return [
    {
      name: "SQLite",
      isThere: true,
      newPlace: folderWithStore,
      open: (folder) => ({ store: openSqliteStore(folder), files: openFolderFiles(join(folder, "files")) }),
    },
    {
      name: "Postgres",
      isThere: hasPostgres,
      newPlace: emptyDatabase,
      open: (url) => openPostgresStore(url, silentLog),
    },
  ];
}

/** The organization of these tests. */
export const organizationId = "org";

/** The store and the files of the current test. Those of `inBothDatabases` have tables. */
export let store: Store;
export let files: FileStore;

/** Opens a backend's places until the end of the test. */
function openerOf(backend: Backend) {
  return async (place: string): Promise<Store> => {
    const opened = await backend.open(place);
    files = opened.files;
    let isOpen = true;
    const close = async (): Promise<void> => {
      if (isOpen) await opened.store.close();
      isOpen = false;
    };
    onTestFinished(close);
    return { ...opened.store, close };
  };
}

const organization = { id: organizationId, name: "Organization", createdAtMs: 1 };

/** Tests of what is the same in both databases, each with a store that has an organization. */
export function inBothDatabases(
  what: string,
  tests: (given: { open(place: string): Promise<Store>; newPlace: Backend["newPlace"] }) => void,
): void {
  for (const backend of storeBackends())
    describe.skipIf(!backend.isThere)(`${what} in ${backend.name} [needs ${backend.name}]`, () => {
      const open = openerOf(backend);
      beforeEach(async () => {
        store = await open(await backend.newPlace());
        await store.organizations.insert(organization);
      });
      tests({ open, newPlace: () => backend.newPlace() });
    });
}

/** A session as it is stored when it begins, and as others of its organization are. */
export function session(
  id: string,
  deadlineAtMs: number | null,
  state: Partial<SessionRecord["state"]> = {},
): SessionRecord {
  return {
    ...{ id, organizationId, contextUuid: null, revision: 0, deadlineAtMs },
    state: {
      ...{ status: "CREATED", terminationReason: null, createdAtMs: 1, inProgressAtMs: null },
      ...{ lastSeenAtMs: 1, endedAtMs: null, maxSessionSec: 0, boughtMin: 0 },
      ...{ peerClosedAtMs: null, leavingAtMs: null, holdsPlace: true },
      ...state,
    },
  };
}

export const detail: SessionDetail = {
  request: { capability: ["TTS"], padding_left: 0, padding_top: 0, padding_height: 1 },
  clientSdp: null,
  serverSdp: null,
};

/** Inserts sessions with these deadlines. */
export async function insertSessions(
  { sessions }: Store,
  deadlines: Record<string, number | null>,
): Promise<void> {
  for (const [id, deadlineAtMs] of Object.entries(deadlines))
    await sessions.insert(session(id, deadlineAtMs), detail, "2026-01");
}
