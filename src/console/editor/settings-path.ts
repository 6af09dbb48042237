/** A tree of settings, as JSON. */
type Tree = Readonly<Record<string, unknown>>;

const isTree = (value: unknown): value is Tree =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The value at a dotted path; undefined if there is none. */
export function valueAt(settings: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((at, key) => (isTree(at) ? at[key] : undefined), settings);
}

/** The settings with another value at a path. Undefined removes it, and what is empty after that. */
export function withValue<Settings extends object>(
  settings: Settings,
  path: string,
  value: unknown,
): Settings {
  // eslint-disable-next-line no-restricted-syntax -- any object is a tree of its own keys; what they hold is checked before it is saved
  return placed(settings as Tree, path.split("."), value) as Settings;
}

function placed(tree: Tree, [key = "", ...rest]: readonly string[], value: unknown): Tree {
  const inside = tree[key];
  const next = rest.length === 0 ? value : placed(isTree(inside) ? inside : {}, rest, value);
  const isGone = next === undefined || (rest.length > 0 && isTree(next) && Object.keys(next).length === 0);
  if (!isGone) return { ...tree, [key]: next };
  const { [key]: _removed, ...others } = tree;
  return others;
}

/** The paths of all values below a tree. Lists are values. */
function paths(tree: Tree, prefix = ""): string[] {
  return Object.entries(tree).flatMap(([key, value]) =>
    isTree(value) ? paths(value, `${prefix}${key}.`) : value === undefined ? [] : [prefix + key],
  );
}

/** Whether two values are the same JSON. */
export const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** The paths whose values differ. */
export function changedPaths(before: object, after: object): string[] {
  // eslint-disable-next-line no-restricted-syntax -- any object is a tree of its own keys
  const all = new Set([...paths(before as Tree), ...paths(after as Tree)]);
  return [...all].filter((path) => !isSame(valueAt(before, path), valueAt(after, path)));
}

/** `theirs` with everything on top that `mine` changed since `base`. */
export function merged<Settings extends object>(base: Settings, mine: Settings, theirs: Settings): Settings {
  return changedPaths(base, mine).reduce((at, path) => withValue(at, path, valueAt(mine, path)), theirs);
}
