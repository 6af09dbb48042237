import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "libsql";
import { openSqliteStore } from "../../../src/service/store/database/sqlite-store.ts";
import { seed, type SeedOptions } from "../../../src/service/store/seed/seed.ts";

type SeedsOf = Omit<SeedOptions, "store">;

const fileName = "visavis.db";

async function seededFile(seeds: SeedsOf): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), "visavis-seeded-"));
  try {
    const store = openSqliteStore(folder);
    await seed({ ...seeds, store });
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

/**
 * Writes the file of a store that has its tables and its seeds already: to make these takes longer than most tests that need
 * them. All calls have to give the same seeds.
 */
export async function writeSeededStore(folder: string, seeds: SeedsOf): Promise<void> {
  made ??= seededFile(seeds);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, fileName), await made, { mode: 0o600, flag: "wx" });
}
