import { execFileSync } from "node:child_process";
import { createServer, type Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { deflateSync } from "node:zlib";
import { canaryKey, type Server } from "../../e2e/support/stack.ts";
import { sampleDocx, samplePdf } from "../../test/service/administration/knowledge/office-files.ts";

/** The server that reads, and where its websites and its model are. */
export interface ReadingStage {
  server: Server;
  /** What the address of each path answers: a type and a text. */
  answers: Map<string, [type: string, text: string]>;
  elsewhere: string;
  /** Sends a request to the server with an API key. Resolves with the status and the answer. */
  send(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }>;
  sendFile(name: string, bytes: Uint8Array): Promise<unknown>;
  sendText(path: string, text: string): Promise<unknown>;
  close(): void;
}

async function serveElsewhere(answers: ReadingStage["answers"]): Promise<HttpServer> {
  const http = createServer((request, response) => {
    const [type, text] = answers.get(request.url ?? "") ?? ["text/plain", ""];
    request
      .resume()
      .on("end", () => response.writeHead(text ? 200 : 404, { "content-type": type }).end(text));
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  return http;
}

/** What is sent to a server with its key. Its own answers are read to their ends. */
export async function openReadingStage(server: Server): Promise<ReadingStage> {
  const answers: ReadingStage["answers"] = new Map();
  const http = await serveElsewhere(answers);
  const key = { "ServicePlatform-APIKey": canaryKey };
  const json = { ...key, "content-type": "application/json" };
  const call = async (method: string, path: string, init: RequestInit) => {
    const response = await fetch(`${server.origin}${path}`, { method, ...init });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json");
    return { status: response.status, body: isJson ? (JSON.parse(text) as unknown) : text };
  };
  return {
    server,
    answers,
    elsewhere: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    send: (method, path, body) =>
      call(method, path, { headers: json, ...(body !== undefined && { body: JSON.stringify(body) }) }),
    sendFile(name, bytes) {
      const body = new FormData();
      body.set("name", name);
      body.set("file", new Blob([new Uint8Array(bytes)]), name);
      return call("POST", "/api/console/knowledge-files/", { headers: key, body });
    },
    // What is too much is refused before it is read to its end.
    sendText: (path, body) => call("POST", path, { headers: json, body }).catch(() => undefined),
    close: () => {
      http.closeAllConnections();
      http.close();
    },
  };
}

/** Puts an entry into the server's catalogue, as its operator does. */
export function putEntry({ server }: ReadingStage, kind: string, entry: object): void {
  execFileSync(
    process.execPath,
    ["dist/server/main.js", kind, "put", ...(kind === "llm-type" ? ["--no-try"] : [])],
    {
      input: JSON.stringify(entry),
      env: { ...process.env, VISAVIS_DATA: server.dataFolder },
      stdio: ["pipe", "ignore", "inherit"],
    },
  );
}

const repeated = (unit: string, length: number): string => unit.repeat(Math.floor(length / unit.length));
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** As long as the reader reads: pages, rules and files. */
const pageLength = 4_900_000;
const rulesLength = 512_000;
const fileLength = 19_000_000;

/** Reads a website of these answers until it is read, or has failed. */
async function readWebsite(stage: ReadingStage, pages: Record<string, [string, string]>): Promise<void> {
  for (const [path, answer] of Object.entries(pages)) stage.answers.set(path, answer);
  const made = await stage.send("POST", "/api/console/websites/", { address: stage.elsewhere, contexts: [] });
  const { id } = made.body as { id: string };
  for (;;) {
    const { body } = await stage.send("GET", "/api/console/websites/");
    const state = (body as { id: string; state: string }[]).find((one) => one.id === id)?.state;
    if (state !== "reading" && state !== "waiting") break;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  await stage.send("DELETE", `/api/console/websites/${id}/`);
  stage.answers.clear();
}

const html = "text/html";
const home = `<title>Home</title><p>Hello.</p><a href="/a">A</a>`;

/** A question to a model that answers with a text. The parts arrive as fast as they can. */
async function readAnswer(stage: ReadingStage, markdown: string): Promise<void> {
  const pieces = markdown.match(/[^]{1,2000}/g) ?? [];
  const lines = pieces.map(
    (content) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`,
  );
  stage.answers.set("/v1/chat/completions", ["text/event-stream", `${lines.join("")}data: [DONE]\n\n`]);
  const order = {
    capability: ["LLM", "TTS"],
    tts_type: "visavis-slt",
    llm_type: "hostile",
    prompt: "hostile",
  };
  const { body } = await stage.send("POST", "/api/v1/session/", order);
  const { session_id: session } = body as { session_id: string };
  const messages = [{ role: "user", content: "Hello" }];
  await stage.send("POST", `/api/v1/session/${session}/llm/v2/`, { messages });
  await stage.send("POST", `/api/v1/session/${session}/event/create/`, { event: "SESSION_END" });
}

const rules = [
  ["(.{0,300}){3}[xz]", "abc def "],
  ["[a-z]{0,900}[XY]", "ab"],
  ["(a*){300}[c-z]", "ab"],
] as const;

/** The configs of rules that `normalize` uses. */
const configs = rules.map(([pattern], index) => ({
  textnormalizationconfig_id: `hostile-${index}`,
  name: `hostile-${index}`,
  engine: { rules: [{ order: 1, pattern, replacement: "x", locale: null }] },
}));

const normalize = (stage: ReadingStage, config: string, unit: string, locale = "en") =>
  stage.send("POST", `/api/v1/settings/text_normalization_config/${config}/normalize/`, {
    text: repeated(unit, 10_000),
    locale,
  });

/** A document of so many letters, and a question that has to look through it. */
async function askDocument(stage: ReadingStage, unit: string): Promise<void> {
  const text = repeated(unit, 990_000);
  const made = await stage.send("POST", "/api/console/knowledge/", { title: "Hostile", text, contexts: [] });
  const { id } = made.body as { id: string };
  await stage.send("POST", "/api/console/knowledge-test/", { question: "Do you deliver chairs to Austria?" });
  await stage.send("DELETE", `/api/console/knowledge/${id}/`);
}

/** Prepares what the cases need. */
export function prepareReading(stage: ReadingStage): void {
  for (const config of configs) putEntry(stage, "text-normalization-config", config);
  const engine = { base_url: `${stage.elsewhere}/v1`, model: "m" };
  putEntry(stage, "llm-type", { name: "hostile", service: "onpremise", engine });
  putEntry(stage, "prompt", {
    prompt_id: "hostile",
    name: "hostile",
    system_prompt: "Answer.",
  });
}

type Case = (stage: ReadingStage) => Promise<unknown>;

const each = async <Value>(
  values: readonly Value[],
  once: (value: Value) => Promise<unknown>,
): Promise<void> => {
  for (const value of values) await once(value);
};

const asFile =
  (name: string, ...bodies: (() => Uint8Array)[]): Case =>
  (stage) =>
    each(bodies, (body) => stage.sendFile(name, body()));

const nested = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth);

/** What a stranger may write, by what reads it. Each is as large as it may be. */
export const hostileTexts: Readonly<Record<string, Case>> = {
  "nothing, for comparison": () => new Promise((resolve) => setTimeout(resolve, 5_000)),
  "HTML files": asFile(
    "a.html",
    () => utf8(nested("<b>", "</i>", fileLength / 7)),
    () => utf8(nested("<div>", "</div>", fileLength / 11)),
    () => utf8(`<p ${repeated("a ", fileLength)}>`),
    () => utf8(repeated("<!--", fileLength)),
    () => utf8(repeated("<table><tr><td>", fileLength)),
  ),
  "pages of a website": (stage) =>
    readWebsite(stage, {
      "/": [html, home + nested("<b>", "</i>", pageLength / 7)],
      "/a": [html, repeated(`<a href="/${"x".repeat(40)}">`, pageLength)],
    }),
  "XML: sitemaps": (stage) =>
    readWebsite(stage, {
      "/": [html, home],
      "/sitemap.xml": ["application/xml", `<urlset>${nested("<url>", "</loc>", pageLength / 11)}</urlset>`],
      "/robots.txt": ["text/plain", `Sitemap: ${stage.elsewhere}/sitemap.xml\n`],
    }),
  "robots.txt": (stage) =>
    readWebsite(stage, {
      "/": [html, home],
      "/robots.txt": ["text/plain", `User-agent: *\nDisallow: /${"*".repeat(rulesLength - 100)}b\n`],
    }),
  "PDF files": asFile(
    "a.pdf",
    () => samplePdf(Array.from({ length: 20_000 }, () => [{ text: "Many words on many pages.", y: 700 }])),
    () => samplePdf([deflateSync(Buffer.alloc(400 * 1024 * 1024))]),
    () => utf8(`%PDF-1.7\n${repeated("<<", 1_000_000)}`),
  ),
  "DOCX files": asFile(
    "a.docx",
    () => sampleDocx(Array.from({ length: 100_000 }, (_, index) => `Paragraph ${index}.`)),
    () => sampleDocx(["A."], [{ name: "word/media/a", content: Buffer.alloc(120 * 1024 * 1024, "a") }]),
  ),
  "Markdown: answers of a model": (stage) =>
    each(["*a_", "> ", "[a](", "`a``", "| a ", "- ", "<a "], (unit) =>
      readAnswer(stage, repeated(unit, 250_000)),
    ),
  "texts of documents": (stage) =>
    each(["a", "a b ", "a. ", "A\n", "| a ", "# a\n", "1. ", "Q: a?\nA: b.\n\n"], (unit) =>
      askDocument(stage, unit),
    ),
  "texts for rules that all have": (stage) =>
    each(["1,", "$1", "1.", "http://", "a@", "1", "1월"], (unit) =>
      normalize(stage, "visavis-english", unit),
    ),
  "regular expressions": (stage) =>
    each(
      rules.map(([, unit], index) => [`hostile-${index}`, unit] as const),
      ([config, unit]) => normalize(stage, config, unit),
    ),
  "JSON, deep and of many values": (stage) =>
    each(
      [
        nested("[", "]", 130_000),
        `[${repeated("0,", 250_000)}0]`,
        repeated('{"a":', 250_000),
        `"${repeated("\\u0061", 250_000)}"`,
      ],
      (text) =>
        each(["/embed/v1/sessions", "/api/v1/session/"], (path) => stage.sendText(path, `{"a":${text}}`)),
    ),
};
