import { randomUUID } from "node:crypto";
import { isRequired } from "../../../protocol/session/message-fields.ts";
import type { VisitorMessage } from "../../../protocol/session/visitor-message.ts";
import { type MessageField, readHandover } from "../../../protocol/settings/late-settings.ts";
import { Fault, LimitExceeded } from "../../faults/fault.ts";
import { beginConversation } from "../events/conversation-record.ts";
import type { SessionAccess } from "../life/session-access.ts";
import type { SessionDependencies } from "../session-dependencies.ts";

/** How many messages a conversation may have. */
const messagesPerSession = 5;

/** Until when more are refused says a time: that of another conversation. */
const refusedForMs = 60 * 60_000;

interface Parts extends Pick<SessionDependencies, "store" | "clock" | "webhooks"> {
  access: Pick<SessionAccess, "existing">;
}

const missing = (field: string): Fault => Fault.invalid("required", "This field is required.", field);

/** What the owner asks for, of what was sent. Throws a Fault where something that is needed is missing. */
function askedFor(message: VisitorMessage, asked: readonly MessageField[]): Record<MessageField, string> {
  const given = (field: MessageField): string => {
    const value = asked.includes(field) ? (message[field] ?? "") : "";
    if (asked.includes(field) && isRequired(field, asked) && value === "") throw missing(field);
    return value;
  };
  return { name: given("name"), email: given("email"), phone: given("phone") };
}

/**
 * Stores what a visitor leaves for a person, also after the conversation's end. Throws a Fault where the avatar takes no messages or
 * something is missing, LimitExceeded where the conversation has too many.
 */
export async function leaveMessage(
  { store, clock, webhooks, access }: Parts,
  sessionId: string,
  message: VisitorMessage,
): Promise<void> {
  const session = await access.existing(sessionId);
  const { organizationId, contextUuid } = session;
  const context = contextUuid === null ? null : await store.contexts.byUuid(organizationId, contextUuid);
  const handover = readHandover(context?.config.ui);
  if (!context || contextUuid === null || !handover || handover.message.length === 0)
    throw Fault.forbidden("This avatar takes no messages.");
  const fields = askedFor(message, handover.message);
  if (handover.consent !== "" && message.agreed !== true) throw missing("agreed");
  // What an operator tries in the console is no visitor's message.
  if (context.previewOf !== undefined) return;
  await beginConversation(store, session);
  const nowMs = clock.nowMs();
  const outcome = await store.inbox.add(
    {
      id: randomUUID(),
      sessionId,
      requestId: message.id,
      organizationId,
      contextUuid,
      atMs: nowMs,
      state: "new",
      stateBy: "",
      text: message.text,
      ...fields,
      page: message.page ?? "",
      agreedTo: handover.consent,
    },
    messagesPerSession,
  );
  if (outcome === "full")
    throw new LimitExceeded("messages in a session", messagesPerSession, nowMs + refusedForMs);
  const { text } = message;
  if (outcome === "added") webhooks.publish("message.left", session, { words: { text, ...fields } });
}
