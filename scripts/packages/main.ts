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
  ...[...elementPages, "settings", "operator", "scale", "first-hour", "live"],
  ...["engines", "language-models", "agents", "console", "face", "photo-characters"],
];

/** Which documentation a package has: its pages, and whether with their pictures. */
interface Documentation {
  pages: readonly string[];
  pictures: boolean;
}

const writeJson = (path: string, value: unknown): void =>
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);

/** For what only programs read: without the spaces it is half as long. */
const writeDenseJson = (path: string, value: unknown): void => writeFileSync(path, JSON.stringify(value));

/** Copies a folder that was built, without its source maps, and without what else is left out. */
function copyBuilt(from: string, to: string, leftOut = /\.map$/): void {
  if (!existsSync(from)) throw new Error(`${from} does not exist. Run npm run build first.`);
  rmSync(to, { recursive: true, force: true });
  cpSync(from, to, { recursive: true, filter: (path) => !leftOut.test(path) });
}

/**
 * Copies documentation with the pictures that it shows. A link to a page that does not come along
 * becomes text. Pictures, each on a line of its own, are left out where `pictures` is false.
 */
function copyPages(folder: string, { pages, pictures }: Documentation): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const page of pages) {
    const linked = readFileSync(`docs/${page}.md`, "utf8").replace(
      /\[([^\]]+)\]\(([a-z-]+)\.md(?:#[^)]*)?\)/g,
      (link, words: string, target: string) => (pages.includes(target) ? link : words),
    );
    const text = pictures ? linked : linked.replace(/^!\[[^\]]*\]\([^)]*\)\n/gm, "");
    writeFileSync(join(folder, `${page}.md`), text);
    for (const [, file = ""] of text.matchAll(/\(((?:pictures|faces)\/[^)#]+)[^)]*\)/g))
      cpSync(`docs/${file}`, join(folder, file));
  }
}

/** Writes the files of both packages: built public files, documentation and licences. */
function writeCommonFiles(folder: string, documentation: Documentation, leftOut?: RegExp): void {
  copyBuilt("dist/public", join(folder, "public"), leftOut);
  for (const file of ["LICENSE", "SECURITY.md"]) cpSync(file, join(folder, file));
  cpSync(`scripts/packages/${basename(folder)}.md`, join(folder, "README.md"));
  copyPages(join(folder, "docs"), documentation);
}

/** Brings the licences of what the parts of a package contain, which their builds have written, into one folder. */
function gatherLicenses(folder: string, parts: readonly string[]): void {
  rmSync(join(folder, "licenses"), { recursive: true, force: true });
  for (const part of parts) {
    cpSync(join(folder, part, "licenses"), join(folder, "licenses"), { recursive: true });
    rmSync(join(folder, part, "licenses"), { recursive: true });
  }
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
  // The package stays small: its relay compresses files at their first request, and lets the service draw, whose own relay has the
  // characters too.
  writeCommonFiles(element, { pages: elementPages, pictures: false }, /\.(?:map|br)$/);
  for (const file of readdirSync(join(element, "public/characters")))
    if (file.endsWith(".json")) rmSync(join(element, "public/characters", file));
  condenseManifest(join(element, "public"));
  gatherLicenses(element, ["modules", "public"]);
  writeJson(join(element, "package.json"), visavisManifest(repository));
}

function writeServerPackage(): void {
  copyBuilt("dist/server", join(server, "server"));
  copyBuilt("dist/console", join(server, "console"));
  writeCommonFiles(server, { pages: serverPages, pictures: true });
  gatherLicenses(server, ["server", "public", "console"]);
  writeJson(join(server, "package.json"), serverManifest(repository));
}

await writeElementPackage();
writeServerPackage();
