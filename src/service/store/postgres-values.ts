import pg from "pg";

type TypeId = Parameters<typeof pg.types.getTypeParser>[0];

/** 64-bit integers: our times and counts are far below 2^53, so numbers hold them. Sums of them come as numeric. */
const numberTypes: ReadonlySet<TypeId> = new Set([pg.types.builtins.INT8, pg.types.builtins.NUMERIC]);

/** How the database's values are read. */
export const valueTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: TypeId, format?: "text" | "binary") =>
    numberTypes.has(oid) && format !== "binary"
      ? Number
      : (pg.types.getTypeParser(oid, format) as unknown)) as pg.CustomTypesConfig["getTypeParser"],
};

/**
 * How a parameter is sent. Postgres keeps no NUL in a text: it becomes the mark of what cannot be shown, as lone
 * surrogates do.
 */
export function parameterText(parameter: unknown): string | null {
  if (parameter === null || parameter === undefined) return null;
  const text = typeof parameter === "string" ? parameter : JSON.stringify(parameter);
  return text.includes("\0") ? text.replaceAll("\0", "\ufffd") : text;
}

/** How the values of a type (`pg_type.oid`) are read from their texts. */
export const parserOf = valueTypes.getTypeParser as (
  typeId: number,
  format: "text",
) => (text: string) => unknown;
