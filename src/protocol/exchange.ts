import * as z from "zod/mini";

/** The longest session description that is read, in bytes. */
export const sdpMaxBytes = 65_536;

const sdpText = z.string().check(z.minLength(1), z.maxLength(sdpMaxBytes));

/** A client's offer; candidates travel inside the SDP, and there may be none. */
export const offerSchema = z.object({ type: z.literal("offer"), sdp: sdpText });
export type Offer = z.infer<typeof offerSchema>;

/** The service's answer. */
export const answerSchema = z.object({ type: z.literal("answer"), sdp: sdpText });
export type Answer = z.infer<typeof answerSchema>;

/** Body of POST …/exchange/. */
export const exchangeRequestSchema = z.object({ client_sdp: offerSchema });

/** Answer of POST …/exchange/. */
export const exchangeResponseSchema = z.object({ server_sdp: answerSchema });
