import { onTestFinished } from "vitest";
import { createLanguageModels } from "../../../../src/service/language/create-language-models.ts";
import type { LanguageModel, ToolServer, Turn } from "../../../../src/service/language/language-model.ts";
import { createOutboundCalls } from "../../../../src/service/outbound/outbound-calls.ts";
import { eventsOf } from "../answer-parts.ts";
import type { ChatServer } from "../engines/chat-completions/chat-server.ts";

export const toolServer = (url: string, fields: Partial<ToolServer> = {}): ToolServer => ({
  ...{ mcpserver_id: "m1", name: "shop", organization: "", url, description: "", auth_header: null },
  ...{ transport_protocol: "streamable_http", server_timeout_sec: 60, extra_data: null },
  ...{ trusted: false, isOperators: true },
  ...fields,
});

/** Models at several servers that share their connections to tool servers, and what they log. */
export function sharingModels(allowPrivate = true) {
  const lines: unknown[] = [];
  const record = (...line: unknown[]) => void lines.push(line);
  const log = { debug: record, info: record, warn: record, error: record };
  const models = createLanguageModels({ log, outbound: createOutboundCalls({ allowPrivate }) });
  onTestFinished(() => models.close());
  const modelAt = ({ url }: ChatServer): LanguageModel =>
    models.model({
      ...{ id: "a", name: "a", isOperators: true, body: { name: "a", service: "onpremise" } },
      engine: { base_url: url, model: "m1" },
    })!;
  return { modelAt, log: () => JSON.stringify(lines) };
}

/** The events of a turn with tools of servers. */
export function answerWith(model: LanguageModel, mcpServers: ToolServer[], turn: Partial<Turn> = {}) {
  const messages: Turn["messages"] = [{ role: "user", content: "How many chairs are there?" }];
  return eventsOf(model.answer({ systemPrompt: "You sell.", messages, tools: [], ...turn, mcpServers }));
}
