/**
 * The keys of an object with their type. Only for objects that are written out in the source: TypeScript cannot know that a
 * value has no more keys than its type names.
 */
export function keysOf<Key extends string>(object: Readonly<Partial<Record<Key, unknown>>>): Key[] {
  // eslint-disable-next-line no-restricted-syntax -- see above
  return Object.keys(object) as Key[];
}
