import { expect, test } from "vitest";
import { errorBodySchema } from "../../../src/protocol/schema/error-body.ts";
import type { SpeechRequest } from "../../../src/service/speech/speech-synthesizer.ts";
import { runService } from "../service-fixture.ts";

test("the owner of a context sets how fast and how high its voice speaks", async () => {
  const asked: Pick<SpeechRequest, "rate" | "pitch">[] = [];
  const run = await runService({
    synthesizer: () => ({
      voices: ["slt"],
      synthesize: ({ rate, pitch }) => {
        asked.push({ rate, pitch });
        return Promise.resolve({ sampleRateHz: 16_000, pcm: new Int16Array(160), words: [], visemes: [] });
      },
      close: () => Promise.resolve(),
    }),
  });
  const { name, tts_type, model_style, id } = run.demo;
  const put = (voice: unknown): Promise<Response> =>
    run.send("PUT", `/api/console/b2c/contexts/${id}/`, {
      name,
      tts_type,
      model_style,
      embed_config: { voice },
    });
  expect((await put({ rate: 1.15, pitch: 0.9 })).status).toBe(200);
  const sessionOf = async (extra: object): Promise<string> => {
    const response = await run.send("POST", "/api/v1/session/", { capability: ["TTS"], tts_type, ...extra });
    return ((await response.json()) as { session_id: string }).session_id;
  };
  const visitor = await sessionOf({ extra_data: { context_id: "ctx_demo" } });
  for (const session of [visitor, await sessionOf({})])
    expect((await run.send("POST", `/api/v1/session/${session}/tts/`, { text: "Hello." })).status).toBe(200);
  expect(asked).toEqual([
    { rate: 1.15, pitch: 0.9 },
    { rate: undefined, pitch: undefined },
  ]);
  // It is kept as any JSON is, and has no effect.
  expect(await (await put({ rate: 9 })).json()).toMatchObject({
    warnings: [{ attr: "embed_config.voice.rate" }],
  });
  const usual = await sessionOf({ extra_data: { context_id: "ctx_demo" } });
  await run.send("POST", `/api/v1/session/${usual}/tts/`, { text: "Hello again." });
  expect(asked.at(-1)).toEqual({ rate: undefined, pitch: undefined });
});

test("a visitor's rate multiplies the owner's, as far as voices can speak it, and rates beyond are refused", async () => {
  const rates: SpeechRequest["rate"][] = [];
  const run = await runService({
    synthesizer: () => ({
      voices: ["slt"],
      synthesize: ({ rate }) => {
        rates.push(rate);
        return Promise.resolve({ sampleRateHz: 16_000, pcm: new Int16Array(160), words: [], visemes: [] });
      },
      close: () => Promise.resolve(),
    }),
  });
  const { name, tts_type, model_style, id } = run.demo;
  const embed_config = { voice: { rate: 1.1 } };
  await run.send("PUT", `/api/console/b2c/contexts/${id}/`, { name, tts_type, model_style, embed_config });
  const { signal } = new AbortController();
  const visitor = await run.newSession({ extra_data: { context_id: "ctx_demo" } });
  const without = await run.newSession();
  for (const [session, rate] of [
    [visitor, 1.25],
    [visitor, 2],
    [visitor, 1],
    [without, 0.75],
  ] as const)
    expect(await run.hooks.synthesize(session, { text: "Hello.", rate }, signal)).toMatchObject({ ok: true });
  expect(rates).toEqual([1.375, 2, 1.1, 0.75]);

  const ask = (speech_rate: unknown): Promise<Response> =>
    run.send("POST", `/api/v1/session/${without}/llm/v2/`, {
      messages: [{ role: "user", content: "Hello?" }],
      speech_rate,
    });
  const refused = await ask(2.5);
  expect(refused.status).toBe(400);
  expect(errorBodySchema.parse(await refused.json()).errors[0]).toMatchObject({
    code: "max_value",
    attr: "speech_rate",
  });
});
