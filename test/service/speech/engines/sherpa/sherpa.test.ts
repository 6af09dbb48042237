import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createAudioProcessor } from "../../../../../src/service/speech/audio/create-audio-processor.ts";
import { createVoiceActivity } from "../../../../../src/service/speech/create-speech-engines.ts";
import { createFliteSynthesizer } from "../../../../../src/service/speech/engines/flite/flite-synthesizer.ts";
import { readableText } from "../../../../../src/service/speech/engines/sherpa/sherpa-recognizer.ts";
import { findSherpa, missingFiles } from "../../../../../src/service/speech/engines/sherpa/sherpa-program.ts";
import type { SpeechSynthesizer } from "../../../../../src/service/speech/speech-synthesizer.ts";
import type { EngineSettings } from "../../../../../src/service/store/store.ts";
import { type BundledEntry, bundleEntry } from "../../../bundle-entry.ts";
import { noScript, plainAudioProcessor, temporaryFolder } from "../../../service-fixture.ts";
import { recognizerOf, voiceOf } from "../engine-entries.ts";
import {
  toneOf,
  tones,
  writeLoudnessDetector,
  writeStreamingToneRecognizer,
  writeToneRecognizer,
  writeWordVoice,
} from "./tiny-models.ts";

const sampleRateHz = 8_000;
const words = tones.map(({ word }) => word);
const second = new Int16Array(sampleRateHz);
const silence = { pcm: second, sampleRateHz };

const spoken = (...said: string[]): Int16Array => Int16Array.from(said.flatMap((word) => [...toneOf(word)]));
const recording = (...said: string[]) => ({ pcm: spoken(...said), sampleRateHz });

/** Pieces of 20 ms, as a microphone gives them. */
function* pieces(pcm: Int16Array): Generator<Int16Array> {
  for (let at = 0; at < pcm.length; at += 160) yield pcm.subarray(at, at + 160);
}

test("without sherpa-onnx there is neither an entry that needs it nor voice activity, and without a model no voice activity", () => {
  const [folder, scriptUrl] = [temporaryFolder(), noScript];
  const environment = { VISAVIS_VAD_MODEL: `${folder}/silero_vad.onnx`, VISAVIS_SHERPA_PATH: "/nowhere" };
  expect(findSherpa("/nowhere")).toBeNull();
  expect(recognizerOf({ type: "sherpa-onnx", config: {} }, { environment })).toBeNull();
  expect(createVoiceActivity({ environment: {}, scriptUrl })).toBeNull();
  expect(createVoiceActivity({ environment, scriptUrl })).toBeNull();
  writeLoudnessDetector(folder);
  expect(createVoiceActivity({ environment, scriptUrl })).toBeNull();
});

test("missing files of a configuration are reported with their fields", () => {
  const [encoder, tokens, other] = ["encoder.onnx", "tokens.txt", "other.fst"].map((name) =>
    join(temporaryFolder(), name),
  ) as [string, string, string];
  const config = { modelConfig: { whisper: { encoder }, tokens, numThreads: 2 } };
  const missing = () => missingFiles(config).map(({ field }) => field);
  expect(missing()).toEqual(["modelConfig.whisper.encoder", "modelConfig.tokens"]);
  writeFileSync(encoder, "");
  expect(missing()).toEqual(["modelConfig.tokens"]);
  writeFileSync(tokens, "");
  expect(missing()).toEqual([]);
  expect(missingFiles({ ruleFsts: `${tokens},${other}` })).toEqual([{ field: "ruleFsts", path: other }]);
});

test.each<readonly [string, string]>([
  [" HOW ARE YOU ", "How are you"],
  ["WHAT DO I PAY WHEN I'M HERE", "What do I pay when I'm here"],
  ["'TWAS LATE", "'Twas late"],
  ["ÜBER DIE STRASSE", "Über die strasse"],
  ...["How are you?", "I", "의자가 얼마예요", "", "2 4 1", "Is it a PDF"].map(
    (text) => [text, text] as const,
  ),
])("text in capitals is written with small letters, other text stays: %s", (recognized, text) => {
  expect(readableText(recognized)).toBe(text);
});

/** sherpa-onnx is optional. These tests run if it is installed or VISAVIS_SHERPA_PATH names its folder. */
const isMissing = findSherpa(process.env["VISAVIS_SHERPA_PATH"]) === null;

describe.skipIf(isMissing)("sherpa-onnx [needs sherpa-onnx]", () => {
  let entries: BundledEntry[];
  let [processUrl, audioWorkerUrl]: URL[] = [];
  let flite: SpeechSynthesizer;

  beforeAll(async () => {
    entries = await Promise.all(
      ["engines/sherpa/sherpa-process", "audio/audio-worker", "engines/flite/flite-worker"].map((name) =>
        bundleEntry(`src/service/speech/${name}.ts`),
      ),
    );
    [processUrl, audioWorkerUrl] = entries.map(({ url }) => url);
    flite = createFliteSynthesizer({ workerUrl: entries[2]!.url });
  });
  afterAll(async () => {
    await flite.close();
    for (const entry of entries) entry.remove();
  });

  const context = () => ({ environment: process.env, scriptUrl: () => processUrl! });
  const recognizer = (settings: EngineSettings, hearsOnly?: string) =>
    recognizerOf(
      { type: "sherpa-onnx", ...settings },
      { ...context(), ...(hearsOnly !== undefined && { hearsOnly }) },
    );
  const voice = (settings: EngineSettings, audio = plainAudioProcessor) =>
    voiceOf({ type: "sherpa-onnx", ...settings }, { ...context(), flite, audio });
  const hearing = (settings: EngineSettings = {}) =>
    recognizer({ config: writeToneRecognizer(temporaryFolder()), ...settings })!;
  const streaming = (settings: EngineSettings = {}) => {
    const config = writeStreamingToneRecognizer(temporaryFolder());
    return recognizer({ config, streaming: true, locale: "en", ...settings })!;
  };

  describe("a model for whole recordings", () => {
    test("recognizes speech, in the entry's locale, and has no streams", async () => {
      const engine = hearing({ locale: "en-US" });
      for (const said of [["two", "four", "one"], ["three"], words, []])
        expect(await engine.recognize(said.length > 0 ? recording(...said) : silence)).toEqual({
          ...{ text: said.join(" "), locale: "en-US" },
        });
      expect(engine.openStream).toBeUndefined();
    });

    test("gives concurrent requests each their own answer, and an aborted one at once", async () => {
      const engine = hearing();
      const heard = await Promise.all(words.map((word) => engine.recognize(recording(word))));
      expect(heard).toEqual(words.map((text) => ({ text, locale: null })));
      const signal = AbortSignal.timeout(1);
      const aborted = hearing().recognize({ ...recording("one"), signal });
      await expect(aborted).rejects.toMatchObject({ name: "TimeoutError" });
    });

    test("that is no model fails with the library's message, and one whose files are missing is not available", async () => {
      const config = writeToneRecognizer(temporaryFolder());
      expect(recognizer({ config })).not.toBeNull();
      expect(recognizer({ config: { ...config, ruleFsts: "/nowhere/rules.fst" } })).toBeNull();
      expect(voice({ config: { model: { vits: { model: "/nowhere/words.onnx" } } } })).toBeNull();
      const { modelConfig } = config as { modelConfig: { tdnn: { model: string } } };
      writeFileSync(modelConfig.tdnn.model, "no model");
      await expect(recognizer({ config })!.recognize(recording("one"))).rejects.toThrow(
        /Protobuf|Load model/,
      );
    });
  });

  describe("a voice", () => {
    /** Times of sound, in ms. Pauses shorter than 150 ms count as sound. */
    function sounds(pcm: Int16Array, rateHz: number): { start: number; end: number }[] {
      const found: { start: number; end: number }[] = [];
      for (const [at, sample] of pcm.entries()) {
        if (Math.abs(sample) < 300) continue;
        const ms = (at * 1_000) / rateHz;
        const last = found.at(-1);
        if (last && ms - last.end < 150) last.end = ms;
        else found.push({ start: ms, end: ms });
      }
      return found;
    }

    const oneWord = (folder = temporaryFolder()) =>
      writeWordVoice(folder, [{ word: "one", pcm: toneOf("one") }], sampleRateHz);

    test("speaks with its model, and finds the times of the words in its speech", async () => {
      const known = ["chairs", "delivery", "sunday"];
      const said = await Promise.all(known.map((text) => flite.synthesize({ text, voice: "rms" })));
      const recordings = said.map(({ pcm }, index) => ({ word: known[index]!, pcm }));
      const rateHz = said[0]!.sampleRateHz;
      const audio = createAudioProcessor({
        ...{ workerUrl: audioWorkerUrl!, reference: flite, referenceVoice: "slt" },
      });
      onTestFinished(() => audio.close());
      const config = writeWordVoice(temporaryFolder(), recordings, rateHz);
      const text = "Sunday delivery, chairs.";
      const speech = await voice({ config }, audio)!.synthesize({ text, voice: "" });
      expect(speech.sampleRateHz).toBe(rateHz);
      expect(speech.words.map((word) => word.text)).toEqual(["Sunday", "delivery,", "chairs."]);
      const heard = sounds(speech.pcm, rateHz);
      expect(heard).toHaveLength(known.length);
      for (const [index, { start, end }] of speech.words.entries()) {
        expect(Math.abs(start - heard[index]!.start)).toBeLessThan(100);
        expect(Math.abs(end - heard[index]!.end)).toBeLessThan(100);
      }
      expect(speech.visemes.length).toBeGreaterThan(8);
      const slow = await voice({ config, speed: 0.5 })!.synthesize({ text, voice: "" });
      // The silence at the ends is cut, so the ratio is not exact.
      expect(Math.abs(slow.pcm.length / speech.pcm.length - 2)).toBeLessThan(0.5);
    });

    test("reports a text for which it has no sounds as one that cannot be spoken", async () => {
      const engine = voice({ config: oneWord() })!;
      const unspeakable = engine.synthesize({ text: "안녕하세요", voice: "" });
      await expect(unspeakable).rejects.toMatchObject({ code: "unspeakable_text" });
      expect((await engine.synthesize({ text: "one", voice: "" })).pcm.length).toBeGreaterThan(1_600);
    });

    test("whose model never answers is stopped, and its process is replaced", async () => {
      const folder = temporaryFolder();
      const engine = voice({ config: oneWord(folder), timeout_sec: 5 })!;
      // A token that the configuration lists and the model lacks: the library waits for a thread that has died.
      writeFileSync(join(folder, "words.txt"), "  0\none 1\n");
      const hanging = engine.synthesize({ text: "one.", voice: "" });
      await expect(hanging).rejects.toMatchObject({ code: "engine_failed" });
      expect((await engine.synthesize({ text: "one", voice: "" })).pcm.length).toBeGreaterThan(1_600);
    });
  });

  describe("a streaming model", () => {
    test("says what it has understood while the speech goes on, and the whole text at its end", async () => {
      const partials: string[] = [];
      const said = ["two", "four", "one"];
      const stream = streaming().openStream!({ sampleRateHz, onPartial: (text) => partials.push(text) });
      for (const [index, word] of said.entries()) {
        for (const piece of pieces(spoken(word))) stream.write(piece);
        stream.write(new Int16Array(sampleRateHz / 2));
        await expect.poll(() => partials.at(-1)).toBe(said.slice(0, index + 1).join(" "));
      }
      expect(await stream.end()).toEqual({ text: said.join(" "), locale: "en" });
      expect(partials).toEqual([...new Set(partials)]);
    });

    test("of Korean answers in Korean, while the speech goes on and for whole recordings", async () => {
      const [korean, locale] = [["하나", "둘", "셋", "넷"], "ko-KR"];
      const config = writeStreamingToneRecognizer(temporaryFolder(), undefined, korean);
      const partials: string[] = [];
      const engine = streaming({ config, locale });
      const stream = engine.openStream!({ sampleRateHz, onPartial: (text) => partials.push(text) });
      for (const piece of pieces(spoken("two", "four", "one"))) stream.write(piece);
      expect(await stream.end()).toEqual({ text: "둘 넷 하나", locale });
      for (const partial of partials) expect("둘 넷 하나".startsWith(partial)).toBe(true);
      const whole = hearing({ config: writeToneRecognizer(temporaryFolder(), korean), locale });
      for (const each of [whole, engine])
        expect(await each.recognize(recording("three", "one"))).toEqual({ text: "셋 하나", locale });
    });

    test("recognizes whole recordings too", async () => {
      const engine = streaming();
      expect(await engine.recognize(recording(...words))).toEqual({ text: words.join(" "), locale: "en" });
      for (const pcm of [second, new Int16Array(0)])
        expect((await engine.recognize({ pcm, sampleRateHz })).text).toBe("");
    });

    test("keeps apart streams at the same time", async () => {
      const engine = streaming();
      const streams = words.map((session) =>
        engine.openStream!({ sampleRateHz, session, onPartial: () => undefined }),
      );
      for (let turn = 0; turn < 20; turn++)
        for (const [index, stream] of streams.entries())
          stream.write(spoken(words[index]!).subarray(turn * 160, (turn + 1) * 160));
      const heard = await Promise.all(streams.map((stream) => stream.end()));
      expect(heard.map(({ text }) => text)).toEqual(words);
    });

    test("answers a discarded stream at once, and serves the next one", async () => {
      const engine = streaming();
      const controller = new AbortController();
      const partials: string[] = [];
      const open = () =>
        engine.openStream!({
          ...{ sampleRateHz, signal: controller.signal },
          onPartial: (text) => partials.push(text),
        });
      const stream = open();
      stream.write(spoken("three"));
      controller.abort(new Error("hung up"));
      await expect(stream.end()).rejects.toThrow("hung up");
      stream.write(spoken("four"));
      expect((await engine.recognize(recording("one"))).text).toBe("one");
      await expect(open().end()).rejects.toThrow("hung up");
      expect(partials).toEqual([]);
    });

    test("that cannot be loaded fails at a stream's end, and not before", async () => {
      const config = writeStreamingToneRecognizer(temporaryFolder());
      const { modelConfig } = config as { modelConfig: { zipformer2Ctc: { model: string } } };
      writeFileSync(modelConfig.zipformer2Ctc.model, "no model");
      const { openStream } = streaming({ config, timeout_sec: 20 });
      const stream = openStream!({ sampleRateHz, onPartial: () => undefined });
      stream.write(spoken("one"));
      await expect(stream.end()).rejects.toThrow();
    });
  });

  describe("voice activity", () => {
    const detector = () => {
      const VISAVIS_VAD_MODEL = writeLoudnessDetector(temporaryFolder());
      const environment = { ...process.env, VISAVIS_VAD_MODEL };
      const activity = createVoiceActivity({ ...context(), environment })!;
      onTestFinished(() => activity.close());
      return activity;
    };

    test("finds the spans of speech, at any sample rate", async () => {
      const pcm = [second, spoken("one", "two"), second, second, spoken("three")].flatMap((part) => [
        ...part,
      ]);
      const spans = await detector().speechIn({ pcm: Int16Array.from(pcm), sampleRateHz });
      expect(spans).toHaveLength(2);
      expect(Math.abs(spans[0]!.startMs - 1_100)).toBeLessThan(200);
      expect(Math.abs(spans[1]!.startMs - 3_900)).toBeLessThan(200);
      expect(spans[0]!.endMs).toBeGreaterThan(1_600);
      expect(spans[0]!.endMs).toBeLessThan(2_500);
    });

    test("finds nothing in silence and in no sound at all, and one recording does not change what is found in the next", async () => {
      const activity = detector();
      for (const length of [16_000, 0])
        expect(await activity.speechIn({ pcm: new Int16Array(length), sampleRateHz })).toEqual([]);
      const first = await activity.speechIn(recording("one"));
      expect(first).toHaveLength(1);
      expect(await activity.speechIn(recording("one"))).toEqual(first);
    });

    test("gives a recognizer only the speech of a recording, and recordings without speech not at all", async () => {
      const config = writeToneRecognizer(temporaryFolder());
      const engine = recognizer({ config }, writeLoudnessDetector(temporaryFolder()))!;
      const pcm = Int16Array.from([...second, ...spoken("two", "four"), ...second]);
      expect((await engine.recognize({ pcm, sampleRateHz })).text).toBe("two four");
      expect(await engine.recognize(silence)).toEqual({ text: "", locale: null });
    });
  });
});
