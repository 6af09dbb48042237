import { llmRequestSchema } from "../../../protocol/llm-request.ts";
import type { Logger } from "../../../logging/logger.ts";
import type { Sessions } from "../../sessions/sessions.ts";
import { eventEndFor, llmEventStream } from "../answers/llm-event-stream.ts";
import { withChatContents } from "../body/chat-history.ts";
import { requireLiveSession } from "../body/live-session.ts";
import { requestHeader } from "../node-request.ts";
import { operation } from "../operations/operation.ts";
import type { Operation } from "../operations/operation.ts";

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
          "Cache-Control": "no-cache",
          // Proxies that buffer answers would hold back the first sentence.
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
