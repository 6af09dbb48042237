/** A field of a parsed JSON value that has not been checked yet; undefined if the value has no such field of its own. */
export function ownField(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null
    ? Object.getOwnPropertyDescriptor(value, name)?.value
    : undefined;
}
