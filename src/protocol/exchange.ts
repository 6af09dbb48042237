import * as z from "zod/mini";
import { matteSchema } from "./stage-settings.ts";

/** The longest session description that is read, in bytes. */
export const sdpMaxBytes = 65_536;

const sdpText = z.string().check(z.minLength(1), z.maxLength(sdpMaxBytes));

/** A client's offer; candidates travel inside the SDP, and there may be none. */
export const offerSchema = z.object({ type: z.literal("offer"), sdp: sdpText });
export type Offer = z.infer<typeof offerSchema>;

/** The service's answer. */
export const answerSchema = z.object({ type: z.literal("answer"), sdp: sdpText });
export type Answer = z.infer<typeof answerSchema>;

/**
 * How a service of ours sends the avatar (wire conventions, The picture): `none` is a finished picture with its background,
 * `packed-alpha` the avatar cut out, its matte below it, for clients that compose by themselves.
 */
export const videoMattes = ["none", "packed-alpha"] as const;
export type VideoMatte = (typeof videoMattes)[number];

/** What a client asks of its video; without it the picture is finished. */
export const videoRequestSchema = z.object({ matte: z.enum(videoMattes) });
export type VideoRequest = z.infer<typeof videoRequestSchema>;

/** What an answer says of the video that it brings: any matte, because other services may have others. */
export const videoAnswerSchema = z.object({ matte: matteSchema });
export type VideoAnswer = z.infer<typeof videoAnswerSchema>;

/** Body of POST …/exchange/. */
export const exchangeRequestSchema = z.object({
  client_sdp: offerSchema,
  video: z.optional(z.nullable(videoRequestSchema)),
});

export type ExchangeRequest = z.infer<typeof exchangeRequestSchema>;

/** Answer of POST …/exchange/; `video` where it was asked for and is sent. */
export const exchangeResponseSchema = z.object({
  server_sdp: answerSchema,
  video: z.optional(videoAnswerSchema),
});
export type ExchangeResponse = z.infer<typeof exchangeResponseSchema>;
