import type { ModelStyle } from "../../../protocol/catalogue.ts";
import type { ExchangeRequest, ExchangeResponse, VideoMatte } from "../../../protocol/session/exchange.ts";
import { Fault } from "../../faults/fault.ts";
import { sessionReference } from "../../../logging/logger.ts";
import type { PeerAnswer, PeerRequest } from "../../media/media-engine.ts";
import type { MediaErrorCode } from "../../media/media-error.ts";
import type { SessionRecord } from "../../store/store.ts";
import type { FatalOffers } from "./fatal-offers.ts";
import type { PublicFiles } from "./public-files.ts";
import { sessionBackgroundImage } from "./session-picture.ts";
import type { SessionDependencies } from "../session-dependencies.ts";
import type { SessionLifecycle } from "../life/session-lifecycle.ts";

function isMediaFault(error: unknown, code: MediaErrorCode): error is Error {
  return error instanceof Error && "code" in error && error.code === code;
}

/** The media settings that depend on the session's request; null when its model style no longer exists. */
async function picture(
  { store }: Pick<SessionDependencies, "store">,
  files: PublicFiles,
  session: SessionRecord,
  asked: VideoMatte | undefined,
): Promise<Pick<PeerRequest, "characterFile" | "matte" | "scene" | "recognizes"> | null> {
  const request = (await store.sessions.detail(session.id))?.request;
  const recognizes = request?.stt_type !== undefined;
  const styleOf = async (id: string): Promise<ModelStyle | null> =>
    store.catalogue.find("model_style", session.organizationId, id);
  if (request?.capability.includes("STF_ONPREMISE")) {
    // Its client draws. The session is known to show this character all the same: it ends when that is removed.
    const style = request.model_style === undefined ? null : await styleOf(request.model_style);
    if (style) await files.characterFile(style);
    return { characterFile: null, recognizes };
  }
  if (!request?.capability.includes("STF_WEBRTC") || request.model_style === undefined)
    throw Fault.invalid(
      "invalid",
      "This session was created without the capability STF_WEBRTC or STF_ONPREMISE: it has no media.",
    );
  const style = await styleOf(request.model_style);
  const characterFile = style && (await files.characterFile(style));
  if (!characterFile) return null;
  const { padding_left, padding_top, padding_height, background_image } = request;
  const background = await sessionBackgroundImage({ store }, session.organizationId, background_image);
  return {
    characterFile,
    recognizes,
    matte: sendsPackedAlpha(style) ? asked : "none",
    scene: { paddings: { padding_left, padding_top, padding_height }, background },
  };
}

/** A style can declare that its picture always arrives finished. */
function sendsPackedAlpha({ configs }: ModelStyle): boolean {
  return !configs.some(({ key, value }) => key === "matte" && value === "none");
}

/**
 * Answers a client's offer. The first offer creates the session's peer; later ones renegotiate or restart it. A session whose
 * avatar cannot be drawn ends. Throws a Fault.
 *
 * @param address where the offer came from, if it is known
 */
export async function exchangeDescriptions(
  dependencies: Pick<SessionDependencies, "store" | "media" | "log">,
  files: PublicFiles,
  lifecycle: SessionLifecycle,
  fatalOffers: FatalOffers,
  session: SessionRecord,
  { client_sdp: offer, video }: ExchangeRequest,
  address: string | null,
): Promise<ExchangeResponse> {
  const { store, media, log } = dependencies;
  await fatalOffers.check(offer.sdp, address);
  /** Ends the session, because none of its later offers could be answered either. */
  const endForGood = async (): Promise<Fault> => {
    await lifecycle.apply(session.id, { type: "end", reason: "SESSION_MISC_ERROR", by: "service" });
    return Fault.server("The session's model style is not available.");
  };
  const wanted = await picture(dependencies, files, session, video?.matte);
  if (!wanted) throw await endForGood();
  let answer: PeerAnswer;
  try {
    const startedAtMs = performance.now();
    answer = await media.exchange({ sessionId: session.id, offerSdp: offer.sdp, ...wanted });
    const ms = Math.round(performance.now() - startedAtMs);
    log.debug("offer answered", { session: sessionReference(session.id), ms });
  } catch (error) {
    log.warn("exchange failed", { session: sessionReference(session.id), error: String(error) });
    if (isMediaFault(error, "invalid_character")) throw await endForGood();
    if (isMediaFault(error, "fatal_offer")) {
      await fatalOffers.count(session.id, offer.sdp, address);
      await lifecycle.apply(session.id, { type: "end", reason: "SESSION_MISC_ERROR", by: "service" });
      throw Fault.fatalOffer();
    }
    if (isMediaFault(error, "refused_offer")) throw Fault.invalid("invalid", error.message, "client_sdp.sdp");
    if (isMediaFault(error, "invalid_offer"))
      throw Fault.invalid("invalid", "This offer cannot be answered.", "client_sdp.sdp");
    throw Fault.server("The media engine could not answer the offer.", error);
  }
  await store.sessions.saveDescriptions(session.id, offer.sdp, answer.answerSdp);
  const after = await lifecycle.apply(session.id, { type: "exchanged" });
  if (after?.state.terminationReason) {
    // The session ended while the peer was being created, too early for the end to close the peer.
    media.close(session.id);
    throw Fault.sessionEnded(after.state.terminationReason);
  }
  const { answerSdp, matte } = answer;
  // Only a client that asked for it, now or earlier on this connection, knows other formats than a finished picture.
  const isTold = matte !== null && (video || matte === "packed-alpha");
  return { server_sdp: { type: "answer", sdp: answerSdp }, ...(isTold && { video: { matte } }) };
}
