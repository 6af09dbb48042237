import type { HttpLink } from "../http-voice/http-link.ts";
import type { PeerLink } from "./peer-link.ts";

/** How sound and messages of a session reach the visitor: by a peer connection or, where none can be had, by requests. */
export type MediaLink = PeerLink | HttpLink;
