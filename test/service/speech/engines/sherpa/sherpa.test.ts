import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createOutboundCalls } from "../../../../../src/service/outbound/outbound-calls.ts";
import { createAudioProcessor } from "../../../../../src/service/speech/audio/create-audio-processor.ts";
import {
  createRecognizers,
  createSynthesizers,
} from "../../../../../src/service/speech/create-speech-engines.ts";
import { findSherpa } from "../../../../../src/service/speech/engines/sherpa/sherpa-program.ts";
import { createFliteSynthesizer } from "../../../../../src/service/speech/engines/flite/flite-synthesizer.ts";
import type { SpeechSynthesizer } from "../../../../../src/service/speech/speech-synthesizer.ts";
import type { EngineSettings } from "../../../../../src/service/store/store.ts";
import { type BundledEntry, bundleEntry } from "../../../bundle-entry.ts";
import { noScript, plainAudioProcessor, temporaryFolder } from "../../../service-fixture.ts";
import { toneOf, tones, writeToneRecognizer, writeWordVoice } from "./tiny-models.ts";

/** sherpa-onnx is optional. These tests run if it is installed or VISAVIS_SHERPA_PATH names its folder. */
const modulePath = findSherpa(process.env["VISAVIS_SHERPA_PATH"]);

test("sherpa-onnx is not found in a folder without it, and entries that need it are not available", () => {
  expect(findSherpa("/nowhere")).toBeNull();
  const recognizers = createRecognizers({
    outbound: createOutboundCalls({ allowPrivate: false }),
    environment: { VISAVIS_SHERPA_PATH: "/nowhere" },
    scriptUrl: noScript,
  });
  const engine = { type: "sherpa-onnx", config: {} };
  const body = { name: "s", service: "onpremise" as const, options: null };
  expect(recognizers.of({ id: "s", name: "s", body, engine, isOperators: true })).toBeNull();
});

describe.skipIf(modulePath === null)("sherpa-onnx [needs sherpa-onnx]", () => {
  let entries: BundledEntry[];
  let processUrl: URL;
  let flite: SpeechSynthesizer;
  let audioWorkerUrl: URL;

  beforeAll(async () => {
    entries = await Promise.all(
      ["engines/sherpa/sherpa-process", "engines/flite/flite-worker", "audio/audio-worker"].map((name) =>
        bundleEntry(`src/service/speech/${name}.ts`),
      ),
    );
    const [sherpaUrl, fliteUrl, audioUrl] = entries.map(({ url }) => url) as [URL, URL, URL];
    processUrl = sherpaUrl;
    flite = createFliteSynthesizer({ workerUrl: fliteUrl });
    audioWorkerUrl = audioUrl;
  });

  afterAll(async () => {
    await flite.close();
    for (const entry of entries) entry.remove();
  });

  const engines = () => ({
    outbound: createOutboundCalls({ allowPrivate: false }),
    environment: process.env,
    scriptUrl: () => processUrl,
  });

  function recognizer(settings: EngineSettings) {
    const recognizers = createRecognizers(engines());
    onTestFinished(() => recognizers.close());
    const body = { name: "s", service: "onpremise" as const, options: null };
    const engine = { type: "sherpa-onnx", ...settings };
    return recognizers.of({ id: "s", name: "s", body, engine, isOperators: true });
  }

  function voice(settings: EngineSettings, audio = plainAudioProcessor) {
    const synthesizers = createSynthesizers({
      ...engines(),
      flite,
      audio,
    });
    onTestFinished(() => synthesizers.close());
    const body = {
      name: "s",
      service: "onpremise" as const,
      streamable: false,
      model: null,
      language: null,
      voice: null,
      voice_settings: null,
      sample: null,
    };
    const engine = { type: "sherpa-onnx", ...settings };
    return synthesizers.of({ id: "s", name: "s", body: body as never, engine, isOperators: true });
  }

  function toneRecording(...words: string[]): { pcm: Int16Array; sampleRateHz: number } {
    return { pcm: Int16Array.from(words.flatMap((word) => [...toneOf(word)])), sampleRateHz: 8_000 };
  }

  /** Times of sound, in ms. Pauses shorter than 150 ms count as sound. */
  function sounds(pcm: Int16Array, sampleRateHz: number): { start: number; end: number }[] {
    const found: { start: number; end: number }[] = [];
    for (const [at, sample] of pcm.entries()) {
      if (Math.abs(sample) < 300) continue;
      const ms = (at * 1_000) / sampleRateHz;
      const last = found.at(-1);
      if (last && ms - last.end < 150) last.end = ms;
      else found.push({ start: ms, end: ms });
    }
    return found;
  }

  test("recognizes speech with its model, in the entry's locale", async () => {
    const engine = recognizer({ config: writeToneRecognizer(temporaryFolder()), locale: "en-US" })!;
    for (const said of [["two", "four", "one"], ["three"], tones.map(({ word }) => word)])
      expect(await engine.recognize(toneRecording(...said))).toEqual({
        text: said.join(" "),
        locale: "en-US",
      });
    expect(await engine.recognize({ pcm: new Int16Array(8_000), sampleRateHz: 8_000 })).toEqual({
      text: "",
      locale: "en-US",
    });
  });

  test("concurrent requests each get their own answer", async () => {
    const engine = recognizer({ config: writeToneRecognizer(temporaryFolder()) })!;
    const said = tones.map(({ word }) => word);
    const heard = await Promise.all(said.map((word) => engine.recognize(toneRecording(word))));
    expect(heard.map(({ text }) => text)).toEqual(said);
    expect(heard[0]!.locale).toBeNull();
  });

  test("speaks with its model, and finds the times of the words in its speech", async () => {
    const words = ["chairs", "delivery", "sunday"];
    const spoken = await Promise.all(words.map((text) => flite.synthesize({ text, voice: "rms" })));
    const recordings = spoken.map(({ pcm }, index) => ({ word: words[index]!, pcm }));
    const { sampleRateHz } = spoken[0]!;
    const audio = createAudioProcessor({
      workerUrl: audioWorkerUrl,
      reference: flite,
      referenceVoice: "slt",
    });
    onTestFinished(() => audio.close());
    const config = writeWordVoice(temporaryFolder(), recordings, sampleRateHz);
    const text = "Sunday delivery, chairs.";
    const speech = await voice({ config }, audio)!.synthesize({ text, voice: "" });
    expect(speech.sampleRateHz).toBe(sampleRateHz);
    expect(speech.words.map((word) => word.text)).toEqual(["Sunday", "delivery,", "chairs."]);
    const heard = sounds(speech.pcm, sampleRateHz);
    expect(heard).toHaveLength(words.length);
    for (const [index, { start, end }] of speech.words.entries()) {
      expect(Math.abs(start - heard[index]!.start)).toBeLessThan(100);
      expect(Math.abs(end - heard[index]!.end)).toBeLessThan(100);
    }
    expect(speech.visemes.length).toBeGreaterThan(8);
    const slow = await voice({ config, speed: 0.5 })!.synthesize({ text, voice: "" });
    // The silence at the ends is cut, so the ratio is not exact.
    expect(Math.abs(slow.pcm.length / speech.pcm.length - 2)).toBeLessThan(0.5);
  });

  test("reports a text for which its voice has no sounds as one that cannot be spoken", async () => {
    const recordings = [{ word: "one", pcm: toneOf("one") }];
    const engine = voice({ config: writeWordVoice(temporaryFolder(), recordings, 8_000) })!;
    await expect(engine.synthesize({ text: "안녕하세요", voice: "" })).rejects.toMatchObject({
      code: "unspeakable_text",
    });
    expect((await engine.synthesize({ text: "one", voice: "" })).pcm.length).toBeGreaterThan(1_600);
  });

  test("a model that never answers is stopped, and its process is replaced", async () => {
    const folder = temporaryFolder();
    const config = writeWordVoice(folder, [{ word: "one", pcm: toneOf("one") }], 8_000);
    // A token that the configuration lists and the model lacks: the library waits for a thread that has died.
    writeFileSync(join(folder, "words.txt"), "  0\none 1\n");
    const engine = voice({ config, timeout_sec: 5 })!;
    await expect(engine.synthesize({ text: "one.", voice: "" })).rejects.toMatchObject({
      code: "engine_failed",
    });
    expect((await engine.synthesize({ text: "one", voice: "" })).pcm.length).toBeGreaterThan(1_600);
  });

  test("a file that is not a model fails with the library's message", async () => {
    const config = writeToneRecognizer(temporaryFolder());
    const { modelConfig } = config as { modelConfig: { tdnn: { model: string } } };
    writeFileSync(modelConfig.tdnn.model, "no model");
    await expect(recognizer({ config })!.recognize(toneRecording("one"))).rejects.toThrow(
      /Protobuf|Load model/,
    );
  });

  test("an aborted request is answered at once", async () => {
    const config = writeToneRecognizer(temporaryFolder());
    const aborted = recognizer({ config })!.recognize({
      ...toneRecording("one"),
      signal: AbortSignal.timeout(1),
    });
    await expect(aborted).rejects.toMatchObject({ name: "TimeoutError" });
  });

  test("an entry whose model files are missing is not available", () => {
    const config = writeToneRecognizer(temporaryFolder());
    expect(recognizer({ config })).not.toBeNull();
    expect(recognizer({ config: { ...config, ruleFsts: "/nowhere/rules.fst" } })).toBeNull();
    expect(voice({ config: { model: { vits: { model: "/nowhere/words.onnx" } } } })).toBeNull();
  });
});
