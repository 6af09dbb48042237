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

/** SQLite's query plan for each statement that the function runs. */
async function plansOf(work: (database: Kysely<Tables>, queries: Queries) => Promise<unknown>) {
  const plans: string[] = [];
  const queries: Queries = {
    run({ sql, parameters }) {
      const steps = tables.prepare(`explain query plan ${sql}`).all(...parameters) as { detail: string }[];
      plans.push(...steps.map(({ detail }) => detail));
      return Promise.resolve({ rows: [], changed: 0 });
    },
    unit: () => Promise.reject(new Error("Lists only read.")),
  };
  await work(queryBuilder("sqlite", queries), queries);
  return plans;
}

const page = { after: 5, limit: 10 };
const webhooks = (database: Kysely<Tables>, queries: Queries) =>
  webhookRows(database, queries, webhookSeal(undefined));
type Work = Parameters<typeof plansOf>[0];

const lists: [string, Work, string][] = [
  [
    "of a catalogue",
    (database, queries) =>
      catalogueRows(database, queries, catalogueSeal(undefined)).page("voice", "org", page),
    "catalogue_entry_list",
  ],
  [
    "of embed contexts",
    (database, queries) => contextRows(database, queries).page("org", page),
    "embed_context_list",
  ],
  [
    "of conversations",
    (database, queries) => conversationRows(database, queries).page("org", {}, page),
    "conversation_list",
  ],
  [
    "of an avatar's conversations",
    (database, queries) =>
      conversationRows(database, queries).page("org", { contextUuid: "c" }, { limit: 9 }),
    "conversation_context",
  ],
  [
    "of conversations that ended in one way",
    (database, queries) => conversationRows(database, queries).page("org", { ended: "error" }, { limit: 9 }),
    "conversation_ending",
  ],
  [
    "of conversations that did not help",
    (database, queries) => conversationRows(database, queries).page("org", { didNotHelp: true }, page),
    "conversation_not_helped",
  ],
  [
    "of conversations with a question that had no answer",
    (database, queries) => conversationRows(database, queries).page("org", { unanswered: true }, page),
    "conversation_unanswered",
  ],
  [
    "of questions that had no answer",
    (database, queries) => unansweredRows(database, queries).list({ organizationId: "org" }, 9),
    "unanswered_question_list",
  ],
  [
    "of a webhook's deliveries",
    (database, queries) => webhooks(database, queries).deliveries("w", page),
    "webhook_delivery_list",
  ],
  ["of the audit log", (database) => auditRows(database).page("org", page), "audit_entry_list"],
  [
    "of a session's events",
    (database, queries) => eventRows(database, queries).page("session", page),
    "session_event_list",
  ],
];

test.each(lists)(
  "a page %s is read by an index, without reading other owners' rows",
  async (_, work, index) => {
    const plans = await plansOf(work);
    expect(plans.join("\n")).toContain(`USING INDEX ${index}`);
    for (const plan of plans)
      expect(plan).not.toMatch(
        /^SCAN (?:entry|catalogue_entry|embed_context|session_event|conversation|unanswered_question|audit_entry|webhook_delivery)\b/,
      );
  },
);

test("an event is read by its id, without reading the other events of its session", async () => {
  const plans = await plansOf((database, queries) => eventRows(database, queries).byId("session", "event"));
  expect(plans).toEqual([expect.stringMatching(/^SEARCH session_event USING INDEX \S+ \(id=\?\)$/)]);
});

test("looking for a delivery that is due reads those that wait, not the whole log", async () => {
  const plans = await plansOf((database, queries) => webhooks(database, queries).take("run", 1, 2));
  expect(plans[0]).toContain("USING INDEX webhook_delivery_due");
});
