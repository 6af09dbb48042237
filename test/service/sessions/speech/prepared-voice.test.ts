import { expect, it } from "vitest";
import type { SpeechRequest, SpeechSynthesizer } from "../../../../src/service/speech/speech-synthesizer.ts";
import { runRelay } from "../../../relay/relay-fixture.ts";
import { runService } from "../../service-fixture.ts";

/** A voice that counts how often it was prepared, and notes what it is to say first. */
function countedVoice(remembers = false) {
  let prepared = 0;
  const firsts: SpeechRequest[] = [];
  const synthesizer: SpeechSynthesizer = {
    voices: ["slt"],
    remembers,
    prepare(first) {
      prepared++;
      if (first) firsts.push(first);
    },
    synthesize: () => Promise.reject(new Error("Nothing is spoken here.")),
    close: () => Promise.resolve(),
  };
  return { synthesizer: () => synthesizer, prepared: () => prepared, firsts };
}

async function runCounted() {
  const { synthesizer, prepared } = countedVoice();
  return { ...(await runService({ synthesizer })), prepared };
}

const byKey = (key: string): string => `/api/console/b2c/contexts/?context_id=${key}`;

it("prepares no voice before somebody comes", async () => {
  const { get, prepared } = await runCounted();
  expect((await get("/api/console/b2c/contexts/")).status).toBe(200);
  expect((await get(byKey("ctx_none"))).status).toBe(200);
  expect(prepared()).toBe(0);
});

it("prepares the context's voice when a page asks for its context", async () => {
  const { get, prepared } = await runCounted();
  expect((await get(byKey("ctx_demo"))).status).toBe(200);
  await expect.poll(prepared).toBe(1);
});

it.each(["/launcher", ""])("prepares it when a page asks the relay for the context%s", async (path) => {
  const { synthesizer, prepared } = countedVoice();
  const { get } = await runRelay({}, { synthesizer });
  expect((await get(`/embed/v1/contexts/ctx_demo${path}`)).status).toBe(200);
  await expect.poll(prepared).toBe(1);
});

it("prepares the greeting as it will be said, where the voice keeps its speech", async () => {
  const { synthesizer, firsts } = countedVoice(true);
  const { get, send } = await runService({ synthesizer });
  const context = {
    name: "Shop",
    tts_type: "visavis-slt",
    model_style: "mina",
    greeting: "Hello, I'm **Mara**.",
    embed_config: { voice: { rate: 1.1, pitch: 0.9 } },
  };
  const created = (await (await send("POST", "/api/console/b2c/contexts/", context)).json()) as {
    context_id: string;
  };
  expect((await get(byKey(created.context_id))).status).toBe(200);
  await expect
    .poll(() => firsts)
    .toEqual([{ text: "Hello, I'm Mara.", voice: "slt", rate: 1.1, pitch: 0.9 }]);
});

it("prepares no greeting for a voice that would have to speak it again", async () => {
  const { synthesizer, prepared, firsts } = countedVoice();
  const { get } = await runService({ synthesizer });
  await get(byKey("ctx_demo"));
  await expect.poll(prepared).toBe(1);
  expect(firsts).toEqual([]);
});

it("prepares the session's voice when the session is created", async () => {
  const { newSession, prepared } = await runCounted();
  expect(await newSession()).toMatch(/^[0-9a-f]{40}$/);
  await expect.poll(prepared).toBe(1);
});

it("answers as usual when the voice cannot be prepared", async () => {
  const { get } = await runService({
    synthesizer: () => {
      throw new Error("There is no such engine.");
    },
  });
  expect((await get(byKey("ctx_demo"))).status).toBe(200);
});
