import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { resample } from "../../../src/service/audio/resampler.ts";
import { createRecognizers } from "../../../src/service/speech/create-speech-engines.ts";
import { findSherpa } from "../../../src/service/speech/engines/sherpa/sherpa-program.ts";
import { createOutboundCalls } from "../../../src/service/outbound/outbound-calls.ts";
import { bundleEntry, type BundledEntry } from "../bundle-entry.ts";
import type { RecognitionStreamRequest } from "../../../src/service/speech/speech-recognizer.ts";
import { runService, temporaryFolder, type RunningService } from "../service-fixture.ts";
import { toneOf, writeStreamingToneRecognizer } from "../speech/engines/sherpa/tiny-models.ts";
import type { Received } from "./client-process.ts";
import type { MediaClient } from "./media-client.ts";
import { mediaStand, ofType } from "./media-stand.ts";
import { until } from "../../patience.ts";

const toneRateHz = 8_000;
const microphoneRateHz = 48_000;

/** Words as a microphone hears them, with a pause after each. */
function sound(...words: string[]): Int16Array {
  const pause = new Int16Array(toneRateHz / 5);
  return resample(
    Int16Array.from(words.flatMap((word) => [...toneOf(word), ...pause])),
    toneRateHz,
    microphoneRateHz,
  );
}

describe.skipIf(findSherpa(process.env["VISAVIS_SHERPA_PATH"]) === null)(
  "a streaming model [needs sherpa-onnx]",
  () => {
    const stand = mediaStand();
    let sherpa: BundledEntry;

    beforeAll(async () => {
      sherpa = await bundleEntry("src/service/speech/engines/sherpa/sherpa-process.ts");
    });
    afterAll(() => sherpa.remove());

    /** A service whose sessions hear with the streaming model. `opened` has the signal of each stream. */
    async function hearingService() {
      const recognizers = createRecognizers({
        outbound: createOutboundCalls({ allowPrivate: false }),
        environment: process.env,
        scriptUrl: () => sherpa.url,
      });
      onTestFinished(() => recognizers.close());
      const opened: (AbortSignal | undefined)[] = [];
      const run = await runService({
        recognizer(row) {
          const engine = recognizers.of(row)!;
          const openStream = (request: RecognitionStreamRequest) => {
            opened.push(request.signal);
            return engine.openStream!(request);
          };
          return { ...engine, openStream };
        },
      });
      await run.store.catalogue.put({
        ...{ kind: "stt_type", id: "tones", name: "tones", organizationId: null, createdAtMs: 0 },
        body: { name: "tones", service: "onpremise", options: null },
        engine: {
          ...{ type: "sherpa-onnx", streaming: true, locale: "en" },
          config: writeStreamingToneRecognizer(temporaryFolder()),
        },
      });
      return { run, opened };
    }

    /** A visitor of a new session, with a microphone that is being recorded. */
    async function visitorOf(run: RunningService): Promise<MediaClient> {
      stand.hooks = run.hooks;
      const sessionId = await run.newSession({ capability: ["STF_WEBRTC", "STT"], stt_type: "tones" });
      const client = stand.newClient();
      await client.addMicrophone();
      await stand.exchange(client, { sessionId });
      await client.until("pictures", ({ pictures }) => pictures > 0);
      await client.send("record-start", {});
      return client;
    }

    /** What a message of the service says was understood. A packet that is late may split a tone in two. */
    const textsOf = (received: Received, type: string) =>
      ofType(received, type).map(({ data }) =>
        String(data["text"])
          .split(" ")
          .filter((word, at, all) => word !== all[at - 1])
          .join(" "),
      );

    /** Waits for a text: the first one loads the model. */
    const understood = (client: MediaClient, type: string, text: string) =>
      client.until(`"${text}"`, (received) => textsOf(received, type).includes(text));

    test("understands visitors' microphones while they speak, over WebRTC, and discards what was said by one who leaves", async () => {
      const { run, opened } = await hearingService();
      const client = await visitorOf(run);
      await client.hear(sound("two"));
      await understood(client, "stt-partial", "two");
      await client.hear(sound("four"));
      await understood(client, "stt-partial", "two four");
      await client.hear(sound("one"));
      await client.send("record-end-stt", {});
      await understood(client, "stt", "two four one");
      expect(opened).toHaveLength(1);
      const measured = await (await run.get("/metrics")).text();
      expect(measured).toContain('visavis_engine_call_duration_seconds_count{engine="stt",outcome="ok"} 1');
      const leaving = await visitorOf(run);
      await leaving.hear(sound("three"));
      await understood(leaving, "stt-partial", "three");
      await leaving.close();
      await until("the stream's end", () => opened[1]?.aborted === true);
      const next = await visitorOf(run);
      await next.hear(sound("four"));
      await next.send("record-end-stt", {});
      await understood(next, "stt", "four");
    });
  },
);
