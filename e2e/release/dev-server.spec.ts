import { spawn, type ChildProcess } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, test, type Page } from "../support/test.ts";
import { freePort } from "../../test/free-port.ts";

/** A copy of the source, in which the test changes files. */
let folder: string;
let command: ChildProcess;
let origin: string;

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "visavis-dev-"));
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"), "junction");
  for (const name of ["src", "public", "config", "scripts", "index.html", "package.json", "vite.config.ts"])
    cpSync(name, join(folder, name), { recursive: true });
  const port = await freePort();
  origin = `http://localhost:${port}`;
  command = spawn(process.execPath, ["--import", "tsx", "scripts/dev.ts"], {
    cwd: folder,
    env: { ...process.env, PORT: String(port), VISAVIS_DATA: join(folder, ".visavis") },
    stdio: "ignore",
  });
  await expect.poll(() => answerOf("/readyz")).toContain("ok");
});

test.afterAll(async () => {
  const ended = new Promise((done) => command.once("exit", done));
  command.kill("SIGTERM");
  await ended;
  rmSync(folder, { recursive: true, force: true });
});

const answerOf = (path: string): Promise<string> =>
  fetch(origin + path).then(
    (response) => response.text(),
    () => "",
  );

function change(file: string, from: string, to: string): void {
  const path = join(folder, file);
  const text = readFileSync(path, "utf8");
  expect(text).toContain(from);
  writeFileSync(path, text.replace(from, to));
}

/** Changes a file, waits until the change is visible, and records how long that took. */
async function measure(what: string, act: () => void, shown: () => Promise<void>): Promise<void> {
  const startedAtMs = performance.now();
  act();
  await shown();
  const description = `${Math.round(performance.now() - startedAtMs)} ms`;
  test.info().annotations.push({ type: what, description });
  process.stdout.write(`  ${what}: ${description}\n`);
}

const avatarText = (page: Page, text: string) => page.locator("visavis-avatar").getByText(text).first();

test("changes of the widget, the loader and the service appear in the open page", async ({ page }) => {
  await page.goto(`${origin}/viewer/ctx_demo`);
  await expect(avatarText(page, "not a person")).toBeVisible();
  await measure(
    "a changed widget was in the page after",
    () => {
      change("src/widget/texts/page-texts.ts", "not a person", "not a human being");
    },
    () => expect(avatarText(page, "not a human being")).toBeVisible(),
  );

  await page.goto(origin);
  const launcher = page.locator("visavis-avatar [part~=launcher-button]").first();
  await expect(launcher).toBeVisible();
  change("src/embed/launcher-view.ts", 'part: "launcher-button"', 'part: "launcher-button changed"');
  await expect(page.locator("visavis-avatar [part~=changed]").first()).toBeVisible();

  await measure(
    "a changed service answered, and the page was loaded again, after",
    () => {
      change("src/relay/contexts/public-context.ts", "Talk with {name}", "Chat with {name}");
    },
    () => expect(launcher).toHaveAccessibleName(/^Chat with Mara\b/),
  );
});
