import type pg from "pg";
import { execute, withRetries } from "./postgres-transaction.ts";
import type { Queries, Unit } from "./queries.ts";
import { runAlone, sharedTransactions } from "./shared-transactions.ts";

/** Queries on the connections of a pool. */
export function postgresQueries(pool: pg.Pool): Queries {
  const transactions = sharedTransactions(pool);
  return {
    run: (query) => withRetries(() => execute(pool, query)),
    unit: <Value>(begin: () => Unit<Value>, rows?: Parameters<Queries["unit"]>[1]) =>
      // eslint-disable-next-line no-restricted-syntax -- one batch holds units with different results
      rows ? (transactions.add({ begin, rows }) as Promise<Value>) : runAlone(pool, begin),
  };
}
