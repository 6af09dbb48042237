import type { MediaErrorCode } from "../media-error.ts";
import type { MediaHooks, PeerAnswer, PeerRequest } from "../media-engine.ts";

/** Settings of a media process. */
export interface MediaProcessSettings {
  /** UDP ports that peers may use. Default: any. */
  portRange?: { min: number; max: number } | undefined;
  /** Public address of this machine, which clients get instead of its own; set it behind NAT. */
  publicAddress?: string | undefined;
  /** Side of a packed picture in pixels until the client requests another; a multiple of 16 from 256 to 768. */
  pictureSize: number;
  /** Characters to prepare before the first session needs them, the first at the start; absolute paths. */
  preloadCharacters: readonly string[];
  /** The address of the script of threads that draw photo characters. */
  photoWorkerUrl?: string | undefined;
}

/** The hooks that return a result to a media process. */
export type OrderHooks =
  | "synthesize"
  | "lipSync"
  | "hear"
  | "recognize"
  | "translate"
  | "template"
  | "background";
/** The input of the hook. */
export type OrderSubject<Hook extends OrderHooks = OrderHooks> = Parameters<MediaHooks[Hook]>[1];
/** The result of the hook. */
export type OrderOutcome<Hook extends OrderHooks = OrderHooks> = Awaited<ReturnType<MediaHooks[Hook]>>;
/** A request of a media process for the result of a hook. */
export type Order = { [Hook in OrderHooks]: { hook: Hook; subject: OrderSubject<Hook> } }[OrderHooks];

/** Messages from the service to a media process. The first is `start`. */
export type MessageToProcess =
  | { type: "start"; settings: MediaProcessSettings }
  /** New sessions come to it from now on: it is no spare. */
  | { type: "serve" }
  | { type: "exchange"; exchangeId: number; request: PeerRequest }
  | { type: "speech-part"; orderId: number; at: number; totalLength: number; pcm: Int16Array }
  | { type: "delivery"; orderId: number; outcome: OrderOutcome }
  | { type: "close"; sessionId: string }
  /** The clients are told that the service restarts. */
  | { type: "restart" }
  | { type: "stop" };

/** Why a session's peer ended while its process keeps running. */
export type PeerEnd = Exclude<Parameters<MediaHooks["onClosed"]>[1], "process-died">;

/** The progress of an exchange. Only an offer that is being applied, or was applied, can have crashed the process. */
export type OfferProgress = "applying" | "applied";

/** Messages from a media process to the service. The first is `ready`. */
export type MessageFromProcess =
  | { type: "ready" }
  | { type: "answer"; exchangeId: number; answer: PeerAnswer }
  | { type: "exchange-failed"; exchangeId: number; code: MediaErrorCode; detail: string }
  /** The offer is passed to the WebRTC library, or was applied. It tells which offer is to blame if the process dies. */
  | { type: "offer-progress"; exchangeId: number; progress: OfferProgress }
  | { type: "order"; orderId: number; sessionId: string; order: Order }
  | { type: "abandon-order"; orderId: number }
  | { type: "connected"; sessionId: string }
  | { type: "activity"; sessionId: string }
  | { type: "closed"; sessionId: string; cause: PeerEnd }
  | { type: "warning"; sessionId: string; message: string };
