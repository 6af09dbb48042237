import { execFile } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "./support/test.ts";
import { hasTurnServer, ownAddress, startTurnServer } from "../test/service/media/turn-server.ts";
import { changeContext } from "./support/service-api.ts";
import { startServer, type Server } from "./support/stack.ts";
import { freePort } from "../test/free-port.ts";

interface Answer {
  code: number;
  output: string;
}

/** Runs the built command line; resolves with its exit code and all it wrote. */
function visavis(words: string[], environment: Record<string, string>): Promise<Answer> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ["dist/server/main.js", ...words],
      { env: { ...process.env, ...environment } },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
    );
  });
}

test.describe("visavis check", () => {
  let server: Server;
  test.beforeAll(async () => {
    server = await startServer();
  });
  test.afterAll(() => server.stop());

  const check = (words: string[], environment: Record<string, string> = {}) =>
    visavis(["check", ...words], {
      VISAVIS_DATA: server.dataFolder,
      VISAVIS_PUBLIC_URL: server.origin,
      ...environment,
    });

  test("reports for each part of a running installation that it works", async () => {
    const { code, output } = await check(["ctx_demo", "--origin", "http://localhost:3000"]);
    expect(output).toMatch(/^ok +address: http:\/\/localhost:\d+ answered in/m);
    expect(output).toMatch(/^ok +storage: Database and files answered/m);
    expect(output).toMatch(/^warning +TURN: No TURN server is set\. .*VISAVIS_TURN_URLS/m);
    expect(output).toMatch(/^ok +origin ctx_demo: Pages of http:\/\/localhost:3000 may use it/m);
    expect(output).toMatch(/^ok +model visavis-retrieval: It answered in/m);
    expect(output).toMatch(/^ok +voice visavis-slt: It spoke \d\.\d s of sound/m);
    expect(output).toMatch(/^ok +recognizer: None is set/m);
    expect(code).toBe(0);
  });

  test("says what to do about a forbidden origin and TURN servers that do not answer, and fails", async () => {
    const { code, output } = await check(["ctx_demo", "--origin", "https://shop.example"], {
      VISAVIS_TURN_URLS: `turn:127.0.0.1:${await freePort()}`,
      VISAVIS_TURN_SECRET: "secret",
    });
    expect(output).toMatch(/^failed +TURN: turn:127\.0\.0\.1:\d+ gave no relay address\./m);
    expect(output).toMatch(
      /^failed +origin ctx_demo: .* Add "https:\/\/shop\.example" to embed_config\.allowed_origins/m,
    );
    expect(output).toContain("2 parts failed.");
    expect(code).toBe(1);
  });

  test("says when nothing answers at the public address", async () => {
    const { code, output } = await check([], { VISAVIS_PUBLIC_URL: `http://localhost:${await freePort()}` });
    expect(output).toMatch(/^failed +address: .* does not answer: .*VISAVIS_PUBLIC_URL/m);
    expect(code).toBe(1);
    expect((await check(["--origin", "shop.example"])).output).toContain("An origin is http:// or https://");
  });

  test("says that the model does not take the files that visitors may attach", async () => {
    await changeContext({ server, context: "ctx_demo" }, (context) => {
      context.embed_config["attachments"] = ["image", "pdf"];
    });
    const { code, output } = await check(["ctx_demo"]);
    expect(output).toMatch(
      /^warning +attachments ctx_demo: .* pictures and PDFs, which the model "visavis-retrieval" does not take\./m,
    );
    expect(code).toBe(0);
  });

  test("says what of the settings has no effect, and what was probably meant", async () => {
    await changeContext({ server, context: "ctx_tomas" }, (context) => {
      Object.assign(context.embed_config, { theme: "dark", prefetch: "never" });
    });
    const { code, output } = await check(["ctx_tomas"]);
    expect(output).toMatch(
      /^warning +settings ctx_tomas: embed_config\.prefetch: Allowed here: intent, idle\. .*Did you mean "ui\.theme"\?/m,
    );
    expect(code).toBe(0);
  });

  test("finds a TURN server that relays", async () => {
    test.skip(!hasTurnServer || ownAddress === undefined, "coturn, or an address it relays to, is missing");
    const turn = await startTurnServer(ownAddress!);
    try {
      const { output } = await check(["ctx_demo"], {
        VISAVIS_TURN_URLS: `${turn.url}?transport=udp`,
        VISAVIS_TURN_SECRET: turn.secret,
      });
      expect(output).toMatch(/^ok +TURN: turn:.* relays\./m);
    } finally {
      await turn.stop();
    }
  });
});

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
