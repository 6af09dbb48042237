/**
 * Leaves out texts that only people read: descriptions of the element's contract and labels of built-in rules. A test of
 * them would be a copy.
 */
const isDescription = ({ type, key }) =>
  type === "ObjectProperty" && ["description", "default"].includes(key.name);

/** `[pattern, replacement, label, locale?]`, in a list of `Line` or in a function that makes one. */
const isRuleLine = ({ node, parentPath }) => {
  if (node.type !== "ArrayExpression") return false;
  const owner = parentPath?.isArrayExpression() ? parentPath.parentPath : parentPath;
  const type = owner?.node.id?.typeAnnotation ?? owner?.node.returnType;
  return /\b(?:Rule)?Line\b/.test(JSON.stringify(type?.typeAnnotation ?? null));
};

export const strykerPlugins = [
  {
    kind: "Ignore",
    name: "texts",
    value: {
      shouldIgnore(path) {
        if (path.parentPath && isDescription(path.parentPath.node) && path.key === "value")
          return "A description.";
        return path.listKey === "elements" && path.key === 2 && path.parentPath && isRuleLine(path.parentPath)
          ? "The label of a rule."
          : undefined;
      },
    },
  },
];
