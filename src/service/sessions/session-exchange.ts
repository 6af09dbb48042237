import type { Answer, Offer } from "../../protocol/exchange.ts";
import { Fault } from "../fault.ts";
import { sessionReference } from "../log.ts";
import type { MediaErrorCode } from "../media/media-error.ts";
import type { SessionRecord } from "../store/store.ts";
import type { PublicFiles } from "./public-files.ts";
import type { SessionDependencies } from "./session-dependencies.ts";
import type { SessionLifecycle } from "./session-lifecycle.ts";

function isMediaFault(error: unknown, code: MediaErrorCode): error is Error {
  return error instanceof Error && "code" in error && error.code === code;
}

/** Null where the session's look is not there any more. */
async function characterFile(
  store: SessionDependencies["store"],
  files: PublicFiles,
  session: SessionRecord,
): Promise<string | null> {
  const request = (await store.sessions.detail(session.id))?.request;
  if (!request?.capability.includes("STF_WEBRTC") || request.model_style === undefined)
    throw Fault.invalid("invalid", "This session was created without the capability STF_WEBRTC.");
  const style = await store.catalogue.find("model_style", session.organizationId, request.model_style);
  return style && files.characterFile(style);
}

/**
 * Answers a client's offer: the first makes the session's peer, later ones renegotiate or restart it. A session whose avatar
 * cannot be drawn ends. Throws a Fault.
 */
export async function exchangeDescriptions(
  dependencies: Pick<SessionDependencies, "store" | "media" | "log">,
  files: PublicFiles,
  lifecycle: SessionLifecycle,
  session: SessionRecord,
  offer: Offer,
): Promise<Answer> {
  const { store, media, log } = dependencies;
  /** No later offer of it could be answered either. */
  const endForGood = async (): Promise<Fault> => {
    await lifecycle.apply(session.id, { type: "end", reason: "SESSION_MISC_ERROR" });
    return Fault.server("The session's model style is not available.");
  };
  const character = await characterFile(store, files, session);
  if (!character) throw await endForGood();
  let answerSdp: string;
  try {
    ({ answerSdp } = await media.exchange({
      sessionId: session.id,
      offerSdp: offer.sdp,
      characterFile: character,
    }));
  } catch (error) {
    log.warn("exchange failed", { session: sessionReference(session.id), error: String(error) });
    if (isMediaFault(error, "invalid_character")) throw await endForGood();
    if (isMediaFault(error, "refused_offer")) throw Fault.invalid("invalid", error.message, "client_sdp.sdp");
    if (isMediaFault(error, "invalid_offer"))
      throw Fault.invalid("invalid", "This is no offer that can be answered.", "client_sdp.sdp");
    throw Fault.server("The media engine could not answer the offer.", error);
  }
  await store.sessions.saveDescriptions(session.id, offer.sdp, answerSdp);
  const after = await lifecycle.apply(session.id, { type: "exchanged" });
  if (after?.state.terminationReason) {
    // It ended while the peer was being made, too early for the end to close it.
    media.close(session.id);
    throw Fault.sessionEnded(after.state.terminationReason);
  }
  return { type: "answer", sdp: answerSdp };
}
