import { createHash } from "node:crypto";
import type { Tool } from "@modelcontextprotocol/sdk/types.js";
import type { ToolDefinition } from "../../../protocol/llm-request.ts";
import { sessionReference, type Logger } from "../../../logging/logger.ts";
import type { LanguageModel, ToolServer, Turn } from "../language-model.ts";
import type { McpConnections } from "./mcp-connections.ts";
import { ownToolNames, withMissingNoted, withOwnTools } from "../own-tools.ts";
import { withReportedCalls } from "./reported-calls.ts";
import { answerWithTools } from "./tool-loop.ts";
import type { Toolbox } from "./tool-loop.ts";
import { toolResult } from "./tool-result.ts";

/** Servers of the chat completions protocol accept no longer names, and no more tools. */
const nameMaxCharacters = 64;
const maxTools = 128;

const descriptionMaxCharacters = 2_000;
const parametersMaxCharacters = 32_000;

/** One tool of one server, and its name for the model. */
interface ServerTool {
  definition: ToolDefinition;
  server: ToolServer;
  name: string;
}

function safe(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, nameMaxCharacters) || "tool";
}

/** The tool's own name if it is free, else with its server's name as a prefix, else with a number as a suffix. */
function freeName(server: string, tool: string, taken: ReadonlySet<string>): string {
  const candidates = [safe(tool), safe(`${server}_${tool}`)];
  for (let number = 2; ; number++) {
    const free = candidates.find((name) => !taken.has(name));
    if (free !== undefined) return free;
    candidates.push(`${safe(tool).slice(0, nameMaxCharacters - 5)}_${number}`);
  }
}

function definitionOf({ description = "", inputSchema }: Tool, name: string): ToolDefinition | null {
  if (JSON.stringify(inputSchema).length > parametersMaxCharacters) return null;
  const told = description.slice(0, descriptionMaxCharacters);
  return { type: "function", function: { name, description: told, parameters: inputSchema } };
}

/** Offers the tools of several servers under unique names. The page's own tools also count. */
export function namedTools(
  lists: readonly { server: ToolServer; tools: readonly Tool[] }[],
  taken: Iterable<string>,
): ServerTool[] {
  const names = new Set(taken);
  const room = Math.max(0, maxTools - names.size);
  const named: ServerTool[] = [];
  for (const { server, tools } of lists)
    for (const tool of tools) {
      const name = freeName(server.name, tool.name, names);
      const definition = definitionOf(tool, name);
      if (!definition || named.length === room) continue;
      names.add(name);
      named.push({ definition, server, name: tool.name });
    }
  return named;
}

/** Whether a turn may use a tool. In a visitor's conversation, a tool that changes something must be named explicitly. */
function mayUse({ changingTools }: Turn, server: ToolServer, { name, annotations }: Tool): boolean {
  if (changingTools === undefined || annotations?.readOnlyHint === true) return true;
  return [server.name, server.mcpserver_id].some((one) => changingTools.has(`${one}/${name}`));
}

/** A hash that tells calls with different arguments apart without revealing the arguments. */
function argumentsHash(args: Record<string, unknown>): string {
  return createHash("sha256").update(JSON.stringify(args)).digest("hex").slice(0, 16);
}

function faultKind(error: unknown): string {
  return error instanceof Error ? error.name : "unknown";
}

/** The tools of a turn's servers, and the names of the servers that could not be reached. */
async function openToolbox(
  turn: Turn,
  connections: McpConnections,
  log: Logger,
): Promise<{ toolbox: Toolbox; unreachable: string[] }> {
  const { mcpServers = [], tools: own, sessionId } = turn;
  const asked = await Promise.all(
    mcpServers.map(async (server) => {
      try {
        const tools = await connections.tools(server);
        return { server, tools: tools.filter((tool) => mayUse(turn, server, tool)) };
      } catch (error) {
        log.warn("tool server fault", { server: server.name, fault: faultKind(error) });
        return { server, tools: null };
      }
    }),
  );
  const lists = asked.flatMap(({ server, tools }) => (tools ? [{ server, tools }] : []));
  const tools = namedTools(lists, [...own.map((tool) => tool.function.name), ...ownToolNames]);
  const run: Toolbox["run"] = async (name, args, signal) => {
    const tool = tools.find(({ definition }) => definition.function.name === name);
    if (!tool) return { text: "Error: there is no such tool." };
    log.info("tool called", {
      ...(sessionId !== undefined && { session: sessionReference(sessionId) }),
      server: tool.server.name,
      tool: tool.name,
      arguments: argumentsHash(args),
    });
    try {
      return toolResult(await connections.call(tool.server, tool.name, args, signal));
    } catch (error) {
      if (!signal?.aborted)
        log.warn("tool call fault", { server: tool.server.name, fault: faultKind(error) });
      return { text: "Error: the tool did not answer." };
    }
  };
  return {
    toolbox: { definitions: tools.map(({ definition }) => definition), run },
    unreachable: asked.filter(({ tools }) => tools === null).map(({ server }) => server.name),
  };
}

/** The history, with a client's statements about the servers' tools converted to reports; unchanged when there are no servers. */
function trustedHistory({ messages, tools, mcpServers = [] }: Turn): Turn["messages"] {
  if (mcpServers.length === 0) return messages;
  return withReportedCalls(messages, new Set(tools.map((tool) => tool.function.name)));
}

/**
 * A model that may use the tools of the turn's servers and, if it takes tools, those of the service: they set the avatar's face, and
 * say that an answer is missing. The model gets the names of failed servers; they do not end the turn.
 */
export function withMcpTools(model: LanguageModel, connections: McpConnections, log: Logger): LanguageModel {
  return {
    async *answer(turn) {
      if (model.takesTools === false) {
        yield* model.answer({ ...turn, tools: [], messages: trustedHistory(turn) });
        return;
      }
      const { toolbox, unreachable } = await openToolbox(turn, connections, log);
      const note =
        unreachable.length > 0
          ? `\n\nTools that cannot be used at the moment: ${unreachable.join(", ")}.`
          : "";
      const systemPrompt = turn.systemPrompt + note;
      const messages = trustedHistory(turn);
      const own =
        model.takesTools === true ? withOwnTools(toolbox, turn) : { toolbox, isMissing: () => false };
      const answer = answerWithTools(model, { ...turn, messages, systemPrompt }, own.toolbox);
      yield* withMissingNoted(answer, own.isMissing);
    },
  };
}
