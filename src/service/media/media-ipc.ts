import type { MediaErrorCode } from "./media-error.ts";
import type { MediaHooks, PeerAnswer, PeerRequest } from "./media-engine.ts";

/** Settings of a media process. */
export interface MediaProcessSettings {
  /** UDP ports that peers may use; any when left out. */
  portRange?: { min: number; max: number } | undefined;
  /** Address that peers are told to reach this machine by, where it stands behind NAT. */
  publicAddress?: string | undefined;
  /** Side of a packed picture in pixels until the client asks for another; a multiple of 16 in 256…768. */
  pictureSize: number;
  /** Characters to have ready before the first session asks for them; absolute paths. */
  preloadCharacters: readonly string[];
}

/** The hooks that make something for a media process. */
export type OrderHooks =
  "synthesize" | "lipSync" | "recognize" | "translate" | "characterFile" | "background";
/** What the hook makes it from. */
export type OrderSubject<Hook extends OrderHooks = OrderHooks> = Parameters<MediaHooks[Hook]>[1];
/** What the hook makes. */
export type OrderOutcome<Hook extends OrderHooks = OrderHooks> = Awaited<ReturnType<MediaHooks[Hook]>>;
/** What a media process orders. */
export type Order = { [Hook in OrderHooks]: { hook: Hook; subject: OrderSubject<Hook> } }[OrderHooks];

/** What the service says to a media process. Its first message is `start`. */
export type MessageToProcess =
  | { type: "start"; settings: MediaProcessSettings }
  | { type: "exchange"; exchangeId: number; request: PeerRequest }
  | { type: "speech-part"; orderId: number; at: number; totalLength: number; pcm: Int16Array }
  | { type: "delivery"; orderId: number; outcome: OrderOutcome }
  | { type: "close"; sessionId: string }
  | { type: "stop" };

/** Why a session's peer ended while its process lives on. */
export type PeerEnd = Exclude<Parameters<MediaHooks["onClosed"]>[1], "process-died">;

/** How far an exchange has come: only one that has begun can have done harm. */
export type OfferProgress = "applying" | "applied";

/** What a media process says to the service. Its first message is `ready`. */
export type MessageFromProcess =
  | { type: "ready" }
  | { type: "answer"; exchangeId: number; answer: PeerAnswer }
  | { type: "exchange-failed"; exchangeId: number; code: MediaErrorCode; detail: string }
  /** The offer is handed to the WebRTC library, or has been applied: who is to blame, should the process die. */
  | { type: "offer-progress"; exchangeId: number; progress: OfferProgress }
  | { type: "order"; orderId: number; sessionId: string; order: Order }
  | { type: "abandon-order"; orderId: number }
  | { type: "connected"; sessionId: string }
  | { type: "activity"; sessionId: string }
  | { type: "closed"; sessionId: string; cause: PeerEnd }
  | { type: "warning"; sessionId: string; message: string };
