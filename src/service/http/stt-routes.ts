import type { Hono } from "hono";
import { recognitionAudioMaxBytes, sttRequestSchema } from "../../protocol/recognition.ts";
import { Fault } from "../fault.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { bodyMaxBytes } from "./request-fields.ts";
import type { RequestFields } from "./request-fields.ts";
import { readLiveSessionFields } from "./session-body.ts";
import { pathPart, route } from "./routing.ts";
import { validated } from "./validation.ts";

function audioOf({ fields, files }: RequestFields): Uint8Array {
  const file = files.get("audio");
  if (file === undefined) {
    if (fields["audio"] === undefined || fields["audio"] === "")
      throw Fault.invalid("required", "An audio file is required; use multipart/form-data.", "audio");
    throw Fault.invalid("invalid", "The submitted data was not a file; use multipart/form-data.", "audio");
  }
  if (file.length > recognitionAudioMaxBytes)
    throw Fault.invalid("max_length", `The file is larger than ${recognitionAudioMaxBytes} bytes.`, "audio");
  return file;
}

/** Speech recognition of an uploaded file (interface specification, Session operations). Needs no key. */
export function sttRoutes(app: Hono, sessions: Sessions): void {
  route(app, "/api/v1/session/:session/stt/", {
    POST: async (context) => {
      const body = await readLiveSessionFields(context, sessions, {
        form: {},
        maxBytes: recognitionAudioMaxBytes + bodyMaxBytes,
      });
      const { language } = validated(sttRequestSchema, body.fields);
      const { signal } = context.req.raw;
      const upload = { bytes: audioOf(body), language: language || undefined, signal };
      return context.json(await sessions.recognize(pathPart(context, "session"), upload));
    },
  });
}
