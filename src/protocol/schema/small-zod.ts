/**
 * The part of `zod/mini` that the schemas of this folder use, at a tenth of its size. The browser build uses this module
 * instead of the package (vite.config.ts), because parsing delays the first frame. A test checks that both accept the same
 * values and return the same data for every schema that a browser parses with. Differences: an error says that a value
 * does not fit, but not where; and there are no transforms.
 */

const misfit = Symbol("misfit");
/** Returns the parsed value, or `misfit`. */
type Read = (value: unknown) => unknown;
type Check = (value: never) => boolean;
type Shape = Record<string, Schema>;
type Parsed = { success: true; data: unknown } | { success: false; error: Error };

class Schema {
  readonly read: Read;
  readonly shape: Shape;

  constructor(read: Read, shape: Shape = {}) {
    this.read = read;
    this.shape = shape;
  }

  check(...checks: Check[]): Schema {
    const fits = (value: unknown): boolean => checks.every((check) => check(value as never));
    return new Schema((value) => {
      const taken = this.read(value);
      return taken !== misfit && fits(taken) ? taken : misfit;
    }, this.shape);
  }

  safeParse(value: unknown): Parsed {
    const data = this.read(value);
    return data === misfit
      ? { success: false, error: new Error("The data is wrong.") }
      : { success: true, data };
  }
}

/** Accepts a value unchanged if it fits. */
const when = (fits: (value: unknown) => boolean): Schema =>
  new Schema((value) => (fits(value) ? value : misfit));

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Reads the fields of a shape. Other fields are dropped, or kept if `loose`; `__proto__` is never kept. */
function readFields(value: unknown, shape: Shape, loose: boolean): unknown {
  if (!isRecord(value)) return misfit;
  const taken: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(shape)) {
    const field = schema.read(value[name]);
    if (field === misfit) return misfit;
    if (field !== undefined || name in value) taken[name] = field;
  }
  if (loose)
    for (const name of Object.keys(value))
      if (!Object.hasOwn(shape, name) && name !== "__proto__") taken[name] = value[name];
  return taken;
}

/* @__NO_SIDE_EFFECTS__ */
export const string = (): Schema => when((value) => typeof value === "string");
/* @__NO_SIDE_EFFECTS__ */
export const number = (): Schema => when(Number.isFinite);
/* @__NO_SIDE_EFFECTS__ */
export const int = (): Schema => when(Number.isSafeInteger);
/* @__NO_SIDE_EFFECTS__ */
export const boolean = (): Schema => when((value) => typeof value === "boolean");
/* @__NO_SIDE_EFFECTS__ */
export const unknown = (): Schema => when(() => true);
/* @__NO_SIDE_EFFECTS__ */
export const literal = (wanted: unknown): Schema => when((value) => value === wanted);
/* @__NO_SIDE_EFFECTS__ */
const nothing = (): Schema => literal(null);
/* @__NO_SIDE_EFFECTS__ */
const oneOf = (values: readonly unknown[]): Schema => when((value) => values.includes(value));

/* @__NO_SIDE_EFFECTS__ */
export const optional = ({ read }: Schema): Schema =>
  new Schema((value) => (value === undefined ? value : read(value)));
/* @__NO_SIDE_EFFECTS__ */
export const nullable = ({ read }: Schema): Schema =>
  new Schema((value) => (value === null ? value : read(value)));
/* @__NO_SIDE_EFFECTS__ */
export const _default = ({ read }: Schema, fallback: unknown): Schema =>
  new Schema((value) => (value === undefined ? fallback : read(value)));

/* @__NO_SIDE_EFFECTS__ */
export const array = ({ read }: Schema): Schema =>
  new Schema((value) => {
    if (!Array.isArray(value)) return misfit;
    const taken = Array.from(value, read);
    return taken.includes(misfit) ? misfit : taken;
  });

/* @__NO_SIDE_EFFECTS__ */
export const record = (key: Schema, { read }: Schema): Schema =>
  new Schema((value) => {
    if (!isRecord(value)) return misfit;
    const names = Object.keys(value).filter((name) => name !== "__proto__");
    if (names.some((name) => key.read(name) === misfit)) return misfit;
    return readFields(value, Object.fromEntries(names.map((name) => [name, new Schema(read)])), false);
  });

/* @__NO_SIDE_EFFECTS__ */
export const object = (shape: Shape): Schema => new Schema((value) => readFields(value, shape, false), shape);
/* @__NO_SIDE_EFFECTS__ */
export const looseObject = (shape: Shape): Schema =>
  new Schema((value) => readFields(value, shape, true), shape);
/* @__NO_SIDE_EFFECTS__ */
export const extend = ({ shape }: Schema, more: Shape): Schema => object({ ...shape, ...more });
/* @__NO_SIDE_EFFECTS__ */
export const partial = ({ shape }: Schema): Schema =>
  object(Object.fromEntries(Object.entries(shape).map(([name, schema]) => [name, optional(schema)])));

/* @__NO_SIDE_EFFECTS__ */
export const union = (schemas: readonly Schema[]): Schema =>
  new Schema((value) => {
    for (const { read } of schemas) {
      const taken = read(value);
      if (taken !== misfit) return taken;
    }
    return misfit;
  });
/* @__NO_SIDE_EFFECTS__ */
export const discriminatedUnion = (_name: string, schemas: readonly Schema[]): Schema => union(schemas);

type Sized = string | readonly unknown[];
/* @__NO_SIDE_EFFECTS__ */
export const minLength = (least: number) => (value: Sized) => value.length >= least;
// Texts are counted by code points, as zod does: an emoji is one, of length 2. Most texts need no count.
/* @__NO_SIDE_EFFECTS__ */
export const maxLength = (most: number) => (value: Sized) =>
  value.length <= most || Array.from(value).length <= most;
/* @__NO_SIDE_EFFECTS__ */
export const gte = (least: number) => (value: number) => value >= least;
/* @__NO_SIDE_EFFECTS__ */
export const lte = (most: number) => (value: number) => value <= most;
/* @__NO_SIDE_EFFECTS__ */
export const regex = (pattern: RegExp) => (value: string) => pattern.test(value);

export { nothing as null, oneOf as enum };
