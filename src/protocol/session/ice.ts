import * as z from "zod/mini";

/** One STUN or TURN server, in the form that RTCPeerConnection takes. */
export const iceServerSchema = z.object({
  urls: z.union([z.string(), z.array(z.string())]),
  username: z.optional(z.string()),
  credential: z.optional(z.string()),
});
export type IceServer = z.infer<typeof iceServerSchema>;

/** Answer of GET …/ice-servers/. */
export const iceServersSchema = z.object({ ice_servers: z.array(iceServerSchema) });
