import type { LanguageModel, ToolServer } from "../../language/language-model.ts";
import type { Speech, SpeechSynthesizer } from "../../speech/speech-synthesizer.ts";
import type { SpeechRecognizer } from "../../speech/speech-recognizer.ts";
import type { VoiceActivity } from "../../speech/voice-activity.ts";
import { faultOf, faultRemedy, type EngineFault } from "./engine-faults.ts";
import { failed, succeeded, timeSince, trialMs, type Trial } from "./trial.ts";

/** A trial of an entry whose engine could not even be created. */
const unavailable = failed(
  "Its engine is not available.",
  "Set what the entry names: its key's variable, its program or the folder of its model.",
);

function failure({ status, ...fault }: EngineFault): Trial {
  const answered = status === null ? "" : ` (status ${status})`;
  const reason = fault.reason.replace(/[.:]$/, "");
  return failed(
    `${reason.charAt(0).toUpperCase()}${reason.slice(1)}${answered}.`,
    faultRemedy({ status, ...fault }),
  );
}

/** Runs a trial. Anything it throws, and too long a wait, is a failure with its remedy. */
async function attempt(call: (signal: AbortSignal, startedMs: number) => Promise<Trial>): Promise<Trial> {
  const signal = AbortSignal.timeout(trialMs);
  try {
    return await call(signal, performance.now());
  } catch (error) {
    if (!signal.aborted) return failure(faultOf(error));
    return failure({ status: null, code: "timeout", reason: `There was no answer for ${trialMs / 1_000} s` });
  }
}

/** Asks a language model for one word. `lastFault` is what its engine logged about a failure. */
export function tryModel(
  model: LanguageModel | null,
  lastFault: () => Pick<EngineFault, "status" | "code">,
): Promise<Trial> {
  if (model === null) return Promise.resolve(unavailable);
  return attempt(async (signal, startedMs) => {
    let text = "";
    let firstMs = 0;
    const turn = {
      systemPrompt: "Answer with one word.",
      messages: [{ role: "user" as const, content: "Say hello." }],
      tools: [],
      signal,
    };
    for await (const event of model.answer(turn)) {
      if (event.status === "error") return failure({ ...lastFault(), reason: event.reason });
      if (event.type !== "message") continue;
      firstMs ||= Math.round(performance.now() - startedMs);
      text += event.content;
    }
    signal.throwIfAborted();
    if (text.trim() === "") return failed("Its answer was empty.", "Try another model at the same address.");
    return succeeded(`It answered in ${timeSince(startedMs)}.`, { firstMs, said: text.trim().slice(0, 500) });
  });
}

/** Lets a voice say one word. */
export function tryVoice(engine: SpeechSynthesizer | null, voice: string): Promise<Trial> {
  if (engine === null) return Promise.resolve(unavailable);
  return attempt(async (signal, startedMs) => {
    const { pcm, sampleRateHz } = await engine.synthesize({ text: "Hello.", voice, signal });
    if (!pcm.some((sample) => sample !== 0))
      return failed("It was silent.", "Try another voice of the engine.");
    const length = (pcm.length / sampleRateHz).toFixed(1);
    return succeeded(`It spoke ${length} s of sound in ${timeSince(startedMs)}.`);
  });
}

/** Sends one English sentence to a recognizer. A recognizer of another language may understand nothing of it. */
export function tryRecognizer(
  engine: SpeechRecognizer | null,
  sample: (signal: AbortSignal) => Promise<Pick<Speech, "pcm" | "sampleRateHz">>,
): Promise<Trial> {
  if (engine === null) return Promise.resolve(unavailable);
  return attempt(async (signal) => {
    const { pcm, sampleRateHz } = await sample(signal);
    const startedMs = performance.now();
    const { text } = await engine.recognize({ pcm, sampleRateHz, language: "en", signal });
    const heard = text.trim() === "" ? "no English words" : `"${text.trim()}"`;
    return succeeded(`It heard ${heard} in ${timeSince(startedMs)}.`, { said: text.trim() });
  });
}

/** Sends one English sentence to voice activity detection. */
export function tryVoiceActivity(
  activity: VoiceActivity | null,
  sample: (signal: AbortSignal) => Promise<Pick<Speech, "pcm" | "sampleRateHz">>,
): Promise<Trial> {
  if (activity === null) return Promise.resolve(unavailable);
  return attempt(async (signal) => {
    const { pcm, sampleRateHz } = await sample(signal);
    const startedMs = performance.now();
    const spans = await activity.speechIn({ pcm, sampleRateHz, signal });
    if (spans.length === 0)
      return failed("It found no speech in a sentence.", "Install the model again; its file may be damaged.");
    return succeeded(`It found the speech in a sentence, in ${timeSince(startedMs)}.`);
  });
}

/** Asks a tool server for its tools. */
export function tryToolServer(
  tools: (server: ToolServer) => Promise<readonly string[]>,
  server: ToolServer,
): Promise<Trial> {
  return attempt(async (_, startedMs) => {
    const names = await tools(server);
    if (names.length === 0)
      return failed("It has no tools.", "Check the address, and the server's own settings.");
    return succeeded(`It has ${names.join(", ")}; it answered in ${timeSince(startedMs)}.`);
  });
}
