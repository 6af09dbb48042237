import { readdirSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { attachmentSchema, type AttachmentKind } from "../../../src/protocol/answers/attachment.ts";
import type { EmbedContextPut } from "../../../src/protocol/settings/embed-context.ts";
import { errorBodySchema } from "../../../src/protocol/schema/error-body.ts";
import { defaultEventFileLimits, defaultServiceSettings } from "../../../src/service/service-settings.ts";
import { runEngines, type RunningEngines } from "../engines-fixture.ts";
import { runChatServer, saying, streams } from "../language/engines/chat-completions/chat-server.ts";
import { temporaryFolder } from "../service-fixture.ts";

const both: AttachmentKind[] = ["image", "pdf"];

function pngChunk(type: string, data: Uint8Array): Uint8Array {
  const chunk = Buffer.alloc(12 + data.length);
  chunk.writeUInt32BE(data.length, 0);
  chunk.write(type, 4, "latin1");
  chunk.set(data, 8);
  return chunk;
}

/** A PNG whose header says this size. Its checksums are 0, which nobody reads here. */
function png(width = 2, height = 2): Uint8Array<ArrayBuffer> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const start = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
  const parts = [start, pngChunk("IHDR", header), pngChunk("IDAT", deflateSync(new Uint8Array(14)))];
  return new Uint8Array(Buffer.concat([...parts, pngChunk("IEND", new Uint8Array())]));
}

const pdf = new TextEncoder().encode("%PDF-1.4\n1 0 obj << >> endobj\n%%EOF\n");

interface Options {
  /** What the context allows, */
  allowed?: AttachmentKind[];
  /** and what the model takes. */
  taken?: AttachmentKind[];
  folder?: string;
  /** The room for the files of all sessions. */
  storeMaxBytes?: number;
}

async function run({
  allowed = both,
  taken = both,
  folder = temporaryFolder(),
  storeMaxBytes = defaultEventFileLimits.storeMaxBytes,
}: Options = {}) {
  const chat = await runChatServer(streams(saying("I see it.")));
  const engines = await runEngines({
    folder,
    settings: {
      ...defaultServiceSettings,
      publicUrl: "https://relay.example",
      publicFolder: "/srv/public",
      eventFiles: { ...defaultEventFileLimits, storeMaxBytes },
    },
  });
  await engines.put(
    "llm_type",
    "eyes",
    { name: "eyes", service: "onpremise" },
    { base_url: chat.url, model: "m1", attachments: taken },
  );
  const path = `/api/console/b2c/contexts/${engines.demo.id}/`;
  const context = (await (await engines.get(path)).json()) as EmbedContextPut;
  context.embed_config.attachments = allowed;
  expect((await engines.send("PUT", path, context)).status).toBe(200);
  return Object.assign(engines, {
    chat,
    stored: () => readdirSync(join(folder, "files")),
    newVisit: () =>
      engines.session({
        capability: ["LLM"],
        prompt: engines.demo.id,
        llm_type: "eyes",
        extra_data: { context_id: "ctx_demo" },
      }),
  });
}

async function upload(
  service: RunningEngines,
  session: string,
  bytes: Uint8Array<ArrayBuffer>,
  name = "photo.png",
): Promise<Response> {
  const form = new FormData();
  form.append("name", name);
  form.append("file", new File([bytes], name));
  return service.request(`/api/v1/session/${session}/attachment/`, { method: "POST", body: form });
}

async function attach(...given: Parameters<typeof upload>): Promise<string> {
  const response = await upload(...given);
  expect(response.status).toBe(201);
  return attachmentSchema.parse(await response.json()).id;
}

async function faultOf(response: Response) {
  return { status: response.status, ...errorBodySchema.parse(await response.json()).errors[0]! };
}

const asking = (...attachments: string[]) => ({
  messages: [{ role: "user", content: "What is this?", attachments }],
});

function ask(service: RunningEngines, session: string, fields: object): Promise<Response> {
  return service.send("POST", `/api/v1/session/${session}/llm/v2/`, fields);
}

test("the model gets a picture and a PDF with the question that names them", async () => {
  const service = await run();
  const session = await service.newVisit();
  const picture = await attach(service, session, png());
  const document = await attach(service, session, pdf, "order.pdf");
  expect(await (await ask(service, session, asking(picture, document))).text()).toContain("I see it.");
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");
  expect(service.chat.requests.at(-1)?.body.messages.at(-1)).toEqual({
    role: "user",
    content: [
      { type: "text", text: "What is this?" },
      { type: "image_url", image_url: { url: `data:image/png;base64,${base64(png())}` } },
      {
        type: "file",
        file: { filename: "order.pdf", file_data: `data:application/pdf;base64,${base64(pdf)}` },
      },
    ],
  });
});

test("a file of an earlier question that is gone is mentioned to the model", async () => {
  const service = await run();
  const session = await service.newVisit();
  const messages = [
    { role: "user", content: "And this?", attachments: ["gone"] },
    { role: "assistant", content: "A chair." },
    { role: "user", content: "Which one?" },
  ];
  expect((await ask(service, session, { messages })).status).toBe(200);
  expect(JSON.stringify(service.chat.requests.at(-1)?.body.messages)).toContain("no longer available");
});

describe("is refused:", () => {
  test("everything, unless the owner allows it", async () => {
    const service = await run({ allowed: [] });
    const fault = await faultOf(await upload(service, await service.newVisit(), png()));
    expect(fault).toMatchObject({ status: 403, code: "permission_denied" });
    expect(fault.detail).toContain("embed_config.attachments");
  });

  test("everything, for a model that takes no files", async () => {
    const service = await run({ taken: [] });
    const fault = await faultOf(await upload(service, await service.newVisit(), png()));
    expect(fault).toMatchObject({ status: 400, code: "invalid", attr: "file" });
    expect(fault.detail).toContain("takes no pictures and PDFs");
  });

  test("a PDF for a model that takes only pictures", async () => {
    const service = await run({ taken: ["image"] });
    const session = await service.newVisit();
    const fault = await faultOf(await upload(service, session, pdf, "photo.png"));
    expect(fault).toMatchObject({ status: 400, code: "unsupported_media_type" });
    expect(fault.detail).toContain("image/png, image/jpeg, image/webp, image/gif.");
  });

  test.each([
    ["a web page that is named as a picture", new TextEncoder().encode("<script>1</script>")],
    ["an empty file", new Uint8Array()],
    ["a damaged picture", png().slice(0, 12)],
    ["a picture of 20,000 pixels", png(20_000, 2)],
    ["a file of more than 10 MB", new Uint8Array(10 * 1024 * 1024 + 1)],
  ])("%s", async (_what, bytes) => {
    const service = await run();
    const response = await upload(service, await service.newVisit(), bytes);
    expect(await faultOf(response)).toMatchObject({ status: 400, attr: "file" });
    expect(service.stored()).toEqual([]);
  });

  test("a question with a file of another session, or with one that was removed", async () => {
    const service = await run();
    const [mine, other] = [await service.newVisit(), await service.newVisit()];
    const theirs = await attach(service, other, png());
    const fault = await faultOf(await ask(service, mine, asking(theirs)));
    expect(fault).toMatchObject({ status: 400, code: "does_not_exist", attr: "messages.0.attachments.0" });
    const path = (session: string) => `/api/v1/session/${session}/attachment/${theirs}/`;
    // Removing it in a session that does not have it changes nothing.
    expect((await service.request(path(mine), { method: "DELETE" })).status).toBe(204);
    expect(service.stored()).toEqual([theirs]);
    expect((await service.request(path(other), { method: "DELETE" })).status).toBe(204);
    expect(service.stored()).toEqual([]);
    expect((await ask(service, other, asking(theirs))).status).toBe(400);
    expect(service.chat.requests).toEqual([]);
  });

  test("more than half of the room for all files, for the sessions of one organization", async () => {
    const service = await run({ storeMaxBytes: 2.5 * pdf.length });
    const [mine, other] = [await service.newVisit(), await service.newVisit()];
    const kept = await attach(service, mine, pdf, "order.pdf");
    const fault = await faultOf(await upload(service, other, pdf, "order.pdf"));
    expect(fault).toMatchObject({ status: 403, code: "file_storage_full" });
    expect(fault.detail).toContain("this organization");
    expect(service.stored()).toEqual([kept]);
  });

  test("more than a session's room for files", async () => {
    const service = await run();
    const session = await service.newVisit();
    for (let count = 0; count < defaultEventFileLimits.maxFiles; count++)
      await attach(service, session, png());
    const fault = await faultOf(await upload(service, session, png()));
    expect(fault).toMatchObject({ status: 403, code: "session_files_exceeded" });
    expect(fault.detail).toContain("ask without this file");
  });
});

test("no operation reads an attached file", async () => {
  const service = await run();
  const session = await service.newVisit();
  const id = await attach(service, session, png());
  expect((await service.get(`/api/v1/session/${session}/attachment/${id}/`)).status).toBe(405);
  expect((await service.get(`/api/v1/session/${session}/event/${id}/file/`)).status).toBe(404);
});

test("the files of a session are removed with its end", async () => {
  const service = await run();
  const [ending, going] = [await service.newVisit(), await service.newVisit()];
  await attach(service, ending, png());
  const kept = await attach(service, going, pdf, "order.pdf");
  await service.event(ending, "SESSION_END");
  await service.service.sweep();
  expect(service.stored()).toEqual([kept]);
  expect(await service.store.eventFiles.use(ending)).toMatchObject({ files: 0, storeBytes: pdf.length });
  expect((await upload(service, ending, png())).status).toBe(400);
});

test("the files of a killed server's sessions are removed by the next one", async () => {
  const folder = temporaryFolder();
  const killed = await run({ folder });
  await attach(killed, await killed.newVisit(), png());
  await killed.store.close();
  const next = await run({ folder });
  expect(next.stored()).toHaveLength(1);
  next.pass(defaultServiceSettings.connectWithinSec + 1);
  await next.service.sweep();
  expect(next.stored()).toEqual([]);
});
