import { PuppetError } from "../puppet-error.ts";

/** A JSON object whose fields are not known yet. */
export type Fields = Readonly<Record<string, unknown>>;

type Read<T> = (value: unknown, at: string) => T;

/** An object, or INVALID_CHARACTER at `at`. */
export const readFields: Read<Fields> = (value, at) => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw PuppetError.invalid(at, "an object is expected");
  }
  return value as Fields;
};

/** A finite number. */
export const readNumber: Read<number> = (value, at) => {
  if (typeof value !== "number" || !Number.isFinite(value))
    throw PuppetError.invalid(at, "a number is expected");
  return value;
};

/** A number above zero, for a field that is used as a divisor. */
export const readPositive: Read<number> = (value, at) => {
  const number = readNumber(value, at);
  if (number <= 0) throw PuppetError.invalid(at, "a number above 0 is expected");
  return number;
};

/** A string that is not empty. */
export const readText: Read<string> = (value, at) => {
  if (typeof value !== "string" || value === "") throw PuppetError.invalid(at, "a text is expected");
  return value;
};

/** True or false. */
export const readBoolean: Read<boolean> = (value, at) => {
  if (typeof value !== "boolean") throw PuppetError.invalid(at, "true or false is expected");
  return value;
};

/** A list whose elements `read` accepts. */
export const readList =
  <T>(read: Read<T>): Read<T[]> =>
  (value, at) => {
    if (!Array.isArray(value)) throw PuppetError.invalid(at, "a list is expected");
    return value.map((element, i) => read(element, `${at}[${i}]`));
  };

/** A list of exactly `count` numbers. */
export const readNumbers =
  (count: number): Read<number[]> =>
  (value, at) => {
    const numbers = readList(readNumber)(value, at);
    if (numbers.length !== count) throw PuppetError.invalid(at, `${count} numbers are expected`);
    return numbers;
  };

/** An object whose values `read` accepts. */
export const readRecord =
  <T>(read: Read<T>): Read<Record<string, T>> =>
  (value, at) =>
    Object.fromEntries(
      Object.entries(readFields(value, at)).map(([key, field]) => [key, read(field, `${at}.${key}`)]),
    );

/** One of the given names. */
export const readOneOf =
  <T extends string>(...names: readonly T[]): Read<T> =>
  (value, at) => {
    const name = names.find((candidate) => candidate === value);
    if (name === undefined) throw PuppetError.invalid(at, `one of ${names.join(", ")} is expected`);
    return name;
  };

/** The field as read by `read`, or `fallback` when the field is missing. */
export function optional<T, F>(fields: Fields, key: string, at: string, read: Read<T>, fallback: F): T | F {
  const value = fields[key];
  return value === undefined ? fallback : read(value, `${at}.${key}`);
}
