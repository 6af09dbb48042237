import { spawn, type ChildProcess } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, type Page } from "../support/test.ts";
import { npm, pack, type PackageName } from "../support/installed-package.ts";
import { canaryKey, startServer, type Server } from "../support/stack.ts";
import { avatar, clickLauncher, untilFirstFrame, untilState } from "../support/widget.ts";
import { freePort } from "../../test/free-port.ts";

/** The address of the service in the sources of the examples. */
const serviceInSources = "http://localhost:8787";

interface Example {
  name: string;
  package: PackageName;
  hasBuild: boolean;
  /** Words after `npm start --` that set the port. */
  portWords(port: number): string[];
  open(page: Page): Promise<void>;
  /** What the page shows then. Default: the widget's avatar. */
  shows?(page: Page): Promise<void>;
}

const startInline = async (page: Page): Promise<void> => {
  await page.waitForFunction(() => customElements.get("visavis-avatar") !== undefined);
  await avatar(page).evaluate((element) => (element as HTMLElementTagNameMap["visavis-avatar"]).start());
};

/** The page draws the avatar itself. */
async function showsOwnDrawing(page: Page): Promise<void> {
  await expect(page.getByText("The avatar is speaking.")).toBeVisible();
  const canvas = page.locator("#avatar canvas");
  const looks = (): Promise<string> => canvas.evaluate((drawn: HTMLCanvasElement) => drawn.toDataURL());
  const first = await looks();
  await expect.poll(looks).not.toBe(first);
  await expect(page.getByText("The avatar is silent.")).toBeVisible();
}

async function showsWidget(page: Page): Promise<void> {
  await untilState(page, "live");
  await untilFirstFrame(page);
  const text = page.getByText("The avatar is", { exact: false });
  if ((await text.count()) > 0) await expect(text).toHaveText("The avatar is live.");
}

const vitePort = (port: number): string[] => ["--", "--port", String(port), "--strictPort"];

const examples: Example[] = [
  { name: "plain", package: "visavis-server", hasBuild: true, portWords: vitePort, open: clickLauncher },
  { name: "react", package: "visavis", hasBuild: true, portWords: vitePort, open: startInline },
  { name: "vue", package: "visavis", hasBuild: true, portWords: vitePort, open: startInline },
  { name: "svelte", package: "visavis", hasBuild: true, portWords: vitePort, open: startInline },
  { name: "next", package: "visavis", hasBuild: true, portWords: () => [], open: startInline },
  { name: "express", package: "visavis", hasBuild: false, portWords: () => [], open: clickLauncher },
  {
    ...{ name: "onpremise", package: "visavis", hasBuild: true, portWords: () => [] },
    open: (page) => page.getByRole("button", { name: "Say it" }).click(),
    shows: showsOwnDrawing,
  },
];

let workshop: string;
let server: Server;
const tarballs = new Map<PackageName, string>();

// npm installs packages, and the frameworks build.
test.describe.configure({ timeout: 900_000 });

test.beforeAll(async () => {
  workshop = mkdtempSync(join(tmpdir(), "visavis-examples-"));
  for (const name of ["visavis", "visavis-server"] as const) tarballs.set(name, pack(name, workshop));
  server = await startServer();
});

test.afterAll(async () => {
  await server.stop();
  rmSync(workshop, { recursive: true, force: true });
});

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}

/** Copies an example, points it at the service under test, installs it from the packed packages and builds it. */
function prepare(example: Example): string {
  const folder = join(workshop, example.name);
  cpSync(join("examples", example.name), folder, {
    recursive: true,
    filter: (path) => !/\/(?:node_modules|dist|\.next)$/.test(path),
  });
  for (const file of filesOf(folder))
    writeFileSync(file, readFileSync(file, "utf8").replaceAll(serviceInSources, server.origin));
  npm(folder, "install", "--prefer-offline", "--no-audit", "--no-fund", tarballs.get(example.package)!);
  if (example.hasBuild) npm(folder, "run", "build");
  return folder;
}

/** Starts the example's own server. Its process group is the caller's to end. */
async function serve(folder: string, example: Example): Promise<{ origin: string; child: ChildProcess }> {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const child = spawn("npm", ["start", ...example.portWords(port)], {
    cwd: folder,
    detached: true,
    stdio: "ignore",
    env: {
      ...process.env,
      NEXT_TELEMETRY_DISABLED: "1",
      PORT: String(port),
      PUBLIC_URL: origin,
      SERVICE_API_KEY: canaryKey,
    },
  });
  try {
    await expect.poll(() => fetch(origin).then(({ status }) => status, String)).toBe(200);
  } catch (error) {
    process.kill(-child.pid!);
    throw error;
  }
  return { origin, child };
}

for (const example of examples)
  test(`the example ${example.name} installs, builds and shows the avatar`, async ({ page }) => {
    const { child, origin } = await serve(prepare(example), example);
    try {
      const faults: string[] = [];
      page.on("pageerror", (error) => faults.push(String(error)));
      await page.goto(origin);
      await example.open(page);
      await (example.shows ?? showsWidget)(page);
      expect(faults).toEqual([]);
    } finally {
      process.kill(-child.pid!);
    }
  });
