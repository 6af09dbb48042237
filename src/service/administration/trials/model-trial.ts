import type { LanguageModel, Turn, TurnAttachment } from "../../language/language-model.ts";
import { type EngineFault, failed, succeeded, timeSince, type Trial, warned } from "./trial.ts";
import { attempt, failure, unavailable } from "./engine-trials.ts";

/** What a language model's engine logged about its last failure, and the fields that its server has refused. */
export interface LoggedFault extends Pick<EngineFault, "status" | "code"> {
  says: string | null;
  refused: readonly string[];
}

/** A grey square of 16 × 16 pixels. */
const picture: TurnAttachment = {
  name: "square.png",
  type: "image/png",
  bytes: Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAAAAAA6mKC9AAAAD0lEQVR42mNoQAMMI1sAAAUMgAHjM1mKAAAAAElFTkSuQmCC",
    "base64",
  ),
};

const pictureId = "square";

/** Asks as visitors do: with the tools that the service offers for an avatar with a face, if the model takes tools. */
const question: Turn = {
  systemPrompt: "Answer with one word.",
  messages: [{ role: "user", content: "Say hello." }],
  tools: [],
  hasFace: true,
  reportsMissing: true,
};

const questionWithPicture: Turn = {
  ...question,
  messages: [{ role: "user", content: "What is this?", attachments: [pictureId] }],
  attachments: new Map([[pictureId, picture]]),
};

interface Answer {
  text: string;
  /** The time until its first word; 0 if there is none. */
  firstMs: number;
  /** Why it failed, in words for visitors; null if it did not. */
  reason: string | null;
}

async function ask(model: LanguageModel, turn: Turn, startedMs: number): Promise<Answer> {
  const answer: Answer = { text: "", firstMs: 0, reason: null };
  for await (const event of model.answer(turn)) {
    if (event.status === "error") return { ...answer, reason: event.reason };
    if (event.type !== "message") continue;
    answer.firstMs ||= Math.round(performance.now() - startedMs);
    answer.text += event.content;
  }
  turn.signal?.throwIfAborted();
  return answer;
}

const saying = (says: string | null): string => (says === null ? "" : `: ${says.replace(/[.:]$/, "")}`);

/** What visitors cannot use of a model that answers; null if they can use all of it. */
async function limitation(
  model: LanguageModel,
  lastFault: () => LoggedFault,
  signal: AbortSignal,
): Promise<Trial | null> {
  const { refused, says } = lastFault();
  if (refused.includes("tools"))
    return warned(
      `It answers, but its server refuses tools${saying(says)}.`,
      "Switch tools off for this engine, or choose a model that takes them.",
    );
  if (!model.takesAttachments?.includes("image")) return null;
  const { reason } = await ask(model, { ...questionWithPicture, signal }, performance.now());
  if (reason === null) return null;
  return warned(
    `It answers, but not to pictures${saying(lastFault().says)}.`,
    "Switch pictures off for this engine, or choose a model that takes them.",
  );
}

/** Asks a language model for one word, with all that visitors may use: tools, and a picture. */
export function tryModel(model: LanguageModel | null, lastFault: () => LoggedFault): Promise<Trial> {
  if (model === null) return Promise.resolve(unavailable);
  return attempt(async (signal, startedMs) => {
    const { text, firstMs, reason } = await ask(model, { ...question, signal }, startedMs);
    if (reason !== null) return failure({ ...lastFault(), reason });
    if (text.trim() === "") return failed("Its answer was empty.", "Try another model at the same address.");
    const time = timeSince(startedMs);
    const measured = { firstMs, said: text.trim().slice(0, 500) };
    const limited = await limitation(model, lastFault, signal);
    return limited ? { ...limited, ...measured } : succeeded(`It answered in ${time}.`, measured);
  });
}
