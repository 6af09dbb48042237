import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { expect, test } from "@playwright/test";
import { installPackage, type InstalledPackage } from "../support/installed-package.ts";
import { startServer, type Server } from "../support/stack.ts";
import { typedFiles, writeConsumer } from "./consumer.ts";

/** The package as it would be published, in a project of its own: its command, its declarations, its server parts. */
let project: InstalledPackage;
let server: Server;

test.beforeAll(async () => {
  project = installPackage();
  server = await startServer("start", {}, [project.command]);
  writeConsumer(project, server.origin);
});

test.afterAll(async () => {
  await server.stop();
  project.remove();
});

function typeFaults(module: string, moduleResolution: string): string {
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
  };
  project.write("tsconfig.json", JSON.stringify({ compilerOptions, files: typedFiles }));
  try {
    return project.run(resolve("node_modules/typescript/bin/tsc"));
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

for (const [module, resolution] of [
  ["esnext", "bundler"],
  ["nodenext", "nodenext"],
] as const)
  test(`its declarations stand a strict check with module resolution ${resolution}`, () => {
    expect(typeFaults(module, resolution)).toBe("");
  });

test("a server can import every part of it, and its relay answers with the package's own files", () => {
  project.write(
    "server.mjs",
    `import { VisavisAvatar } from "visavis";
import { createAvatarSession } from "visavis/client";
import { createStage } from "visavis/stage";
import { relay } from "./relay.mjs";

const paths = ["/embed.js", "/widget.js", "/viewer/ctx_demo", "/embed/v1/contexts/ctx_demo"];
const answers = await Promise.all(paths.map(async (path) => (await relay.request(path)).status));
process.stdout.write([typeof VisavisAvatar, typeof createAvatarSession, typeof createStage, ...answers].join(" "));`,
  );
  expect(project.run("server.mjs")).toBe("function function function 200 302 200 200");
});

test("the installed command tells its subcommands, and names a fault", () => {
  expect(execFileSync(project.command, ["--help"], { encoding: "utf8" })).toMatch(
    /start[^]*service[^]*relay/,
  );
  expect(() => execFileSync(project.command, ["relay"], { stdio: "pipe" })).toThrow(/SERVICE_BASE_URL/);
});

test("its manifest names the members that the element has", () => {
  project.write(
    "manifest.mjs",
    `import { VisavisAvatar } from "visavis";
import manifest from "visavis/custom-elements.json" with { type: "json" };

const [{ tagName, members, attributes }] = manifest.modules[0].declarations;
const missing = members.filter(({ name }) => !(name in VisavisAvatar.prototype || name in VisavisAvatar));
const unheard = attributes.filter(({ name }) => !VisavisAvatar.observedAttributes.includes(name));
process.stdout.write(JSON.stringify({ tagName, members: members.length, missing, unheard }));`,
  );
  const described = JSON.parse(project.run("manifest.mjs")) as { members: number };
  expect(described).toMatchObject({ tagName: "visavis-avatar", missing: [], unheard: [] });
  expect(described.members).toBeGreaterThan(15);
});
