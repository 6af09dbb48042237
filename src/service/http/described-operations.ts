import { exchangeRequestSchema, exchangeResponseSchema } from "../../protocol/exchange.ts";
import { iceServersSchema } from "../../protocol/ice.ts";
import { llmRequestSchema } from "../../protocol/llm-stream.ts";
import { normalizeRequestSchema, normalizeResponseSchema } from "../../protocol/normalization.ts";
import { recognitionAudioMaxBytes, sttRequestSchema, sttResponseSchema } from "../../protocol/recognition.ts";
import { ttsRequestSchema, ttsResponseSchema } from "../../protocol/speech.ts";
import type { OperationDescription } from "./operation.ts";
import { bodyMaxBytes } from "./request-fields.ts";
import type { Method } from "./routing.ts";

const session = "/api/v1/session/:session/";

/** An operation of a session's engines; the schemas are those that its route validates with. */
function engineOperation(
  description: Pick<OperationDescription, "id" | "summary" | "body"> & {
    answer: Omit<OperationDescription["answer"], "status">;
  },
): OperationDescription {
  return {
    tag: "Session operations",
    access: "session",
    ...description,
    answer: { status: 200, ...description.answer },
  };
}

/** Descriptions of the routes whose handlers come without one, by method and path. */
const descriptions: Readonly<Record<string, OperationDescription>> = {
  [`GET ${session}ice-servers/`]: engineOperation({
    id: "listIceServers",
    summary: "List the STUN and TURN servers for this session",
    answer: { description: "The servers", schema: iceServersSchema },
  }),
  [`POST ${session}exchange/`]: engineOperation({
    id: "exchangeDescriptions",
    summary: "Exchange session descriptions; a further call renegotiates or restarts ICE",
    body: { schema: exchangeRequestSchema, form: { structures: ["client_sdp", "video"] } },
    answer: { description: "The service's answer", schema: exchangeResponseSchema },
  }),
  [`POST ${session}tts/`]: engineOperation({
    id: "speak",
    summary: "Speak a text with the session's voice",
    body: { schema: ttsRequestSchema },
    answer: { description: "The audio with its words and visemes", schema: ttsResponseSchema },
  }),
  [`POST ${session}llm/v2/`]: engineOperation({
    id: "streamAnswer",
    summary: "Stream the language model's answer",
    body: { schema: llmRequestSchema, form: { structures: ["messages", "tools", "variables"] } },
    answer: { description: "Server-sent events", contentType: "text/event-stream" },
  }),
  [`POST ${session}stt/`]: engineOperation({
    id: "recognise",
    summary: "Recognise the speech of an audio file",
    body: {
      schema: sttRequestSchema,
      files: {
        audio: {
          description: "WAV, MP3 or what the engine takes",
          maxBytes: recognitionAudioMaxBytes,
          required: true,
        },
      },
      maxBytes: recognitionAudioMaxBytes + bodyMaxBytes,
    },
    answer: { description: "What was said", schema: sttResponseSchema },
  }),
  "POST /api/v1/settings/text_normalization_config/:config/normalize/": {
    id: "normalizeText",
    tag: "Text normalization",
    summary: "Try a text normalization config on a text",
    access: "key",
    body: { schema: normalizeRequestSchema },
    answer: { status: 200, description: "The text as it became", schema: normalizeResponseSchema },
  },
};

/** The description of a route that was registered without one. */
export function describedElsewhere(method: Method, path: string): OperationDescription | null {
  return descriptions[`${method} ${path}`] ?? null;
}
