import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { errorBodySchema } from "../../../src/protocol/schema/error-body.ts";
import { recognitionAudioMaxBytes, sttResponseSchema } from "../../../src/protocol/speech/recognition.ts";
import { createOutboundCalls } from "../../../src/service/outbound/outbound-calls.ts";
import { createRecognizers } from "../../../src/service/speech/create-speech-engines.ts";
import { decodeAudio } from "../../../src/service/audio/decode-audio.ts";
import type { RecognitionRequest, SpeechRecognizer } from "../../../src/service/speech/speech-recognizer.ts";
import { encodeWav } from "../../../src/service/audio/wav-file.ts";
import { noScript, type RunningService, runService } from "../service-fixture.ts";
import { openAiServer } from "../speech/engines/openai/openai-server.ts";

const wav = new Uint8Array(encodeWav(new Int16Array(1_600).fill(1_000), 16_000));

/** A service whose stt_type `ears` uses a server that answers with this text, or another engine. */
async function listening(
  answer: { text?: string; language?: string; status?: number },
  other?: () => SpeechRecognizer,
) {
  const { text = "", language, status } = answer;
  const server = await openAiServer({
    transcription: () => ({ text, language }),
    ...(status !== undefined && { status }),
  });
  const recognizers = createRecognizers({
    outbound: createOutboundCalls({ allowPrivate: false }),
    environment: {},
    scriptUrl: noScript,
  });
  const run = await runService({ recognizer: other ?? ((row) => recognizers.of(row)) });
  await run.store.catalogue.put({
    kind: "stt_type",
    id: "ears",
    name: "ears",
    organizationId: null,
    createdAtMs: 0,
    body: { name: "ears", service: "onpremise", options: null },
    engine: { base_url: server.baseUrl, api_key: "secret-key" },
  });
  return { run, requests: server.requests };
}

async function session(run: RunningService, fields: object = {}): Promise<string> {
  const response = await run.send("POST", "/api/v1/session/", {
    capability: ["STT"],
    stt_type: "ears",
    ...fields,
  });
  expect(response.status).toBe(201);
  return ((await response.json()) as { session_id: string }).session_id;
}

function upload(run: RunningService, id: string, audio: Uint8Array | string | null, fields: object = {}) {
  const body = new FormData();
  if (typeof audio === "string") body.append("audio", audio);
  else if (audio !== null) body.append("audio", new Blob([new Uint8Array(audio)]), "speech.wav");
  for (const [name, value] of Object.entries(fields)) body.append(name, String(value));
  return run.request(`/api/v1/session/${id}/stt/`, { method: "POST", body });
}

test("a session for recognition only returns a file's text, without a key", async () => {
  const { run, requests } = await listening({ text: " Two chairs, please. ", language: "en" });
  const response = await upload(run, await session(run), wav);
  expect(response.status).toBe(200);
  expect(sttResponseSchema.parse(await response.json())).toEqual({
    text: "Two chairs, please.",
    locale: "en",
    normalized_text: "Two chairs, please.",
  });
  expect(requests).toMatchObject([
    { authorization: "Bearer secret-key", fields: { model: "whisper-1", response_format: "json" } },
  ]);
  expect(Buffer.from(requests[0]!.file!).equals(Buffer.from(wav))).toBe(true);
});

test("the text is normalized by the session's own config and locale, and the language is passed on", async () => {
  const { run, requests } = await listening({ text: "의자 2개" });
  const id = await session(run, {
    stt_text_normalization_config: "Korean",
    stt_text_normalization_locale: "ko-KR",
  });
  const response = await upload(run, id, wav, { language: "ko-KR" });
  expect(await response.json()).toEqual({ text: "의자 2개", locale: "ko-KR", normalized_text: "의자 두 개" });
  expect(requests[0]!.fields).toMatchObject({ language: "ko" });
});

test.each([
  ["no file", null, "required"],
  ["text instead of a file", "hello", "invalid"],
  ["an empty file", new Uint8Array(), "invalid"],
  ["a file that is no audio", Buffer.from("hello there"), "invalid"],
])("%s is a fault of the field audio", async (_case, audio, code) => {
  const { run, requests } = await listening({});
  const response = await upload(run, await session(run), audio);
  expect(response.status).toBe(400);
  expect(errorBodySchema.parse(await response.json()).errors).toMatchObject([{ attr: "audio", code }]);
  expect(requests).toEqual([]);
});

const otherFiles = [
  ["Ogg", "OggS\0\x02", "speech.ogg"],
  ["FLAC", "fLaC\0\0", "speech.flac"],
  ["MP4", "\0\0\0\x20ftypM4A ", "speech.m4a"],
  ["WebM", "\x1aE\xdf\xa3\x01", "speech.webm"],
] as const;

test.each(otherFiles)(
  "%s is passed on unchanged to an engine that reads files itself",
  async (_name, start, fileName) => {
    const { run, requests } = await listening({ text: "의자 2개" });
    const file = new Uint8Array(Buffer.concat([Buffer.from(start, "latin1"), Buffer.alloc(400, 7)]));
    const id = await session(run, { stt_text_normalization_config: "Korean" });
    const response = await upload(run, id, file, { language: "ko" });
    expect(await response.json()).toEqual({ text: "의자 2개", locale: "ko", normalized_text: "의자 두 개" });
    expect(requests).toMatchObject([{ fileName, fields: { language: "ko" } }]);
    expect(Buffer.from(requests[0]!.file!).equals(Buffer.from(file))).toBe(true);
  },
);

test.each([
  [415, 400],
  [503, 500],
])("where such an engine answers %i to it, the caller reads %i", async (engines, ours) => {
  const { run } = await listening({ status: engines });
  const response = await upload(run, await session(run), Buffer.from("OggS0000"));
  expect(response.status).toBe(ours);
  const { errors } = errorBodySchema.parse(await response.json());
  expect(errors).toMatchObject([ours === 400 ? { attr: "audio", code: "invalid" } : { attr: null }]);
});

const fixture = (name: string) => readFileSync(join(import.meta.dirname, "../audio/fixtures", name));

/** Says how long speech is in seconds, and the pitch of its middle. */
const measured = ({ pcm, sampleRateHz }: RecognitionRequest): string => {
  const middle = pcm.subarray(Math.floor(pcm.length / 4), Math.floor((pcm.length * 3) / 4));
  const crossings = middle.filter((value, index) => value < 0 && (middle[index + 1] ?? -1) >= 0).length;
  return `${(pcm.length / sampleRateHz).toFixed(1)} ${Math.round((crossings * sampleRateHz) / middle.length)}`;
};

/** A service whose recognizer measures, and reads no file itself. */
const measuring = () =>
  listening({}, () => ({
    recognize: (request) => Promise.resolve({ text: measured(request), locale: null }),
    close: () => Promise.resolve(),
  }));

test.each([
  ["chromium-opus.webm", 1.1, 440],
  ["chromium-opus.mp4", 1.0, 440],
  ["firefox-opus.ogg", 1.0, 1_000],
  ["firefox-opus.webm", 1.0, 1_000],
  ["tone-440-opus.ogg", 1.0, 440],
  ["tone-440-opus-stereo.webm", 1.0, 440],
  ["tone-440-opus.m4a", 1.0, 440],
  ["tone-440-stereo.flac", 0.5, 440],
])("%s reaches a recognizer that takes samples", async (name, lengthSec, expectedHz) => {
  const { run } = await measuring();
  const response = await upload(run, await session(run), fixture(name));
  const { text } = sttResponseSchema.parse(await response.json());
  const [length, pitchHz] = text.split(" ").map(Number);
  expect(length).toBeCloseTo(lengthSec, 1);
  expect(Math.abs(pitchHz! - expectedHz)).toBeLessThan(8);
});

test.each([
  ["AAC in MP4", fixture("tone-440-aac.m4a"), "This MP4 file has no Opus audio; send "],
  ["Vorbis in Ogg", fixture("tone-440-vorbis.ogg"), "This Ogg file has no Opus audio; send "],
  ["AIFF", Buffer.from("FORM\0\0\0\0AIFF"), "AIFF is not supported; send "],
  ["a picture", Buffer.from("\x89PNG\r\n"), "The file is no audio that can be read; send "],
])("%s is refused with the formats that work", async (_name, file, start) => {
  const { run } = await measuring();
  const response = await upload(run, await session(run), file);
  expect(response.status).toBe(400);
  expect(errorBodySchema.parse(await response.json()).errors).toMatchObject([
    {
      attr: "audio",
      code: "invalid",
      detail: `${start}WAV, MP3, FLAC, or Ogg, WebM or MP4 with Opus.`,
    },
  ]);
});

test("MP3 reaches every engine as decoded samples", async () => {
  const { run, requests } = await listening({ text: "A tone." });
  const mp3 = fixture("tone-440-stereo.mp3");
  expect(await (await upload(run, await session(run), mp3)).json()).toMatchObject({ text: "A tone." });
  expect(requests[0]!.fileName).toBe("speech.wav");
  const sent = decodeAudio(requests[0]!.file!);
  const { pcm, sampleRateHz } = decodeAudio(mp3);
  expect(sent.sampleRateHz).toBe(sampleRateHz);
  expect(Buffer.from(sent.pcm.buffer).equals(Buffer.from(pcm.buffer))).toBe(true);
});

test("a file that is too large is refused, whatever it contains", async () => {
  const { run } = await listening({});
  const id = await session(run);
  const response = await upload(run, id, new Uint8Array(recognitionAudioMaxBytes + 1));
  expect(response.status).toBe(400);
  expect(errorBodySchema.parse(await response.json()).errors).toMatchObject([
    { attr: "audio", code: "max_length" },
  ]);
  const larger = await upload(run, id, new Uint8Array(recognitionAudioMaxBytes + 400_000));
  expect(errorBodySchema.parse(await larger.json()).errors).toMatchObject([{ code: "max_length" }]);
});

test("recognition is refused for a session without an stt_type, an ended one and an unknown one", async () => {
  const { run } = await listening({});
  const silent = await upload(run, await run.newSession(), wav);
  expect(silent.status).toBe(400);
  expect(errorBodySchema.parse(await silent.json()).errors[0]?.detail).toContain("stt_type");
  const ended = await session(run);
  await run.event(ended, "SESSION_END");
  expect((await upload(run, ended, wav)).status).toBe(400);
  expect((await upload(run, "0".repeat(40), wav)).status).toBe(404);
});

test("an engine that fails causes a server error without details, and its words are in the log", async () => {
  const { run } = await listening({ status: 503 });
  const response = await upload(run, await session(run), wav);
  expect(response.status).toBe(500);
  const body = await response.text();
  expect(errorBodySchema.parse(JSON.parse(body)).type).toBe("server_error");
  expect(body).not.toMatch(/secret|503|127\.0\.0\.1/);
  expect(JSON.stringify(run.lines)).toContain("Its server says: secret of the engine.");
});
