import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { silentLogger } from "../../../../src/logging/logger.ts";
import { uploadedSpeech } from "../../../../src/service/sessions/hearing/session-recordings.ts";
import { encodeWav } from "../../../../src/service/audio/wav-file.ts";
import { plainAudioProcessor, runService } from "../../service-fixture.ts";

const mp3 = readFileSync(join(import.meta.dirname, "../../audio/fixtures/tone-440-stereo.mp3"));
const wav = new Uint8Array(
  encodeWav(
    Int16Array.from({ length: 8_000 }, (_, index) => 9_000 * Math.sin(index)),
    16_000,
  ),
);

async function upload(
  bytes: Uint8Array,
  message: string,
  format: "wav" | "mp3" = "wav",
  audio = plainAudioProcessor,
) {
  const run = await runService();
  const session = (await run.store.sessions.byId(await run.newSession()))!;
  const lines: string[] = [];
  const log = { ...silentLogger, error: (line: string) => void lines.push(line) };
  return { outcome: await uploadedSpeech({ audio, log }, session, { bytes, message, format }), lines };
}

test.each([
  ["wav", wav, 500],
  ["mp3", mp3, 576],
] as const)("an uploaded %s becomes speech with words and shapes", async (format, bytes, durationMs) => {
  const { outcome } = await upload(bytes, "Hello Mara", format);
  if (!outcome.ok) throw new Error(outcome.detail);
  const { speech } = outcome;
  expect((speech.pcm.length * 1_000) / speech.sampleRateHz).toBeCloseTo(durationMs, 0);
  expect(speech.words.map(({ text }) => text)).toEqual(["Hello", "Mara"]);
  expect(speech.visemes.at(-1)!.end).toBeCloseTo(durationMs, 0);
  expect(speech.visemes.some(({ viseme }) => viseme !== "sil")).toBe(true);
});

test("the bytes decide the format, not its name", async () => {
  expect((await upload(mp3, "", "wav")).outcome).toMatchObject({ ok: true, speech: { words: [] } });
});

test.each([
  ["empty", new Uint8Array()],
  ["broken", Buffer.from("no audio at all")],
  ["cut off", wav.subarray(0, 30)],
])("a file that is %s has a code and a reason", async (_case, bytes) => {
  const { outcome, lines } = await upload(bytes, "Hello");
  expect(outcome).toMatchObject({
    ok: false,
    code: "invalid_audio",
    detail: expect.stringMatching(/file/) as string,
  });
  expect(lines).toEqual([]);
});

test("an error of the server is logged and not described to the client", async () => {
  const failing = { ...plainAudioProcessor, decode: () => Promise.reject(new Error("secret path")) };
  const { outcome, lines } = await upload(wav, "Hello", "wav", failing);
  expect(outcome).toMatchObject({ ok: false, code: "engine_failed" });
  expect(JSON.stringify(outcome)).not.toContain("secret");
  expect(lines).toEqual(["uploaded audio failed"]);
});
