import { limitSignal } from "../../../timing/time-limit.ts";
import type { ToolServer } from "../../language/language-model.ts";
import type { Speech, SpeechSynthesizer } from "../../speech/speech-synthesizer.ts";
import type { SpeechRecognizer, VoiceActivity } from "../../speech/speech-recognizer.ts";
import { type EngineFault, failed, faultOf, faultRemedy, succeeded, timeSince, type Trial } from "./trial.ts";

/** A trial of an entry whose engine could not even be created. */
export const unavailable = failed(
  "Its engine is not available.",
  "Set what the entry names: its key's variable, its program or the folder of its model.",
);

/** A failed trial, by what is known of the fault. */
export function failure({ status, ...fault }: EngineFault): Trial {
  const isNamed = status === null || fault.reason.includes(String(status));
  const says = fault.says ? `. Its server says: ${fault.says.replace(/[.:]$/, "")}` : "";
  const answered = `${isNamed ? "" : ` (status ${status})`}${says}`;
  const reason = fault.reason.replace(/[.:]$/, "");
  return failed(
    `${reason.charAt(0).toUpperCase()}${reason.slice(1)}${answered}.`,
    faultRemedy({ status, ...fault }),
  );
}

/** Why a call failed, in one sentence for the owner. */
export const failureWords = (error: unknown): string => failure(faultOf(error)).detail;

/** Longest wait, in ms, for engines without a limit of their own: visitors wait as long as an entry's own setting, at most 600 s. */
const trialMs = 610_000;

/** Runs a trial. Anything it throws, and too long a wait, is a failure with its remedy. */
export async function attempt(
  call: (signal: AbortSignal, startedMs: number) => Promise<Trial>,
): Promise<Trial> {
  const signal = limitSignal(trialMs);
  try {
    return await call(signal, performance.now());
  } catch (error) {
    if (!signal.aborted) return failure(faultOf(error));
    return failure({ status: null, code: "timeout", reason: `There was no answer for ${trialMs / 1_000} s` });
  }
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
