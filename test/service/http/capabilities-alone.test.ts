import { afterAll, beforeAll, expect, test } from "vitest";
import { sessionRetrievedSchema } from "../../../src/protocol/session/session.ts";
import { ttsResponseSchema } from "../../../src/protocol/speech/speech.ts";
import {
  createFliteSynthesizer,
  type FliteSynthesizer,
} from "../../../src/service/speech/engines/flite/flite-synthesizer.ts";
import { decodeAudio } from "../../../src/service/audio/decode-audio.ts";
import { bundleEntry, type BundledEntry } from "../bundle-entry.ts";
import { runService } from "../service-fixture.ts";

let entry: BundledEntry;
let flite: FliteSynthesizer;

beforeAll(async () => {
  entry = await bundleEntry("src/service/speech/engines/flite/flite-worker.ts");
  flite = createFliteSynthesizer({ workerUrl: entry.url });
});

afterAll(async () => {
  await flite.close();
  entry.remove();
});

async function created(fields: object) {
  const run = await runService({ synthesizer: () => flite });
  const response = await run.send("POST", "/api/v1/session/", fields);
  expect(response.status).toBe(201);
  const { session_id } = (await response.json()) as { session_id: string };
  return { run, path: `/api/v1/session/${session_id}` };
}

test("STF_ONPREMISE with a voice returns what the caller needs to render itself", async () => {
  const { run, path } = await created({
    capability: ["STF_ONPREMISE", "TTS"],
    model_style: "mina",
    tts_type: "visavis-slt",
  });
  const session = sessionRetrievedSchema.parse(await (await run.request(`${path}/`)).json());
  expect(session.model_style?.files.map(({ name }) => name)).toContain("character");
  const text = "Welcome to our shop.";
  const response = await run.request(`${path}/tts/`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ text }),
  });
  const { audio, words, visemes } = ttsResponseSchema.parse(await response.json());
  const { pcm, sampleRateHz } = decodeAudio(Buffer.from(audio, "base64"));
  const durationMs = (pcm.length * 1_000) / sampleRateHz;
  expect(durationMs).toBeGreaterThan(700);
  expect(words.map((word) => word.text)).toEqual(text.split(" "));
  expect(visemes[0]!.start).toBe(0);
  // Times are whole ms.
  expect(visemes.at(-1)!.end).toBe(Math.round(durationMs));
  expect(new Set(visemes.map(({ viseme }) => viseme)).size).toBeGreaterThan(5);
});

test("TTS alone allows speech and nothing else", async () => {
  const { run, path } = await created({ capability: ["TTS"], tts_type: "visavis-rms" });
  const post = (operation: string, body: unknown) => run.send("POST", `${path}/${operation}/`, body);
  expect((await post("tts", { text: "Hello." })).status).toBe(200);
  expect((await post("llm/v2", { messages: [{ role: "user", content: "Hi" }] })).status).toBe(400);
  const form = new FormData();
  form.append("audio", new Blob(["x"]), "a.wav");
  expect((await run.request(`${path}/stt/`, { method: "POST", body: form })).status).toBe(400);
});
