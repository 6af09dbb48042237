import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { silentLogger } from "../../../../../src/logging/logger.ts";
import { createOutboundCalls } from "../../../../../src/service/outbound/outbound-calls.ts";
import {
  createRecognizers,
  createVoiceActivity,
} from "../../../../../src/service/speech/create-speech-engines.ts";
import { findSherpa } from "../../../../../src/service/speech/engines/sherpa/sherpa-program.ts";
import type { SpeechRecognizer } from "../../../../../src/service/speech/speech-recognizer.ts";
import { type BundledEntry, bundleEntry } from "../../../bundle-entry.ts";
import { noScript, temporaryFolder } from "../../../service-fixture.ts";
import {
  toneOf,
  tones,
  writeLoudnessDetector,
  writeStreamingToneRecognizer,
  writeToneRecognizer,
} from "./tiny-models.ts";

const sampleRateHz = 8_000;

function recording(...words: string[]): Int16Array {
  return Int16Array.from(words.flatMap((word) => [...toneOf(word)]));
}

/** Pieces of 20 ms, as a microphone gives them. */
function* pieces(pcm: Int16Array): Generator<Int16Array> {
  for (let at = 0; at < pcm.length; at += 160) yield pcm.subarray(at, at + 160);
}

test("without a model or without sherpa-onnx there is no voice activity", () => {
  const folder = temporaryFolder();
  const scriptUrl = noScript;
  expect(createVoiceActivity({ environment: {}, scriptUrl })).toBeNull();
  const missing = { VISAVIS_VAD_MODEL: `${folder}/silero_vad.onnx`, VISAVIS_SHERPA_PATH: "/nowhere" };
  expect(createVoiceActivity({ environment: missing, scriptUrl })).toBeNull();
  writeLoudnessDetector(folder);
  expect(createVoiceActivity({ environment: missing, scriptUrl })).toBeNull();
});

describe.skipIf(findSherpa(process.env["VISAVIS_SHERPA_PATH"]) === null)(
  "sherpa-onnx [needs sherpa-onnx]",
  () => {
    let entry: BundledEntry;

    beforeAll(async () => {
      entry = await bundleEntry("src/service/speech/engines/sherpa/sherpa-process.ts");
    });
    afterAll(() => entry.remove());

    const context = () => ({
      outbound: createOutboundCalls({ allowPrivate: false }),
      environment: process.env,
      scriptUrl: () => entry.url,
    });

    function recognizer(settings: Record<string, unknown>, vadModel?: string): SpeechRecognizer {
      const activity =
        vadModel === undefined
          ? null
          : createVoiceActivity({
              ...context(),
              environment: { ...process.env, VISAVIS_VAD_MODEL: vadModel },
            });
      const recognizers = createRecognizers(
        context(),
        activity ? { activity, log: silentLogger } : undefined,
      );
      onTestFinished(() => recognizers.close());
      const body = { name: "s", service: "onpremise" as const, options: null };
      const engine = { type: "sherpa-onnx", ...settings };
      return recognizers.of({ id: "s", name: "s", body, engine, isOperators: true })!;
    }

    const streaming = () =>
      recognizer({ config: writeStreamingToneRecognizer(temporaryFolder()), streaming: true, locale: "en" });

    test("a streaming model says what it has understood while the speech goes on, and the whole text at its end", async () => {
      const partials: string[] = [];
      const said = ["two", "four", "one"];
      const understood = (count: number) =>
        expect.poll(() => partials.at(-1)).toBe(said.slice(0, count).join(" "));
      const stream = streaming().openStream!({ sampleRateHz, onPartial: (text) => partials.push(text) });
      for (const [index, word] of said.entries()) {
        for (const piece of pieces(recording(word))) stream.write(piece);
        stream.write(new Int16Array(sampleRateHz / 2));
        await understood(index + 1);
      }
      expect(await stream.end()).toEqual({ text: said.join(" "), locale: "en" });
      expect(partials).toEqual([...new Set(partials)]);
    });

    test("a Korean model answers in Korean, while the speech goes on and for whole recordings", async () => {
      const korean = ["하나", "둘", "셋", "넷"];
      const settings = { streaming: true, locale: "ko-KR" };
      const config = writeStreamingToneRecognizer(temporaryFolder(), undefined, korean);
      const partials: string[] = [];
      const engine = recognizer({ config, ...settings });
      const stream = engine.openStream!({ sampleRateHz, onPartial: (text) => partials.push(text) });
      for (const piece of pieces(recording("two", "four", "one"))) stream.write(piece);
      expect(await stream.end()).toEqual({ text: "둘 넷 하나", locale: "ko-KR" });
      for (const partial of partials) expect("둘 넷 하나".startsWith(partial)).toBe(true);
      const whole = recognizer({ config: writeToneRecognizer(temporaryFolder(), korean), locale: "ko-KR" });
      const heard = { text: "셋 하나", locale: "ko-KR" };
      expect(await whole.recognize({ pcm: recording("three", "one"), sampleRateHz })).toEqual(heard);
      expect(await engine.recognize({ pcm: recording("three", "one"), sampleRateHz })).toEqual(heard);
    });

    test("a streaming model recognizes whole recordings too", async () => {
      const said = tones.map(({ word }) => word);
      const engine = streaming();
      expect(await engine.recognize({ pcm: recording(...said), sampleRateHz })).toEqual({
        text: said.join(" "),
        locale: "en",
      });
      expect((await engine.recognize({ pcm: new Int16Array(8_000), sampleRateHz })).text).toBe("");
      expect((await engine.recognize({ pcm: new Int16Array(0), sampleRateHz })).text).toBe("");
    });

    test("streams at the same time do not hear each other", async () => {
      const engine = streaming();
      const words = tones.map(({ word }) => word);
      const streams = words.map((word) => ({
        word,
        session: `session of ${word}`,
        stream: engine.openStream!({ sampleRateHz, session: word, onPartial: () => undefined }),
      }));
      for (let turn = 0; turn < 20; turn++)
        for (const { word, stream } of streams)
          stream.write(recording(word).subarray(turn * 160, (turn + 1) * 160));
      const heard = await Promise.all(streams.map(({ stream }) => stream.end()));
      expect(heard.map(({ text }) => text)).toEqual(words);
    });

    test("a discarded stream is answered at once, and the model serves the next one", async () => {
      const engine = streaming();
      const controller = new AbortController();
      const partials: string[] = [];
      const stream = engine.openStream!({
        sampleRateHz,
        signal: controller.signal,
        onPartial: (text) => partials.push(text),
      });
      stream.write(recording("three"));
      controller.abort(new Error("hung up"));
      await expect(stream.end()).rejects.toThrow("hung up");
      stream.write(recording("four"));
      expect((await engine.recognize({ pcm: recording("one"), sampleRateHz })).text).toBe("one");
      expect(partials).toEqual([]);
      const late = engine.openStream!({
        sampleRateHz,
        signal: controller.signal,
        onPartial: () => undefined,
      });
      await expect(late.end()).rejects.toThrow("hung up");
    });

    test("a stream of a model that cannot be loaded fails at its end, and not before", async () => {
      const config = writeStreamingToneRecognizer(temporaryFolder());
      const { modelConfig } = config as { modelConfig: { zipformer2Ctc: { model: string } } };
      writeFileSync(modelConfig.zipformer2Ctc.model, "no model");
      const stream = recognizer({ config, streaming: true, timeout_sec: 20 }).openStream!({
        sampleRateHz,
        onPartial: () => undefined,
      });
      stream.write(recording("one"));
      await expect(stream.end()).rejects.toThrow();
    });

    test("a model for whole recordings has no streams", () => {
      expect(recognizer({ config: writeToneRecognizer(temporaryFolder()) }).openStream).toBeUndefined();
    });

    describe("voice activity", () => {
      const detector = () => {
        const model = writeLoudnessDetector(temporaryFolder());
        const activity = createVoiceActivity({
          ...context(),
          environment: { ...process.env, VISAVIS_VAD_MODEL: model },
        })!;
        onTestFinished(() => activity.close());
        return activity;
      };

      test("finds the spans of speech, at any sample rate", async () => {
        const pause = new Int16Array(sampleRateHz);
        const pcm = Int16Array.from([
          ...pause,
          ...recording("one", "two"),
          ...pause,
          ...pause,
          ...recording("three"),
        ]);
        const spans = await detector().speechIn({ pcm, sampleRateHz });
        expect(spans).toHaveLength(2);
        const near = (ms: number, expected: number) => expect(Math.abs(ms - expected)).toBeLessThan(200);
        near(spans[0]!.startMs, 1_100);
        near(spans[1]!.startMs, 3_900);
        expect(spans[0]!.endMs).toBeGreaterThan(1_600);
        expect(spans[0]!.endMs).toBeLessThan(2_500);
      });

      test("finds nothing in silence and in no sound at all", async () => {
        const activity = detector();
        expect(await activity.speechIn({ pcm: new Int16Array(16_000), sampleRateHz })).toEqual([]);
        expect(await activity.speechIn({ pcm: new Int16Array(0), sampleRateHz })).toEqual([]);
      });

      test("one recording does not change what is found in the next one", async () => {
        const activity = detector();
        const pcm = recording("one");
        const first = await activity.speechIn({ pcm, sampleRateHz });
        expect(first).toHaveLength(1);
        expect(await activity.speechIn({ pcm, sampleRateHz })).toEqual(first);
      });

      test("a recognizer gets only the speech of a recording, and recordings without speech not at all", async () => {
        const vadModel = writeLoudnessDetector(temporaryFolder());
        const engine = recognizer({ config: writeToneRecognizer(temporaryFolder()) }, vadModel);
        const pause = new Int16Array(sampleRateHz);
        const pcm = Int16Array.from([...pause, ...recording("two", "four"), ...pause]);
        expect((await engine.recognize({ pcm, sampleRateHz })).text).toBe("two four");
        expect(await engine.recognize({ pcm: pause, sampleRateHz })).toEqual({ text: "", locale: null });
      });
    });
  },
);
