import * as z from "zod/mini";
import {
  attachmentMaxBytes,
  attachmentNameMaxLength,
  attachmentSchema,
} from "../../../protocol/answers/attachment.ts";
import type { Sessions } from "../../sessions/sessions.ts";
import { bodyMaxBytes } from "../body/request-fields.ts";
import type { HttpContext } from "../http-environment.ts";
import { requireSession } from "../middleware/authentication.ts";
import type { BodyLimit } from "../operations/operation-body.ts";
import { operation, type Operation } from "../operations/operation.ts";

const uploadSchema = z.object({
  /** The file's name on the visitor's device. */
  name: z._default(z.string().check(z.maxLength(attachmentNameMaxLength)), ""),
});

/** The limit for an attachment, before its body is read. */
async function fileLimit(sessions: Sessions, context: HttpContext, sessionId: string): Promise<BodyLimit> {
  requireSession(context);
  const { maxBytes, refusal } = await sessions.attachmentRoom(sessionId);
  return { maxBytes: maxBytes + bodyMaxBytes, refusal };
}

/**
 * Files that visitors attach to questions. They are given to the session's language model and to nobody else: no operation reads
 * them.
 */
export function attachmentRoutes(sessions: Sessions): Operation[] {
  return [
    operation({
      method: "POST",
      path: "/api/v1/session/:session/attachment/",
      id: "attachFile",
      tag: "Session operations",
      summary: "Attach a picture or a PDF to the session's questions",
      auth: "session",
      body: {
        schema: uploadSchema,
        files: {
          file: {
            description: "PNG, JPEG, WebP, GIF or PDF, as far as context and language model take them",
            maxBytes: attachmentMaxBytes,
            required: true,
          },
        },
        maxBytes: attachmentMaxBytes + bodyMaxBytes,
        beforeReading: (context, params) => fileLimit(sessions, context, params.session),
      },
      answer: {
        status: 201,
        description: "The file as stored; messages name its id in `attachments`",
        schema: attachmentSchema,
      },
      handler: ({ params, body: { name }, files }) =>
        sessions.attach(params.session, { name, bytes: files.get("file") ?? new Uint8Array() }),
    }),
    operation({
      method: "DELETE",
      path: "/api/v1/session/:session/attachment/:attachment/",
      id: "removeAttachedFile",
      tag: "Session operations",
      summary: "Remove an attached file of the session",
      auth: "session",
      answer: { status: 204, description: "The file was removed" },
      handler: ({ params }) => sessions.detach(params.session, params.attachment),
    }),
  ];
}
