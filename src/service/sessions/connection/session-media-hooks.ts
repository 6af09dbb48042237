import { LimitExceeded } from "../../faults/fault.ts";
import { sessionReference } from "../../../logging/logger.ts";
import type {
  MediaHooks,
  RecordingOutcome,
  RecordingPiece,
  SpeechOutcome,
} from "../../media/media-engine.ts";
import type { RecognitionStream } from "../../speech/speech-recognizer.ts";
import type { SessionRecord } from "../../store/store.ts";
import type { EngineBudget } from "../answers/engine-budget.ts";
import type { FatalOffers } from "./fatal-offers.ts";
import type { PublicFiles } from "./public-files.ts";
import { type RemovedFaces, sessionBackground, wantedTemplate } from "./session-picture.ts";
import type { SessionDependencies } from "../session-dependencies.ts";
import type { SessionLifecycle } from "../life/session-lifecycle.ts";
import { RecordingsHeard, SpeculativeRecognitions, type StreamWishes } from "../hearing/recordings-heard.ts";
import { maySpeculate, openStream } from "../hearing/session-recognition.ts";
import { recordedText, translatedRecording, uploadedSpeech } from "../hearing/session-recordings.ts";
import { sessionSpeech } from "../speech/session-speech.ts";
import { expectWords } from "../speech/speech-ahead.ts";

const notAvailable = { ok: false, code: "engine_failed", detail: "This is not available here." } as const;

/** The outcome of a speculative recognition that does not run. */
const notNow = { ok: false, code: "not_now" } as const;

/** Parts that the hooks use, created once for all sessions. */
export interface MediaHookParts {
  lifecycle: SessionLifecycle;
  files: PublicFiles;
  faces: Pick<RemovedFaces, "of">;
  budget: EngineBudget;
  fatalOffers: FatalOffers;
}

/** The hooks that produce something for the media engine. */
type OrderHooks = Omit<MediaHooks, "onConnected" | "onActivity" | "onClosed" | "onProcessDied">;

/**
 * Produces something for a session. Resolves with `otherwise` when the session does not exist, when producing fails, or when a
 * limit is reached; for a limit, it contains the limit's code and reason.
 */
type MakeFor = <Outcome>(
  sessionId: string,
  otherwise: Outcome,
  make: (session: SessionRecord) => Promise<Outcome>,
) => Promise<Outcome>;

function makeForSessions({ store, log }: Pick<SessionDependencies, "store" | "log">): MakeFor {
  return async (sessionId, otherwise, make) => {
    try {
      const session = await store.sessions.byId(sessionId);
      return session === null ? otherwise : await make(session);
    } catch (error) {
      if (error instanceof LimitExceeded && otherwise)
        return { ...otherwise, code: error.code, detail: error.message };
      if (!(error instanceof LimitExceeded))
        log.error("media order failed", { session: sessionReference(sessionId), error: String(error) });
      return otherwise;
    }
  };
}

/** What gets speech, texts and pictures for sessions. */
type OrderDependencies = Parameters<typeof sessionSpeech>[0] &
  Parameters<typeof uploadedSpeech>[0] &
  Parameters<typeof translatedRecording>[0] &
  Parameters<typeof sessionBackground>[0];

/** A language tag that is too long reaches no engine. */
const streamRequest = (wishes: StreamWishes, { sampleRateHz, language }: RecordingPiece) => ({
  ...wishes,
  sampleRateHz,
  language: language?.slice(0, 35),
});

function orderHooks(
  dependencies: OrderDependencies,
  {
    files,
    faces,
    budget,
    heard,
  }: Pick<MediaHookParts, "files" | "faces" | "budget"> & { heard: RecordingsHeard },
  makeFor: MakeFor,
): OrderHooks {
  const speculative = new SpeculativeRecognitions();
  return {
    synthesize: (sessionId, { text, rate }, signal) =>
      makeFor<SpeechOutcome>(sessionId, notAvailable, async (session) => {
        await budget.takeCharacters(session, text.length);
        return sessionSpeech(dependencies, session, { text, rate, signal });
      }),
    lipSync: (sessionId, upload, signal) =>
      makeFor<SpeechOutcome>(sessionId, notAvailable, async (session) => {
        await budget.takeRecognition(session);
        // The text is synthesized too, because the file is compared with the synthesized speech.
        await budget.takeCharacters(session, upload.message.length);
        return uploadedSpeech(dependencies, session, { ...upload, signal });
      }),
    hear: (sessionId, piece) =>
      heard.hear(sessionId, piece, (wishes) =>
        makeFor<RecognitionStream | null>(sessionId, null, (session) =>
          openStream(dependencies, session, streamRequest(wishes, piece), () =>
            budget.takeRecognition(session),
          ),
        ),
      ),
    async recognize(sessionId, recording, signal) {
      const { pcm, sampleRateHz, language, isSpeculative } = recording;
      const wanted = { pcm, sampleRateHz, language, signal };
      if (isSpeculative)
        return makeFor<RecordingOutcome>(sessionId, notNow, async (session) => {
          if (!speculative.mayRun || !(await maySpeculate(dependencies, session, language))) return notNow;
          await budget.takeSpeculation(session);
          return speculative.run(() => recordedText(dependencies, session, wanted));
        });
      const inTime = await heard.finish(sessionId, recording, signal);
      return makeFor<RecordingOutcome>(sessionId, notAvailable, async (session) => {
        if (!inTime) await budget.takeRecognition(session);
        return speculative.runCertain(() => recordedText(dependencies, session, wanted, inTime));
      });
    },
    translate: (sessionId, recording, signal) =>
      makeFor<RecordingOutcome>(sessionId, notAvailable, async (session) => {
        await budget.takeRecognition(session);
        await budget.takeModelCall(session);
        return translatedRecording(dependencies, session, { ...recording, signal });
      }),
    template: (sessionId, wanted) =>
      makeFor(sessionId, null, (session) =>
        wantedTemplate(dependencies, faces.of(sessionId, files), session, wanted),
      ),
    background: (sessionId, image, signal) =>
      makeFor(sessionId, null, (session) => sessionBackground(dependencies, files, session, image, signal)),
  };
}

/**
 * The hooks through which the media engine gets things from sessions and reports to them. Hooks that return something never
 * reject.
 */
export function sessionMediaHooks(
  dependencies: OrderDependencies & Pick<SessionDependencies, "metrics">,
  parts: MediaHookParts,
): MediaHooks {
  const { store, log, metrics } = dependencies;
  const { lifecycle, fatalOffers } = parts;
  const makeFor = makeForSessions(dependencies);
  const heard = new RecordingsHeard(log);
  return {
    ...orderHooks(dependencies, { ...parts, heard }, makeFor),
    onConnected(sessionId) {
      log.debug("peer connected", { session: sessionReference(sessionId) });
      lifecycle.applyInBackground(sessionId, { type: "connected", by: "peer" });
      void makeFor(sessionId, undefined, (session) => expectWords(dependencies, session));
    },
    onActivity: (sessionId) => lifecycle.applyInBackground(sessionId, { type: "alive", by: "peer" }),
    // A closed peer does not end the session: the client may send another offer. If it does not, its place becomes free and its
    // lease runs out. When a peer dies with its process, the client did not cause it and needs time to notice.
    onClosed(sessionId, cause) {
      log.info("peer closed", { session: sessionReference(sessionId), cause });
      if (cause === "session-failed")
        lifecycle.applyInBackground(sessionId, { type: "end", reason: "SESSION_MISC_ERROR", by: "service" });
      // After the answer, the connection itself may have crashed the process. A client that returns sends a new offer.
      else if (cause === "process-died")
        void makeFor(sessionId, undefined, async () => {
          const detail = await store.sessions.detail(sessionId);
          if (detail?.clientSdp) await fatalOffers.retire(detail.clientSdp);
        });
      else lifecycle.applyInBackground(sessionId, { type: "peer-closed" });
    },
    onProcessDied: () => metrics.mediaProcessDied(),
  };
}
