import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, test } from "../support/test.ts";
import { installPackages, type InstalledPackage } from "../support/installed-package.ts";
import { startServer, type Server } from "../support/stack.ts";
import { frameworkUses } from "../../test/scripts/framework-uses.ts";
import { typedFiles, writeConsumer } from "./package-consumer.ts";

/** Both packages as they would be published, each installed by npm in a project of its own. */
let project: InstalledPackage;
let service: InstalledPackage;
let server: Server;
let installed: { packages: number; bytes: number };
let installedServer: { packages: number; bytes: number };

const frameworks = ["react", "vue", "svelte", "solid"];

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}

/** The number of packages that npm has installed in a folder, and the size of all their files. */
function sizeOf(modules: string): { packages: number; bytes: number } {
  const files = filesUnder(modules);
  return {
    packages: files.filter((file) => /node_modules\/(?:@[^/]+\/)?[^/]+\/package\.json$/.test(file)).length,
    bytes: files.reduce((sum, file) => sum + statSync(file).size, 0),
  };
}

test.beforeAll(async () => {
  // npm asks the registry.
  project = installPackages("visavis");
  installed = sizeOf(join(project.folder, "node_modules"));
  for (const name of ["@types/react", "vue", "@vue", "svelte", "solid-js"]) project.link(name);
  service = installPackages("visavis-server");
  installedServer = sizeOf(join(service.folder, "node_modules"));
  server = await startServer("start", {}, [service.command("visavis")]);
  writeConsumer(project, server.origin);
  for (const [name, text] of Object.entries(frameworkUses))
    project.write(`use-${name}.tsx`, `${text}\nimport type {} from "visavis/${name}";\n`);
});

test.afterAll(async () => {
  await server.stop();
  service.remove();
  project.remove();
});

function typeFaults(module: string, moduleResolution: string, files: readonly string[], more = {}): string {
  const compilerOptions = {
    module,
    moduleResolution,
    target: "es2022",
    lib: ["es2022", "dom", "dom.iterable"],
    types: [],
    strict: true,
    skipLibCheck: false,
    noEmit: true,
    pretty: false,
    ...more,
  };
  project.write("tsconfig.json", JSON.stringify({ compilerOptions, files }));
  try {
    return project.run(resolve("node_modules/typescript/bin/tsc"));
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

for (const [module, resolution] of [
  ["esnext", "bundler"],
  ["node16", "node16"],
  ["nodenext", "nodenext"],
] as const)
  test(`the declarations pass a strict check with module resolution ${resolution}`, () => {
    expect(typeFaults(module, resolution, typedFiles)).toBe("");
  });

for (const name of frameworks)
  test(`visavis/${name} gives templates the element's types`, () => {
    // The frameworks' own declarations are not ours to check.
    const more = { jsx: "react-jsx", skipLibCheck: true };
    expect(typeFaults("esnext", "bundler", [`use-${name}.tsx`], more)).toBe("");
  });

test("visavis installs at most 12 packages and 6 MB", () => {
  expect(installed.packages).toBeLessThanOrEqual(12);
  expect(installed.bytes).toBeLessThanOrEqual(6_000_000);
});

test("visavis-server installs at most 30 packages and 180 MB", () => {
  expect(installedServer.packages).toBeLessThanOrEqual(30);
  expect(installedServer.bytes).toBeLessThanOrEqual(180_000_000);
});

test("a server can import every part of visavis, and its relay answers with the package's own files", () => {
  project.write(
    "server.mjs",
    `import { VisavisAvatar } from "visavis";
import { createAvatarSession } from "visavis/client";
import { createStage } from "visavis/stage";
import { parseCharacter } from "visavis/puppet";
import { relay } from "./relay.mjs";

const paths = ["/embed.js", "/widget.js", "/viewer/ctx_demo", "/embed/v1/contexts/ctx_demo"];
const answers = await Promise.all(paths.map(async (path) => (await relay.request(path)).status));
process.stdout.write([typeof VisavisAvatar, typeof createAvatarSession, typeof createStage, typeof parseCharacter, ...answers].join(" "));`,
  );
  expect(project.run("server.mjs")).toBe("function function function function 200 200 200 200");
});

test("the installed command serves the demo page, names its subcommands, and explains a missing setting", async () => {
  const page = await fetch(`${server.origin}/`);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain("embed.js");
  const command = service.command("visavis");
  expect(execFileSync(command, ["--help"], { encoding: "utf8" })).toMatch(/start[^]*service[^]*relay/);
  expect(() => execFileSync(command, ["relay"], { stdio: "pipe" })).toThrow(/SERVICE_BASE_URL/);
});

test("the manifest lists the members that the element has", () => {
  project.write(
    "manifest.mjs",
    `import { VisavisAvatar } from "visavis";
import manifest from "visavis/custom-elements.json" with { type: "json" };

const [{ tagName, members, attributes }] = manifest.modules[0].declarations;
const missing = members.filter(({ name }) => !(name in VisavisAvatar.prototype || name in VisavisAvatar));
const { observedAttributes } = VisavisAvatar;
const notObserved = attributes.map(({ name }) => name).filter((name) => !observedAttributes.includes(name));
process.stdout.write(JSON.stringify({ tagName, members: members.length, missing, notObserved }));`,
  );
  const described = JSON.parse(project.run("manifest.mjs")) as { members: number };
  // `prefetch` is for embed.js, which reads it before there is an element.
  expect(described).toMatchObject({ tagName: "visavis-avatar", missing: [], notObserved: ["prefetch"] });
  expect(described.members).toBeGreaterThan(15);
});

test("both packages contain their licences, and every relative link in their pages leads to a file", () => {
  for (const [name, { folder }] of [
    ["visavis", project],
    ["visavis-server", service],
  ] as const) {
    const home = join(folder, "node_modules", name);
    const files = filesUnder(home).map((file) => file.slice(home.length + 1));
    expect(files).toEqual(
      expect.arrayContaining(["LICENSE", "README.md", "licenses/lit.txt", "licenses/@fontsource__inter.txt"]),
    );
    expect(files.filter((file) => file.endsWith(".map"))).toEqual([]);
    const broken = files
      .filter((file) => file.endsWith(".md"))
      .flatMap((page) =>
        [...readFileSync(join(home, page), "utf8").matchAll(/\]\((?!https?:|#)([^)#]+)/g)]
          .map(([, link]) => join(dirname(page), link ?? ""))
          .filter((path) => !files.includes(path))
          .map((path) => `${name}/${page}: ${path}`),
      );
    expect(broken).toEqual([]);
  }
  const licenses = (home: string, name: string): string[] =>
    readdirSync(join(home, "node_modules", name, "licenses"));
  expect(licenses(project.folder, "visavis")).toEqual(
    expect.arrayContaining(["hono.txt", "jose.txt", "marked.txt", "zod.txt"]),
  );
  expect(licenses(service.folder, "visavis-server")).toEqual(
    expect.arrayContaining(["marked.txt", "openapi-explorer.txt", "regexparam.txt", "zod.txt"]),
  );
});
