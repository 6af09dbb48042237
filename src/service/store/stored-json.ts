/** Reads JSON that the store has written itself. `Value` is the type of what was written. */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- only the writer knows the type
export function storedJson<Value>(text: string): Value {
  // eslint-disable-next-line no-restricted-syntax -- see above
  return JSON.parse(text) as Value;
}
