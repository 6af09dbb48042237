/** Writes the packages `visavis` and `visavis-server` into dist/packages/, using the files that Vite has built. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import repository from "../../package.json" with { type: "json" };
import { elementManifest } from "../element-manifest.ts";
import { frameworkTypes } from "../framework-types.ts";
import { serverManifest, visavisManifest } from "./package-manifests.ts";
import { writeTypes } from "./write-types.ts";

const element = "dist/packages/visavis";
const server = "dist/packages/visavis-server";

/** Documentation for users, by package; the server's is for operators too. The other pages are for developers of the source. */
const elementPages = ["npm", "element", "relay", "interface", "security", "context", "rich-answers"];
const serverPages = [
  ...[...elementPages, "settings", "operator", "scale"],
  ...["engines", "language-models", "agents", "console", "face", "photo-characters", "likeness"],
];

const writeJson = (path: string, value: unknown): void =>
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);

/** For what only programs read: without the spaces it is half as long. */
const writeDenseJson = (path: string, value: unknown): void => writeFileSync(path, JSON.stringify(value));

/** Copies a folder that Vite has built, without its source maps. */
function copyBuilt(from: string, to: string): void {
  if (!existsSync(from)) throw new Error(`${from} does not exist. Run npm run build first.`);
  rmSync(to, { recursive: true, force: true });
  cpSync(from, to, { recursive: true, filter: (path) => !path.endsWith(".map") });
}

/** Markdown whose tables are not aligned by spaces: they are a third of the longer pages. */
const withNarrowTables = (text: string): string =>
  text.replace(/^\|.*\|$/gm, (row) => row.replace(/ {2,}/g, " ").replace(/-{4,}/g, "---"));

/**
 * Copies documentation with the pictures that it shows and the decisions that it names. A link to a page that does not come along
 * becomes text.
 */
function copyPages(folder: string, pages: readonly string[]): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const page of pages) {
    const text = readFileSync(`docs/${page}.md`, "utf8").replace(
      /\[([^\]]+)\]\(([a-z-]+)\.md(?:#[^)]*)?\)/g,
      (link, words: string, target: string) => (pages.includes(target) ? link : words),
    );
    writeFileSync(join(folder, `${page}.md`), withNarrowTables(text));
    for (const [, file = ""] of text.matchAll(/\(((?:pictures|faces|decisions)\/[^)#]+)[^)]*\)/g))
      cpSync(`docs/${file}`, join(folder, file));
  }
}

/** Writes the files of both packages: built public files, documentation and licences. */
function writeCommonFiles(folder: string, pages: readonly string[]): void {
  copyBuilt("dist/public", join(folder, "public"));
  for (const file of ["LICENSE", "SECURITY.md"]) cpSync(file, join(folder, file));
  cpSync(`scripts/packages/${basename(folder)}.md`, join(folder, "README.md"));
  copyPages(join(folder, "docs"), pages);
}

/** Brings the licences of what the parts of a package contain, which their builds have written, into one folder. */
function gatherLicenses(folder: string, parts: readonly string[]): void {
  rmSync(join(folder, "licenses"), { recursive: true, force: true });
  for (const part of parts) {
    cpSync(join(folder, part, "licenses"), join(folder, "licenses"), { recursive: true });
    rmSync(join(folder, part, "licenses"), { recursive: true });
  }
}

/** The files of a build, by its manifest. */
function filesOf(manifest: string): string[] {
  const chunks = JSON.parse(readFileSync(manifest, "utf8")) as Record<string, { file: string }>;
  return Object.values(chunks).map(({ file }) => file);
}

/** The package stays small without the widget for conversations in writing: its relay serves the other one for them too. */
function removeWriting(folder: string): void {
  const kept = new Set(filesOf(join(folder, ".vite/manifest.json")));
  const manifest = join(folder, ".vite/writing.json");
  for (const file of filesOf(manifest)) if (!kept.has(file)) rmSync(join(folder, file), { force: true });
  rmSync(manifest);
}

/** Writes the manifest of a build anew. */
function condenseManifest(folder: string): void {
  const path = join(folder, ".vite/manifest.json");
  writeDenseJson(path, JSON.parse(readFileSync(path, "utf8")));
}

async function writeElementPackage(): Promise<void> {
  const types = join(element, "types");
  rmSync(types, { recursive: true, force: true });
  await writeTypes(types);
  const manifest = elementManifest("modules/element.js");
  writeDenseJson(join(element, "custom-elements.json"), manifest);
  for (const [name, text] of Object.entries(frameworkTypes(manifest)))
    writeFileSync(join(types, `${name}.d.ts`), text);
  writeCommonFiles(element, elementPages);
  // The package stays small: its relay lets the service draw, whose own relay has the characters too.
  for (const file of readdirSync(join(element, "public/characters")))
    if (file.endsWith(".json")) rmSync(join(element, "public/characters", file));
  removeWriting(join(element, "public"));
  condenseManifest(join(element, "public"));
  gatherLicenses(element, ["modules", "public"]);
  writeJson(join(element, "package.json"), visavisManifest(repository));
}

function writeServerPackage(): void {
  copyBuilt("dist/server", join(server, "server"));
  copyBuilt("dist/console", join(server, "console"));
  writeCommonFiles(server, serverPages);
  gatherLicenses(server, ["server", "public", "console"]);
  writeJson(join(server, "package.json"), serverManifest(repository));
}

await writeElementPackage();
writeServerPackage();
