import { asError } from "./as-error.ts";
import { isRead, lockOrder } from "./queries.ts";
import type { Answer, Query, Unit } from "./queries.ts";
import { StatementFailure } from "./statement-failure.ts";

/** What became of a unit of which nothing is to be undone: one that throws before it has written is done with, too. */
export type Outcome = { value: unknown } | { error: Error };

/** Units because of which their transaction must be undone. */
export class UnitFailures extends Error {
  override readonly name = "UnitFailures";
  /** Why, by the unit's place among those that ran. */
  readonly causes: ReadonlyMap<number, unknown>;

  constructor(causes: ReadonlyMap<number, unknown>) {
    super("A unit failed.");
    this.causes = causes;
  }
}

/** A unit on its way. */
interface Walker {
  place: number;
  unit: Unit<unknown>;
  /** What it asks next. */
  query: Query<unknown>;
  hasWritten: boolean;
}

function byKey({ query: one }: Walker, { query: other }: Walker): number {
  const [key = "", otherKey = ""] = [one.lock?.key, other.lock?.key];
  return key < otherKey ? -1 : key > otherKey ? 1 : 0;
}

/**
 * Whose statements go next: of the locks those of the first table, in the order of their keys, and all that wait for
 * nobody. The others follow when every unit has come that far.
 */
function parted(walkers: readonly Walker[]): { asking: Walker[]; waiting: Walker[] } {
  const table = lockOrder.find((name) => walkers.some(({ query }) => query.lock?.table === name));
  const isNext = ({ query: { lock } }: Walker): boolean => lock === undefined || lock.table === table;
  return {
    asking: walkers.filter(isNext).sort(byKey),
    waiting: walkers.filter((walker) => !isNext(walker)),
  };
}

/**
 * Runs units side by side in one transaction: with each step goes one statement of each, all of them together, so that many
 * units take as many round trips as one. They lock rows in the same order in every transaction, so that none of these waits
 * in a circle. Throws UnitFailures where the transaction is to be undone, and what `execute` throws but StatementFailures.
 */
export async function inLockStep(
  units: readonly Unit<unknown>[],
  execute: (queries: readonly Query<unknown>[]) => Promise<readonly Answer<unknown>[]>,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const failures = new Map<number, unknown>();
  let walkers: Walker[] = [];

  function advance({ place, unit, hasWritten }: Omit<Walker, "query">, answer?: Answer<unknown>): void {
    try {
      const step = answer ? unit.next(answer) : unit.next();
      if (step.done) outcomes[place] = { value: step.value };
      else walkers.push({ place, unit, query: step.value, hasWritten });
    } catch (error) {
      if (hasWritten) failures.set(place, error);
      else outcomes[place] = { error: asError(error) };
    }
  }

  for (const [place, unit] of units.entries()) advance({ place, unit, hasWritten: false });
  while (walkers.length > 0) {
    const { asking, waiting } = parted(walkers);
    const answers = await execute(asking.map(({ query }) => query)).catch((error: unknown) => {
      if (!(error instanceof StatementFailure)) throw error;
      throw new UnitFailures(new Map([[asking[error.answers.length]!.place, error.cause]]));
    });
    walkers = waiting;
    for (const [index, walker] of asking.entries()) {
      const answer = answers[index]!;
      if (answer.changed > 0 && !isRead(walker.query)) walker.hasWritten = true;
      advance(walker, answer);
    }
    if (failures.size > 0) throw new UnitFailures(failures);
  }
  return outcomes;
}
