import { spawn } from "node:child_process";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { prepareContext, type ContextPlace } from "./service-api.ts";
import type { Server } from "./stack.ts";

/** Answers one request of the chat completions protocol. */
export type ModelAnswer = (response: ServerResponse) => void;

/** A part of a message with files. */
interface ContentPart {
  readonly type: string;
  readonly text?: string;
  readonly image_url?: { readonly url: string };
  readonly file?: { readonly filename: string; readonly file_data: string };
}

/** What a scripted model was asked. */
export interface ModelRequest {
  readonly messages: readonly {
    role: string;
    content: string | readonly ContentPart[] | null;
    tool_call_id?: string;
  }[];
}

/** A language model that answers as a test says. */
export interface ScriptedModel {
  /** Its name in the server's catalogue. */
  readonly name: string;
  answer: ModelAnswer;
  readonly requests: ModelRequest[];
  close(): void;
}

const chunk = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

const open = (response: ServerResponse): ServerResponse =>
  response.writeHead(200, { "content-type": "text/event-stream" });

/** A complete answer, sent in these pieces. */
export const says =
  (...pieces: string[]): ModelAnswer =>
  (response) => {
    open(response);
    for (const content of pieces) response.write(chunk({ content }));
    response.end(`${chunk({}, "stop")}data: [DONE]\n\n`);
  };

/** A call of a tool. */
export const calls =
  (name: string, args: object = {}): ModelAnswer =>
  (response) => {
    const call = {
      index: 0,
      id: "c1",
      type: "function",
      function: { name, arguments: JSON.stringify(args) },
    };
    open(response).end(`${chunk({ tool_calls: [call] })}${chunk({}, "tool_calls")}data: [DONE]\n\n`);
  };

export const refuses =
  (status: number): ModelAnswer =>
  (response) =>
    response.writeHead(status, { "content-type": "application/json" }).end('{"error":{"message":"no"}}');

/** Adds an entry to a server's catalogue, as an operator does; untried, because some entries of the tests are broken on purpose. */
export async function putEntry(
  server: Server,
  kind: "llm-type" | "tts-type" | "stt-type" | "mcp-server",
  entry: object,
): Promise<void> {
  const child = spawn(process.execPath, ["dist/server/main.js", kind, "put", "--no-try"], {
    env: { ...process.env, VISAVIS_DATA: server.dataFolder },
    stdio: ["pipe", "ignore", "inherit"],
  });
  child.stdin.end(JSON.stringify(entry));
  const code = await new Promise((resolve) => child.once("exit", resolve));
  if (code !== 0) throw new Error(`${kind} put exited with ${String(code)}.`);
}

/** Starts a scripted model, and makes it the context's, which no page has asked for yet. `engine`: further settings of its entry. */
export async function startScriptedModel(place: ContextPlace, engine: object = {}): Promise<ScriptedModel> {
  const http = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      model.requests.push(JSON.parse(Buffer.concat(pieces).toString()) as ModelRequest);
      model.answer(response);
    });
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const { port } = http.address() as AddressInfo;
  const model: ScriptedModel = {
    name: `scripted-${port}`,
    answer: says("Yes."),
    requests: [],
    close: () => {
      http.closeAllConnections();
      http.close();
    },
  };
  await putEntry(place.server, "llm-type", {
    name: model.name,
    service: "onpremise",
    engine: { base_url: `http://127.0.0.1:${port}/v1`, model: "scripted", ...engine },
  });
  await prepareContext(place, (context) => (context.embed_config["llm_type"] = model.name));
  return model;
}
