import type { InboxMessage, MessageState } from "../../../protocol/console/inbox.ts";
import type { MessageFilter, MessageRecord, Store } from "../../store/store.ts";
import { AdministrationError } from "../administration-error.ts";
import { byteOrderMark, row } from "./export-conversations.ts";

type InboxStore = Pick<Store, "inbox">;

const pageSize = 100;

const noMessage = (id: string): AdministrationError =>
  new AdministrationError("not_found", `There is no message "${id}".`);

/** A message in the form that the console's operations return. */
export function messageView(message: MessageRecord): InboxMessage {
  return {
    id: message.id,
    session_id: message.sessionId,
    context: message.contextUuid,
    at: new Date(message.atMs).toISOString(),
    state: message.state,
    by: message.stateBy,
    text: message.text,
    name: message.name,
    email: message.email,
    phone: message.phone,
    page: message.page,
    agreed_to: message.agreedTo,
  };
}

/** A message of an organization. Throws AdministrationError `not_found`. */
export async function message({ inbox }: InboxStore, organizationId: string, id: string) {
  const found = await inbox.byId(organizationId, id);
  if (found === null) throw noMessage(id);
  return messageView(found);
}

/** Says what has become of a message. Throws AdministrationError `not_found`. */
export async function setMessageState(
  { inbox }: InboxStore,
  organizationId: string,
  change: { id: string; state: MessageState; by: string },
): Promise<void> {
  if (!(await inbox.setState(organizationId, change.id, change.state, change.by))) throw noMessage(change.id);
}

/** Deletes a message: it is removed with the next sweep. Throws AdministrationError `not_found`. */
export async function deleteMessage(
  { inbox }: InboxStore,
  organizationId: string,
  id: string,
  nowMs: number,
): Promise<void> {
  if (!(await inbox.setDeleted(organizationId, id, nowMs))) throw noMessage(id);
}

const columns = [
  "at",
  "state",
  "by",
  "name",
  "email",
  "phone",
  "text",
  "page",
  "agreed_to",
  "context",
  "session_id",
] as const satisfies readonly (keyof InboxMessage)[];

/** The messages as CSV, piece by piece, the newest first. */
export async function* messagesAsCsv(
  { inbox }: InboxStore,
  organizationId: string,
  filter: MessageFilter,
): AsyncGenerator<string, undefined> {
  yield byteOrderMark + row(columns);
  let after: number | undefined;
  do {
    const { items, next } = await inbox.page(organizationId, filter, { after, limit: pageSize });
    for (const item of items.map(messageView)) yield row(columns.map((column) => item[column]));
    after = next ?? undefined;
  } while (after !== undefined);
}
