import { LimitExceeded } from "../limit-exceeded.ts";
import { sessionReference } from "../log.ts";
import type { MediaHooks, RecordingOutcome, SpeechOutcome } from "../media/media-engine.ts";
import type { SessionRecord } from "../store/store.ts";
import type { EngineBudget } from "./engine-budget.ts";
import type { FatalOffers } from "./fatal-offers.ts";
import type { PublicFiles } from "./public-files.ts";
import type { SessionDependencies } from "./session-dependencies.ts";
import type { SessionLifecycle } from "./session-lifecycle.ts";
import { sessionBackground } from "./session-background.ts";
import { recordedText, translatedRecording } from "./session-recordings.ts";
import { sessionSpeech } from "./session-speech.ts";
import { expectWords } from "./session-speech-ahead.ts";
import { templateCharacterFile } from "./session-template.ts";
import { uploadedSpeech } from "./session-uploads.ts";

const notAvailable = { ok: false, code: "engine_failed", detail: "This is not available here." } as const;

/** What the hooks work on, made once for all sessions. */
export interface MediaHookParts {
  lifecycle: SessionLifecycle;
  files: PublicFiles;
  budget: EngineBudget;
  fatalOffers: FatalOffers;
}

/** What the media engine asks of, and tells, sessions. What it asks for never rejects. */
export function sessionMediaHooks(
  dependencies: SessionDependencies,
  { lifecycle, files, budget, fatalOffers }: MediaHookParts,
): MediaHooks {
  const { store, log, metrics } = dependencies;

  /**
   * What is made for a session, or `otherwise` where the session is not there, making it fails, or a limit is full: then with
   * the limit's code and reason.
   */
  async function made<Outcome>(
    sessionId: string,
    otherwise: Outcome,
    make: (session: SessionRecord) => Promise<Outcome>,
  ): Promise<Outcome> {
    try {
      const session = await store.sessions.byId(sessionId);
      return session === null ? otherwise : await make(session);
    } catch (error) {
      if (error instanceof LimitExceeded && otherwise)
        return { ...otherwise, code: error.code, detail: error.message };
      log.error("media order failed", { session: sessionReference(sessionId), error: String(error) });
      return otherwise;
    }
  }

  return {
    synthesize: (sessionId, text, signal) =>
      made<SpeechOutcome>(sessionId, notAvailable, async (session) => {
        await budget.takeCharacters(session, text.length);
        return sessionSpeech(dependencies, session, { text, signal });
      }),
    lipSync: (sessionId, upload, signal) =>
      made<SpeechOutcome>(sessionId, notAvailable, async (session) => {
        await budget.takeRecognition(session);
        // The text is spoken too: its speech is what the file is compared with.
        await budget.takeCharacters(session, upload.message.length);
        return uploadedSpeech(dependencies, session, { ...upload, signal });
      }),
    recognize: (sessionId, recording, signal) =>
      made<RecordingOutcome>(sessionId, notAvailable, async (session) => {
        await budget.takeRecognition(session);
        return recordedText(dependencies, session, { ...recording, signal });
      }),
    translate: (sessionId, recording, signal) =>
      made<RecordingOutcome>(sessionId, notAvailable, async (session) => {
        await budget.takeRecognition(session);
        await budget.takeModelCall(session);
        return translatedRecording(dependencies, session, { ...recording, signal });
      }),
    characterFile: (sessionId, wanted) =>
      made(sessionId, null, (session) => templateCharacterFile(dependencies, files, session, wanted)),
    background: (sessionId, image, signal) =>
      made(sessionId, null, (session) => sessionBackground(dependencies, files, session, image, signal)),
    onConnected(sessionId) {
      lifecycle.applyInBackground(sessionId, { type: "connected", by: "peer" });
      void made(sessionId, undefined, (session) => expectWords(dependencies, session));
    },
    onActivity: (sessionId) => lifecycle.applyInBackground(sessionId, { type: "alive", by: "peer" }),
    // A closed peer ends no session: the client may come back with another offer, else its place becomes free and its
    // lease runs out. One that died with its process is no doing of the client's, which needs time to find out.
    onClosed(sessionId, cause) {
      log.info("peer closed", { session: sessionReference(sessionId), cause });
      if (cause === "session-failed")
        lifecycle.applyInBackground(sessionId, {
          type: "end",
          reason: "SESSION_MISC_ERROR",
          by: "service",
        });
      // Its connection may be what the process died of, after the answer. A client that comes back makes another offer.
      else if (cause === "process-died")
        void made(sessionId, undefined, async () => {
          const detail = await store.sessions.detail(sessionId);
          if (detail?.clientSdp) await fatalOffers.retire(detail.clientSdp);
        });
      else lifecycle.applyInBackground(sessionId, { type: "peer-closed" });
    },
    onProcessDied: () => metrics.mediaProcessDied(),
  };
}
