import {
  contextPreviewPutSchema,
  contextPreviewSchema,
  voiceSampleSchema,
} from "../../../../protocol/console/previews.ts";
import { ttsResponseSchema } from "../../../../protocol/speech/speech.ts";
import { namedContext } from "../../../administration/contexts/contexts.ts";
import { speechSample, voiceSample, type VoiceSampleAccess } from "../../../administration/voice-sample.ts";
import { checkedContextSettings } from "../../../contexts/context-settings.ts";
import { previewMs } from "../../../retention.ts";
import { operation, type Operation } from "../../operations/operation.ts";
import type { AvatarAccess } from "./avatar-routes.ts";
import { isoTime } from "./console-access.ts";

const tag = "Avatars";
const auth = "operator";
const role = "editor";
/** As large as the settings may be. */
const maxBytes = 2 * 1024 * 1024;

type PreviewAccess = AvatarAccess & VoiceSampleAccess;

const putPreview = ({ store, catalogue, clock }: PreviewAccess): Operation =>
  operation({
    method: "PUT",
    path: "/api/console/contexts/:context/preview/",
    id: "putContextPreview",
    tag,
    summary: "Get an embed key to try unsaved settings with, on the relay's own pages only",
    auth,
    role,
    changesNothing: true,
    body: {
      schema: contextPreviewPutSchema,
      form: { structures: ["settings"] },
      maxBytes,
      textMaxBytes: maxBytes,
    },
    answer: { status: 200, description: "The key", schema: contextPreviewSchema },
    async handler({ params, caller: { organizationId, session }, body }) {
      const context = await namedContext(store, organizationId, params.context);
      const settings = await checkedContextSettings(catalogue, organizationId, body.settings);
      const nowMs = clock.nowMs();
      const preview = await store.contextPreviews.put(context, session.accountId, settings, nowMs);
      return { context_id: preview.contextId, expires_at: isoTime(nowMs + previewMs) };
    },
  });

const sampleVoice = (access: PreviewAccess): Operation =>
  operation({
    method: "POST",
    path: "/api/console/voice-sample/",
    id: "sampleVoice",
    tag,
    summary: "Hear a voice say a short text",
    auth,
    role,
    changesNothing: true,
    body: { schema: voiceSampleSchema, form: { numbers: ["rate", "pitch"] } },
    answer: { status: 200, description: "The sound, as a WAV file", contentType: "audio/wav" },
    handler: ({ caller, body, context }) =>
      voiceSample(access, caller.organizationId, body, context.req.raw.signal),
  });

const sampleSpeech = (access: PreviewAccess): Operation =>
  operation({
    method: "POST",
    path: "/api/console/speech-sample/",
    id: "sampleSpeech",
    tag,
    summary: "Get a short text in a voice, with the mouth shapes that a face needs to say it",
    auth,
    role,
    changesNothing: true,
    body: { schema: voiceSampleSchema, form: { numbers: ["rate", "pitch"] } },
    answer: { status: 200, description: "The sound with its timings", schema: ttsResponseSchema },
    handler: ({ caller, body, context }) =>
      speechSample(access, caller.organizationId, body, context.req.raw.signal),
  });

/** Trying an avatar before it is saved. */
export function previewRoutes(access: PreviewAccess): Operation[] {
  return [putPreview(access), sampleVoice(access), sampleSpeech(access)];
}
