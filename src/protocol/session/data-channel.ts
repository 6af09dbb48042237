import * as z from "zod/mini";
import { speechTextMaxLength, voiceFactorSchema } from "../speech/speech-limits.ts";
import { timedWordSchema } from "../speech/timed-word.ts";

/** Label and protocol of the data channel that carries these messages. */
export const messageChannelLabel = "message";

/** How the avatar looks while it does not speak. An extension of ours. */
export const avatarActivities = ["idle", "listening", "thinking"] as const;
export type AvatarActivity = (typeof avatarActivities)[number];

/** Moods of the face; a mood lasts for one answer. An extension of ours. */
export const avatarMoods = ["neutral", "happy", "concerned", "serious", "curious"] as const;

/** Expressions and gestures that the face shows once. An extension of ours. */
export const avatarExpressions = ["smile", "nod", "shake", "raise_brows", "surprise", "wink"] as const;

/** The built-in tool by which a language model sets the face. A client sends the arguments of each call as an `expression`. */
export const expressionToolName = "set_expression";

/** How the face should look. */
export const avatarExpressionSchema = z.object({
  mood: z.optional(z.enum(avatarMoods)),
  expression: z.optional(z.enum(avatarExpressions)),
});
export type AvatarExpression = z.infer<typeof avatarExpressionSchema>;

/** The longest time before `record-start` that a recording can include, in ms. */
export const prerollMaxMs = 500;

const spokenText = z.string().check(z.minLength(1), z.maxLength(speechTextMaxLength));
const pixels = z.number().check(z.gte(16), z.lte(4096));

/**
 * Messages a client sends (wire conventions, Media). `activity`, `motion`, `voice`, `expression` and `pause` are our
 * extensions.
 */
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
  z.object({
    type: z.literal("record-start"),
    // Our extensions: how much of what was heard before belongs to the recording; the language that will be spoken; whether the words
    // up to a pause are wanted before the recording's end.
    data: z.object({
      preroll_ms: z.optional(z.number().check(z.gte(0), z.lte(prerollMaxMs))),
      language: z.optional(z.string()),
      pauses: z.optional(z.boolean()),
    }),
  }),
  z.object({ type: z.literal("record-end-stt"), data: z.object({ language: z.optional(z.string()) }) }),
  z.object({
    type: z.literal("record-end-translate"),
    data: z.object({ src_lang: z.string(), dst_lang: z.string() }),
  }),
  z.object({ type: z.literal("ping"), data: z.object({}) }),
  z.object({ type: z.literal("activity"), data: z.object({ activity: z.enum(avatarActivities) }) }),
  z.object({ type: z.literal("motion"), data: z.object({ reduced: z.boolean() }) }),
  // How fast the texts are spoken that are not spoken yet, times the owner's rate.
  z.object({ type: z.literal("voice"), data: z.object({ rate: voiceFactorSchema }) }),
  z.object({ type: z.literal("expression"), data: avatarExpressionSchema }),
  // What is paused until the next such message: pictures; speech after the one being spoken; all audio.
  z.object({
    type: z.literal("pause"),
    data: z.object({ video: z.boolean(), speech: z.boolean(), audio: z.boolean() }),
  }),
]);
export type ClientMessage = z.infer<typeof clientMessageSchema>;

/** Why a text or an upload was not spoken (`stf-error`, an extension of ours). The client should show the text instead. */
export const speechFaultCodes = [
  "unspeakable_text",
  "text_too_long",
  "engine_failed",
  "invalid_audio",
  "rate_limited",
] as const;
export type SpeechFaultCode = (typeof speechFaultCodes)[number];

/**
 * Messages the service sends. `stf-error` is our extension; its `code` is a SpeechFaultCode, or a code of a newer service. So are
 * `restart`: the service will be away for a moment, and another exchange continues the session; and `template`: the avatar's look
 * has changed.
 */
export const serverMessageSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("stf"),
    // Loose: `drawn-speech.ts` reads the timeline, where it is needed.
    data: z.looseObject({
      message: z.string(),
      duration: z.number(),
      words: z.optional(z.array(timedWordSchema)),
    }),
  }),
  z.object({
    type: z.literal("stf-error"),
    data: z.object({ message: z.string(), code: z.string(), detail: z.string() }),
  }),
  // `pause`, only of `stt-partial`: these are all words up to a pause.
  z.object({
    type: z.enum(["stt", "stt-partial"]),
    data: z.object({ text: z.string(), pause: z.optional(z.boolean()) }),
  }),
  z.object({ type: z.literal("stt-error"), data: z.object({ code: z.union([z.string(), z.number()]) }) }),
  // `restart` and `template` are our extensions. Loose: `drawn-template.ts` reads the look, where it is needed.
  z.object({ type: z.enum(["ping", "restart", "template"]), data: z.looseObject({}) }),
]);
export type ServerMessage = z.infer<typeof serverMessageSchema>;
