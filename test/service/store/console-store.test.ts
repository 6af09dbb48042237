import { describe, expect, onTestFinished, test } from "vitest";
import type { AccountRecord, ContextRecord, Store, WebsiteRecord } from "../../../src/service/store/store.ts";
import { storeBackends } from "./backends.ts";

const organizationId = "org";

function account(id: string, fields: Partial<AccountRecord> = {}): AccountRecord {
  return {
    id,
    organizationId,
    username: id,
    role: "owner",
    isFirst: false,
    passwordHash: "hash",
    replacedPassword: null,
    createdAtMs: 1,
    ...fields,
  };
}

const context: ContextRecord = {
  id: "c",
  organizationId,
  contextId: "ctx_c",
  name: "Shop",
  tts_type: "voice",
  model_style: "face",
  greeting: "",
  instructions: "",
  background_image: null,
  max_session_sec: 0,
  is_active: true,
  embed_config: {},
  config: {},
  createdAtMs: 1,
  updatedAtMs: 1,
  revision: 1,
};

for (const backend of storeBackends())
  describe.skipIf(!backend.isThere)(`the console's rows in ${backend.name} [needs ${backend.name}]`, () => {
    async function openStore(): Promise<Store> {
      const { store } = await backend.open(await backend.newPlace());
      onTestFinished(() => store.close());
      await store.organizations.insert({ id: organizationId, name: "Shop", createdAtMs: 1 });
      return store;
    }

    test("user names are unique in any case, and there is one first account", async () => {
      const { accounts } = await openStore();
      expect(await accounts.insert(account("Ana", { isFirst: true }))).toBe(true);
      expect(await accounts.insert(account("ANA"))).toBe(false);
      expect(await accounts.byUsername("ana")).toEqual(account("Ana", { isFirst: true }));
      expect(await accounts.first()).toEqual(account("Ana", { isFirst: true }));
      await expect(accounts.insert(account("Eve", { isFirst: true }))).rejects.toThrow();
    });

    test("the last owner keeps the role, also when both step down at once", async () => {
      const { accounts } = await openStore();
      await accounts.insert(account("a"));
      await accounts.insert(account("b"));
      expect(await accounts.setRole(organizationId, "a", "viewer")).toBe(true);
      expect(await accounts.setRole(organizationId, "b", "viewer")).toBe(false);
      expect(await accounts.remove(organizationId, "b")).toBe(false);
      expect(await accounts.remove(organizationId, "a")).toBe(true);
    });

    test("logins are found with their account, and go with it", async () => {
      const { accounts, logins } = await openStore();
      await accounts.insert(account("a"));
      await accounts.insert(account("b"));
      const login = { accountId: "a", address: null, userAgent: null, createdAtMs: 1, lastSeenAtMs: 1 };
      for (const [id, expiresAtMs] of [
        ["one", 10],
        ["two", 20],
        ["three", 20],
      ] as const)
        await logins.insert({ ...login, id, expiresAtMs });
      expect((await logins.byId("one"))?.account.username).toBe("a");
      await logins.touch("two", 7);
      expect((await logins.list(organizationId, 10)).map(({ id }) => id)).toEqual(["two", "three"]);
      await logins.removeExpired(10);
      expect(await logins.byId("one")).toBeNull();
      await logins.removeOthers("a", "two");
      expect((await logins.list(organizationId, 0)).map(({ id }) => id)).toEqual(["two"]);
      await accounts.remove(organizationId, "a");
      expect(await logins.byId("two")).toBeNull();
    });

    test("an invitation is used once, and stays when the user name is taken", async () => {
      const { accounts, invitations } = await openStore();
      await accounts.insert(account("Ana"));
      const fields = { organizationId, role: "viewer" as const, note: "", invitedBy: "", createdAtMs: 1 };
      await invitations.insert({ ...fields, id: "i", tokenHash: "hash", expiresAtMs: 9 });
      expect(await invitations.use("hash", account("x", { username: "ana" }))).toBe("username_taken");
      const uses = ["p", "q", "r"].map((id) => invitations.use("hash", account(id)));
      expect((await Promise.all(uses)).sort()).toEqual(["gone", "gone", "used"]);
      expect(await accounts.list(organizationId)).toHaveLength(2);
      await invitations.insert({ ...fields, id: "j", tokenHash: "late", expiresAtMs: 5 });
      expect(await invitations.use("late", account("z", { createdAtMs: 5 }))).toBe("gone");
    });

    test("the audit log is read newest first, page by page, of one actor if asked", async () => {
      const { audit } = await openStore();
      for (let number = 1; number <= 5; number += 1)
        await audit.add({
          organizationId,
          atMs: number,
          actorKind: "operator",
          actorId: number % 2 === 0 ? "even" : "odd",
          actorName: "Ana",
          address: null,
          operation: `change${number}`,
          targetId: null,
          targetName: "",
        });
      const first = await audit.page(organizationId, { limit: 2 });
      expect(first.items.map(({ atMs }) => atMs)).toEqual([5, 4]);
      const rest = await audit.page(organizationId, { after: first.next! });
      expect(rest.items.map(({ atMs }) => atMs)).toEqual([3, 2, 1]);
      expect((await audit.page(organizationId, {}, "even")).items.map(({ atMs }) => atMs)).toEqual([4, 2]);
      expect((await audit.page("other", {})).items).toEqual([]);
    });

    test("exactly one of several saves of a revision is kept, with its version", async () => {
      const { contexts } = await openStore();
      await contexts.insert(context, "Ana");
      const saves = await Promise.all(
        ["a", "b", "c"].map((name) =>
          contexts.replace(organizationId, "c", { ...context, name }, 2, { by: name, revision: 1 }),
        ),
      );
      const [saved] = saves.filter((one) => one !== null);
      expect(saves.filter((one) => one !== null)).toHaveLength(1);
      expect(await contexts.byUuid(organizationId, "c")).toEqual(saved);
      const versions = await contexts.versions("c");
      expect(versions.map(({ revision, savedBy }) => [revision, savedBy])).toEqual([
        [2, saved!.name],
        [1, "Ana"],
      ]);
    });

    test("a deleted context is found nowhere, can be restored, and goes with all its rows", async () => {
      const store = await openStore();
      const { contexts, contextDrafts, contextPages } = store;
      await contexts.insert(context);
      await store.accounts.insert(account("a"));
      await contextDrafts.put("c", "a", { revision: 1, settings: { name: "" }, savedAtMs: 1 });
      await contextDrafts.put("c", "a", { revision: 2, settings: { name: "x" }, savedAtMs: 2 });
      expect((await contextDrafts.find("c", "a"))?.settings).toEqual({ name: "x" });
      const version = await contexts.version();
      expect(await contexts.setDeleted(organizationId, "c", 5)).toBe(true);
      expect(await contexts.setDeleted(organizationId, "c", 6)).toBe(false);
      expect(await contexts.version()).not.toBe(version);
      expect(await contexts.byUuid(organizationId, "c")).toBeNull();
      expect(await contexts.byContextId(organizationId, "ctx_c")).toBeNull();
      expect(await contexts.list(organizationId)).toEqual([]);
      expect(await contexts.replace(organizationId, "c", context, 6)).toBeNull();
      expect(await contexts.removeDeleted(4)).toBe(0);
      expect(await contexts.setDeleted(organizationId, "c", null)).toBe(true);
      expect(await contexts.version()).toBe(version);
      await contextPages.note("c", { origin: "https://a.example", allowed: true }, 3);
      await contexts.setDeleted(organizationId, "c", 5);
      expect(await contexts.removeDeleted(5)).toBe(1);
      expect(await contextPages.list("c")).toEqual([]);
      expect(await contextDrafts.find("c", "a")).toBeNull();
    });

    test("conversations keep their figures, and their words until they expire", async () => {
      const { conversations, contexts } = await openStore();
      await contexts.insert(context);
      const begun = { organizationId, contextUuid: "c", startedAtMs: 1_700_000_000_000 };
      await conversations.begin({ ...begun, sessionId: "kept", expiresAtMs: 1_700_000_000_500 });
      await Promise.all(
        ["a", "b", "a"].map((sessionId) => conversations.begin({ ...begun, sessionId, expiresAtMs: null })),
      );
      const turn = {
        atMs: 5,
        answeredAtMs: 6,
        question: "Why?",
        answer: "No idea.",
        missing: "no_answer" as const,
      };
      await conversations.addTurn("kept", turn);
      await conversations.addTurn("a", turn);
      await conversations.setHelped("a", false);
      const end = { endedAtMs: 9, durationSec: 4, terminationReason: "GRACEFUL_TERMINATION" as const };
      await conversations.end("a", end);
      expect(await conversations.byId(organizationId, "a")).toEqual({
        ...begun,
        ...end,
        sessionId: "a",
        questions: 1,
        unanswered: 1,
        helped: false,
        firstQuestion: null,
        expiresAtMs: null,
      });
      expect(await conversations.entries("a")).toEqual([]);
      expect(await conversations.entries("kept")).toEqual([
        { atMs: 5, role: "visitor", text: "Why?", name: "", answered: true },
        { atMs: 6, role: "avatar", text: "No idea.", name: "", answered: false },
      ]);
      const ids = async (filter: object) =>
        (await conversations.page(organizationId, filter, { limit: 9 })).items.map((one) => one.sessionId);
      expect((await ids({})).sort()).toEqual(["a", "b", "kept"]);
      expect(await ids({ didNotHelp: true, unanswered: true })).toEqual(["a"]);
      expect(await ids({ ended: "visitor", contextUuid: "c" })).toEqual(["a"]);
      expect(await ids({ toMs: begun.startedAtMs })).toEqual([]);
      expect(await ids({ words: ["WHY", "idea"] })).toEqual(["kept"]);
      expect(await ids({ words: ["why", "chair"] })).toEqual([]);
      expect(await ids({ words: ["%"] })).toEqual([]);
      expect(await conversations.removeExpiredWords(1_700_000_000_499, 10)).toBe(0);
      expect(await conversations.removeExpiredWords(1_700_000_000_500, 10)).toBe(1);
      expect(await conversations.entries("kept")).toEqual([]);
      expect(await conversations.setDeleted(organizationId, "a", 7)).toBe(1);
      expect(await conversations.restore(organizationId, null)).toBe(1);
      expect(await conversations.setDeleted(organizationId, null, 8)).toBe(3);
      expect(await conversations.removeDeleted(7, 10)).toBe(0);
      expect(await conversations.removeDeleted(8, 2)).toBe(2);
    });

    test("the latest twenty refused sites of a context are kept, and all that were ever allowed", async () => {
      const { contexts, contextPages } = await openStore();
      await contexts.insert(context);
      await contextPages.note("c", { origin: "https://old.example", allowed: true }, 1);
      await contextPages.note("c", { origin: "https://old.example", allowed: false }, 2);
      for (let site = 0; site < 25; site += 1)
        await contextPages.note("c", { origin: `https://${site}.example`, allowed: false }, 10 + site);
      const pages = await contextPages.list("c");
      expect(pages).toHaveLength(21);
      expect(pages[0]!.origin).toBe("https://24.example");
      expect(pages.at(-1)).toEqual({
        origin: "https://old.example",
        wasAllowed: false,
        firstAllowedAtMs: 1,
        firstSeenAtMs: 1,
        lastSeenAtMs: 2,
      });
      expect(await contextPages.arrived(organizationId)).toEqual(["c"]);
    });

    test("a website is read by one process at a time, which loses it when it is silent or somebody stops it", async () => {
      const { websites } = await openStore();
      const report = { pages: [], reading: null, waiting: 0, beyond: 0 };
      const website: WebsiteRecord = {
        id: "w",
        organizationId,
        address: "https://alder.example/",
        every: "day",
        contexts: ["c"],
        paths: { include: ["/help"], exclude: [] },
        state: "waiting",
        problem: null,
        report,
        hasDocument: false,
        createdAtMs: 1,
        startedAtMs: null,
        finishedAtMs: null,
        nextAtMs: 10,
        attempts: 0,
      };
      await websites.insert(website);
      expect(await websites.list(organizationId)).toEqual([website]);
      expect(await websites.take("one", 9, 100)).toBeNull();
      const taken = await Promise.all([websites.take("one", 10, 100), websites.take("two", 10, 100)]);
      expect(taken.filter((record) => record !== null)).toHaveLength(1);
      const run = taken[0] ? "one" : "two";
      expect(await websites.progress({ id: "w", run }, { ...report, reading: "/a" }, 200)).toBe(true);
      expect(await websites.take("three", 150, 300)).toBeNull();
      expect(await websites.take("three", 201, 300)).toMatchObject({
        state: "reading",
        startedAtMs: 201,
        attempts: 2,
      });
      expect(await websites.progress({ id: "w", run }, report, 400)).toBe(false);
      const outcome = {
        state: "ready",
        problem: null,
        report,
        hasDocument: true,
        nextAtMs: 900,
        finishedAtMs: 250,
      } as const;
      expect(await websites.finish({ id: "w", run: "three" }, outcome)).toBe(true);
      expect(await websites.find(organizationId, "w")).toMatchObject({ state: "ready", nextAtMs: 900 });
      expect(await websites.find("other", "w")).toBeNull();
      expect(await websites.order(organizationId, "w", 300)).toBe(true);
      expect(await websites.order(organizationId, "w", 300)).toBe(false);
      expect(await websites.take("four", 300, 500)).toMatchObject({ attempts: 1 });
      await websites.giveBack({ id: "w", run: "four" }, 300);
      expect(await websites.find(organizationId, "w")).toMatchObject({ state: "waiting", attempts: 0 });
      expect(await websites.take("four", 300, 500)).not.toBeNull();
      expect(await websites.stop(organizationId, "w", 900)).toBe(true);
      expect(await websites.finish({ id: "w", run: "four" }, outcome)).toBe(false);
      expect(await websites.schedule("other", "w", { every: "never", nextAtMs: null })).toBe(false);
      expect(await websites.schedule(organizationId, "w", { every: "never", nextAtMs: null })).toBe(true);
      const left = { paths: { include: [], exclude: ["/a$"] }, report: { ...report, beyond: 1 } };
      expect(await websites.leaveOut("other", "w", left)).toBe(false);
      expect(await websites.leaveOut(organizationId, "w", left)).toBe(true);
      expect(await websites.find(organizationId, "w")).toMatchObject(left);
      await websites.order(organizationId, "w", 900);
      expect(await websites.leaveOut(organizationId, "w", left)).toBe(false);
      expect(await websites.remove("w")).toBe(true);
      expect(await websites.remove("w")).toBe(false);
    });

    test("the use of models is added up by day, context, model and currency", async () => {
      const { modelUse } = await openStore();
      const use = {
        organizationId,
        contextUuid: "c",
        dayMs: 100,
        model: "m",
        inputTokens: 10,
        outputTokens: 5,
        costMicros: 7,
        currency: "EUR",
      };
      await Promise.all([modelUse.add(use), modelUse.add(use)]);
      await modelUse.add({ ...use, contextUuid: null, currency: "", costMicros: 0 });
      await modelUse.add({ ...use, dayMs: 99 });
      expect(await modelUse.since({ organizationId, contextUuid: "c" }, 100)).toEqual([
        { model: "m", currency: "EUR", inputTokens: 20, outputTokens: 10, costMicros: 14 },
      ]);
      expect(await modelUse.since({ organizationId }, 100)).toHaveLength(2);
      expect(await modelUse.since({ organizationId: "other" }, 0)).toEqual([]);
    });
  });
