import type pg from "pg";
import { isFileName } from "./file-name.ts";
import type { FileStore } from "./store.ts";

/** Files in a table, so that all processes with the same database have them. */
export function postgresFiles(pool: pg.Pool): FileStore {
  return {
    async write(name, bytes) {
      if (!isFileName(name)) throw new Error("The file name contains characters that are not allowed.");
      await pool.query(
        "insert into stored_file (name, bytes) values ($1, $2) on conflict (name) do update set bytes = excluded.bytes",
        [name, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)],
      );
    },
    async read(name) {
      if (!isFileName(name)) return null;
      const { rows } = await pool.query<{ bytes: Buffer }>("select bytes from stored_file where name = $1", [
        name,
      ]);
      return rows[0]?.bytes ?? null;
    },
    async size(name) {
      if (!isFileName(name)) return null;
      const { rows } = await pool.query<{ bytes: number }>(
        "select length(bytes) as bytes from stored_file where name = $1",
        [name],
      );
      return rows[0]?.bytes ?? null;
    },
    async remove(name) {
      if (isFileName(name)) await pool.query("delete from stored_file where name = $1", [name]);
    },
  };
}
