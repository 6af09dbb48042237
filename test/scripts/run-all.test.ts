import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { runCommand, type Ended } from "../../scripts/test/command.ts";
import type { Plan } from "../../scripts/test/run-all.ts";
import type { TestRunner } from "../../scripts/test/run-tests.ts";
import { bundleEntry, type BundledEntry } from "../service/bundle-entry.ts";

let folder: string;
let entry: BundledEntry;

beforeAll(async () => {
  entry = await bundleEntry("test/scripts/small-run.ts");
});

afterAll(() => entry.remove());

beforeEach(() => {
  mkdirSync("test-results", { recursive: true });
  folder = mkdtempSync(resolve("test-results/small-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

const write = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

const planOf = (...runners: TestRunner[]): Plan => ({ checks: [], runners, browserRunners: [] });

function run(plan: Plan, againMs?: number): Promise<Ended> {
  // A script of its own: what `scripts/test` runs by itself is part of the bundle.
  const script = write("run.mjs", `import "${entry.url.href}";`);
  return runCommand(["node", script, folder, JSON.stringify({ ...plan, againMs })]);
}

const unsteady = (): unknown => JSON.parse(readFileSync(join(folder, "unsteady.json"), "utf8"));

/** Tests that note each time they run: one passes, one only fails the first time, so not alone. */
const notedTests = (runner: string, further = ""): string => `
  import { appendFileSync, readFileSync } from "node:fs";
  import { expect, test } from "${runner}";
  const note = (name) => {
    const path = ${JSON.stringify(folder)} + "/" + name;
    appendFileSync(path, "x");
    return readFileSync(path, "utf8").length;
  };
  test("passes", () => { note("passes"); });
  ${further}
  test("fails (at first)", () => { expect(note("at-first")).toBeGreaterThan(1); });
`;

function unitTests(): TestRunner {
  const fails = `test("fails each time", () => { note("fails"); expect("wrong").toBe("right"); });`;
  write("noted.test.ts", notedTests("vitest", fails));
  // Vitest would take the project's configuration otherwise.
  const config = write("vitest.config.mjs", "export default {};");
  const reporter = resolve("scripts/test/unit-reporter.ts");
  const command = ["vitest", "run", "--root", folder, "--config", config, "--reporter", reporter];
  return { name: "unit", command, aloneCommand: command, limitMs: 300_000 };
}

function browserTests(): TestRunner {
  write("noted.spec.ts", notedTests("@playwright/test"));
  const reporter = resolve("scripts/test/browser-reporter.ts");
  const config = write(
    "playwright.config.ts",
    `export default { reporter: ${JSON.stringify(reporter)}, outputDir: "results" };`,
  );
  const command = ["playwright", "test", "-c", config];
  return { name: "browser", command, aloneCommand: command, limitMs: 300_000 };
}

/** How often each of the tests ran. */
const runs = (): number[] =>
  ["passes", "fails", "at-first"]
    .map((name) => join(folder, name))
    .map((path) => (existsSync(path) ? readFileSync(path, "utf8").length : 0));

describe("a failed test", () => {
  it.each([
    // A file of unit tests runs as a whole, here twice more.
    { kind: "unit", runner: unitTests, file: /noted\.test\.ts$/, failures: 1, ran: [3, 3, 3] },
    { kind: "browser", runner: browserTests, file: /noted\.spec\.ts$/, failures: 0, ran: [1, 0, 2] },
  ])("of the $kind tests runs again by itself: what passes then is unsteady", async (row) => {
    const { code, output } = await run(planOf(row.runner()));
    expect(output.endsWith(`\n1 unsteady\n\n2 passed, ${row.failures} failed, 0 skipped\n`)).toBe(true);
    expect(/\nFailed\n {2}\S*noted\.test\.ts › fails each time\n/.test(output)).toBe(row.failures === 1);
    expect(code).toBe(row.failures);
    expect(unsteady()).toEqual([
      {
        file: expect.stringMatching(row.file) as unknown,
        title: "fails (at first)",
        error: expect.stringMatching(/toBeGreaterThan|greater than 1/) as unknown,
      },
    ]);
    expect(runs()).toEqual(row.ran);
  });
});

/** Runs a runner that is a script of these lines; `say` writes a line of the report. */
function runScript(
  lines: string,
  { limitMs = 300_000, againMs }: { limitMs?: number; againMs?: number } = {},
): Promise<Ended> {
  const script = write(
    "runner.mjs",
    `import { appendFileSync } from "node:fs";
     const [, , again] = process.argv;
     const say = (line) => appendFileSync(process.env.TEST_REPORT, JSON.stringify(line) + "\\n");
     const result = (title, status) =>
       say({ result: { file: "a", title, status, durationMs: 1, errors: [], again: ["all"] } });
     ${lines}`,
  );
  const command = ["node", script];
  return run(planOf({ name: "scripted", command, aloneCommand: command, limitMs }), againMs);
}

describe("a run", () => {
  it("fails with what is known when a runner dies", async () => {
    const { code, output } = await runScript(
      `result("first", "passed"); say({ begun: "second" }); process.kill(process.pid, "SIGKILL");`,
    );
    expect(output).toContain("before all tests had run. Running then: second.");
    expect(output).toMatch(/\n1 passed, 1 failed, 0 skipped\n$/);
    expect(code).toBe(1);
  });

  it("ends what hangs at its limit, with what it started, and says what was running", async () => {
    const { code, output } = await runScript(
      `say({ begun: "endless" });
       (await import("node:child_process")).spawn("sleep", ["1000"], { stdio: "inherit" });
       setInterval(() => {}, 1000);`,
      { limitMs: 6_000 },
    );
    expect(output).toContain("ended at its limit of 0.1 minutes. Running then: endless.");
    expect(output).toMatch(/\n0 passed, 1 failed, 0 skipped\n$/);
    expect(code).toBe(1);
  });

  it("counts a test that hangs when it is run again as failed", async () => {
    const { output } = await runScript(
      `if (again) setInterval(() => {}, 1000);
       else { result("slow", "failed"); say({ isComplete: true }); process.exitCode = 1; }`,
      { againMs: 2_000 },
    );
    expect(output).toContain("The time for running tests again was over");
    expect(output).toMatch(/\n0 unsteady\n\n0 passed, 1 failed, 0 skipped\n$/);
  });

  it.each([
    { failures: 40, closing: "40 unsteady\n\n40 passed, 0 failed" },
    { failures: 41, closing: "0 unsteady\n\n0 passed, 41 failed" },
  ])("with $failures failures ends with $closing", async ({ failures, closing }) => {
    const { output } = await runScript(
      `for (let i = 0; i < ${failures}; i++) result("test " + i, again ? "passed" : "failed");
       say({ isComplete: true }); process.exitCode = again ? 0 : 1;`,
    );
    expect(output).toContain(`${closing}, 0 skipped\n`);
  });

  it("does not run a failed check again", async () => {
    const check = { name: "count", commands: [["sh", "-c", `echo x >> ${folder}/checked; exit 1`]] };
    const { code, output } = await run({ checks: [check], runners: [], browserRunners: [] });
    expect(output).toMatch(/\n0 passed, 1 failed, 0 skipped\n$/);
    expect(readFileSync(join(folder, "checked"), "utf8")).toBe("x\n");
    expect(code).toBe(1);
  });
});
