import type { ConversationFilter, Store } from "../../store/store.ts";
import { AdministrationError } from "../administration-error.ts";
import { conversationDetail, wholeConversation } from "./conversations.ts";

type ExportStore = Pick<Store, "conversations" | "events" | "inbox">;

const pageSize = 100;

/** Null: it has been deleted. Every other failure ends the export, which would lack conversations without saying so. */
async function detailOf(store: ExportStore, organizationId: string, sessionId: string) {
  try {
    return conversationDetail(await wholeConversation(store, organizationId, sessionId));
  } catch (error) {
    if (error instanceof AdministrationError && error.code === "not_found") return null;
    throw error;
  }
}

/** Every conversation that a search finds, with its words, the newest first. Those deleted meanwhile are left out. */
async function* found(store: ExportStore, organizationId: string, search: ConversationFilter) {
  let after: number | undefined;
  do {
    const { items, next } = await store.conversations.page(organizationId, search, {
      after,
      limit: pageSize,
    });
    for (const { sessionId } of items) {
      const detail = await detailOf(store, organizationId, sessionId);
      if (detail) yield detail;
    }
    after = next ?? undefined;
  } while (after !== undefined);
}

/** The conversations as the text of a JSON array, piece by piece. */
export async function* conversationsAsJson(
  store: ExportStore,
  organizationId: string,
  search: ConversationFilter,
): AsyncGenerator<string, undefined> {
  let separator = "[\n";
  for await (const conversation of found(store, organizationId, search)) {
    yield `${separator}${JSON.stringify(conversation)}`;
    separator = ",\n";
  }
  yield separator === "[\n" ? "[]\n" : "\n]\n";
}

/**
 * A cell of a CSV file (RFC 4180). Spreadsheets run a cell that begins like a formula, so such a text gets an apostrophe before it
 * (OWASP, CSV injection).
 */
function cell(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const text = /^[\s]*[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const columns = ["session_id", "context", "started_at", "at_sec", "who", "text", "answered"] as const;

/** Begins a CSV file: without this mark, spreadsheets do not recognize UTF-8. */
export const byteOrderMark = "\u{feff}";

/** A line of a CSV file. */
export const row = (cells: readonly (string | number | null)[]): string => `${cells.map(cell).join(",")}\r\n`;

/** The conversations as CSV, piece by piece: a line for each thing that was said, and one line for a conversation without words. */
export async function* conversationsAsCsv(
  store: ExportStore,
  organizationId: string,
  search: ConversationFilter,
): AsyncGenerator<string, undefined> {
  yield byteOrderMark + row(columns);
  for await (const { session_id, context, started_at, moments } of found(store, organizationId, search)) {
    const begin = [session_id, context, started_at];
    const said = moments.filter((moment) => moment.type !== "event");
    if (said.length === 0) yield row([...begin, null, null, null, null]);
    for (const moment of said) {
      const answered = moment.type === "avatar" ? String(moment.answered) : null;
      yield row([...begin, moment.at_sec, moment.type, moment.text, answered]);
    }
  }
}
