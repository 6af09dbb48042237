import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { recognitionAudioMaxBytes } from "../../../src/protocol/speech/recognition.ts";
import { createOutboundCalls } from "../../../src/service/outbound/outbound-calls.ts";
import { createRecognizers } from "../../../src/service/speech/create-speech-engines.ts";
import { decodeAudio } from "../../../src/service/audio/decode-audio.ts";
import type { RecognitionRequest, SpeechRecognizer } from "../../../src/service/speech/speech-recognizer.ts";
import { encodeWav } from "../../../src/service/audio/wav-file.ts";
import { errorsOf, filled, jsonOf, refusalOf, statusOf } from "../answers.ts";
import { noScript, type RunningService, runService } from "../service-fixture.ts";
import { openAiServer } from "../speech/engines/openai/openai-server.ts";
import { testWith } from "./shared-service.ts";

const wav = new Uint8Array(encodeWav(new Int16Array(1_600).fill(1_000), 16_000));

/** A service whose stt_type `ears` uses a server that answers with this text, or another engine. */
async function listening(
  { text = "", status }: { text?: string; status?: number },
  other?: () => SpeechRecognizer,
  given: Parameters<typeof runService>[0] = {},
) {
  const transcription = () => ({ text, language: text.startsWith(" Two") ? "en" : undefined });
  const server = await openAiServer({ transcription, ...(status !== undefined && { status }) });
  const recognizers = createRecognizers({
    ...{ outbound: createOutboundCalls({ allowPrivate: false }), environment: {}, scriptUrl: noScript },
  });
  const run = await runService({ ...given, recognizer: other ?? ((row) => recognizers.of(row)) });
  const body = { name: "ears", service: "onpremise" as const, options: null };
  await run.put("stt_type", "ears", body, { base_url: server.baseUrl, api_key: "secret-key" });
  return Object.assign(run, { requests: server.requests });
}

const newSession = (run: RunningService, fields: object = {}): Promise<string> =>
  run.newSession({ capability: ["STT"], stt_type: "ears", ...fields });

function upload(run: RunningService, id: string, audio: Uint8Array | string | null, fields = {}) {
  const file = typeof audio === "string" ? audio : new Blob([new Uint8Array(audio ?? [])]);
  const body = filled(new FormData(), { ...(audio !== null && { audio: file }), ...fields });
  return run.request(`/api/v1/session/${id}/stt/`, { method: "POST", body });
}

test("a session for recognition only returns a file's text, without a key", async () => {
  const run = await listening({ text: " Two chairs, please. " });
  const text = "Two chairs, please.";
  const answer = await jsonOf(upload(run, await newSession(run), wav));
  expect(answer).toEqual({ text, locale: "en", normalized_text: text });
  const fields = { model: "whisper-1", response_format: "json" };
  expect(run.requests).toMatchObject([{ authorization: "Bearer secret-key", fields }]);
  expect(Buffer.from(run.requests[0]!.file!).equals(Buffer.from(wav))).toBe(true);
});

const twoChairs = { text: "의자 2개", normalized_text: "의자 두 개" };
const korean = { stt_text_normalization_config: "Korean" };

test("the text is normalized by the session's own config and locale, and the language is passed on", async () => {
  const run = await listening({ text: twoChairs.text });
  const id = await newSession(run, { ...korean, stt_text_normalization_locale: "ko-KR" });
  const answer = await jsonOf(upload(run, id, wav, { language: "ko-KR" }));
  expect(answer).toEqual({ ...twoChairs, locale: "ko-KR" });
  expect(run.requests[0]!.fields).toMatchObject({ language: "ko" });
});

test.each([
  ["Ogg", "OggS\0\x02", "speech.ogg"],
  ["FLAC", "fLaC\0\0", "speech.flac"],
  ["MP4", "\0\0\0\x20ftypM4A ", "speech.m4a"],
  ["WebM", "\x1aE\xdf\xa3\x01", "speech.webm"],
])("%s is passed on unchanged to an engine that reads files itself", async (_name, start, fileName) => {
  const run = await listening({ text: twoChairs.text });
  const file = new Uint8Array(Buffer.concat([Buffer.from(start, "latin1"), Buffer.alloc(400, 7)]));
  const answer = await jsonOf(upload(run, await newSession(run, korean), file, { language: "ko" }));
  expect(answer).toEqual({ ...twoChairs, locale: "ko" });
  expect(run.requests).toMatchObject([{ fileName, fields: { language: "ko" } }]);
  expect(Buffer.from(run.requests[0]!.file!).equals(Buffer.from(file))).toBe(true);
});

test.each([
  [415, [400, "audio invalid"]],
  [503, [500, "- error"]],
])("where such an engine answers %i to it, the caller reads %j", async (status, refusal) => {
  const run = await listening({ status });
  expect(await refusalOf(upload(run, await newSession(run), Buffer.from("OggS0000")))).toEqual(refusal);
});

const fixture = (name: string) => readFileSync(join(import.meta.dirname, "../audio/fixtures", name));

/** Says how long speech is in seconds, and the pitch of its middle. */
const measured = ({ pcm, sampleRateHz }: RecognitionRequest): string => {
  const middle = pcm.subarray(Math.floor(pcm.length / 4), Math.floor((pcm.length * 3) / 4));
  const crossings = middle.filter((value, index) => value < 0 && (middle[index + 1] ?? -1) >= 0).length;
  return `${pcm.length / sampleRateHz} ${(crossings * sampleRateHz) / middle.length}`;
};

/** A recognizer that measures, and reads no file itself. */
const measuring: SpeechRecognizer = {
  recognize: (request) => Promise.resolve({ text: measured(request), locale: null }),
  close: () => Promise.resolve(),
};
const measuredTest = testWith((given) => listening({}, () => measuring, given));

measuredTest.for([
  ["chromium-opus.webm", 1.1, 440],
  ["chromium-opus.mp4", 1.0, 440],
  ["firefox-opus.ogg", 1.0, 1_000],
  ["firefox-opus.webm", 1.0, 1_000],
  ["tone-440-opus.ogg", 1.0, 440],
  ["tone-440-opus-stereo.webm", 1.0, 440],
  ["tone-440-opus.m4a", 1.0, 440],
  ["tone-440-stereo.flac", 0.5, 440],
] as const)("%s reaches a recognizer that takes samples", async ([name, lengthSec, expectedHz], { run }) => {
  const { text } = await jsonOf<{ text: string }>(upload(run, await newSession(run), fixture(name)));
  const [length, pitchHz] = text.split(" ").map(Number);
  expect(Math.abs(length! - lengthSec)).toBeLessThan(0.1);
  expect(Math.abs(pitchHz! - expectedHz)).toBeLessThan(8);
});

measuredTest.for([
  ["AAC in MP4", fixture("tone-440-aac.m4a"), "This MP4 file has no Opus audio; send "],
  ["Vorbis in Ogg", fixture("tone-440-vorbis.ogg"), "This Ogg file has no Opus audio; send "],
  ["AIFF", Buffer.from("FORM\0\0\0\0AIFF"), "AIFF is not supported; send "],
  ["a picture", Buffer.from("\x89PNG\r\n"), "The file is no audio that can be read; send "],
] as const)("%s is refused with the formats that work", async ([, file, start], { run }) => {
  const detail = `${start}WAV, MP3, FLAC, or Ogg, WebM or MP4 with Opus.`;
  const errors = await errorsOf(upload(run, await newSession(run), file));
  expect(errors).toEqual([{ attr: "audio", code: "invalid", detail }]);
});

test.each<[what: string, audio: Uint8Array | string | null, code: string]>([
  ["no file", null, "required"],
  ["text instead of a file", "hello", "invalid"],
  ["an empty file", new Uint8Array(), "invalid"],
  ["a file that is no audio", Buffer.from("hello there"), "invalid"],
  ["a file that is too large", new Uint8Array(recognitionAudioMaxBytes + 1), "max_length"],
])("%s is a fault of the field audio", async (_what, audio, code) => {
  const run = await listening({});
  expect(await refusalOf(upload(run, await newSession(run), audio))).toEqual([400, `audio ${code}`]);
  expect(run.requests).toEqual([]);
});

test("a body that is far too large is refused whole", async () => {
  const run = await listening({});
  const larger = new Uint8Array(recognitionAudioMaxBytes + 400_000);
  expect((await refusalOf(upload(run, await newSession(run), larger))).join()).toMatch(/^400,.* max_length$/);
});

test("MP3 reaches every engine as decoded samples", async () => {
  const run = await listening({ text: "A tone." });
  const mp3 = fixture("tone-440-stereo.mp3");
  expect(await jsonOf(upload(run, await newSession(run), mp3))).toMatchObject({ text: "A tone." });
  expect(run.requests[0]!.fileName).toBe("speech.wav");
  const sent = decodeAudio(run.requests[0]!.file!);
  const { pcm, sampleRateHz } = decodeAudio(mp3);
  expect(sent.sampleRateHz).toBe(sampleRateHz);
  expect(Buffer.from(sent.pcm.buffer).equals(Buffer.from(pcm.buffer))).toBe(true);
});

test("recognition is refused for a session without an stt_type, an ended one and an unknown one", async () => {
  const run = await listening({});
  const silent = await run.newSession();
  expect((await errorsOf(upload(run, silent, wav)))[0]?.detail).toContain("stt_type");
  const ended = await newSession(run);
  await run.event(ended, "SESSION_END");
  for (const [id, status] of [[silent, 400] as const, [ended, 400] as const, ["0".repeat(40), 404] as const])
    expect(await statusOf(upload(run, id, wav))).toBe(status);
});

test("an engine that fails causes a server error without details, and its words are in the log", async () => {
  const run = await listening({ status: 503 });
  const response = await upload(run, await newSession(run), wav);
  expect(response.status).toBe(500);
  const body = await response.text();
  expect(body).toContain('"server_error"');
  expect(body).not.toMatch(/secret|503|127\.0\.0\.1/);
  expect(JSON.stringify(run.lines)).toContain("Its server says: secret of the engine.");
});
