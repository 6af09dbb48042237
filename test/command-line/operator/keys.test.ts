import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { temporaryFolder, type RunningService } from "../../service/service-fixture.ts";
import { commandLine, runServiceOn } from "./operator-fixture.ts";

let folder: string;
let run: RunningService;
let visavis: ReturnType<typeof commandLine>;

beforeEach(async () => {
  folder = temporaryFolder();
  run = await runServiceOn(folder, { startMs: Date.now() });
  visavis = commandLine(folder);
});

/** The running service's answer to a key. */
async function answered(key: string): Promise<[number, string | undefined]> {
  const response = await run.request("/api/v1/prompt/", { headers: { "XP-API-KEY": key } });
  const body = (await response.json()) as { code?: string };
  return [response.status, body.code];
}

const idOf = ({ noted }: { noted: string }): string => /Key (\S+)/.exec(noted)![1]!;

describe("visavis key", () => {
  test("a created key is printed alone, is accepted by the running service, and is stored as a hash", async () => {
    const created = await visavis(["key", "create", "--name", "Shop"]);
    expect(created.printed).toMatch(/^vv_[\w-]{43}$/);
    expect(await answered(created.printed)).toEqual([200, undefined]);
    const kept = ["visavis.db", "visavis.db-wal"].map((file) => readFileSync(join(folder, file), "latin1"));
    expect(kept.join("")).not.toContain(created.printed);
    const listed = await visavis(["key", "list"]);
    expect(listed.printed).toMatch(new RegExp(`^${idOf(created)}  Shop .*active$`, "m"));
    expect(listed.printed).not.toContain(created.printed);
  });

  test("a revoked key is refused at once", async () => {
    const created = await visavis(["key", "create"]);
    expect((await answered(created.printed))[0]).toBe(200);
    expect((await visavis(["key", "revoke", idOf(created)])).failure).toBeNull();
    expect(await answered(created.printed)).toEqual([401, "A0011"]);
    expect((await visavis(["key", "list"])).printed).toMatch(/revoked \d{4}-\d{2}-\d{2}$/m);
  });

  test("an expired key is refused", async () => {
    const created = await visavis(["key", "create", "--expires", "2d"]);
    expect((await answered(created.printed))[0]).toBe(200);
    run.pass(2 * 86_400 + 60);
    expect(await answered(created.printed)).toEqual([401, "A0011"]);
    expect((await visavis(["key", "list"])).printed).toMatch(/active until \d{4}-\d{2}-\d{2}$/m);
  });

  test("commands that cannot be carried out say why", async () => {
    expect((await visavis(["key", "revoke", "nothing"])).failure).toMatch(/no key "nothing"/);
    expect((await visavis(["key", "create", "--expires", "soon"])).failure).toMatch(
      /"soon" is not an expiry/,
    );
    expect((await visavis(["key", "create", "--expires", "2020-01-31"])).failure).toMatch(/in the past/);
    expect((await visavis(["key", "create", "--name", " "])).failure).toMatch(/^--name/);
    expect((await run.store.apiKeys.list(run.organizationId)).map(({ name }) => name)).toEqual(["First key"]);
  });
});
