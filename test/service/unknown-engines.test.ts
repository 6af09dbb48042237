import * as z from "zod";
import { describe, expect, onTestFinished, test } from "vitest";
import { errorBodySchema } from "../../src/protocol/schema/error-body.ts";
import { encodeWav } from "../../src/service/audio/wav-file.ts";
import { UnknownEngineError } from "../../src/service/engines/engine.ts";
import { createOutboundCalls } from "../../src/service/outbound/outbound-calls.ts";
import { agentEngine, languageEngine } from "../../src/service/language/language-engines.ts";
import { createRecognizers } from "../../src/service/speech/create-speech-engines.ts";
import { recognitionEngine, synthesisEngine } from "../../src/service/speech/speech-engines.ts";
import { runEngines } from "./engines-fixture.ts";
import { noScript, runService } from "./service-fixture.ts";

const own = { service: "onpremise", name: "own" };

test.each([
  ["a voice", () => synthesisEngine(own, { type: "piper" }), "openai, sherpa-onnx"],
  [
    "a voice of the service's own",
    () => synthesisEngine({ service: "visavis", model: "piper" }, null),
    "flite",
  ],
  ["a voice by a recognizer", () => synthesisEngine(own, { type: "command" }), "openai, sherpa-onnx"],
  ["a recognizer", () => recognitionEngine(own, { type: "vosk" }), "openai, sherpa-onnx, command"],
  ["a language model", () => languageEngine(own, { type: "ollama" }), "chat-completions"],
  ["an agent", () => agentEngine({ type: "dialogflow" }), "interactive-agent"],
])("%s of an unknown kind is an error that names the known kinds", (_case, find, known) => {
  expect(find).toThrow(UnknownEngineError);
  expect(find).toThrow(known);
});

test("an entry without a kind uses the engine of its protocol", () => {
  expect(synthesisEngine(own, { base_url: "https://voice.example/v1" }).kind).toBe("openai");
  expect(synthesisEngine({ service: "visavis", model: "flite" }, null).kind).toBe("flite");
  expect(recognitionEngine(own, null).kind).toBe("openai");
  expect(languageEngine(own, null).kind).toBe("chat-completions");
  expect(languageEngine({ name: "own", service: "visavis" }, null).kind).toBe("retrieval");
});

describe("an entry of an unknown engine that the store has", () => {
  const engine = { type: "piper", model: "m", base_url: "https://engine.example/v1" };

  test("is a server error when a session names it, and is in no list", async () => {
    const run = await runEngines();
    await run.put("llm_type", "old", { name: "old", service: "onpremise" }, engine);
    const response = await run.send("POST", "/api/v1/session/", {
      capability: ["LLM"],
      prompt: run.demo.id,
      llm_type: "old",
    });
    expect(response.status).toBe(500);
    const { errors } = errorBodySchema.parse(await response.json());
    expect(errors[0]).toMatchObject({
      code: "unknown_engine",
      detail: expect.stringContaining("piper") as string,
    });
    const list = await run.get("/api/v1/settings/llm_type/");
    expect(list.status).toBe(200);
    expect(JSON.stringify(await list.json())).not.toContain('"old"');
  });

  test("is the same error when it changed after the session started", async () => {
    const context = {
      outbound: createOutboundCalls({ allowPrivate: false }),
      environment: {},
      scriptUrl: noScript,
    };
    const recognizers = createRecognizers(context);
    onTestFinished(() => recognizers.close());
    const run = await runService({ recognizer: (row) => recognizers.of(row) });
    const put = (settings: object) =>
      run.store.catalogue.put({
        kind: "stt_type",
        id: "ears",
        name: "ears",
        organizationId: null,
        createdAtMs: 0,
        body: { name: "ears", service: "onpremise", options: null },
        engine: { ...settings },
      });
    await put({ base_url: "http://127.0.0.1:9/v1" });
    const created = await run.send("POST", "/api/v1/session/", { capability: ["STT"], stt_type: "ears" });
    const { session_id: session } = z.object({ session_id: z.string() }).parse(await created.json());
    await put(engine);
    const form = new FormData();
    form.append("audio", new Blob([new Uint8Array(encodeWav(new Int16Array(1_600), 16_000))]), "a.wav");
    const response = await run.request(`/api/v1/session/${session}/stt/`, { method: "POST", body: form });
    expect(response.status).toBe(500);
    expect(errorBodySchema.parse(await response.json()).errors[0]).toMatchObject({ code: "unknown_engine" });
  });
});
