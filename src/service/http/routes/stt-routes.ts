import {
  recognitionAudioMaxBytes,
  sttRequestSchema,
  sttResponseSchema,
} from "../../../protocol/recognition.ts";
import type { Sessions } from "../../sessions/sessions.ts";
import { requireLiveSession } from "../body/live-session.ts";
import { bodyMaxBytes } from "../body/request-fields.ts";
import { operation } from "../operations/operation.ts";
import type { Operation } from "../operations/operation.ts";

/** Speech recognition of an uploaded file (interface specification, Session operations). */
export function sttRoutes(sessions: Sessions): Operation[] {
  return [
    operation({
      method: "POST",
      path: "/api/v1/session/:session/stt/",
      id: "recognise",
      tag: "Session operations",
      summary: "Recognise the speech of an audio file",
      auth: "session",
      body: {
        schema: sttRequestSchema,
        files: {
          audio: {
            description: "WAV, MP3 or another format that the engine supports",
            maxBytes: recognitionAudioMaxBytes,
            required: true,
          },
        },
        maxBytes: recognitionAudioMaxBytes + bodyMaxBytes,
        beforeReading: requireLiveSession(sessions),
      },
      answer: { status: 200, description: "What was said", schema: sttResponseSchema },
      handler: ({ params, body: { language }, files, signal }) =>
        sessions.recognize(params.session, {
          bytes: files.get("audio") ?? new Uint8Array(),
          language: language || undefined,
          signal,
        }),
    }),
  ];
}
