import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { loadFlite, speak } from "../../../../../src/service/speech/engines/flite/flite-program.ts";
import { WasiProgram } from "../../../../../src/service/speech/engines/flite/wasi-host.ts";
import type { SpeechRecognizer } from "../../../../../src/service/speech/speech-recognizer.ts";
import { recognizerOf } from "../engine-entries.ts";

const recording = { pcm: new Int16Array(1_600), sampleRateHz: 16_000 };

const recognizer = (command: readonly string[], fields: object = {}): SpeechRecognizer =>
  recognizerOf({ type: "command", command, ...fields })!;

/** A command that runs this script in Node with the WAV file and the language. */
const node = (script: string): string[] => [process.execPath, "-e", script, "{wav}", "{language}"];

describe("a recognition program", () => {
  test("gets a WAV file at its configured rate and prints the text", async () => {
    const script = `const wav = require("fs").readFileSync(process.argv[1]);
      console.log(wav.toString("latin1", 0, 4), wav.readUInt32LE(24), "\\n", wav.readUInt32LE(40));`;
    const engine = recognizer(node(script), { sample_rate_hz: 8_000, locale: "en-US" });
    const text = `RIFF 8000 ${(recording.pcm.length / 2) * 2}`;
    expect(await engine.recognize(recording)).toEqual({ text, locale: "en-US" });
  });

  test("is started without a shell, and never gets an invalid language tag", async () => {
    const script = node("console.log(process.argv.slice(2).join('|'))");
    const engine = recognizer([...script, "$(id)", "a b;{language}"]);
    const say = async (language: string) => (await engine.recognize({ ...recording, language })).text;
    expect(await say("en-US")).toBe("en-US|$(id)|a b;en-US");
    expect(await say("--help")).toBe("|$(id)|a b;");
    expect(await say("; rm -rf /")).toBe("|$(id)|a b;");
  });

  test("gets the language of each recording, and its text is read as UTF-8, however its output is cut", async () => {
    const script = `const text = { ko: "의자는 어디에 있나요?", en: "Where are the chairs?" }[process.argv[2]];
      const bytes = Buffer.from(text + "\\n");
      process.stdout.write(bytes.subarray(0, 4), () => setTimeout(() => process.stdout.write(bytes.subarray(4)), 20));`;
    const engine = recognizer(node(script));
    const say = async (language: string) => (await engine.recognize({ ...recording, language })).text;
    expect([await say("ko"), await say("en")]).toEqual(["의자는 어디에 있나요?", "Where are the chairs?"]);
  });

  test("leaves no file behind", async () => {
    const { text } = await recognizer(node("console.log(process.argv[1])")).recognize(recording);
    expect(text).toMatch(/speech\.wav$/);
    expect(existsSync(text)).toBe(false);
  });

  test.each([
    ["ends with an error", node("process.exit(3)"), {}, /status 3/],
    ["never ends", node("setInterval(() => {}, 1000)"), { timeout_sec: 0.3 }, /took too long/],
    ["prints without end", node("setInterval(() => console.log('x'.repeat(50000)), 0)"), {}, /too much/],
  ])("that %s is an error", async (_case, command, fields, message) => {
    await expect(recognizer(command, fields).recognize(recording)).rejects.toThrow(message);
  });

  test.each([
    ["/nowhere/program", "/bin", false],
    ["node_modules/.bin/vitest", "/bin", false],
    ["sh", "/nowhere:relative", false],
    ["sh", "/nowhere:/bin", true],
  ])("%s with the path %s is available: %s", (program, PATH, isAvailable) => {
    const engine = { type: "command", command: [program, "{wav}"] };
    expect(recognizerOf(engine, { environment: { PATH } }) !== null).toBe(isAvailable);
  });

  test("is stopped when its text is no longer needed", async () => {
    const abort = new AbortController();
    const engine = recognizer(node("setInterval(() => {}, 1000)"));
    const pending = engine.recognize({ ...recording, signal: abort.signal });
    abort.abort();
    await expect(pending).rejects.toMatchObject({ name: "AbortError" });
  });
});

const pocketsphinx = "/usr/bin/pocketsphinx_continuous";

describe.skipIf(!existsSync(pocketsphinx))("PocketSphinx [needs PocketSphinx]", () => {
  test("recognizes what Flite says", async () => {
    const said = "We would like to see the green chair in the window.";
    const speech = speak(new WasiProgram(loadFlite()), { text: said, voice: "rms" });
    const engine = recognizer([pocketsphinx, "-infile", "{wav}", "-logfn", "/dev/null"], { locale: "en-US" });
    const { text, locale } = await engine.recognize(speech);
    expect(locale).toBe("en-US");
    const heard = text
      .split(" ")
      .filter((word) => ["like", "see", "green", "chair", "window"].includes(word));
    expect(new Set(heard).size).toBeGreaterThanOrEqual(4);
  });
});
