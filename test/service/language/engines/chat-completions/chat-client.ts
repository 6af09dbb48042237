import type { Logger } from "../../../../../src/logging/logger.ts";
import { createChatModel } from "../../../../../src/service/language/engines/chat-completions/chat-model.ts";
import {
  chatEngineSettingsSchema,
  chatSettingsOf,
} from "../../../../../src/service/language/engines/chat-completions/chat-settings.ts";
import type { LanguageModel, Turn } from "../../../../../src/service/language/language-model.ts";
import { createOutboundCalls } from "../../../../../src/service/outbound/outbound-calls.ts";
import { eventsOf } from "../../answer-parts.ts";
import { type ChatAnswer, runChatServer } from "./chat-server.ts";

/** What the model's log says, for the owner. */
export type Line = Record<string, unknown>;

const call = createOutboundCalls({ allowPrivate: true }).engine({ isOperators: true });
const fetch: typeof call = (url, request) => call(url, { ...request, timeoutMs: 60_000 });

/** How the server of an LLM type is called, by its settings before parsing. */
export function settingsOf(service: string, engine: object | null, environment: Record<string, string> = {}) {
  const parsed = chatEngineSettingsSchema.safeParse(engine ?? {});
  return parsed.success ? chatSettingsOf(service, parsed.data, environment) : null;
}

/** A model with these settings, which notes its warnings. */
export function modelWith(settings: ReturnType<typeof settingsOf>, lines: Line[] = []): LanguageModel {
  const ignore = (): void => undefined;
  const warn: Logger["warn"] = (text, fields) => void lines.push({ text, ...fields });
  return createChatModel(settings!, { fetch, log: { debug: ignore, info: ignore, error: ignore, warn } });
}

export const modelAt = (url: string, engine: object = {}, lines?: Line[]): LanguageModel =>
  modelWith(settingsOf("onpremise", { base_url: url, model: "m1", ...engine }), lines);

export const turn: Turn = {
  systemPrompt: "You sell chairs.",
  messages: [{ role: "user", content: "How much is it?" }],
  tools: [],
};

export const ask = (model: LanguageModel, asked: Partial<Turn> = {}) =>
  eventsOf(model.answer({ ...turn, ...asked }));

/** What a model makes of the answer of a server. */
export const answerOf = async (answer: ChatAnswer, engine: object = {}, asked: Partial<Turn> = {}) =>
  ask(modelAt((await runChatServer(answer)).url, engine), asked);
