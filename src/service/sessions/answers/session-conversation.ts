import type { LlmStreamEvent } from "../../../protocol/answers/llm-stream.ts";
import { attachmentKindOf } from "../../../protocol/answers/attachment.ts";
import type { ChatMessage, LlmRequest, ToolDefinition } from "../../../protocol/answers/llm-request.ts";
import { Fault } from "../../faults/fault.ts";
import type { LanguageModel, TurnAttachment } from "../../language/language-model.ts";
import type { AttachmentRecord, SessionRecord } from "../../store/store.ts";
import { type LanguageDependencies, sessionLanguage, type SessionLanguage } from "./session-language.ts";

const finish: LlmStreamEvent = { status: "success", type: "finish", role: "assistant", content: "" };

/** Whether the stream ends with this event: an error, a tool call that the client runs, or the model's own `finish`. */
function isEnd(event: LlmStreamEvent): boolean {
  return (
    event.status === "error" ||
    event.type === "finish" ||
    (event.type === "tool_call" && event.role === "assistant")
  );
}

/**
 * The answer, followed by a `finish` event if it is complete and has none of its own (wire conventions, Language model stream). An aborted answer has no
 * `finish`, so a client can tell the two apart.
 */
async function* finishedAnswer(
  events: AsyncIterable<LlmStreamEvent>,
  signal: AbortSignal,
): AsyncGenerator<LlmStreamEvent> {
  let isEnded = false;
  for await (const event of events) {
    isEnded = isEnd(event);
    yield event;
  }
  if (!isEnded && !signal.aborted) yield finish;
}

/** The answer, with an action that runs once when it ends: complete, failed, or abandoned by its reader. */
export async function* untilOver(
  events: AsyncIterable<LlmStreamEvent>,
  whenOver: () => void,
): AsyncGenerator<LlmStreamEvent> {
  try {
    yield* events;
  } finally {
    whenOver();
  }
}

/** The bytes of files that one turn gives to the model. The files of the oldest questions are left out first. */
const turnMaxBytes = 30 * 1024 * 1024;

/** The bytes of files that all turns in progress may have in memory together. */
const processMaxBytes = 120 * 1024 * 1024;
const retryAfterSec = 5;

let heldBytes = 0;

/** The files of a turn, in memory. */
interface TurnAttachments {
  files: ReadonlyMap<string, TurnAttachment>;
  /** Gives the memory back. */
  release(): void;
}

const none: TurnAttachments = { files: new Map(), release: () => undefined };

/** The session's own files that the messages name and the model takes, the last question's first, as far as there is room. */
function chosen(
  messages: readonly ChatMessage[],
  own: readonly AttachmentRecord[],
  { takesAttachments = [] }: LanguageModel,
): AttachmentRecord[] {
  const wanted = new Set(messages.toReversed().flatMap(({ attachments = [] }) => attachments));
  let bytes = 0;
  return [...wanted].flatMap((wantedId) => {
    const found = own.find(({ id }) => id === wantedId);
    const kind = found ? attachmentKindOf(found.type) : null;
    if (!found || kind === null || !takesAttachments.includes(kind)) return [];
    if (bytes + found.bytes > turnMaxBytes) return [];
    bytes += found.bytes;
    return [found];
  });
}

/** Throws a Fault if the model would not get a file of the last question, because its answer would be about something else. */
function checkQuestion(messages: readonly ChatMessage[], given: ReadonlySet<string>): void {
  const index = messages.findLastIndex(({ role }) => role === "user");
  const missing = messages[index]?.attachments?.findIndex((id) => !given.has(id)) ?? -1;
  if (missing < 0) return;
  throw Fault.invalid(
    "does_not_exist",
    "This session has no such file, or its language model does not take it. Attach it again, or ask without it.",
    `messages.${index}.attachments.${missing}`,
  );
}

/**
 * Reads the files that a turn's messages name. Only files of the same session are found. Throws a Fault if one of the last
 * question is missing, or if too many are in memory.
 */
async function turnAttachments(
  { store, files }: Pick<LanguageDependencies, "store" | "files">,
  session: SessionRecord,
  messages: readonly ChatMessage[],
  model: LanguageModel,
): Promise<TurnAttachments> {
  if (!messages.some(({ attachments }) => attachments?.length)) return none;
  const records = chosen(messages, await store.attachments.list(session.id), model);
  checkQuestion(messages, new Set(records.map(({ id }) => id)));
  const bytes = records.reduce((sum, record) => sum + record.bytes, 0);
  if (heldBytes + bytes > processMaxBytes) throw Fault.busy(retryAfterSec);
  heldBytes += bytes;
  let isHeld = true;
  const release = (): void => {
    if (isHeld) heldBytes -= bytes;
    isHeld = false;
  };
  try {
    const read = new Map<string, TurnAttachment>();
    for (const { id, name, type } of records) {
      const content = await files.read(id);
      if (content !== null) read.set(id, { name, type, bytes: content });
    }
    checkQuestion(messages, new Set(read.keys()));
    return { files: read, release };
  } catch (error) {
    release();
    throw error;
  }
}

/** Tools without duplicate names. On a name clash, the client's tool wins. */
function eachOnce(tools: readonly ToolDefinition[]): ToolDefinition[] {
  return [...new Map(tools.toReversed().map((tool) => [tool.function.name, tool])).values()].toReversed();
}

/** An answer that has begun. */
export interface BegunAnswer {
  readonly events: AsyncIterable<LlmStreamEvent>;
  /** Counts the documents that it was taken from as searched. Called once the turn is certain. */
  noteAsked(): Promise<void>;
}

/**
 * Starts the answer to a turn, with the session's system prompt and language model. A complete answer ends with a `finish` event.
 * Throws a Fault when the session has no language model.
 */
export async function answerTurn(
  dependencies: LanguageDependencies,
  session: SessionRecord,
  asked: LlmRequest,
  signal: AbortSignal,
): Promise<AsyncIterable<LlmStreamEvent>> {
  const language = await sessionLanguage(dependencies, session);
  const events = await modelAnswer(dependencies, session, language, asked, signal);
  await language.noteSearches();
  return events;
}

/**
 * Starts an answer that nobody may ever read, and that leaves no trace then. Throws a Fault when the session has no language model,
 * or when its model could change something meanwhile. `beforeModel` runs before the model is asked.
 */
export async function beginAnswer(
  dependencies: LanguageDependencies,
  session: SessionRecord,
  asked: LlmRequest,
  signal: AbortSignal,
  beforeModel: () => Promise<void>,
): Promise<BegunAnswer> {
  const language = await sessionLanguage(dependencies, session);
  if (language.acts)
    throw Fault.invalid(
      "invalid",
      "No answer of this session begins early, because its model may act meanwhile. Ask llm/v2.",
    );
  await beforeModel();
  const events = await modelAnswer(dependencies, session, language, asked, signal);
  return { events, noteAsked: () => language.noteSearches() };
}

async function modelAnswer(
  dependencies: LanguageDependencies,
  session: SessionRecord,
  { model, turn, tools }: SessionLanguage,
  asked: LlmRequest,
  signal: AbortSignal,
): Promise<AsyncIterable<LlmStreamEvent>> {
  const attached = await turnAttachments(dependencies, session, asked.messages, model);
  // An answer that nobody reads any more is aborted, and may never have begun.
  signal.addEventListener("abort", attached.release, { once: true });
  if (signal.aborted) attached.release();
  const answer = model.answer({
    ...asked,
    ...turn,
    tools: eachOnce([...asked.tools, ...tools]),
    attachments: attached.files,
    signal,
  });
  return untilOver(finishedAnswer(answer, signal), attached.release);
}
