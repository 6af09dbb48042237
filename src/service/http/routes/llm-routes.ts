import { isPlainObject } from "../../plain-object.ts";
import { llmRequestSchema } from "../../../protocol/answers/llm-request.ts";
import type { Logger } from "../../../logging/logger.ts";
import type { Sessions } from "../../sessions/sessions.ts";
import { eventEndFor, llmEventStream } from "../answers/llm-event-stream.ts";
import { requireLiveSession } from "../body/live-session.ts";
import { requestHeader } from "../node-request.ts";
import { operation, type Operation } from "../operations/operation.ts";

/** The texts of a content in parts; the content itself where it has other parts, for validation to judge. */
function contentText(content: unknown): unknown {
  if (!Array.isArray(content) || content.length === 0) return content;
  const texts = content.map((part: unknown) =>
    isPlainObject(part) && part["type"] === "text" ? part["text"] : undefined,
  );
  return texts.every((text) => typeof text === "string") ? texts.join("\n") : content;
}

function withContent(message: unknown): unknown {
  if (!isPlainObject(message) || !("content" in message || "tool_calls" in message)) return message;
  const calls = message["tool_calls"];
  const onlyCalls = message["role"] === "assistant" && Array.isArray(calls) && calls.length > 0;
  return { ...message, content: contentText(message["content"]) ?? (onlyCalls ? "" : message["content"]) };
}

/**
 * Adapts the history of a language model request to the schema, which expects a text. In the chat-completion style, a content may be a
 * list of text parts, and an assistant's message that only calls tools has the content null or none at all.
 */
function withChatContents(fields: Record<string, unknown>): Record<string, unknown> {
  const { messages } = fields;
  return Array.isArray(messages) ? { ...fields, messages: messages.map(withContent) } : fields;
}

/** The language model's stream (wire conventions, Language model stream). */
export function llmRoutes(sessions: Sessions, log: Logger): Operation[] {
  const turnBody = {
    schema: llmRequestSchema,
    form: { structures: ["messages", "tools", "variables"], numbers: ["speech_rate"] },
    beforeReading: requireLiveSession(sessions),
    prepare: withChatContents,
  } as const;
  return [
    operation({
      method: "POST",
      path: "/api/v1/session/:session/llm/v2/",
      id: "streamAnswer",
      tag: "Session operations",
      summary: "Stream the language model's answer",
      auth: "session",
      body: turnBody,
      answer: {
        status: 200,
        description: "Server-sent events",
        contentType: "text/event-stream",
        headers: {
          // Proxies that buffer or pack answers would hold back the first sentence.
          "Cache-Control": "no-cache, no-transform",
          "X-Accel-Buffering": "no",
        },
      },
      async handler({ context, params, body, signal }) {
        const abort = new AbortController();
        // The client may disconnect before there is a stream to cancel.
        const either = AbortSignal.any([abort.signal, signal]);
        const answer = await sessions.answer(params.session, body, either);
        const end = eventEndFor(requestHeader(context, "accept"));
        return llmEventStream(answer, { end, abort, log });
      },
    }),
    operation({
      method: "POST",
      path: "/api/v1/session/:session/llm/v2/early/",
      id: "beginAnswer",
      tag: "Session operations",
      summary: "Begin the language model's answer before its question is certain",
      auth: "session",
      acceptsAll: true,
      body: turnBody,
      answer: { status: 204, description: "The answer has begun; the same request to llm/v2 streams it" },
      handler: ({ params, body }) => sessions.beginAnswer(params.session, body),
    }),
  ];
}
