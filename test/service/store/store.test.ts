import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { builtInEntries } from "../../../src/service/store/seed/built-in-entries.ts";
import { seed } from "../../../src/service/store/seed/seed.ts";
import { openSqliteStore } from "../../../src/service/store/database/sqlite-store.ts";
import type { SessionRecord, Store } from "../../../src/service/store/store.ts";
import { temporaryFolder } from "../service-fixture.ts";
import { storeBackends, type OpenedStore } from "./backends.ts";

const organizationId = "org";

function session(id: string, deadlineAtMs: number | null): SessionRecord {
  return {
    id,
    organizationId,
    contextUuid: null,
    revision: 0,
    deadlineAtMs,
    state: {
      status: "CREATED",
      terminationReason: null,
      createdAtMs: 1,
      inProgressAtMs: null,
      lastSeenAtMs: 1,
      endedAtMs: null,
      maxSessionSec: 0,
      boughtMin: 0,
      peerClosedAtMs: null,
      leavingAtMs: null,
      holdsPlace: true,
    },
  };
}

const detail = {
  request: { capability: ["TTS" as const], padding_left: 0, padding_top: 0, padding_height: 1 },
  clientSdp: null,
  serverSdp: null,
};

for (const backend of storeBackends())
  describe.skipIf(!backend.isThere)(`in ${backend.name} [needs ${backend.name}]`, () => {
    async function open(place?: string): Promise<OpenedStore> {
      const opened = await backend.open(place ?? (await backend.newPlace()));
      onTestFinished(() => opened.store.close());
      return opened;
    }

    async function openStore(place?: string): Promise<Store> {
      const { store } = await open(place);
      if (!(await store.organizations.first()))
        await store.organizations.insert({ id: organizationId, name: "Organization", createdAtMs: 1 });
      return store;
    }

    test("a row is found by a query for one row after a query for all of them found none", async () => {
      const store = await openStore();
      const account = {
        organizationId,
        isFirst: false,
        passwordHash: "",
        replacedPassword: null,
        createdAtMs: 1,
      };
      await store.accounts.insert({ ...account, id: "a", username: "Ana", role: "viewer" });
      const times = { createdAtMs: 1, lastSeenAtMs: 1, expiresAtMs: 9 };
      await store.logins.insert({ id: "l", accountId: "a", address: null, userAgent: null, ...times });
      for (let round = 0; round < 3; round += 1) {
        expect(await store.accounts.byId("nobody")).toBeNull();
        expect((await store.logins.byId("l"))?.account.username).toBe("Ana");
      }
    });

    describe("sessions", () => {
      test("exactly one of several changes of the same revision is saved", async () => {
        const store = await openStore();
        await store.sessions.insert(session("a", 5), detail, "2026-01");
        const next = { ...session("a", null), revision: 1 };
        const saved = await Promise.all([1, 2, 3, 4].map(() => store.sessions.replace(next)));
        expect(saved.filter((outcome) => outcome === "saved")).toHaveLength(1);
        expect(await store.sessions.byId("a")).toEqual(next);
      });

      test("sessions whose deadline has passed are due, earliest first", async () => {
        const store = await openStore();
        for (const [id, deadline] of [
          ["late", 30],
          ["early", 10],
          ["ended", null],
          ["later", 40],
        ] as const)
          await store.sessions.insert(session(id, deadline), detail, "2026-01");
        expect((await store.sessions.due(30, 10)).map(({ id }) => id)).toEqual(["early", "late"]);
        expect((await store.sessions.due(100, 1)).map(({ id }) => id)).toEqual(["early"]);
      });

      test("live sessions are counted by their status", async () => {
        const store = await openStore();
        expect(await store.sessions.countLive()).toEqual({});
        for (const [id, deadline] of [
          ["a", 30],
          ["b", 10],
          ["ended", null],
        ] as const)
          await store.sessions.insert(session(id, deadline), detail, "2026-01");
        const { state } = session("b", 10);
        await store.sessions.replace({
          ...session("b", 40),
          revision: 1,
          state: { ...state, status: "IN_PROGRESS" },
        });
        expect(await store.sessions.countLive()).toEqual({ CREATED: 1, IN_PROGRESS: 1 });
      });

      test("descriptions are stored with the request", async () => {
        const store = await openStore();
        await store.sessions.insert(session("a", 5), detail, "2026-01");
        await store.sessions.saveDescriptions("a", "offer", "answer");
        expect(await store.sessions.detail("a")).toEqual({
          ...detail,
          clientSdp: "offer",
          serverSdp: "answer",
        });
        expect(await store.sessions.detail("b")).toBeNull();
      });
    });

    describe("catalogue", () => {
      const entry = (id: string, name: string, owner: string | null, service: "visavis" | "openai") => ({
        kind: "llm_type" as const,
        id,
        name,
        organizationId: owner,
        createdAtMs: 1,
        body: { name, service },
      });

      test("an id takes precedence over a name, and other organizations' entries are not found", async () => {
        const store = await openStore();
        await store.organizations.insert({ id: "other", name: "Other", createdAtMs: 2 });
        await store.catalogue.put(entry("one", "two", null, "visavis"));
        await store.catalogue.put(entry("two", "three", organizationId, "openai"));
        await store.catalogue.put(entry("four", "four", "other", "openai"));
        expect(await store.catalogue.find("llm_type", organizationId, "two")).toMatchObject({
          name: "three",
        });
        expect(await store.catalogue.find("llm_type", organizationId, "one")).toMatchObject({ name: "two" });
        expect(await store.catalogue.find("llm_type", organizationId, "four")).toBeNull();
        expect(await store.catalogue.find("tts_type", organizationId, "one")).toBeNull();
        expect(await store.catalogue.list("llm_type", organizationId)).toHaveLength(2);
      });

      test("an entry is replaced only in the revision that was read, and a new one replaces none", async () => {
        const store = await openStore();
        const put = (name: string, revision?: number): Promise<boolean> =>
          store.catalogue.put(entry("one", name, organizationId, "openai"), revision);
        const row = () => store.catalogue.row("llm_type", organizationId, "one");
        expect(await put("never there", 1)).toBe(false);
        expect(await row()).toBeNull();
        expect(await put("first", 0)).toBe(true);
        expect(await put("again", 0)).toBe(false);
        expect(await row()).toMatchObject({ name: "first", revision: 1 });
        expect(await put("second", 1)).toBe(true);
        expect(await put("late", 1)).toBe(false);
        expect(await row()).toMatchObject({ name: "second", revision: 2 });
        await store.catalogue.revise("llm_type", organizationId, "one", (body) => ({ ...body }));
        expect((await row())?.revision).toBe(3);
        expect(await put("anyhow")).toBe(true);
        expect(await row()).toMatchObject({ name: "anyhow", revision: 4 });
      });

      test("an entry is the operator's if all have it, or the organization that was created first", async () => {
        const store = await openStore();
        await store.organizations.insert({ id: "other", name: "Other", createdAtMs: 2 });
        await store.catalogue.put(entry("one", "one", null, "visavis"));
        await store.catalogue.put(entry("two", "two", organizationId, "openai"));
        await store.catalogue.put(entry("two", "two", "other", "openai"));
        const whose = async (owner: string, id: string) => [
          (await store.catalogue.row("llm_type", owner, id))?.isOperators,
          (await store.catalogue.rows("llm_type", owner)).find((row) => row.id === id)?.isOperators,
        ];
        expect(await whose(organizationId, "two")).toEqual([true, true]);
        expect(await whose("other", "one")).toEqual([true, true]);
        expect(await whose("other", "two")).toEqual([false, false]);
      });

      test("organizations can have different entries with the same id, which take precedence over shared ones", async () => {
        const store = await openStore();
        await store.organizations.insert({ id: "other", name: "Other", createdAtMs: 2 });
        await store.catalogue.put(entry("one", "everybody's", null, "visavis"));
        await store.catalogue.put(entry("one", "ours", organizationId, "visavis"));
        await store.catalogue.put(entry("one", "theirs", "other", "visavis"));
        const named = async (owner: string | null) =>
          (await store.catalogue.list("llm_type", owner)).map(({ name }) => name);
        expect(await named(organizationId)).toEqual(["ours"]);
        expect(await named("other")).toEqual(["theirs"]);
        expect(await named("third")).toEqual(["everybody's"]);
        expect(await named(null)).toEqual(["everybody's"]);
        expect(await store.catalogue.find("llm_type", null, "one")).toMatchObject({ name: "everybody's" });
        expect(await store.catalogue.find("llm_type", null, "theirs")).toBeNull();
        await store.catalogue.put(entry("one", "theirs too", "other", "openai"));
        expect(await store.catalogue.row("llm_type", "other", "one")).toMatchObject({
          name: "theirs too",
          isShared: false,
        });
        await store.catalogue.revise("llm_type", "other", "one", (body) => ({ ...body, name: "revised" }));
        expect(await named(organizationId)).toEqual(["ours"]);
        expect(await named("other")).toEqual(["revised"]);
        expect(await store.catalogue.remove("llm_type", organizationId, "one")).toBe(true);
        expect(await named(organizationId)).toEqual(["everybody's"]);
        expect(await store.catalogue.row("llm_type", organizationId, "one")).toMatchObject({
          isShared: true,
        });
        expect(await named("other")).toEqual(["revised"]);
      });

      test("a list can be read page by page, and contains only an organization's own and shared entries", async () => {
        const store = await openStore();
        await store.organizations.insert({ id: "other", name: "Other", createdAtMs: 2 });
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
        for (const [id, owner] of owners) await store.catalogue.put(entry(id, id, owner, "visavis"));
        for (const limit of [1, 2, 3, 5, 100]) {
          const read: string[] = [];
          let after: number | undefined;
          do {
            const page = await store.catalogue.page("llm_type", organizationId, { after, limit });
            expect(page.items.length).toBeLessThanOrEqual(limit);
            read.push(...page.items.map(({ id, isShared }) => (isShared ? `shared ${id}` : id)));
            after = page.next ?? undefined;
          } while (after !== undefined);
          expect(read).toEqual(["shared a", "b", "shared c", "hidden", "d"]);
        }
        const shared = await store.catalogue.page("llm_type", null, { limit: 2 });
        expect(shared.items.map(({ id }) => id)).toEqual(["a", "hidden"]);
        expect((await store.catalogue.page("tts_type", organizationId, { limit: 1 })).next).toBeNull();
      });

      test("putting an entry again replaces it", async () => {
        const store = await openStore();
        await store.catalogue.put(entry("one", "a", null, "visavis"));
        await store.catalogue.put(entry("one", "b", null, "openai"));
        expect(await store.catalogue.list("llm_type", organizationId)).toEqual([
          { name: "b", service: "openai" },
        ]);
      });
    });

    test("written data is there after the store is opened again", async () => {
      const place = await backend.newPlace();
      const first = (await backend.open(place)).store;
      await first.organizations.insert({ id: organizationId, name: "Organization", createdAtMs: 1 });
      await first.sessions.insert(session("a", 5), detail, "2026-01");
      await first.close();
      const second = await openStore(place);
      expect(await second.sessions.byId("a")).toEqual(session("a", 5));
    });

    test("organizations are listed in the order of their creation", async () => {
      const store = await openStore();
      const other = { id: "a", name: "Other", createdAtMs: 2 };
      await store.organizations.insert(other);
      expect(await store.organizations.list()).toEqual([
        { id: organizationId, name: "Organization", createdAtMs: 1 },
        other,
      ]);
      expect(await store.organizations.first()).toEqual({ id: organizationId, name: "Organization" });
    });

    test("revoking a key again keeps the first time", async () => {
      const store = await openStore();
      const key = {
        id: "k",
        organizationId,
        name: "Key",
        hash: "h",
        createdAtMs: 1,
        expiresAtMs: null,
        revokedAtMs: null,
      };
      await store.apiKeys.insert(key);
      expect(await store.apiKeys.revoke("k", 5)).toBe(true);
      expect(await store.apiKeys.revoke("k", 9)).toBe(true);
      expect(await store.apiKeys.revoke("unknown", 9)).toBe(false);
      expect(await store.apiKeys.byHash("h")).toEqual({ ...key, revokedAtMs: 5 });
      expect(await store.apiKeys.list(organizationId)).toHaveLength(1);
    });

    describe("the first start", () => {
      const options = {
        clock: { nowMs: () => 5 },
        demoInstructions: "We sell chairs.",
        apiKey: "vv_first_key_000",
      };

      test("can be repeated: nothing is duplicated, changes stay, and a new key is added", async () => {
        const { store } = await open();
        await seed({ store, ...options });
        const { id } = (await store.organizations.first())!;
        const demo = (await store.contexts.list(id)).find(({ contextId }) => contextId === "ctx_demo");
        await store.contexts.replace(id, demo!.id, { ...demo!, greeting: "Changed" }, 6);
        await seed({ store, ...options });
        await seed({ store, ...options, apiKey: "vv_second_key_00" });
        const contexts = await store.contexts.list(id);
        expect(contexts).toHaveLength(4);
        expect(contexts.find(({ contextId }) => contextId === "ctx_demo")).toMatchObject({
          greeting: "Changed",
        });
        expect(await store.catalogue.list("model_style", id)).toHaveLength(4);
        expect(await store.apiKeys.list(id)).toHaveLength(2);
      });

      test("the sessions of a context that is switched off or removed are found, and a change is noticed", async () => {
        const { store } = await open();
        await seed({ store, ...options });
        const { id } = (await store.organizations.first())!;
        const [kept, off, removed] = await store.contexts.list(id);
        const first = await store.contexts.page(id, { limit: 2 });
        expect(first.items).toEqual([kept, off]);
        const second = await store.contexts.page(id, { limit: 1, after: first.next! });
        expect(second.items).toEqual([removed]);
        expect((await store.contexts.page("nobody", {})).items).toEqual([]);
        const before = await store.contexts.version();
        for (const context of [kept!, off!, removed!])
          await store.sessions.insert(
            { ...session(context.contextId, 9), organizationId: id, contextUuid: context.id },
            detail,
            "2026-01",
          );
        await store.sessions.insert({ ...session("none", 9), organizationId: id }, detail, "2026-01");
        expect(await store.sessions.withoutContext(10)).toEqual([]);
        expect(await store.contexts.version()).toBe(before);
        await store.contexts.replace(id, off!.id, { ...off!, is_active: false }, 6);
        const between = await store.contexts.version();
        expect(between).not.toBe(before);
        await store.contexts.remove(id, removed!.id);
        expect(await store.contexts.version()).not.toBe(between);
        const found = await store.sessions.withoutContext(10);
        expect(found.map((each) => each.id).sort()).toEqual([off!.contextId, removed!.contextId].sort());
      });

      test("adds a version's new entries, and keeps what the operator changed or removed", async () => {
        const { store } = await open();
        await seed({ store, ...options });
        const { id } = (await store.organizations.first())!;
        const slt = (await store.catalogue.row("voice", id, "visavis-slt"))!;
        const change = { ...slt, kind: "voice", organizationId: null, createdAtMs: 6 } as const;
        await store.catalogue.put({ ...change, name: "Sara", body: { ...slt.body, name: "Sara" } });
        await store.catalogue.remove("voice", null, "visavis-awb");
        const another = { ...slt.body, voice_id: "next", name: "Next" };
        const built = builtInEntries(7);
        await seed({ store, ...options });
        await store.catalogue.addBuiltIn([...built, { ...change, id: "next", name: "Next", body: another }]);
        const names = (await store.catalogue.list("voice", id)).map(({ name }) => name);
        expect(names).toEqual(["Sara", "Ray", "Kal", "Kal 16", "Next"]);
        await store.catalogue.remove("voice", null, "next");
        await store.catalogue.addBuiltIn([{ ...change, id: "next", name: "Next", body: another }]);
        expect(await store.catalogue.find("voice", id, "next")).toBeNull();
      });

      test("keeps an operator's entry with the id of a new built-in one", async () => {
        const store = await openStore();
        const [mine] = builtInEntries(5).filter(({ kind }) => kind === "voice");
        await store.catalogue.put({ ...mine!, organizationId, name: "Mine" });
        await store.catalogue.addBuiltIn(builtInEntries(6));
        expect((await store.catalogue.rows("voice", organizationId))[0]).toMatchObject({
          id: mine!.id,
          name: "Mine",
        });
      });

      test("refuses a key that no header can carry", async () => {
        const { store } = await open();
        await expect(seed({ store, ...options, apiKey: "short" })).rejects.toThrow(/8 to 256/);
      });
    });

    test("files are found only by valid names, and the last write wins", async () => {
      const { files } = await open();
      await files.write("a", new Uint8Array([1, 2]));
      await files.write("a", new Uint8Array([9, 3, 0, 255, 9]).subarray(1, 4));
      expect([...((await files.read("a")) ?? [])]).toEqual([3, 0, 255]);
      expect(await files.read("b")).toBeNull();
      expect(await files.read("../a")).toBeNull();
      await expect(files.write("../a", new Uint8Array())).rejects.toThrow();
    });

    test("files have a size, and can be removed", async () => {
      const { files } = await open();
      await files.write("a", new Uint8Array(1_234));
      expect(await files.size("a")).toBe(1_234);
      for (const name of ["a", "a", "b", "../a"]) await files.remove(name);
      expect([await files.read("a"), await files.size("a"), await files.size("../a")]).toEqual([
        null,
        null,
        null,
      ]);
    });

    describe("files of events", () => {
      const limits = { maxFiles: 20, maxBytes: 1_000, storeMaxBytes: 2_500 };

      test("of several processes never exceed the total space", async () => {
        const place = await backend.newPlace();
        const stores = [await openStore(place), await openStore(place)];
        for (const id of ["a", "b", "c"]) await stores[0]!.sessions.insert(session(id, 5), detail, "2026-01");
        const outcomes = await Promise.all(
          Array.from({ length: 60 }, (_, index) =>
            stores[index % 2]!.eventFiles.reserve(
              { name: `f${index}`, sessionId: ["a", "b", "c"][index % 3]!, bytes: 100 },
              index,
              limits,
            ),
          ),
        );
        expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(25);
        const uses = await Promise.all(["a", "b", "c"].map((id) => stores[1]!.eventFiles.use(id)));
        for (const { files, bytes, storeBytes } of uses) {
          expect(files).toBeLessThanOrEqual(10);
          expect(bytes).toBe(files * 100);
          expect(storeBytes).toBe(2_500);
        }
      });

      test("free their space once when they are removed, and their event has no file", async () => {
        const store = await openStore();
        await store.sessions.insert(session("a", 5), detail, "2026-01");
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

    describe("attached files", () => {
      test("are found by their session, and as left over once it has ended", async () => {
        const store = await openStore();
        for (const id of ["a", "b"]) await store.sessions.insert(session(id, 5), detail, "2026-01");
        const file = { name: "chair.png", type: "image/png", bytes: 1_000 };
        await store.attachments.insert({ ...file, id: "f", sessionId: "a" });
        await store.attachments.insert({ ...file, id: "g", sessionId: "b" });
        expect(await store.attachments.list("a")).toEqual([{ ...file, id: "f", sessionId: "a" }]);
        expect(await store.attachments.ofEndedSessions(10)).toEqual([]);
        expect(await store.attachments.bytesOf(session("a", 5).organizationId)).toBe(2 * file.bytes);
        expect(await store.attachments.bytesOf("another")).toBe(0);
        const over = session("a", null);
        await store.sessions.replace({
          ...over,
          revision: 1,
          state: { ...over.state, status: "TERMINATED" },
        });
        expect(await store.attachments.ofEndedSessions(10)).toEqual(["f"]);
        await store.attachments.remove("f");
        expect(await store.attachments.ofEndedSessions(10)).toEqual([]);
        expect(await store.attachments.list("b")).toHaveLength(1);
      });
    });

    describe("peers", () => {
      test("a session's peer belongs to the process that created it last, while the session lives", async () => {
        const store = await openStore();
        for (const id of ["a", "b", "c"]) await store.sessions.insert(session(id, 5), detail, "2026-01");
        await store.peers.take("a", "first");
        await store.peers.take("b", "first");
        await store.peers.take("c", "first");
        await store.peers.take("b", "second");
        const over = session("c", null);
        await store.sessions.replace({
          ...over,
          revision: 1,
          state: { ...over.state, status: "TERMINATED" },
        });
        expect(await store.peers.held("first", ["a", "b", "c", "d"])).toEqual(["a"]);
        expect(await store.peers.held("second", ["b"])).toEqual(["b"]);
        expect(await store.peers.held("first", [])).toEqual([]);
      });
    });

    test("tasks with the same name run one after the other, also after a failure", async () => {
      const store = await openStore();
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
      expect(outcomes.map(({ status }) => status)).toEqual([
        "fulfilled",
        "rejected",
        "fulfilled",
        "fulfilled",
      ]);
      for (const outcome of outcomes) if (outcome.status === "fulfilled") expect(outcome.value).toBe(1);
    });

    test("very early and late times and long texts are returned unchanged", async () => {
      const store = await openStore();
      const farMs = Date.UTC(2200, 0, 1);
      const text = "Grüße, 안녕하세요, \u{1f600} ".repeat(1_000);
      const record = { ...session("a", farMs), state: { ...session("a", farMs).state, createdAtMs: farMs } };
      await store.sessions.insert(record, detail, "2026-01");
      await store.sessions.saveDescriptions("a", text, "answer");
      expect(await store.sessions.byId("a")).toEqual(record);
      expect((await store.sessions.detail("a"))?.clientSdp).toBe(text);
    });

    test("events are returned in the order in which they were stored", async () => {
      const store = await openStore();
      await store.sessions.insert(session("a", 5), detail, "2026-01");
      for (const id of ["z", "m", "a"])
        await store.events.insert({
          id,
          sessionId: "a",
          kind: "SESSION_LOG",
          detail: id,
          file: null,
          createdAtMs: 7,
          terminateReason: null,
        });
      expect((await store.events.list("a")).map(({ id }) => id)).toEqual(["z", "m", "a"]);
      const first = await store.events.page("a", { limit: 2 });
      expect(first.items.map(({ id }) => id)).toEqual(["z", "m"]);
      const second = await store.events.page("a", { limit: 2, after: first.next! });
      expect(second).toMatchObject({ items: [{ id: "a" }], next: null });
      expect(await store.events.byId("a", "m")).toMatchObject({ id: "m", detail: "m" });
      expect(await store.events.byId("a", "unknown")).toBeNull();
      expect(await store.events.byId("b", "m")).toBeNull();
    });
  });

test("a store of a newer version is refused", async () => {
  const folder = temporaryFolder();
  await openSqliteStore(folder).close();
  const script = `const D=require("libsql");const d=new D(process.argv[1]);d.exec("pragma user_version=999");d.close()`;
  execFileSync(process.execPath, ["-e", script, join(folder, "visavis.db")]);
  expect(() => openSqliteStore(folder)).toThrow(/newer version/);
});
