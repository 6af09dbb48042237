import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "libsql";
import { openSqliteStore } from "../../../src/service/store/database/sqlite-store.ts";
import { seed, type SeedOptions } from "../../../src/service/store/seed/seed.ts";
import type { Store } from "../../../src/service/store/store.ts";

type SeedsOf = Omit<SeedOptions, "store">;

const fileName = "visavis.db";

async function fileOf(fill: (store: Store) => Promise<void>): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), "visavis-seeded-"));
  try {
    const store = openSqliteStore(folder);
    await fill(store);
    await store.close();
    const database = new Database(join(folder, fileName));
    database.exec("pragma wal_checkpoint(truncate)");
    database.close();
    return readFileSync(join(folder, fileName));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

let made: Promise<Buffer> | undefined;
let empty: Promise<Buffer> | undefined;

function write(folder: string, bytes: Buffer): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, fileName), bytes, { mode: 0o600, flag: "wx" });
}

/** Writes the file of a store that has its tables and no rows. */
export async function writeEmptyStore(folder: string): Promise<void> {
  empty ??= fileOf(() => Promise.resolve());
  write(folder, await empty);
}

/**
 * Writes the file of a store that has its tables and its seeds already: to make these takes longer than most tests that need
 * them. All calls have to give the same seeds.
 */
export async function writeSeededStore(folder: string, seeds: SeedsOf): Promise<void> {
  made ??= fileOf((store) => seed({ ...seeds, store }));
  write(folder, await made);
}
