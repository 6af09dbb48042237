import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "../support/test.ts";
import { startServer } from "../support/stack.ts";

/** Runs the built command line until it ends; resolves with its exit code and all it wrote. */
function visavis(words: string[], environment: Record<string, string>) {
  return new Promise<{ code: number; output: string }>((resolve) => {
    execFile(
      process.execPath,
      ["dist/server/main.js", ...words],
      { env: { ...process.env, ...environment } },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
    );
  });
}

test("key and password are printed by the first start that listens, and by no other", async () => {
  const dataFolder = mkdtempSync(join(tmpdir(), "visavis-first-start-"));
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, resolve));
  const port = String((taken.address() as AddressInfo).port);
  const environment = { VISAVIS_DATA: dataFolder, VISAVIS_API_KEY: "", PORT: port };
  try {
    const failed = await visavis(["start"], environment);
    expect(failed.code).toBe(1);
    expect(failed.output).toContain("Set PORT to a free port");
    expect(failed.output).not.toMatch(/API key|Password/);
    await new Promise((resolve) => taken.close(resolve));
    const started = async () => {
      const server = await startServer("start", environment);
      // The server answers before it has printed everything.
      await expect.poll(server.output).toContain("/api/v1/");
      await server.stop();
      return server.output();
    };
    const first = await started();
    expect(first).toMatch(/API key +vv_/);
    expect(first).toMatch(/Password +(?:[a-z2-9]{4}-){4}[a-z2-9]{4}/);
    expect(first).toMatch(/Console +http:\/\/.*\/console\//);
    expect(await started()).not.toMatch(/API key|Password/);
  } finally {
    taken.close();
    rmSync(dataFolder, { recursive: true, force: true });
  }
});
