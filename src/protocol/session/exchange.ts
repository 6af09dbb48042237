import * as z from "zod/mini";
import { matteSchema } from "../settings/stage-settings.ts";

/** The longest session description that is accepted, in bytes. */
export const sdpMaxBytes = 65_536;

const sdpText = z.string().check(z.minLength(1), z.maxLength(sdpMaxBytes));

/** A client's offer. Its candidates are inside the SDP; there may be none. */
export const offerSchema = z.object({ type: z.literal("offer"), sdp: sdpText });
export type Offer = z.infer<typeof offerSchema>;

/** The service's answer. */
export const answerSchema = z.object({ type: z.literal("answer"), sdp: sdpText });
export type Answer = z.infer<typeof answerSchema>;

/**
 * How our service sends the avatar (wire conventions, The picture). `none` is a finished picture with its background.
 * `packed-alpha` is the avatar cut out, with its matte below it, for clients that compose the picture themselves.
 */
export const videoMattes = ["none", "packed-alpha"] as const;
export type VideoMatte = (typeof videoMattes)[number];

/** The video that a client requests. Without it, the client gets a finished picture. */
export const videoRequestSchema = z.object({ matte: z.enum(videoMattes) });
export type VideoRequest = z.infer<typeof videoRequestSchema>;

/** How the video of an answer is sent. Any matte is accepted here, because other services may use others. */
export const videoAnswerSchema = z.object({ matte: matteSchema });
export type VideoAnswer = z.infer<typeof videoAnswerSchema>;

/** Answer of POST …/leave/ (wire conventions, States): when the session ends unless its client comes back, in ISO 8601. */
export const leaveResponseSchema = z.object({ ends_at: z.string() });

/** Body of POST …/exchange/. */
export const exchangeRequestSchema = z.object({
  client_sdp: offerSchema,
  video: z.optional(z.nullable(videoRequestSchema)),
});

export type ExchangeRequest = z.infer<typeof exchangeRequestSchema>;

/** Answer of POST …/exchange/. `video` is present when it was requested and is sent. */
export const exchangeResponseSchema = z.object({
  server_sdp: answerSchema,
  video: z.optional(videoAnswerSchema),
});
export type ExchangeResponse = z.infer<typeof exchangeResponseSchema>;
