import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../../service/service-fixture.ts";
import {
  refuses,
  runChatServer,
  saying,
  streams,
} from "../../service/language/engines/chat-completions/chat-server.ts";
import { runMcpServer } from "../../service/language/mcp/mcp-server.ts";
import { commandLine } from "./operator-fixture.ts";
import { freePort } from "../../free-port.ts";

let visavis: ReturnType<typeof commandLine>;

beforeEach(() => {
  visavis = commandLine(temporaryFolder());
});

const model = (url: string) => ({
  name: "own",
  service: "onpremise",
  engine: { base_url: url, model: "m1", api_key: "sk-secret" },
});

const isKept = async (kind: string): Promise<boolean> =>
  (await visavis([kind, "show", "own"])).failure === null;

test("a language model that is put is asked for one word, and the result is noted", async () => {
  const server = await runChatServer(streams(saying("Hello.")));
  const { printed, noted, failure } = await visavis(["llm-type", "put"], model(server.url));
  expect(failure).toBeNull();
  expect(printed).toBe("own");
  expect(noted).toMatch(/^Tried: It answered in \d+(\.\d)? m?s\.$/m);
  expect(server.requests).toHaveLength(1);
});

test.each([
  [401, /\(status 401\).*give it the right one/],
  [404, /\(status 404\).*check the address/],
  [429, /\(status 429\).*the limits at its provider/],
  [500, /\(status 500\).*read its log/],
])("a model whose server answers %d is saved, and the failure says what to do", async (status, words) => {
  const server = await runChatServer(refuses(status));
  const { failure } = await visavis(["llm-type", "put"], model(server.url));
  expect(failure).toMatch(/^The llm_type "own" is saved, but does not work\./);
  expect(failure).toMatch(words);
  expect(failure).not.toContain("sk-secret");
  expect(await isKept("llm-type")).toBe(true);
});

test("what a model's server says about its refusal is told, and what visitors could not use", async () => {
  const says = { error: { message: "model 'm1' not found, try pulling it first" } };
  const server = await runChatServer((response) => void response.writeHead(404).end(JSON.stringify(says)));
  expect((await visavis(["llm-type", "put"], model(server.url))).failure).toContain(
    "Its server says: model 'm1' not found, try pulling it first.",
  );
  const refusesTools = await runChatServer((response, request) =>
    request.body.tools
      ? void response.writeHead(400).end('{"error":"m1 does not support tools"}')
      : void streams(saying("Hello."))(response, request),
  );
  const withTools = {
    ...model(refusesTools.url),
    engine: { ...model(refusesTools.url).engine, tools: true },
  };
  expect((await visavis(["llm-type", "put"], withTools)).noted).toMatch(
    /but its server refuses tools: m1 does not support tools\..*Switch tools off/s,
  );
  const blind = await runChatServer((response, request) =>
    JSON.stringify(request.body.messages).includes("image_url")
      ? void response.writeHead(400).end('{"error":"images are not supported"}')
      : void streams(saying("Hello."))(response, request),
  );
  const withPictures = {
    ...model(blind.url),
    engine: { ...model(blind.url).engine, attachments: ["image"] },
  };
  expect((await visavis(["llm-type", "put"], withPictures)).noted).toMatch(
    /but not to pictures: images are not/,
  );
});

test("a model where nothing answers, and one that says nothing, fail too", async () => {
  const unreachable = await visavis(["llm-type", "put"], model(`http://127.0.0.1:${await freePort()}/v1`));
  expect(unreachable.failure).toContain("Nothing answers at the entry's address");
  const server = await runChatServer(streams(saying("")));
  expect((await visavis(["llm-type", "put"], model(server.url))).failure).not.toBeNull();
});

test("--no-try saves without a call, and kinds that call nothing are not tried", async () => {
  const server = await runChatServer(refuses(500));
  const put = await visavis(["llm-type", "put", "--no-try"], model(server.url));
  expect([put.failure, put.noted]).toEqual([null, ""]);
  expect(server.requests).toEqual([]);
  expect((await visavis(["prompt", "put"], { name: "Guide", system_prompt: "You guide." })).noted).toBe("");
});

test("a tool server is asked for its tools, and a voice for a word", async () => {
  const tools = await runMcpServer({
    protocol: "streamable_http",
    tools: (server) =>
      void server.registerTool("opening_hours", {}, () => ({ content: [{ type: "text", text: "9" }] })),
  });
  const entry = {
    name: "own",
    url: tools.url,
    transport_protocol: "streamable_http",
    engine: { allow_private: true },
  };
  expect((await visavis(["mcp-server", "put"], entry)).noted).toMatch(/^Tried: It has opening_hours;/m);
  const gone = await visavis(["mcp-server", "put"], {
    ...entry,
    url: `http://127.0.0.1:${await freePort()}/mcp`,
  });
  expect(gone.failure).toMatch(/^The mcp_server "own" is saved, but does not work\./);
  const voice = {
    name: "own",
    service: "onpremise",
    engine: { base_url: `http://127.0.0.1:${await freePort()}/v1` },
  };
  expect((await visavis(["tts-type", "put"], voice)).failure).toContain(
    "Nothing answers at the entry's address",
  );
});

test("the check of an installation prints a line for each part, and fails with how many have failed", async () => {
  const address = `http://localhost:${await freePort()}`;
  const checking = commandLine(temporaryFolder(), { VISAVIS_PUBLIC_URL: address });
  const { printed, failure } = await checking(["check"]);
  expect(printed).toMatch(/^failed +address: .* does not answer: .*VISAVIS_PUBLIC_URL/m);
  expect(printed).toMatch(/^ok +storage: /m);
  expect(failure).toMatch(/^\d+ parts failed\.$/);
  const { failure: refused } = await checking(["check", "--origin", "shop.example"]);
  expect(refused).toContain("An origin is http:// or https://");
});
