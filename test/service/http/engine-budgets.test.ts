import { expect, test } from "vitest";
import type { LlmStreamEvent } from "../../../src/protocol/answers/llm-stream.ts";
import type { LanguageModel } from "../../../src/service/language/language-model.ts";
import { defaultEngineBudgets, type EngineBudgets } from "../../../src/service/service-settings.ts";
import type { SpeechRecognizer } from "../../../src/service/speech/speech-recognizer.ts";
import { encodeWav } from "../../../src/service/audio/wav-file.ts";
import { filled, statusOf } from "../answers.ts";
import { runService, settingsWith } from "../service-fixture.ts";

const piece: LlmStreamEvent = { status: "success", type: "message", role: "assistant", content: "One. " };

const recognizer: SpeechRecognizer = {
  recognize: () => Promise.resolve({ text: "hello", locale: null }),
  close: () => Promise.resolve(),
};

/** A model whose answers go on until they are aborted. */
const endless: LanguageModel = {
  async *answer({ signal }) {
    while (!signal?.aborted) {
      yield piece;
      await new Promise(setImmediate);
    }
  },
};

interface Budgets {
  session?: Partial<EngineBudgets["session"]>;
  context?: Partial<EngineBudgets["context"]>;
}

async function start({ session, context }: Budgets = {}, model?: LanguageModel) {
  const engineBudgets = {
    session: { ...defaultEngineBudgets.session, ...session },
    context: { ...defaultEngineBudgets.context, ...context },
  };
  const run = await runService({
    recognizer: () => recognizer,
    ...(model && { languageModel: () => model }),
    settings: settingsWith({ engineBudgets }),
  });
  await run.put("stt_type", "ears", { name: "ears", service: "visavis", options: {} });
  const question = { messages: [{ role: "user", content: "How much is the Alder chair?" }] };
  return Object.assign(run, {
    newHearing: () => run.newSession({ capability: ["STF_WEBRTC", "STT"], stt_type: "ears" }),
    ask: (session: string) => run.send("POST", `/api/v1/session/${session}/llm/v2/`, question),
    /** Asks, and reads the answer to its end. */
    async askWhole(session: string): Promise<[status: number, text: string]> {
      const answer = await run.send("POST", `/api/v1/session/${session}/llm/v2/`, question);
      return [answer.status, await answer.text()];
    },
    speak: (session: string, text: string) => run.send("POST", `/api/v1/session/${session}/tts/`, { text }),
  });
}

/** Fails unless it is the documented rate limit error, with a reset in so many seconds. */
async function expectLimited(answer: Promise<Response> | Response, limit: number, inSec: number) {
  const response = await answer;
  const { status, headers } = response;
  const told = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "Retry-After"].map((name) => headers.get(name));
  expect([status, ...told]).toEqual([429, String(limit), "0", String(inSec)]);
  expect(await response.json()).toMatchObject({ code: "G0005", status: "TOO_MANY_REQUESTS" });
}

const { signal } = new AbortController();
const limited = { ok: false, code: "rate_limited" };

test("each session has its own number of turns per minute, and new ones when the minute is over", async () => {
  const run = await start();
  const [session, other] = [await run.newHearing(), await run.newHearing()];
  for (let turn = 0; turn < 20; turn++) expect((await run.askWhole(session))[0]).toBe(200);
  await expectLimited(run.ask(session), 20, 60);
  expect(await statusOf(run.ask(other))).toBe(200);
  run.pass(59);
  await run.event(session, "SESSION_DURING");
  await expectLimited(run.ask(session), 20, 1);
  run.pass(2);
  expect(await statusOf(run.ask(session))).toBe(200);
});

test("a session has one answer at a time, for any caller", async () => {
  const run = await start({}, endless);
  const [session, other] = [await run.newHearing(), await run.newHearing()];
  const first = await run.ask(session);
  for (const answer of [run.ask(session), run.ask(session), run.ask(session)])
    await expectLimited(answer, 1, 1);
  const elsewhere = await run.ask(other);
  expect([first.status, elsewhere.status]).toEqual([200, 200]);
  await Promise.all([first.body?.cancel(), elsewhere.body?.cancel()]);
});

test("the next question is accepted right after an interruption, even if it arrives first", async () => {
  const run = await start({}, endless);
  const session = await run.newHearing();
  let answer = await run.ask(session);
  for (let turn = 0; turn < 5; turn++) {
    const next = run.ask(session);
    await answer.body?.cancel();
    answer = await next;
    expect(answer.status).toBe(200);
  }
  await answer.body?.cancel();
});

test("the next question is accepted after an answer failed", async () => {
  const failing: LanguageModel = {
    async *answer() {
      yield await Promise.resolve(piece);
      throw new Error("engine gone");
    },
  };
  const run = await start({}, failing);
  const session = await run.newHearing();
  for (let turn = 0; turn < 3; turn++)
    expect(await run.askWhole(session)).toEqual([200, expect.stringContaining("error")]);
});

test("spoken characters over HTTP and the data channel share a limit, and refused texts are not counted", async () => {
  const run = await start({ session: { charactersPerMinute: 100 } });
  const session = await run.newHearing();
  const say = (text: string, by = session) => run.hooks.synthesize(by, { text, rate: 1 }, signal);
  expect(await statusOf(run.speak(session, "a".repeat(60)))).toBe(200);
  expect(await say("b".repeat(60))).toMatchObject(limited);
  expect(await say("c".repeat(40))).toMatchObject({ ok: true });
  await expectLimited(run.speak(session, "d"), 100, 60);
  expect(await say("e", await run.newHearing())).toMatchObject({ ok: true });
});

test("recognized files, recognized recordings and spoken files share a limit", async () => {
  const run = await start({ session: { recognitionsPerMinute: 3 } });
  const session = await run.newHearing();
  const wav = encodeWav(new Int16Array(1_600).fill(500), 16_000);
  const recording = { pcm: new Int16Array(1_600), sampleRateHz: 16_000 };
  const upload = { bytes: wav, message: "hello", format: "wav" as const };
  const recognizeFile = () => {
    const body = filled(new FormData(), { audio: wav });
    return run.request(`/api/v1/session/${session}/stt/`, { method: "POST", body });
  };
  expect(await statusOf(recognizeFile())).toBe(200);
  expect(await run.hooks.recognize(session, recording, signal)).toEqual({ ok: true, text: "hello" });
  expect(await run.hooks.lipSync(session, upload, signal)).toMatchObject({ ok: true });
  await expectLimited(recognizeFile(), 3, 60);
  expect(await run.hooks.recognize(session, recording, signal)).toMatchObject(limited);
  expect(await run.hooks.lipSync(session, upload, signal)).toMatchObject(limited);
  const translation = { ...recording, srcLang: "de", dstLang: "en" };
  expect(await run.hooks.translate(session, translation, signal)).toMatchObject(limited);
});

test("all sessions of a context share its daily limit, which its owner may set", async () => {
  const run = await start({ context: { turnsPerDay: 2, charactersPerDay: 10 } });
  const newOfContext = () => run.newSession({ extra_data: { context_id: "ctx_demo" } });
  const dayOf = async (session: string) => {
    const [[turn], speech] = [await run.askWhole(session), await run.speak(session, "oak123")];
    return [turn, speech.status];
  };
  expect(await dayOf(await newOfContext())).toEqual([200, 200]);
  expect(await dayOf(await newOfContext())).toEqual([200, 429]);
  const late = await newOfContext();
  await expectLimited(run.ask(late), 2, 86_400);
  const wanted = { text: "abcde", rate: 1 };
  expect(await run.hooks.synthesize(late, wanted, signal)).toMatchObject({ code: "rate_limited" });

  await run.configure({ limits: { turns_per_day: 3, characters_per_day: 0 } });
  expect(await dayOf(late)).toEqual([200, 200]);
  expect(await dayOf(late)).toEqual([429, 200]);
  run.pass(86_401);
  expect(await dayOf(await newOfContext())).toEqual([200, 200]);
});

test("a session without a context has no daily limit, and a limit that is off does not apply", async () => {
  const session = { turnsAtOnce: Infinity, turnsPerMinute: Infinity, charactersPerMinute: Infinity };
  const run = await start({ session, context: { turnsPerDay: 1, charactersPerDay: 1 } });
  const id = await run.newSession();
  for (let turn = 0; turn < 25; turn++) expect((await run.askWhole(id))[0]).toBe(200);
  for (let text = 0; text < 2; text++) expect(await statusOf(run.speak(id, "a".repeat(5_000)))).toBe(200);
});
