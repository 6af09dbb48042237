import { cruise, type ICruiseResult } from "dependency-cruiser";

/** Imports between folders: the name of each part, and the names of the parts that it imports. Keys are sorted. */
export type PartImports = ReadonlyMap<string, ReadonlySet<string>>;

/** The part that a source file belongs to: a folder of `src`, or of `src/service`. Null if the picture has no box for it. */
function partOf(file: string): string | null {
  const [, folder, inner, rest] = /^src\/([^/]+)(?:\/([^/]+))?(\/.*)?$/.exec(file) ?? [];
  if (!folder || file.endsWith(".d.ts")) return null;
  if (!inner) return folder;
  if (folder !== "service") return folder;
  return rest ? `service/${inner}` : "service";
}

/** The imports between the parts of `src`, as the import check sees them. Imports of types count too. */
export async function partImports(): Promise<PartImports> {
  const { output } = await cruise(["src"], {
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    exclude: { path: "node_modules|^dist/" },
  });
  const { modules } = output as ICruiseResult;
  const imports = new Map<string, Set<string>>();
  for (const { source, dependencies } of modules) {
    const from = partOf(source);
    if (from === null) continue;
    const of = imports.get(from) ?? new Set<string>();
    imports.set(from, of);
    for (const { resolved } of dependencies) {
      const to = partOf(resolved);
      if (to !== null && to !== from) of.add(to);
    }
  }
  return new Map([...imports].sort(([one], [other]) => (one < other ? -1 : 1)));
}

const idOf = (part: string): string => part.replace(/\W/g, "_");

/** Parts that wire the others, and parts that all others use. Their arrows are left out because they would hide the rest. */
const withoutArrows = new Set([
  ...["main.ts", "command-line", "service", "service/administration"],
  ...["protocol", "logging", "service/faults"],
]);

/** The picture as Mermaid text: the parts and the imports between them. */
export function mermaidOf(imports: PartImports): string {
  const parts = [...imports.keys()];
  const box = (part: string): string => `${idOf(part)}["${part.replace("service/", "")}"]`;
  const inService = parts.filter((part) => part.startsWith("service/"));
  const others = parts.filter((part) => !inService.includes(part) && part !== "service");
  const arrows = [...imports].flatMap(([from, targets]) => {
    const shown = withoutArrows.has(from) ? [] : [...targets].filter((to) => !withoutArrows.has(to)).sort();
    return shown.length === 0 ? [] : [`  ${idOf(from)} --> ${shown.map(idOf).join(" & ")}`];
  });
  return [
    "flowchart LR",
    ...others.map((part) => `  ${box(part)}`),
    "  subgraph service",
    ...inService.map((part) => `    ${box(part)}`),
    "  end",
    ...arrows,
  ].join("\n");
}

const place = /(<!-- imports: npm run docs:architecture -->\n+```mermaid\n)[^]*?(\n```)/;

/** The page with the picture of these imports. */
export function withPicture(page: string, picture: string): string {
  if (!place.test(page)) throw new Error("The page has no marker for the picture of the imports.");
  return page.replace(place, (_, before: string, after: string) => `${before}${picture}${after}`);
}
