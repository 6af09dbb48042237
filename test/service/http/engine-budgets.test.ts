import { expect, test } from "vitest";
import type { LlmStreamEvent } from "../../../src/protocol/answers/llm-stream.ts";
import type { LanguageModel } from "../../../src/service/language/language-model.ts";
import type { MediaHooks } from "../../../src/service/media/media-engine.ts";
import {
  defaultEngineBudgets,
  defaultServiceSettings,
  type EngineBudgets,
} from "../../../src/service/service-settings.ts";
import type { SpeechRecognizer } from "../../../src/service/speech/speech-recognizer.ts";
import { encodeWav } from "../../../src/service/audio/wav-file.ts";
import { type RunningService, runService } from "../service-fixture.ts";

const question = { messages: [{ role: "user", content: "How much is the Alder chair?" }] };
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

async function runWith({ session, context }: Budgets = {}, model?: LanguageModel) {
  const run = await runService({
    recognizer: () => recognizer,
    ...(model && { languageModel: () => model }),
    settings: {
      ...defaultServiceSettings,
      publicUrl: "https://relay.example",
      publicFolder: "/srv/public",
      engineBudgets: {
        session: { ...defaultEngineBudgets.session, ...session },
        context: { ...defaultEngineBudgets.context, ...context },
      },
    },
  });
  await run.store.catalogue.put({
    kind: "stt_type",
    id: "ears",
    name: "ears",
    organizationId: null,
    createdAtMs: 0,
    body: { name: "ears", service: "visavis", options: {} },
    engine: null,
  });
  const newSession = (): Promise<string> =>
    run.newSession({ capability: ["STF_WEBRTC", "STT"], stt_type: "ears" });
  return { run, newSession };
}

function ask(run: RunningService, session: string): Promise<Response> {
  return run.send("POST", `/api/v1/session/${session}/llm/v2/`, question);
}

function speak(run: RunningService, session: string, text: string): Promise<Response> {
  return run.send("POST", `/api/v1/session/${session}/tts/`, { text });
}

/** Fails unless it is the documented rate limit error, with a reset in so many seconds. */
async function expectLimited(response: Response, { limit, inSec }: { limit: number; inSec: number }) {
  expect(response.status).toBe(429);
  expect(await response.json()).toMatchObject({ code: "G0005", status: "TOO_MANY_REQUESTS" });
  expect(response.headers.get("X-RateLimit-Limit")).toBe(String(limit));
  expect(response.headers.get("X-RateLimit-Remaining")).toBe("0");
  expect(Number(response.headers.get("Retry-After"))).toBe(inSec);
}

test("each session has its own number of turns per minute, and new ones when the minute is over", async () => {
  const { run, newSession } = await runWith();
  const [session, other] = [await newSession(), await newSession()];
  for (let turn = 0; turn < 20; turn++) {
    const answer = await ask(run, session);
    expect(answer.status).toBe(200);
    await answer.text();
  }
  await expectLimited(await ask(run, session), { limit: 20, inSec: 60 });
  expect((await ask(run, other)).status).toBe(200);
  run.pass(59);
  await run.event(session, "SESSION_DURING");
  await expectLimited(await ask(run, session), { limit: 20, inSec: 1 });
  run.pass(2);
  expect((await ask(run, session)).status).toBe(200);
});

test("a session has one answer at a time, for any caller", async () => {
  const { run, newSession } = await runWith({}, endless);
  const [session, other] = [await newSession(), await newSession()];
  const first = await ask(run, session);
  expect(first.status).toBe(200);
  const refused = await Promise.all([ask(run, session), ask(run, session), ask(run, session)]);
  for (const response of refused) await expectLimited(response, { limit: 1, inSec: 1 });
  const elsewhere = await ask(run, other);
  expect(elsewhere.status).toBe(200);
  await Promise.all([first.body?.cancel(), elsewhere.body?.cancel()]);
});

test("the next question is accepted right after an interruption, even if it arrives first", async () => {
  const { run, newSession } = await runWith({}, endless);
  const session = await newSession();
  let answer = await ask(run, session);
  for (let turn = 0; turn < 5; turn++) {
    const next = ask(run, session);
    await answer.body?.cancel();
    answer = await next;
    expect(answer.status).toBe(200);
  }
  await answer.body?.cancel();
});

test("the next question is accepted after an answer failed", async () => {
  const { run, newSession } = await runWith(
    {},
    {
      async *answer() {
        await Promise.resolve();
        yield piece;
        throw new Error("engine gone");
      },
    },
  );
  const session = await newSession();
  for (let turn = 0; turn < 3; turn++) {
    const answer = await ask(run, session);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain("error");
  }
});

test("spoken characters over HTTP and the data channel share a limit, and refused texts are not counted", async () => {
  const { run, newSession } = await runWith({ session: { charactersPerMinute: 100 } });
  const session = await newSession();
  const { signal } = new AbortController();
  const say = (text: string) => run.hooks.synthesize(session, { text, rate: 1 }, signal);
  expect((await speak(run, session, "a".repeat(60))).status).toBe(200);
  expect(await say("b".repeat(60))).toMatchObject({ ok: false, code: "rate_limited" });
  expect(await say("c".repeat(40))).toMatchObject({ ok: true });
  await expectLimited(await speak(run, session, "d"), { limit: 100, inSec: 60 });
  const other = { text: "e", rate: 1 };
  expect(await run.hooks.synthesize(await newSession(), other, signal)).toMatchObject({ ok: true });
});

type Recording = Parameters<MediaHooks["recognize"]>[1];

test("recognized files, recognized recordings and spoken files share a limit", async () => {
  const { run, newSession } = await runWith({ session: { recognitionsPerMinute: 3 } });
  const session = await newSession();
  const { signal } = new AbortController();
  const wav = encodeWav(new Int16Array(1_600).fill(500), 16_000);
  const recording: Recording = { pcm: new Int16Array(1_600), sampleRateHz: 16_000 };
  const upload = { bytes: wav, message: "hello", format: "wav" as const };
  const recognizeFile = () => {
    const body = new FormData();
    body.set("audio", new Blob([new Uint8Array(wav)]), "speech.wav");
    return run.request(`/api/v1/session/${session}/stt/`, { method: "POST", body });
  };
  expect((await recognizeFile()).status).toBe(200);
  expect(await run.hooks.recognize(session, recording, signal)).toEqual({ ok: true, text: "hello" });
  expect(await run.hooks.lipSync(session, upload, signal)).toMatchObject({ ok: true });
  await expectLimited(await recognizeFile(), { limit: 3, inSec: 60 });
  const limited = { ok: false, code: "rate_limited" };
  expect(await run.hooks.recognize(session, recording, signal)).toMatchObject(limited);
  expect(await run.hooks.lipSync(session, upload, signal)).toMatchObject(limited);
  const translation = { ...recording, srcLang: "de", dstLang: "en" };
  expect(await run.hooks.translate(session, translation, signal)).toMatchObject(limited);
});

test("all sessions of a context share its daily limit, which its owner may set", async () => {
  const { run } = await runWith({ context: { turnsPerDay: 2, charactersPerDay: 10 } });
  const newOfContext = () => run.newSession({ extra_data: { context_id: "ctx_demo" } });
  const dayOf = async (session: string) => {
    const answers = [await ask(run, session), await speak(run, session, "oak123")];
    for (const answer of answers) await answer.arrayBuffer();
    return answers.map(({ status }) => status);
  };
  expect(await dayOf(await newOfContext())).toEqual([200, 200]);
  expect(await dayOf(await newOfContext())).toEqual([200, 429]);
  const late = await newOfContext();
  await expectLimited(await ask(run, late), { limit: 2, inSec: 86_400 });
  const { signal } = new AbortController();
  const wanted = { text: "abcde", rate: 1 };
  expect(await run.hooks.synthesize(late, wanted, signal)).toMatchObject({ code: "rate_limited" });

  const limits = { turns_per_day: 3, characters_per_day: 0 };
  const { name, tts_type, model_style } = run.demo;
  const changed = { name, tts_type, model_style, embed_config: { limits } };
  expect((await run.send("PUT", `/api/console/b2c/contexts/${run.demo.id}/`, changed)).status).toBe(200);
  expect(await dayOf(late)).toEqual([200, 200]);
  expect(await dayOf(late)).toEqual([429, 200]);
  run.pass(86_401);
  expect(await dayOf(await newOfContext())).toEqual([200, 200]);
});

test("a session without a context has no daily limit, and a limit that is off does not apply", async () => {
  const session = { turnsAtOnce: Infinity, turnsPerMinute: Infinity, charactersPerMinute: Infinity };
  const { run } = await runWith({ session, context: { turnsPerDay: 1, charactersPerDay: 1 } });
  const id = await run.newSession();
  for (let turn = 0; turn < 25; turn++) {
    const answer = await ask(run, id);
    expect(answer.status).toBe(200);
    await answer.text();
  }
  for (let text = 0; text < 2; text++) expect((await speak(run, id, "a".repeat(5_000))).status).toBe(200);
});
