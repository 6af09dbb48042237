import type { LlmRequest } from "../../../protocol/answers/llm-request.ts";
import type { LlmStreamEvent } from "../../../protocol/answers/llm-stream.ts";
import { Fault } from "../../faults/fault.ts";
import type { SessionRecord, TalkLine, TalkRecord } from "../../store/store.ts";
import type { SessionNotices } from "../life/session-notices.ts";
import type { SessionDependencies } from "../session-dependencies.ts";

/** What people's part in conversations needs. */
export interface PersonDependencies extends Pick<
  SessionDependencies,
  "store" | "clock" | "log" | "webhooks"
> {
  notices: SessionNotices;
}

/** Somebody at the console. */
export interface Operator {
  accountId: string;
  organizationId: string;
  username: string;
}

/** After how long without a sign of the person's console the avatar takes the conversation back, in ms. */
const lostAfterMs = 20_000;

/** How long somebody counts as writing after a key, in ms. */
const writingMs = 5_000;

/** Who takes a conversation over is there for so long, in ms, unless they have said otherwise. */
const presentMs = 60 * 60_000;

/** What people do in conversations. Operations of operators throw Faults where the conversation is not theirs. */
export interface PersonDesk {
  /** The visitor asks for a person, or does not want one any more. */
  want(session: SessionRecord, isWanted: boolean): Promise<void>;
  /** Takes a conversation over; resolves with who has it if somebody else does. */
  take(operator: Operator, sessionId: string, from: string | null): Promise<{ name: string } | null>;
  message(operator: Operator, sessionId: string, text: string): Promise<void>;
  writing(operator: Operator, sessionId: string): Promise<void>;
  /** Words for the avatar: to say exactly now, or to know from now on. */
  whisper(operator: Operator, sessionId: string, text: string, isSaid: boolean): Promise<void>;
  /** Gives the conversation back to the avatar, with what it should know. */
  leave(operator: Operator, sessionId: string, summary: string): Promise<void>;
  /** Says whether the operator is there, for how long, and how visitors read their name. */
  setPresence(operator: Operator, minutes: number, name: string): Promise<void>;
  /** The conversation as it is now: a person whose console was not heard of for too long has left it. */
  current(sessionId: string): Promise<TalkRecord | null>;
  /** The answer to a visitor's question while a person is there: no model runs. Null: the avatar answers. */
  answer(session: SessionRecord, asked: LlmRequest): Promise<AsyncIterable<LlmStreamEvent> | null>;
}

/** An account's name as visitors read it, until its holder chooses another one. */
export function bylineOf({ username }: Pick<Operator, "username">): string {
  return username.split("@", 1)[0] ?? username;
}

/** What is done in the conversations of a store. */
class StoredDesk implements PersonDesk {
  readonly #parts: PersonDependencies;

  constructor(parts: PersonDependencies) {
    this.#parts = parts;
  }

  async current(sessionId: string): Promise<TalkRecord | null> {
    const { clock, store } = this.#parts;
    const talk = await store.live.talk(sessionId);
    if (!talk?.accountId || clock.nowMs() - talk.seenAtMs < lostAfterMs) return talk;
    if (await store.live.release(sessionId, talk.accountId))
      await this.#add(sessionId, { role: "note", text: "lost", name: talk.name });
    return store.live.talk(sessionId);
  }

  async want(session: SessionRecord, isWanted: boolean): Promise<void> {
    const { id, organizationId } = session;
    const { live } = this.#parts.store;
    const nowMs = this.#parts.clock.nowMs();
    if (isWanted && (await live.people(organizationId, nowMs)).length === 0) return;
    if (!(await live.setWanted(id, isWanted, nowMs))) return;
    await this.#add(id, { role: "note", text: isWanted ? "asked" : "stopped" });
    if (isWanted) this.#parts.webhooks.publish("person.asked", session);
    this.#parts.notices.publish(organizationId);
  }

  async take(operator: Operator, sessionId: string, from: string | null): Promise<{ name: string } | null> {
    const { clock, notices, store } = this.#parts;
    const { live } = store;
    await this.#open(operator, sessionId);
    const { accountId, organizationId } = operator;
    const nowMs = clock.nowMs();
    const before = await this.current(sessionId);
    if (before?.accountId === accountId) return null;
    const name = await this.#nameOf(operator);
    if (!(await live.claim(sessionId, { accountId, name, nowMs, from })))
      return { name: (await live.talk(sessionId))?.name ?? "" };
    if (before?.state === "waiting" && before.sinceMs !== null)
      await live.addWait(organizationId, nowMs, nowMs - before.sinceMs);
    const isThere = (await live.people(organizationId, nowMs)).some((other) => other.accountId === accountId);
    if (!isThere)
      await live.setPresence(organizationId, { accountId, name, untilMs: nowMs + presentMs }, nowMs);
    await this.#add(sessionId, { role: "note", text: "joined", name });
    notices.publish(organizationId);
    return null;
  }

  async message(operator: Operator, sessionId: string, text: string): Promise<void> {
    const { name } = await this.#own(operator, sessionId);
    await this.#parts.store.live.setWriting(sessionId, operator.accountId, 0);
    await this.#add(sessionId, { role: "person", text, name });
  }

  async writing({ accountId }: Operator, sessionId: string): Promise<void> {
    const { clock, notices, store } = this.#parts;
    if (await store.live.setWriting(sessionId, accountId, clock.nowMs() + writingMs))
      notices.publish(sessionId);
  }

  async whisper(operator: Operator, sessionId: string, text: string, isSaid: boolean): Promise<void> {
    await this.#open(operator, sessionId);
    const name = await this.#nameOf(operator);
    await this.#add(sessionId, { role: "whisper", text, name, answered: isSaid });
  }

  async leave(operator: Operator, sessionId: string, summary: string): Promise<void> {
    const { name } = await this.#own(operator, sessionId);
    await this.#parts.store.live.release(sessionId, operator.accountId);
    if (summary !== "") await this.#add(sessionId, { role: "summary", text: summary, name });
    await this.#add(sessionId, { role: "note", text: "left", name });
    this.#parts.notices.publish(operator.organizationId);
  }

  async setPresence({ accountId, organizationId }: Operator, minutes: number, name: string): Promise<void> {
    const { clock, notices, store } = this.#parts;
    const nowMs = clock.nowMs();
    const untilMs = minutes === 0 ? 0 : nowMs + minutes * 60_000;
    await store.live.setPresence(organizationId, { accountId, name, untilMs }, nowMs);
    notices.publish(organizationId);
  }

  async answer(
    { id, contextUuid }: SessionRecord,
    { messages }: LlmRequest,
  ): Promise<AsyncIterable<LlmStreamEvent> | null> {
    const talk = contextUuid === null ? null : await this.current(id);
    if (talk?.state !== "person") return null;
    const last = messages.at(-1);
    if (last?.role === "user") await this.#add(id, { role: "visitor", text: last.content });
    return handedOver(talk.name);
  }

  async #add(
    sessionId: string,
    line: Pick<TalkLine, "role" | "text"> & Partial<Pick<TalkLine, "name" | "answered">>,
  ): Promise<void> {
    const { clock, notices, store } = this.#parts;
    await store.live.addLine(sessionId, { name: "", answered: true, ...line, atMs: clock.nowMs() });
    notices.publish(sessionId);
  }

  /** Throws a Fault unless it is a conversation of the operator's organization that goes on. */
  async #open({ organizationId }: Operator, sessionId: string): Promise<void> {
    const conversation = await this.#parts.store.conversations.byId(organizationId, sessionId);
    if (conversation === null) throw Fault.notFound();
    if (conversation.endedAtMs !== null)
      throw Fault.sessionEnded(conversation.terminationReason ?? "GRACEFUL_TERMINATION");
  }

  /** The conversation, which this operator answers. */
  async #own(operator: Operator, sessionId: string): Promise<TalkRecord> {
    await this.#open(operator, sessionId);
    const talk = await this.#parts.store.live.talk(sessionId);
    if (talk?.accountId !== operator.accountId)
      throw Fault.forbidden("You do not answer this conversation. Take it over first.");
    return talk;
  }

  async #nameOf(operator: Operator): Promise<string> {
    const { live } = this.#parts.store;
    const presence = await live.presence(operator.organizationId, operator.accountId);
    return presence?.name ?? bylineOf(operator);
  }
}

/** What people do in the conversations of a store. */
export function createPersonDesk(parts: PersonDependencies): PersonDesk {
  return new StoredDesk(parts);
}

/** What a client gets instead of an answer while a person is there. */
async function* handedOver(name: string): AsyncGenerator<LlmStreamEvent> {
  await Promise.resolve();
  yield { status: "success", type: "handover", role: "person", content: "", name };
  yield { status: "success", type: "finish", role: "assistant", content: "" };
}

/** How much of what people have said a model is given, in characters. */
const factsMaxCharacters = 6_000;

/** What people have whispered, said and summed up in a conversation, for the avatar's model; empty: nothing. */
export async function personFacts(
  { store }: Pick<PersonDependencies, "store">,
  { id, contextUuid }: Pick<SessionRecord, "id" | "contextUuid">,
): Promise<string> {
  if (contextUuid === null || (await store.live.talk(id)) === null) return "";
  const lines = await store.live.lines(id, 0);
  const facts = lines.flatMap(({ role, text, name, answered }) => {
    if (role === "whisper" && !answered) return [`- ${name} tells you: ${text}`];
    if (role === "summary") return [`- ${name} has talked with the visitor and sums up: ${text}`];
    return role === "person" ? [`- ${name} has told the visitor: ${text}`] : [];
  });
  if (facts.length === 0) return "";
  return `From people of the organization, who are right where you know otherwise. Use it in your own words:\n${facts.join("\n").slice(-factsMaxCharacters)}`;
}
