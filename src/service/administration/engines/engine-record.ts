import { LRUCache } from "lru-cache";
import type { EngineEntryKind } from "./engine-kinds.ts";
import type { EngineTest } from "../../../protocol/console/engines.ts";

/** After this many failed calls in a row, an engine counts as failing. A single failure may be a network fault. */
const failuresInARow = 2;
const maxEngines = 1_000;

interface Calls {
  failures: number;
  /** Since when its calls fail; null: its last call succeeded. */
  failingSinceMs: number | null;
}

/** The name under which an entry's calls are remembered. */
export const recordKey = (kind: EngineEntryKind, id: string): string => `${kind} ${id}`;

/** Remembers in memory whether calls of engines succeeded, and the results of their last tests. */
export class EngineRecord {
  readonly #calls = new LRUCache<string, Calls>({ max: maxEngines });
  readonly #tests = new LRUCache<string, EngineTest>({ max: maxEngines });

  /** Notes a call. `key`: the kind and id of the entry. */
  note(key: string, succeeded: boolean, nowMs: number): void {
    const before = this.#calls.get(key);
    const failures = succeeded ? 0 : (before?.failures ?? 0) + 1;
    this.#calls.set(key, { failures, failingSinceMs: succeeded ? null : (before?.failingSinceMs ?? nowMs) });
  }

  /** Whether its calls succeeded; null: it has not been called. */
  stateOf(key: string): { isFailing: boolean; sinceMs: number | null } | null {
    const calls = this.#calls.get(key);
    if (!calls) return null;
    const isFailing = calls.failures >= failuresInARow;
    return { isFailing, sinceMs: isFailing ? calls.failingSinceMs : null };
  }

  noteTest(key: string, test: EngineTest): void {
    this.#tests.set(key, test);
  }

  lastTest(key: string): EngineTest | null {
    return this.#tests.get(key) ?? null;
  }

  /** Its entry was changed or removed, so the record is about another engine and is dropped. */
  forget(key: string): void {
    this.#calls.delete(key);
    this.#tests.delete(key);
  }
}
