import { expect, test } from "vitest";
import type {
  AccountRecord,
  ContextRecord,
  MessageRecord,
  WebsiteRecord,
} from "../../../src/service/store/store.ts";
import { inBothDatabases, organizationId, store } from "./backends.ts";

const account = (id: string, fields: Partial<AccountRecord> = {}): AccountRecord => ({
  ...{ id, organizationId, username: id, role: "owner", isFirst: false },
  ...{ passwordHash: "hash", replacedPassword: null, createdAtMs: 1 },
  ...fields,
});

const context: ContextRecord = {
  ...{ id: "c", organizationId, contextId: "ctx_c", name: "Shop", tts_type: "voice", model_style: "face" },
  ...{ greeting: "", instructions: "", background_image: null, max_session_sec: 0, is_active: true },
  ...{ embed_config: {}, config: {}, createdAtMs: 1, updatedAtMs: 1, revision: 1 },
};

const message = (requestId: string, sessionId = "s-1", atMs = 10): MessageRecord => ({
  ...{ id: `${sessionId}-${requestId}`, sessionId, requestId, organizationId, contextUuid: "context", atMs },
  ...{ state: "new", stateBy: "", text: "Can you deliver on a Saturday?", name: "Ana" },
  ...{ email: "ana@weiz.example", phone: "", page: "", agreedTo: "" },
});

inBothDatabases("the console's rows", () => {
  test("user names are unique in any case, and there is one first account", async () => {
    expect(await store.accounts.insert(account("Ana", { isFirst: true }))).toBe(true);
    expect(await store.accounts.insert(account("ANA"))).toBe(false);
    expect(await store.accounts.byUsername("ana")).toEqual(account("Ana", { isFirst: true }));
    expect(await store.accounts.first()).toEqual(account("Ana", { isFirst: true }));
    await expect(store.accounts.insert(account("Eve", { isFirst: true }))).rejects.toThrow();
  });

  test("the last owner keeps the role, also when both step down at once", async () => {
    await store.accounts.insert(account("a"));
    await store.accounts.insert(account("b"));
    expect(await store.accounts.setRole(organizationId, "a", "viewer")).toBe(true);
    expect(await store.accounts.setRole(organizationId, "b", "viewer")).toBe(false);
    expect(await store.accounts.remove(organizationId, "b")).toBe(false);
    expect(await store.accounts.remove(organizationId, "a")).toBe(true);
  });

  test("logins are found with their account, and go with it", async () => {
    await store.accounts.insert(account("a"));
    await store.accounts.insert(account("b"));
    const login = { accountId: "a", address: null, userAgent: null, createdAtMs: 1, lastSeenAtMs: 1 };
    for (const [id, expiresAtMs] of Object.entries({ one: 10, two: 20, three: 20 }))
      await store.logins.insert({ ...login, id, expiresAtMs });
    expect((await store.logins.byId("one"))?.account.username).toBe("a");
    await store.logins.touch("two", 7);
    expect((await store.logins.list(organizationId, 10)).map(({ id }) => id)).toEqual(["two", "three"]);
    await store.logins.removeExpired(10);
    expect(await store.logins.byId("one")).toBeNull();
    await store.logins.removeOthers("a", "two");
    expect((await store.logins.list(organizationId, 0)).map(({ id }) => id)).toEqual(["two"]);
    await store.accounts.remove(organizationId, "a");
    expect(await store.logins.byId("two")).toBeNull();
  });

  test("an invitation is used once, and stays when the user name is taken", async () => {
    await store.accounts.insert(account("Ana"));
    const fields = { organizationId, role: "viewer" as const, note: "", invitedBy: "", createdAtMs: 1 };
    await store.invitations.insert({ ...fields, id: "i", tokenHash: "hash", expiresAtMs: 9 });
    expect(await store.invitations.use("hash", account("x", { username: "ana" }))).toBe("username_taken");
    const uses = ["p", "q", "r"].map((id) => store.invitations.use("hash", account(id)));
    expect((await Promise.all(uses)).sort()).toEqual(["gone", "gone", "used"]);
    expect(await store.accounts.list(organizationId)).toHaveLength(2);
    await store.invitations.insert({ ...fields, id: "j", tokenHash: "late", expiresAtMs: 5 });
    expect(await store.invitations.use("late", account("z", { createdAtMs: 5 }))).toBe("gone");
  });

  test("the audit log is read newest first, page by page, of one actor if asked", async () => {
    for (let number = 1; number <= 5; number += 1)
      await store.audit.add({
        ...{ organizationId, atMs: number, actorKind: "operator", actorName: "Ana", address: null },
        ...{ actorId: number % 2 === 0 ? "even" : "odd", operation: `change${number}` },
        ...{ targetId: null, targetName: "" },
      });
    const first = await store.audit.page(organizationId, { limit: 2 });
    expect(first.items.map(({ atMs }) => atMs)).toEqual([5, 4]);
    const rest = await store.audit.page(organizationId, { after: first.next! });
    expect(rest.items.map(({ atMs }) => atMs)).toEqual([3, 2, 1]);
    expect((await store.audit.page(organizationId, {}, "even")).items.map(({ atMs }) => atMs)).toEqual([
      4, 2,
    ]);
    expect((await store.audit.page("other", {})).items).toEqual([]);
  });

  test("exactly one of several saves of a revision is kept, with its version", async () => {
    await store.contexts.insert(context, "Ana");
    const save = (name: string) =>
      store.contexts.replace(organizationId, "c", { ...context, name }, 2, { by: name, revision: 1 });
    const saves = await Promise.all(["a", "b", "c"].map(save));
    const [saved, ...others] = saves.filter((one) => one !== null);
    expect(others).toEqual([]);
    expect(await store.contexts.byUuid(organizationId, "c")).toEqual(saved);
    expect(await store.contexts.versions("c")).toMatchObject([
      { revision: 2, savedBy: saved!.name },
      { revision: 1, savedBy: "Ana" },
    ]);
  });

  test("a deleted context is found nowhere, can be restored, and goes with all its rows", async () => {
    await store.contexts.insert(context);
    await store.accounts.insert(account("a"));
    await store.contextDrafts.put("c", "a", { revision: 1, settings: { name: "" }, savedAtMs: 1 });
    await store.contextDrafts.put("c", "a", { revision: 2, settings: { name: "x" }, savedAtMs: 2 });
    expect((await store.contextDrafts.find("c", "a"))?.settings).toEqual({ name: "x" });
    const version = await store.contexts.version();
    expect(await store.contexts.setDeleted(organizationId, "c", 5)).toBe(true);
    expect(await store.contexts.setDeleted(organizationId, "c", 6)).toBe(false);
    expect(await store.contexts.version()).not.toBe(version);
    expect(await store.contexts.byUuid(organizationId, "c")).toBeNull();
    expect(await store.contexts.byContextId(organizationId, "ctx_c")).toBeNull();
    expect(await store.contexts.list(organizationId)).toEqual([]);
    expect(await store.contexts.replace(organizationId, "c", context, 6)).toBeNull();
    expect(await store.contexts.removeDeleted(4)).toBe(0);
    expect(await store.contexts.setDeleted(organizationId, "c", null)).toBe(true);
    expect(await store.contexts.version()).toBe(version);
    await store.contextPages.note("c", { origin: "https://a.example", allowed: true }, 3);
    await store.contexts.setDeleted(organizationId, "c", 5);
    expect(await store.contexts.removeDeleted(5)).toBe(1);
    expect(await store.contextPages.list("c")).toEqual([]);
    expect(await store.contextDrafts.find("c", "a")).toBeNull();
  });

  test("conversations keep their figures, and their words until they expire", async () => {
    await store.contexts.insert(context);
    const begun = { organizationId, contextUuid: "c", startedAtMs: 1_700_000_000_000 };
    await store.conversations.begin({ ...begun, sessionId: "kept", expiresAtMs: 1_700_000_000_500 });
    await Promise.all(
      ["a", "b", "a"].map((sessionId) =>
        store.conversations.begin({ ...begun, sessionId, expiresAtMs: null }),
      ),
    );
    const words = { question: "Why?", answer: "No idea.", missing: "no_answer" as const };
    const turn = { atMs: 5, answeredAtMs: 6, ...words };
    await store.conversations.addTurn("kept", turn);
    await store.conversations.addTurn("a", turn);
    await store.conversations.setHelped("a", false);
    const end = { endedAtMs: 9, durationSec: 4, terminationReason: "GRACEFUL_TERMINATION" as const };
    await store.conversations.end("a", end);
    expect(await store.conversations.byId(organizationId, "a")).toEqual({
      ...{ ...begun, ...end, sessionId: "a", questions: 1, unanswered: 1, helped: false },
      ...{ firstQuestion: null, expiresAtMs: null },
    });
    expect(await store.conversations.entries("a")).toEqual([]);
    expect(await store.conversations.entries("kept")).toEqual([
      { atMs: 5, role: "visitor", text: "Why?", name: "", answered: true },
      { atMs: 6, role: "avatar", text: "No idea.", name: "", answered: false },
    ]);
    const ids = async (filter: object) =>
      (await store.conversations.page(organizationId, filter, { limit: 9 })).items.map(
        (one) => one.sessionId,
      );
    expect((await ids({})).sort()).toEqual(["a", "b", "kept"]);
    expect(await ids({ didNotHelp: true, unanswered: true })).toEqual(["a"]);
    expect(await ids({ ended: "visitor", contextUuid: "c" })).toEqual(["a"]);
    expect(await ids({ toMs: begun.startedAtMs })).toEqual([]);
    expect(await ids({ words: ["WHY", "idea"] })).toEqual(["kept"]);
    expect(await ids({ words: ["why", "chair"] })).toEqual([]);
    expect(await ids({ words: ["%"] })).toEqual([]);
    expect(await store.conversations.removeExpiredWords(1_700_000_000_499, 10)).toBe(0);
    expect(await store.conversations.removeExpiredWords(1_700_000_000_500, 10)).toBe(1);
    expect(await store.conversations.entries("kept")).toEqual([]);
    expect(await store.conversations.setDeleted(organizationId, "a", 7)).toBe(1);
    expect(await store.conversations.restore(organizationId, null)).toBe(1);
    expect(await store.conversations.setDeleted(organizationId, null, 8)).toBe(3);
    expect(await store.conversations.removeDeleted(7, 10)).toBe(0);
    expect(await store.conversations.removeDeleted(8, 2)).toBe(2);
  });

  test("the latest twenty refused sites of a context are kept, and all that were ever allowed", async () => {
    await store.contexts.insert(context);
    await store.contextPages.note("c", { origin: "https://old.example", allowed: true }, 1);
    await store.contextPages.note("c", { origin: "https://old.example", allowed: false }, 2);
    for (let site = 0; site < 25; site += 1)
      await store.contextPages.note("c", { origin: `https://${site}.example`, allowed: false }, 10 + site);
    const pages = await store.contextPages.list("c");
    expect(pages).toHaveLength(21);
    expect(pages[0]!.origin).toBe("https://24.example");
    const old = { firstAllowedAtMs: 1, firstSeenAtMs: 1, lastSeenAtMs: 2 };
    expect(pages.at(-1)).toEqual({ origin: "https://old.example", wasAllowed: false, ...old });
    expect(await store.contextPages.arrived(organizationId)).toEqual(["c"]);
  });

  test("a website is read by one process at a time, which loses it when it is silent or somebody stops it", async () => {
    const report = { pages: [], reading: null, waiting: 0, beyond: 0 };
    const website: WebsiteRecord = {
      ...{ id: "w", organizationId, address: "https://alder.example/", every: "day", contexts: ["c"] },
      ...{ paths: { include: ["/help"], exclude: [] }, state: "waiting", problem: null, report },
      ...{ hasDocument: false, createdAtMs: 1, startedAtMs: null, finishedAtMs: null },
      ...{ nextAtMs: 10, attempts: 0 },
    };
    await store.websites.insert(website);
    expect(await store.websites.list(organizationId)).toEqual([website]);
    expect(await store.websites.take("one", 9, 100)).toBeNull();
    const taken = await Promise.all([
      store.websites.take("one", 10, 100),
      store.websites.take("two", 10, 100),
    ]);
    expect(taken.filter((record) => record !== null)).toHaveLength(1);
    const run = taken[0] ? "one" : "two";
    expect(await store.websites.progress({ id: "w", run }, { ...report, reading: "/a" }, 200)).toBe(true);
    expect(await store.websites.take("three", 150, 300)).toBeNull();
    const again = { state: "reading", startedAtMs: 201, attempts: 2 };
    expect(await store.websites.take("three", 201, 300)).toMatchObject(again);
    expect(await store.websites.progress({ id: "w", run }, report, 400)).toBe(false);
    const times = { nextAtMs: 900, finishedAtMs: 250 };
    const outcome = { state: "ready", problem: null, report, hasDocument: true, ...times } as const;
    expect(await store.websites.finish({ id: "w", run: "three" }, outcome)).toBe(true);
    expect(await store.websites.find(organizationId, "w")).toMatchObject({ state: "ready", nextAtMs: 900 });
    expect(await store.websites.find("other", "w")).toBeNull();
    expect(await store.websites.order(organizationId, "w", 300)).toBe(true);
    expect(await store.websites.order(organizationId, "w", 300)).toBe(false);
    expect(await store.websites.take("four", 300, 500)).toMatchObject({ attempts: 1 });
    await store.websites.giveBack({ id: "w", run: "four" }, 300);
    expect(await store.websites.find(organizationId, "w")).toMatchObject({ state: "waiting", attempts: 0 });
    expect(await store.websites.take("four", 300, 500)).not.toBeNull();
    expect(await store.websites.stop(organizationId, "w", 900)).toBe(true);
    expect(await store.websites.finish({ id: "w", run: "four" }, outcome)).toBe(false);
    expect(await store.websites.schedule("other", "w", { every: "never", nextAtMs: null })).toBe(false);
    expect(await store.websites.schedule(organizationId, "w", { every: "never", nextAtMs: null })).toBe(true);
    const left = { paths: { include: [], exclude: ["/a$"] }, report: { ...report, beyond: 1 } };
    expect(await store.websites.leaveOut("other", "w", left)).toBe(false);
    expect(await store.websites.leaveOut(organizationId, "w", left)).toBe(true);
    expect(await store.websites.find(organizationId, "w")).toMatchObject(left);
    await store.websites.order(organizationId, "w", 900);
    expect(await store.websites.leaveOut(organizationId, "w", left)).toBe(false);
    expect(await store.websites.remove("w")).toBe(true);
    expect(await store.websites.remove("w")).toBe(false);
  });

  test("the use of models is added up by day, context, model and currency", async () => {
    const use = {
      ...{ organizationId, contextUuid: "c", dayMs: 100, model: "m" },
      ...{ inputTokens: 10, outputTokens: 5, costMicros: 7, currency: "EUR" },
    };
    await Promise.all([store.modelUse.add(use), store.modelUse.add(use)]);
    await store.modelUse.add({ ...use, contextUuid: null, currency: "", costMicros: 0 });
    await store.modelUse.add({ ...use, dayMs: 99 });
    expect(await store.modelUse.since({ organizationId, contextUuid: "c" }, 100)).toEqual([
      { model: "m", currency: "EUR", inputTokens: 20, outputTokens: 10, costMicros: 14 },
    ]);
    expect(await store.modelUse.since({ organizationId }, 100)).toHaveLength(2);
    expect(await store.modelUse.since({ organizationId: "other" }, 0)).toEqual([]);
  });

  /** Begins the conversations that messages belong to. */
  async function beginConversations(): Promise<void> {
    for (const sessionId of ["s-1", "s-2"])
      await store.conversations.begin({
        ...{ sessionId, organizationId, contextUuid: "context", startedAtMs: 1, expiresAtMs: null },
      });
  }

  test("a message is stored once, and a session has no more than its limit", async () => {
    await beginConversations();
    const { inbox } = store;
    const first = message("a");
    const twice = await Promise.all([inbox.add(first, 2), inbox.add({ ...first, id: "other" }, 2)]);
    expect(twice.toSorted()).toEqual(["added", "known"]);
    expect(await inbox.add(message("b"), 2)).toBe("added");
    expect(await inbox.add(message("c"), 2)).toBe("full");
    expect(await inbox.add(message("a"), 2)).toBe("known");
    expect(await inbox.add(message("a", "s-2"), 2)).toBe("added");
    expect((await inbox.ofSession("s-1")).map(({ requestId }) => requestId)).toEqual(["a", "b"]);
  });

  test("messages are listed by pages, the newest first, by state and context", async () => {
    await beginConversations();
    const { inbox } = store;
    for (const id of ["a", "b", "c"]) await inbox.add(message(id), 5);
    await inbox.setState(organizationId, "s-1-b", "done", "Lena");
    const begin = await inbox.page(organizationId, {}, { limit: 2 });
    expect(begin.items.map(({ id }) => id)).toEqual(["s-1-c", "s-1-b"]);
    const rest = await inbox.page(organizationId, {}, { limit: 2, after: begin.next ?? 0 });
    expect(rest).toMatchObject({ items: [{ id: "s-1-a" }], next: null });
    const done = await inbox.page(organizationId, { state: "done", contextUuid: "context" }, {});
    expect(done.items).toEqual([{ ...message("b"), state: "done", stateBy: "Lena" }]);
    expect((await inbox.page(organizationId, { contextUuid: "none" }, {})).items).toEqual([]);
    expect(await inbox.counts(organizationId)).toEqual({ new: 2, answered: 0, done: 1 });
  });

  test("old and deleted messages are removed, and those of a removed conversation", async () => {
    await beginConversations();
    const { conversations, inbox } = store;
    await inbox.add(message("old", "s-1", 10), 5);
    await inbox.add(message("deleted", "s-1", 30), 5);
    await inbox.add(message("kept", "s-1", 30), 5);
    await inbox.add(message("other", "s-2", 30), 5);
    await inbox.setDeleted(organizationId, "s-1-deleted", 31);
    expect(await inbox.byId(organizationId, "s-1-deleted")).toBeNull();
    expect(await inbox.removeOld(20, 1)).toBe(1);
    expect(await inbox.removeOld(20, 5)).toBe(1);
    expect(await inbox.removeOld(20, 5)).toBe(0);
    await conversations.setDeleted(organizationId, "s-2", 40);
    expect((await inbox.page(organizationId, {}, {})).items.map(({ id }) => id)).toEqual(["s-1-kept"]);
    await conversations.removeDeleted(50, 5);
    await conversations.restore(organizationId, "s-2");
    expect(await inbox.ofSession("s-2")).toEqual([]);
  });
});
