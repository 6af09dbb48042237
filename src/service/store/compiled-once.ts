import type { Compilable, CompiledQuery } from "kysely";
import type { Query } from "./queries.ts";

/** Stands for a parameter while a query is compiled. */
class Placeholder<Name> {
  readonly name: Name;

  constructor(name: Name) {
    this.name = name;
  }
}

/** Statement names must be unique within a connection, and several stores may share a process. */
let compiledQueries = 0;

/**
 * A query that is compiled once, because building it takes longer than running it. `build` receives a function that gives
 * the placeholder of each parameter. `isSingle`: the query returns at most one row.
 */
export function compiledOnce<Parameters extends object, Row>(
  build: (parameter: (name: keyof Parameters) => never) => Compilable<Row>,
  { isSingle = false } = {},
): (parameters: Parameters) => Query<Row> {
  let compiled: CompiledQuery<Row> | undefined;
  let name = "";
  return (parameters) => {
    if (!compiled) {
      // eslint-disable-next-line no-restricted-syntax -- the builder takes it for a value of any column
      compiled = build((key) => new Placeholder(key) as never).compile();
      name = `visavis_${++compiledQueries}`;
    }
    return {
      name,
      sql: compiled.sql,
      isSingle,
      parameters: compiled.parameters.map((value) =>
        // eslint-disable-next-line no-restricted-syntax -- `build` was given no other name
        value instanceof Placeholder ? parameters[value.name as keyof Parameters] : value,
      ),
    };
  };
}
