import type { Compilable, CompiledQuery } from "kysely";
import type { Query, RowLock } from "./queries.ts";

/** Stands for a parameter while a query is compiled. */
class Marker<Name> {
  readonly name: Name;

  constructor(name: Name) {
    this.name = name;
  }
}

interface CompileOptions<Parameters> {
  /** Whether the query answers one row at most, which saves a cursor. Default: any number. */
  isSingle?: boolean;
  /** The table whose row it changes and others may, and the parameter that names the row. Default: it waits for nobody. */
  locks?: [table: RowLock["table"], key: keyof Parameters];
}

/**
 * A query that is compiled once, for those that run with every request: building one takes longer than it runs. `build`
 * makes it with `parameter(name)` in the place of each value.
 */
export function compiledOnce<Parameters extends object, Row>(
  build: (parameter: (name: keyof Parameters) => never) => Compilable<Row>,
  { isSingle = false, locks }: CompileOptions<Parameters> = {},
): (parameters: Parameters) => Query<Row> {
  let compiled: CompiledQuery<Row> | undefined;
  return (parameters) => {
    compiled ??= build((name) => new Marker(name) as never).compile();
    return {
      sql: compiled.sql,
      isSingle,
      lock: locks && { table: locks[0], key: String(parameters[locks[1]]) },
      parameters: compiled.parameters.map((value) =>
        value instanceof Marker ? parameters[value.name as keyof Parameters] : value,
      ),
    };
  };
}
