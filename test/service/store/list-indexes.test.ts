import Database from "libsql";
import type { Kysely } from "kysely";
import { afterAll, expect, test } from "vitest";
import { auditRows } from "../../../src/service/store/entities/audit-log.ts";
import { catalogueRows } from "../../../src/service/store/entities/catalogue-rows.ts";
import { contextRows } from "../../../src/service/store/entities/context-rows.ts";
import { conversationRows } from "../../../src/service/store/entities/conversation-rows.ts";
import { eventRows } from "../../../src/service/store/entities/events.ts";
import { sqliteMigrations } from "../../../src/service/store/migrations/migrations.ts";
import type { Queries } from "../../../src/service/store/database/queries.ts";
import { queryBuilder } from "../../../src/service/store/database/query-builder.ts";
import { catalogueSeal } from "../../../src/service/store/secrets/sealed-catalogue.ts";
import type { Tables } from "../../../src/service/store/database/tables.ts";
import { webhookRows } from "../../../src/service/store/entities/webhooks/webhook-rows.ts";
import { webhookSeal } from "../../../src/service/store/secrets/sealed-webhooks.ts";
import { unansweredRows } from "../../../src/service/store/entities/unanswered.ts";

/** The tables without rows. */
const tables = new Database(":memory:");
for (const step of sqliteMigrations) tables.exec(step);
afterAll(() => void tables.close());

const rowsOf = (database: Kysely<Tables>, queries: Queries) => ({
  audit: auditRows(database),
  catalogue: catalogueRows(database, queries, catalogueSeal(undefined)),
  contexts: contextRows(database, queries),
  conversations: conversationRows(database, queries),
  events: eventRows(database, queries),
  unanswered: unansweredRows(database, queries),
  webhooks: webhookRows(database, queries, webhookSeal(undefined)),
});

type Work = (rows: ReturnType<typeof rowsOf>) => Promise<unknown>;

/** SQLite's query plan for each statement that the function runs. */
async function plansOf(work: Work) {
  const plans: string[] = [];
  const queries: Queries = {
    run({ sql, parameters }) {
      const steps = tables.prepare(`explain query plan ${sql}`).all(...parameters) as { detail: string }[];
      plans.push(...steps.map(({ detail }) => detail));
      return Promise.resolve({ rows: [], changed: 0 });
    },
    unit: () => Promise.reject(new Error("Lists only read.")),
  };
  await work(rowsOf(queryBuilder("sqlite", queries), queries));
  return plans;
}

const page = { after: 5, limit: 10 };

const lists: [string, string, Work][] = [
  ["of a catalogue", "catalogue_entry_list", ({ catalogue }) => catalogue.page("voice", "org", page)],
  ["of embed contexts", "embed_context_list", ({ contexts }) => contexts.page("org", page)],
  ["of the audit log", "audit_entry_list", ({ audit }) => audit.page("org", page)],
  ["of a session's events", "session_event_list", ({ events }) => events.page("session", page)],
  ["of deliveries", "webhook_delivery_list", ({ webhooks }) => webhooks.deliveries("w", page)],
  [
    "of questions that had no answer",
    "unanswered_question_list",
    ({ unanswered }) => unanswered.list({ organizationId: "org" }, 9),
  ],
  ...(
    [
      ["", "conversation_list", {}],
      [" of an avatar", "conversation_context", { contextUuid: "c" }],
      [" that ended in one way", "conversation_ending", { ended: "error" }],
      [" that did not help", "conversation_not_helped", { didNotHelp: true }],
      [" with a question that had no answer", "conversation_unanswered", { unanswered: true }],
    ] as const
  ).map(([which, index, filter]): [string, string, Work] => [
    `of conversations${which}`,
    index,
    ({ conversations }) => conversations.page("org", filter, page),
  ]),
];

test.each(lists)(
  "a page %s is read by the index %s, without reading other owners' rows",
  async (_, index, work) => {
    const plans = await plansOf(work);
    expect(plans.join("\n")).toContain(`USING INDEX ${index}`);
    for (const plan of plans)
      expect(plan).not.toMatch(
        /^SCAN (?:entry|catalogue_entry|embed_context|session_event|conversation|unanswered_question|audit_entry|webhook_delivery)\b/,
      );
  },
);

test("an event is read by its id, without reading the other events of its session", async () => {
  const plans = await plansOf(({ events }) => events.byId("session", "event"));
  expect(plans).toEqual([expect.stringMatching(/^SEARCH session_event USING INDEX \S+ \(id=\?\)$/)]);
});

test("looking for a delivery that is due reads those that wait, not the whole log", async () => {
  const plans = await plansOf(({ webhooks }) => webhooks.take("run", 1, 2));
  expect(plans[0]).toContain("USING INDEX webhook_delivery_due");
});
