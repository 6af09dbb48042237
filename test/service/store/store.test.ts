import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { builtInEntries } from "../../../src/service/store/seed/built-in-entries.ts";
import { seed } from "../../../src/service/store/seed/seed.ts";
import { openSqliteStore } from "../../../src/service/store/database/sqlite-store.ts";
import type { Store } from "../../../src/service/store/store.ts";
import { temporaryFolder } from "../service-fixture.ts";
import {
  detail,
  files,
  inBothDatabases,
  insertSessions,
  organizationId,
  session,
  store,
} from "./backends.ts";

const over = (id: string) => ({ ...session(id, null, { status: "TERMINATED" }), revision: 1 });

type Service = "visavis" | "openai";
const entry = (id: string, name: string, owner: string | null, service: Service = "visavis") => ({
  ...({ kind: "llm_type", id, name, organizationId: owner, createdAtMs: 1 } as const),
  body: { name, service },
});

const first = { clock: { nowMs: () => 5 }, demoInstructions: "We sell chairs.", apiKey: "vv_first_key_000" };

/** Seeds the store as its first start does. Resolves with the id of its organization. */
async function seeded(store: Store): Promise<string> {
  await seed({ store, ...first });
  return (await store.organizations.first())!.id;
}

inBothDatabases("rows", ({ open, newPlace }) => {
  test("a row is found by a query for one row after a query for all of them found none", async () => {
    await store.accounts.insert({
      ...({ id: "a", organizationId, username: "Ana", role: "viewer", createdAtMs: 1 } as const),
      ...{ isFirst: false, passwordHash: "", replacedPassword: null },
    });
    const times = { createdAtMs: 1, lastSeenAtMs: 1, expiresAtMs: 9 };
    await store.logins.insert({ id: "l", accountId: "a", address: null, userAgent: null, ...times });
    for (let round = 0; round < 3; round += 1) {
      expect(await store.accounts.byId("nobody")).toBeNull();
      expect((await store.logins.byId("l"))?.account.username).toBe("Ana");
    }
  });

  describe("sessions", () => {
    test("exactly one of several changes of the same revision is saved", async () => {
      await insertSessions(store, { a: 5 });
      const next = { ...session("a", null), revision: 1 };
      const saved = await Promise.all([1, 2, 3, 4].map(() => store.sessions.replace(next)));
      expect(saved.filter((outcome) => outcome === "saved")).toHaveLength(1);
      expect(await store.sessions.byId("a")).toEqual(next);
    });

    test("sessions whose deadline has passed are due, earliest first", async () => {
      await insertSessions(store, { late: 30, early: 10, ended: null, later: 40 });
      expect((await store.sessions.due(30, 10)).map(({ id }) => id)).toEqual(["early", "late"]);
      expect((await store.sessions.due(100, 1)).map(({ id }) => id)).toEqual(["early"]);
    });

    test("live sessions are counted by their status", async () => {
      expect(await store.sessions.countLive()).toEqual({});
      await insertSessions(store, { a: 30, b: 10, ended: null });
      await store.sessions.replace({ ...session("b", 40, { status: "IN_PROGRESS" }), revision: 1 });
      expect(await store.sessions.countLive()).toEqual({ CREATED: 1, IN_PROGRESS: 1 });
    });

    test("descriptions are stored with the request", async () => {
      await insertSessions(store, { a: 5 });
      const [clientSdp, serverSdp] = ["offer", "answer"];
      await store.sessions.saveDescriptions("a", clientSdp, serverSdp);
      expect(await store.sessions.detail("a")).toEqual({ ...detail, clientSdp, serverSdp });
      expect(await store.sessions.detail("b")).toBeNull();
    });

    test("very early and late times and long texts are returned unchanged", async () => {
      const farMs = Date.UTC(2200, 0, 1);
      const text = "Grüße, 안녕하세요, \u{1f600} ".repeat(1_000);
      const record = session("a", farMs, { createdAtMs: farMs });
      await store.sessions.insert(record, detail, "2026-01");
      await store.sessions.saveDescriptions("a", text, "answer");
      expect(await store.sessions.byId("a")).toEqual(record);
      expect((await store.sessions.detail("a"))?.clientSdp).toBe(text);
    });

    test("a session's peer belongs to the process that created it last, while the session lives", async () => {
      await insertSessions(store, { a: 5, b: 5, c: 5 });
      for (const id of ["a", "b", "c"]) await store.peers.take(id, "first");
      await store.peers.take("b", "second");
      await store.sessions.replace(over("c"));
      expect(await store.peers.held("first", ["a", "b", "c", "d"])).toEqual(["a"]);
      expect(await store.peers.held("second", ["b"])).toEqual(["b"]);
      expect(await store.peers.held("first", [])).toEqual([]);
    });

    test("their events are returned in the order in which they were stored", async () => {
      await insertSessions(store, { a: 5 });
      const kind = "SESSION_LOG" as const;
      const event = { sessionId: "a", kind, file: null, createdAtMs: 7, terminateReason: null };
      for (const id of ["z", "m", "a"]) await store.events.insert({ ...event, id, detail: id });
      expect((await store.events.list("a")).map(({ id }) => id)).toEqual(["z", "m", "a"]);
      const page = await store.events.page("a", { limit: 2 });
      expect(page.items.map(({ id }) => id)).toEqual(["z", "m"]);
      const rest = await store.events.page("a", { limit: 2, after: page.next! });
      expect(rest).toMatchObject({ items: [{ id: "a" }], next: null });
      expect(await store.events.byId("a", "m")).toMatchObject({ id: "m", detail: "m" });
      expect([await store.events.byId("a", "unknown"), await store.events.byId("b", "m")]).toEqual([
        null,
        null,
      ]);
    });

    test("their attached files are found, and are left over once they have ended", async () => {
      await insertSessions(store, { a: 5, b: 5 });
      const file = { name: "chair.png", type: "image/png", bytes: 1_000 };
      await store.attachments.insert({ ...file, id: "f", sessionId: "a" });
      await store.attachments.insert({ ...file, id: "g", sessionId: "b" });
      expect(await store.attachments.list("a")).toEqual([{ ...file, id: "f", sessionId: "a" }]);
      expect(await store.attachments.ofEndedSessions(10)).toEqual([]);
      expect(await store.attachments.bytesOf(organizationId)).toBe(2 * file.bytes);
      expect(await store.attachments.bytesOf("another")).toBe(0);
      await store.sessions.replace(over("a"));
      expect(await store.attachments.ofEndedSessions(10)).toEqual(["f"]);
      await store.attachments.remove("f");
      expect(await store.attachments.ofEndedSessions(10)).toEqual([]);
      expect(await store.attachments.list("b")).toHaveLength(1);
    });
  });

  describe("catalogue", () => {
    const kind = "llm_type";
    const putAll = async ({ catalogue, organizations }: Store, entries: ReturnType<typeof entry>[]) => {
      await organizations.insert({ id: "other", name: "Other", createdAtMs: 2 });
      for (const each of entries) await catalogue.put(each);
    };

    test("an id takes precedence over a name, and other organizations' entries are not found", async () => {
      await putAll(store, [
        entry("one", "two", null),
        entry("two", "three", organizationId, "openai"),
        entry("four", "four", "other", "openai"),
      ]);
      expect(await store.catalogue.find(kind, organizationId, "two")).toMatchObject({ name: "three" });
      expect(await store.catalogue.find(kind, organizationId, "one")).toMatchObject({ name: "two" });
      expect(await store.catalogue.find(kind, organizationId, "four")).toBeNull();
      expect(await store.catalogue.find("tts_type", organizationId, "one")).toBeNull();
      expect(await store.catalogue.list(kind, organizationId)).toHaveLength(2);
    });

    test("an entry is replaced only in the revision that was read, and a new one replaces none", async () => {
      const put = (name: string, revision?: number): Promise<boolean> =>
        store.catalogue.put(entry("one", name, organizationId, "openai"), revision);
      const row = () => store.catalogue.row(kind, organizationId, "one");
      expect(await put("never there", 1)).toBe(false);
      expect(await row()).toBeNull();
      expect(await put("first", 0)).toBe(true);
      expect(await put("again", 0)).toBe(false);
      expect(await row()).toMatchObject({ name: "first", revision: 1 });
      expect(await put("second", 1)).toBe(true);
      expect(await put("late", 1)).toBe(false);
      expect(await row()).toMatchObject({ name: "second", revision: 2 });
      await store.catalogue.revise(kind, organizationId, "one", (body) => ({ ...body }));
      expect((await row())?.revision).toBe(3);
      expect(await put("anyhow")).toBe(true);
      expect(await row()).toMatchObject({ name: "anyhow", revision: 4 });
      expect(await store.catalogue.list(kind, organizationId)).toEqual([
        { name: "anyhow", service: "openai" },
      ]);
    });

    test("concurrent changes of an entry's body are all saved", async () => {
      const change = (id: string) =>
        store.catalogue.revise("stt_type", "any", id, (known) => ({
          ...known,
          options: Number(known.options) + 1,
        }));
      await store.catalogue.put({
        ...({ kind: "stt_type", id: "a", name: "a", organizationId: null, createdAtMs: 0 } as const),
        body: { name: "a", service: "whisper", options: 0 },
        engine: { x: 1 },
      });
      const changes = await Promise.all(Array.from({ length: 20 }, () => change("a")));
      expect(changes).toEqual(Array(20).fill(true));
      expect(await store.catalogue.row("stt_type", "any", "a")).toMatchObject({
        body: { options: 20 },
        engine: { x: 1 },
      });
      expect(await change("b")).toBe(false);
    });

    test("an entry is the operator's if all have it, or the organization that was created first", async () => {
      await putAll(store, [
        entry("one", "one", null),
        entry("two", "two", organizationId, "openai"),
        entry("two", "two", "other", "openai"),
      ]);
      for (const [owner, id, isOperators] of [
        [organizationId, "two", true],
        ["other", "one", true],
        ["other", "two", false],
      ] as const) {
        expect(await store.catalogue.row(kind, owner, id)).toMatchObject({ isOperators });
        const rows = await store.catalogue.rows(kind, owner);
        expect(rows.find((row) => row.id === id)).toMatchObject({ isOperators });
      }
    });

    test("organizations can have different entries with the same id, which take precedence over shared ones", async () => {
      const owners = { "everybody's": null, ours: organizationId, theirs: "other" };
      await putAll(
        store,
        Object.entries(owners).map(([name, owner]) => entry("one", name, owner)),
      );
      const named = async (...all: (string | null)[]): Promise<string> => {
        const lists = await Promise.all(all.map((owner) => store.catalogue.list(kind, owner)));
        return lists.map((list) => list.map(({ name }) => name).join()).join(" | ");
      };
      expect(await named(organizationId, "other", "third", null)).toBe(
        "ours | theirs | everybody's | everybody's",
      );
      expect(await store.catalogue.find(kind, null, "one")).toMatchObject({ name: "everybody's" });
      expect(await store.catalogue.find(kind, null, "theirs")).toBeNull();
      await store.catalogue.put(entry("one", "theirs too", "other", "openai"));
      expect(await store.catalogue.row(kind, "other", "one")).toMatchObject({
        name: "theirs too",
        isShared: false,
      });
      await store.catalogue.revise(kind, "other", "one", (body) => ({ ...body, name: "revised" }));
      expect(await named(organizationId, "other")).toBe("ours | revised");
      expect(await store.catalogue.remove(kind, organizationId, "one")).toBe(true);
      expect(await named(organizationId, "other")).toBe("everybody's | revised");
      expect(await store.catalogue.row(kind, organizationId, "one")).toMatchObject({ isShared: true });
    });

    test("an operator's entry with the id of a new built-in one stays", async () => {
      const mine = {
        ...builtInEntries(5).find((each) => each.kind === "voice")!,
        organizationId,
        name: "Mine",
      };
      await store.catalogue.put(mine);
      await store.catalogue.addBuiltIn(builtInEntries(6));
      const [row] = await store.catalogue.rows("voice", organizationId);
      expect(row).toMatchObject({ id: mine.id, name: "Mine" });
    });

    test("a list can be read page by page, and contains only an organization's own and shared entries", async () => {
      const owners: [string, string | null][] = [
        ["a", null],
        ["b", organizationId],
        ["hidden", null],
        ["theirs", "other"],
        ["c", null],
        ["hidden", organizationId],
        ["d", organizationId],
        ["theirs too", "other"],
      ];
      await putAll(
        store,
        owners.map(([id, owner]) => entry(id, id, owner)),
      );
      for (const limit of [1, 2, 3, 5, 100]) {
        const read: string[] = [];
        let after: number | undefined;
        do {
          const page = await store.catalogue.page(kind, organizationId, { after, limit });
          expect(page.items.length).toBeLessThanOrEqual(limit);
          read.push(...page.items.map(({ id, isShared }) => (isShared ? `shared ${id}` : id)));
          after = page.next ?? undefined;
        } while (after !== undefined);
        expect(read).toEqual(["shared a", "b", "shared c", "hidden", "d"]);
      }
      const shared = await store.catalogue.page(kind, null, { limit: 2 });
      expect(shared.items.map(({ id }) => id)).toEqual(["a", "hidden"]);
      expect((await store.catalogue.page("tts_type", organizationId, { limit: 1 })).next).toBeNull();
    });
  });

  test("written data is there after the store is opened again", async () => {
    const place = await newPlace();
    const first = await open(place);
    await first.organizations.insert({ id: organizationId, name: "Organization", createdAtMs: 1 });
    await insertSessions(first, { a: 5 });
    await first.close();
    expect(await (await open(place)).sessions.byId("a")).toEqual(session("a", 5));
  });

  test("organizations are listed in the order of their creation", async () => {
    const other = { id: "a", name: "Other", createdAtMs: 2 };
    await store.organizations.insert(other);
    const mine = { id: organizationId, name: "Organization" };
    expect(await store.organizations.list()).toEqual([{ ...mine, createdAtMs: 1 }, other]);
    expect(await store.organizations.first()).toEqual(mine);
  });

  test("revoking a key again keeps the first time", async () => {
    const key = {
      ...{ id: "k", organizationId, name: "Key", hash: "h" },
      ...{ createdAtMs: 1, expiresAtMs: null, revokedAtMs: null },
    };
    await store.apiKeys.insert(key);
    expect([await store.apiKeys.revoke("k", 5), await store.apiKeys.revoke("k", 9)]).toEqual([true, true]);
    expect(await store.apiKeys.revoke("unknown", 9)).toBe(false);
    expect(await store.apiKeys.byHash("h")).toEqual({ ...key, revokedAtMs: 5 });
    expect(await store.apiKeys.list(organizationId)).toHaveLength(1);
  });

  describe("the first start", () => {
    let empty: Store;
    beforeEach(async () => {
      empty = await open(await newPlace());
    });

    test("can be repeated: nothing is duplicated, changes stay, and a new key is added", async () => {
      const id = await seeded(empty);
      const demo = async () =>
        (await empty.contexts.list(id)).find(({ contextId }) => contextId === "ctx_demo")!;
      await empty.contexts.replace(id, (await demo()).id, { ...(await demo()), greeting: "Changed" }, 6);
      await seeded(empty);
      await seed({ store: empty, ...first, apiKey: "vv_second_key_00" });
      expect(await empty.contexts.list(id)).toHaveLength(4);
      expect(await demo()).toMatchObject({ greeting: "Changed" });
      expect(await empty.catalogue.list("model_style", id)).toHaveLength(4);
      expect(await empty.apiKeys.list(id)).toHaveLength(2);
    });

    test("the sessions of a context that is switched off or removed are found, and a change is noticed", async () => {
      const id = await seeded(empty);
      const [kept, off, removed] = await empty.contexts.list(id);
      const page = await empty.contexts.page(id, { limit: 2 });
      expect(page.items).toEqual([kept, off]);
      expect((await empty.contexts.page(id, { limit: 1, after: page.next! })).items).toEqual([removed]);
      expect((await empty.contexts.page("nobody", {})).items).toEqual([]);
      const before = await empty.contexts.version();
      const insert = (name: string, contextUuid: string | null) =>
        empty.sessions.insert({ ...session(name, 9), organizationId: id, contextUuid }, detail, "2026-01");
      for (const context of [kept!, off!, removed!]) await insert(context.contextId, context.id);
      await insert("none", null);
      expect(await empty.sessions.withoutContext(10)).toEqual([]);
      expect(await empty.contexts.version()).toBe(before);
      await empty.contexts.replace(id, off!.id, { ...off!, is_active: false }, 6);
      const between = await empty.contexts.version();
      expect(between).not.toBe(before);
      await empty.contexts.remove(id, removed!.id);
      expect(await empty.contexts.version()).not.toBe(between);
      const found = await empty.sessions.withoutContext(10);
      expect(found.map((each) => each.id).sort()).toEqual([off!.contextId, removed!.contextId].sort());
    });

    test("adds a version's new entries, and keeps what the operator changed or removed", async () => {
      const id = await seeded(empty);
      const slt = (await empty.catalogue.row("voice", id, "visavis-slt"))!;
      const change = { ...slt, kind: "voice", organizationId: null, createdAtMs: 6 } as const;
      await empty.catalogue.put({ ...change, name: "Sara", body: { ...slt.body, name: "Sara" } });
      await empty.catalogue.remove("voice", null, "visavis-awb");
      await seeded(empty);
      const named = { id: "next", name: "Next" };
      const next = { ...change, ...named, body: { ...slt.body, voice_id: "next", name: "Next" } };
      await empty.catalogue.addBuiltIn([...builtInEntries(7), next]);
      const names = (await empty.catalogue.list("voice", id)).map(({ name }) => name);
      expect(names).toEqual(["Sara", "Ray", "Kal", "Kal 16", "Next"]);
      await empty.catalogue.remove("voice", null, "next");
      await empty.catalogue.addBuiltIn([next]);
      expect(await empty.catalogue.find("voice", id, "next")).toBeNull();
    });

    test("refuses a key that no header can carry", async () => {
      await expect(seed({ store: empty, ...first, apiKey: "short" })).rejects.toThrow(/8 to 256/);
    });
  });

  test("files are found only by valid names, have a size, and can be removed; the last write wins", async () => {
    await files.write("a", new Uint8Array(1_234));
    expect(await files.size("a")).toBe(1_234);
    await files.write("a", new Uint8Array([9, 3, 0, 255, 9]).subarray(1, 4));
    expect([...((await files.read("a")) ?? [])]).toEqual([3, 0, 255]);
    expect([await files.read("b"), await files.read("../a")]).toEqual([null, null]);
    await expect(files.write("../a", new Uint8Array())).rejects.toThrow();
    for (const name of ["a", "a", "b", "../a"]) await files.remove(name);
    const gone = [await files.read("a"), await files.size("a"), await files.size("../a")];
    expect(gone).toEqual([null, null, null]);
  });

  describe("files of events", () => {
    const limits = { maxFiles: 20, maxBytes: 1_000, storeMaxBytes: 2_500 };
    const ids = ["a", "b", "c"];

    test("of several processes never exceed the total space", async () => {
      const place = await newPlace();
      const [one, other] = [await open(place), await open(place)];
      await one.organizations.insert({ id: organizationId, name: "Organization", createdAtMs: 1 });
      await insertSessions(one, { a: 5, b: 5, c: 5 });
      const outcomes = await Promise.all(
        Array.from({ length: 60 }, (_, index) => {
          const file = { name: `f${index}`, sessionId: ids[index % 3]!, bytes: 100 };
          return [one, other][index % 2]!.eventFiles.reserve(file, index, limits);
        }),
      );
      expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(25);
      for (const { files, bytes, storeBytes } of await Promise.all(
        ids.map((id) => other.eventFiles.use(id)),
      )) {
        expect(files).toBeLessThanOrEqual(10);
        expect([bytes, storeBytes]).toEqual([files * 100, 2_500]);
      }
    });

    test("free their space once when they are removed, and their event has no file", async () => {
      await insertSessions(store, { a: 5 });
      const file = { name: "f", sessionId: "a", bytes: 1_000 };
      expect(await store.eventFiles.reserve(file, 7, limits)).toBeNull();
      expect(await store.eventFiles.reserve({ ...file, name: "g" }, 8, limits)).toBe("session_full");
      const kind = "SESSION_LOG" as const;
      const event = { id: "f", sessionId: "a", kind, detail: null, createdAtMs: 7, terminateReason: null };
      await store.events.insert({ ...event, file: "f" });
      expect(await store.eventFiles.createdBefore(7, 10)).toEqual([]);
      expect(await store.eventFiles.createdBefore(8, 10)).toEqual([{ name: "f", bytes: 1_000 }]);
      await Promise.all([store.eventFiles.remove("f"), store.eventFiles.remove("f")]);
      expect(await store.eventFiles.use("a")).toEqual({ files: 0, bytes: 0, storeBytes: 0 });
      expect(await store.events.list("a")).toEqual([{ ...event, file: null }]);
      await store.eventFiles.recount();
      expect(await store.eventFiles.reserve(file, 9, { ...limits, storeMaxBytes: 999 })).toBe("store_full");
    });
  });

  test("tasks with the same name run one after the other, also after a failure", async () => {
    let running = 0;
    const work = async (fails: boolean): Promise<number> => {
      running += 1;
      const together = running;
      await store.ping();
      running -= 1;
      if (fails) throw new Error("failed");
      return together;
    };
    const outcomes = await Promise.allSettled(
      [false, true, false, false].map((fails) => store.alone("work", () => work(fails))),
    );
    const one = { status: "fulfilled", value: 1 };
    expect(outcomes).toMatchObject([one, { status: "rejected" }, one, one]);
  });
});

test("a store of a newer version is refused", async () => {
  const folder = temporaryFolder();
  await openSqliteStore(folder).close();
  const script = `const D=require("libsql");const d=new D(process.argv[1]);d.exec("pragma user_version=999");d.close()`;
  execFileSync(process.execPath, ["-e", script, join(folder, "visavis.db")]);
  expect(() => openSqliteStore(folder)).toThrow(/newer version/);
});

test("what comes after a store is closed gets an error, and does not end the process", async () => {
  const { sessions, close } = openSqliteStore(temporaryFolder());
  await close();
  for (const late of [sessions.byId("late"), sessions.detail("late")])
    await expect(late).rejects.toThrow("The store is closed.");
});
