import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createOutboundCalls } from "../../../../../src/service/outbound/outbound-calls.ts";
import { createRecognizers } from "../../../../../src/service/speech/create-speech-engines.ts";
import { loadFlite, speak } from "../../../../../src/service/speech/engines/flite/flite-program.ts";
import { WasiProgram } from "../../../../../src/service/speech/engines/flite/wasi-host.ts";
import { noScript } from "../../../service-fixture.ts";
import type { SpeechRecognizer } from "../../../../../src/service/speech/speech-recognizer.ts";

const pcm = new Int16Array(1_600);

function available(command: readonly string[], fields: object, environment: Record<string, string> = {}) {
  const engine = { type: "command", command, ...fields };
  const row = {
    id: "c",
    name: "c",
    body: { name: "c", service: "onpremise" as const, options: null },
    engine,
    isOperators: true,
  };
  return createRecognizers({
    outbound: createOutboundCalls({ allowPrivate: false }),
    environment,
    scriptUrl: noScript,
  }).of(row);
}

function recognizer(command: readonly string[], fields: object = {}): SpeechRecognizer {
  return available(command, fields)!;
}

/** A command that runs this script in Node with the WAV file and the language. */
const node = (script: string): string[] => [process.execPath, "-e", script, "{wav}", "{language}"];

describe("a recognition program", () => {
  test("gets a WAV file at its configured rate and prints the text", async () => {
    const script = `const wav = require("fs").readFileSync(process.argv[1]);
      console.log(wav.toString("latin1", 0, 4), wav.readUInt32LE(24), "\\n", wav.readUInt32LE(40));`;
    const engine = recognizer(node(script), { sample_rate_hz: 8_000, locale: "en-US" });
    expect(await engine.recognize({ pcm, sampleRateHz: 16_000 })).toEqual({
      text: `RIFF 8000 ${(pcm.length / 2) * 2}`,
      locale: "en-US",
    });
  });

  test("is started without a shell, and never gets an invalid language tag", async () => {
    const engine = recognizer([
      ...node("console.log(process.argv.slice(2).join('|'))"),
      "$(id)",
      "a b;{language}",
    ]);
    const say = async (language: string) =>
      (await engine.recognize({ pcm, sampleRateHz: 16_000, language })).text;
    expect(await say("en-US")).toBe("en-US|$(id)|a b;en-US");
    expect(await say("--help")).toBe("|$(id)|a b;");
    expect(await say("; rm -rf /")).toBe("|$(id)|a b;");
  });

  test("gets the language of each recording, and its text is read as UTF-8, however its output is cut", async () => {
    const script = `const text = { ko: "의자는 어디에 있나요?", en: "Where are the chairs?" }[process.argv[2]];
      const bytes = Buffer.from(text + "\\n");
      process.stdout.write(bytes.subarray(0, 4), () => setTimeout(() => process.stdout.write(bytes.subarray(4)), 20));`;
    const engine = recognizer(node(script));
    const say = (language: string) => engine.recognize({ pcm, sampleRateHz: 16_000, language });
    expect((await say("ko")).text).toBe("의자는 어디에 있나요?");
    expect((await say("en")).text).toBe("Where are the chairs?");
  });

  test("leaves no file behind", async () => {
    const { text } = await recognizer(node("console.log(process.argv[1])")).recognize({
      pcm,
      sampleRateHz: 16_000,
    });
    expect(text).toMatch(/speech\.wav$/);
    expect(existsSync(text)).toBe(false);
  });

  test.each([
    ["ends with an error", node("process.exit(3)"), {}, /status 3/],
    ["never ends", node("setInterval(() => {}, 1000)"), { timeout_sec: 0.3 }, /took too long/],
    ["prints without end", node("setInterval(() => console.log('x'.repeat(50000)), 0)"), {}, /too much/],
  ])("that %s is an error", async (_case, command, fields, message) => {
    await expect(recognizer(command, fields).recognize({ pcm, sampleRateHz: 16_000 })).rejects.toThrow(
      message,
    );
  });

  test("that is not installed is not available", () => {
    expect(available(["/nowhere/program", "{wav}"], {})).toBeNull();
    expect(available(["node_modules/.bin/vitest", "{wav}"], {})).toBeNull();
    expect(available(["sh", "{wav}"], {}, { PATH: "/nowhere:relative" })).toBeNull();
    expect(available(["sh", "{wav}"], {}, { PATH: "/nowhere:/bin" })).not.toBeNull();
  });

  test("is stopped when its text is no longer needed", async () => {
    const abort = new AbortController();
    const pending = recognizer(node("setInterval(() => {}, 1000)")).recognize({
      pcm,
      sampleRateHz: 16_000,
      signal: abort.signal,
    });
    abort.abort();
    await expect(pending).rejects.toMatchObject({ name: "AbortError" });
  });
});

const pocketsphinx = "/usr/bin/pocketsphinx_continuous";

describe.skipIf(!existsSync(pocketsphinx))("PocketSphinx [needs PocketSphinx]", () => {
  test("recognizes what Flite says", async () => {
    const speech = speak(new WasiProgram(loadFlite()), {
      text: "We would like to see the green chair in the window.",
      voice: "rms",
    });
    const engine = recognizer([pocketsphinx, "-infile", "{wav}", "-logfn", "/dev/null"], { locale: "en-US" });
    const { text, locale } = await engine.recognize({ pcm: speech.pcm, sampleRateHz: speech.sampleRateHz });
    expect(locale).toBe("en-US");
    const heard = ["like", "see", "green", "chair", "window"].filter((word) =>
      text.split(" ").includes(word),
    );
    expect(heard.length).toBeGreaterThanOrEqual(4);
  });
});
