import { sessionReference } from "../log.ts";
import type { MediaHooks } from "../media/media-engine.ts";
import type { SessionRecord } from "../store/store.ts";
import type { PublicFiles } from "./public-files.ts";
import type { SessionDependencies } from "./session-dependencies.ts";
import type { SessionLifecycle } from "./session-lifecycle.ts";
import { recordedText, translatedRecording } from "./session-recordings.ts";
import { sessionSpeech } from "./session-speech.ts";
import { expectWords } from "./session-speech-ahead.ts";
import { templateCharacterFile } from "./session-template.ts";
import { uploadedSpeech } from "./session-uploads.ts";

const notAvailable = { ok: false, code: "engine_failed", detail: "This is not available here." } as const;

/** What the media engine asks of, and tells, sessions. What it asks for never rejects. */
export function sessionMediaHooks(
  dependencies: SessionDependencies,
  lifecycle: SessionLifecycle,
  files: PublicFiles,
): MediaHooks {
  const { store, log, metrics } = dependencies;

  /** What is made for a session, or `otherwise` where the session is not there or making it fails. */
  async function made<Outcome>(
    sessionId: string,
    otherwise: Outcome,
    make: (session: SessionRecord) => Promise<Outcome>,
  ): Promise<Outcome> {
    try {
      const session = await store.sessions.byId(sessionId);
      return session === null ? otherwise : await make(session);
    } catch (error) {
      log.error("media order failed", { session: sessionReference(sessionId), error: String(error) });
      return otherwise;
    }
  }

  return {
    synthesize: (sessionId, text, signal) =>
      made(sessionId, notAvailable, (session) => sessionSpeech(dependencies, session, { text, signal })),
    lipSync: (sessionId, upload, signal) =>
      made(sessionId, notAvailable, (session) =>
        uploadedSpeech(dependencies, session, { ...upload, signal }),
      ),
    recognize: (sessionId, recording, signal) =>
      made(sessionId, notAvailable, (session) =>
        recordedText(dependencies, session, { ...recording, signal }),
      ),
    translate: (sessionId, recording, signal) =>
      made(sessionId, notAvailable, (session) =>
        translatedRecording(dependencies, session, { ...recording, signal }),
      ),
    characterFile: (sessionId, wanted) =>
      made(sessionId, null, (session) => templateCharacterFile(dependencies, files, session, wanted)),
    onConnected(sessionId) {
      lifecycle.applyInBackground(sessionId, { type: "connected" });
      void made(sessionId, undefined, (session) => expectWords(dependencies, session));
    },
    onActivity: (sessionId) => lifecycle.applyInBackground(sessionId, { type: "alive" }),
    // A closed peer ends no session: the client may come back with another offer, else its lease runs out.
    onClosed(sessionId, cause) {
      log.info("peer closed", { session: sessionReference(sessionId), cause });
      if (cause === "session-failed")
        lifecycle.applyInBackground(sessionId, { type: "end", reason: "SESSION_MISC_ERROR" });
    },
    onProcessDied: () => metrics.mediaProcessDied(),
  };
}
