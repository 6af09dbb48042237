import * as z from "zod/mini";
import { speechTextMaxLength, timedWordSchema } from "./speech.ts";

/** Label and protocol of the data channel that carries these messages. */
export const messageChannelLabel = "message";

/** What the avatar is to look like while nobody makes it speak. Ours. */
export const avatarActivities = ["idle", "listening", "thinking"] as const;
export type AvatarActivity = (typeof avatarActivities)[number];

const spokenText = z.string().check(z.minLength(1), z.maxLength(speechTextMaxLength));
const pixels = z.number().check(z.gte(16), z.lte(4096));

/** Messages a client sends (wire conventions, Media). `activity` and `motion` are ours. */
export const clientMessageSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("ttstf"), data: z.object({ message: spokenText }) }),
  z.object({
    type: z.literal("stf"),
    data: z.object({ message: z.string(), file_ref: z.string(), format: z.enum(["wav", "mp3"]) }),
  }),
  z.object({ type: z.literal("clear-buffer"), data: z.object({}) }),
  z.object({ type: z.literal("change-size"), data: z.object({ width: pixels, height: pixels }) }),
  z.object({
    type: z.literal("set-template"),
    data: z.object({ model: z.optional(z.string()), dress: z.optional(z.string()) }),
  }),
  z.object({ type: z.literal("record-start"), data: z.object({}) }),
  z.object({ type: z.literal("record-end-stt"), data: z.object({ language: z.optional(z.string()) }) }),
  z.object({
    type: z.literal("record-end-translate"),
    data: z.object({ src_lang: z.string(), dst_lang: z.string() }),
  }),
  z.object({ type: z.literal("ping"), data: z.object({}) }),
  z.object({ type: z.literal("activity"), data: z.object({ activity: z.enum(avatarActivities) }) }),
  z.object({ type: z.literal("motion"), data: z.object({ reduced: z.boolean() }) }),
]);
export type ClientMessage = z.infer<typeof clientMessageSchema>;

/** Why a text or an upload was not spoken: `stf-error`, ours. The text itself is to be shown instead. */
export const speechFaultCodes = [
  "unspeakable_text",
  "text_too_long",
  "engine_failed",
  "invalid_audio",
  "rate_limited",
] as const;
export type SpeechFaultCode = (typeof speechFaultCodes)[number];

/** Messages the service sends. `stf-error` is ours; its `code` is a SpeechFaultCode, or one of a newer service. */
export const serverMessageSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("stf"),
    data: z.object({
      message: z.string(),
      duration: z.number(),
      words: z.optional(z.array(timedWordSchema)),
    }),
  }),
  z.object({
    type: z.literal("stf-error"),
    data: z.object({ message: z.string(), code: z.string(), detail: z.string() }),
  }),
  z.object({ type: z.literal("stt"), data: z.object({ text: z.string() }) }),
  z.object({ type: z.literal("stt-error"), data: z.object({ code: z.union([z.string(), z.number()]) }) }),
  z.object({ type: z.literal("ping"), data: z.object({}) }),
]);
export type ServerMessage = z.infer<typeof serverMessageSchema>;
