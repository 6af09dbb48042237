import { readdirSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { Attachment, AttachmentKind } from "../../../src/protocol/answers/attachment.ts";
import { defaultEventFileLimits, defaultServiceSettings } from "../../../src/service/service-settings.ts";
import { errorsOf, filled, jsonOf, refusalOf, statusOf } from "../answers.ts";
import { runEngines } from "../engines-fixture.ts";
import { runChatServer, saying, streams } from "../language/engines/chat-completions/chat-server.ts";
import { settingsWith, temporaryFolder } from "../service-fixture.ts";

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

const encoded = (text: string) => new TextEncoder().encode(text);
const pdf = encoded("%PDF-1.4\n1 0 obj << >> endobj\n%%EOF\n");

interface Options {
  /** What the context allows, */
  allowed?: AttachmentKind[];
  /** and what the model takes. */
  taken?: AttachmentKind[];
  folder?: string;
  /** The room for the files of all sessions. */
  storeMaxBytes?: number;
}

async function start({
  allowed = both,
  taken = both,
  folder = temporaryFolder(),
  storeMaxBytes,
}: Options = {}) {
  const chat = await runChatServer(streams(saying("I see it.")));
  const limits = { ...defaultEventFileLimits, ...(storeMaxBytes && { storeMaxBytes }) };
  const run = await runEngines({ folder, settings: settingsWith({ eventFiles: limits }) });
  await run.putChatModel("eyes", chat.url, { attachments: taken });
  await run.configure({ ...run.demo.config, attachments: allowed });
  const fields = { capability: ["LLM"], prompt: run.demo.id, llm_type: "eyes" };
  const pathOf = (session: string) => `/api/v1/session/${session}/attachment/`;
  const upload = (session: string, bytes = png(), name = "photo.png") => {
    const form = filled(new FormData(), { name, file: new File([bytes], name) });
    return run.request(pathOf(session), { method: "POST", body: form });
  };
  return Object.assign(run, {
    ...{ chat, pathOf, upload, stored: () => readdirSync(join(folder, "files")) },
    newVisit: () => run.session({ ...fields, extra_data: { context_id: "ctx_demo" } }),
    attach: async (...given: Parameters<typeof upload>) => (await jsonOf<Attachment>(upload(...given))).id,
    question: (session: string, ...attachments: string[]) =>
      run.send("POST", `/api/v1/session/${session}/llm/v2/`, {
        messages: [{ role: "user", content: "What is this?", attachments }],
      }),
  });
}

test("the model gets a picture and a PDF with the question that names them", async () => {
  const run = await start();
  const session = await run.newVisit();
  const ids = [await run.attach(session), await run.attach(session, pdf, "order.pdf")];
  expect(await (await run.question(session, ...ids)).text()).toContain("I see it.");
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");
  const file = { filename: "order.pdf", file_data: `data:application/pdf;base64,${base64(pdf)}` };
  expect(run.chat.requests.at(-1)?.body.messages.at(-1)).toEqual({
    role: "user",
    content: [
      { type: "text", text: "What is this?" },
      { type: "image_url", image_url: { url: `data:image/png;base64,${base64(png())}` } },
      { type: "file", file },
    ],
  });
});

test("a file of an earlier question that is gone is mentioned to the model", async () => {
  const run = await start();
  const messages = [
    { role: "user", content: "And this?", attachments: ["gone"] },
    { role: "assistant", content: "A chair." },
    { role: "user", content: "Which one?" },
  ];
  await run.ask(await run.newVisit(), "", { messages });
  expect(JSON.stringify(run.chat.requests.at(-1)?.body.messages)).toContain("no longer available");
});

describe("refused is", () => {
  test.for<[what: string, options: Options, bytes: Uint8Array<ArrayBuffer>, fault: string, detail: string]>([
    [
      "everything, unless the owner allows it",
      { allowed: [] },
      png(),
      "403 - permission_denied",
      "embed_config.attachments",
    ],
    [
      "everything, for a model that takes no files",
      { taken: [] },
      png(),
      "400 file invalid",
      "takes no pictures and PDFs",
    ],
    [
      "a PDF for a model that takes only pictures",
      { taken: ["image"] },
      pdf,
      "400 file unsupported_media_type",
      "image/png, image/jpeg, image/webp, image/gif.",
    ],
    [
      "a web page that is named as a picture",
      {},
      encoded("<script>1</script>"),
      "400 file unsupported_media_type",
      "",
    ],
    ["an empty file", {}, new Uint8Array(), "400 file unsupported_media_type", ""],
    ["a damaged picture", {}, png().slice(0, 12), "400 file invalid", ""],
    ["a picture of 20,000 pixels", {}, png(20_000, 2), "400 file max_value", ""],
    ["a file of more than 10 MB", {}, new Uint8Array(10 * 1024 * 1024 + 1), "400 file max_length", ""],
  ])("%s", async ([, options, bytes, fault, detail]) => {
    const run = await start(options);
    const response = await run.upload(await run.newVisit(), bytes);
    expect((await errorsOf(response.clone()))[0]?.detail).toContain(detail);
    expect((await refusalOf(response)).join(" ")).toBe(fault);
    expect(run.stored()).toEqual([]);
  });

  test("a question with a file of another session, or with one that was removed", async () => {
    const run = await start();
    const [mine, other] = [await run.newVisit(), await run.newVisit()];
    const theirs = await run.attach(other);
    const refused = [400, "messages.0.attachments.0 does_not_exist"];
    expect(await refusalOf(run.question(mine, theirs))).toEqual(refused);
    // Removing it in a session that does not have it changes nothing.
    for (const [session, left] of [[mine, [theirs]] as const, [other, []] as const]) {
      const removed = run.request(`${run.pathOf(session)}${theirs}/`, { method: "DELETE" });
      expect(await statusOf(removed)).toBe(204);
      expect(run.stored()).toEqual(left);
    }
    expect(await refusalOf(run.question(other, theirs))).toEqual(refused);
    expect(run.chat.requests).toEqual([]);
  });

  test("more than half of the room for all files, for the sessions of one organization", async () => {
    const run = await start({ storeMaxBytes: 2.5 * pdf.length });
    const kept = await run.attach(await run.newVisit(), pdf, "order.pdf");
    const [fault] = await errorsOf(run.upload(await run.newVisit(), pdf, "order.pdf"));
    expect(fault).toMatchObject({ code: "file_storage_full" });
    expect(fault?.detail).toContain("this organization");
    expect(run.stored()).toEqual([kept]);
  });

  test("more than a session's room for files", async () => {
    const run = await start();
    const session = await run.newVisit();
    for (let count = 0; count < defaultEventFileLimits.maxFiles; count++) await run.attach(session);
    const [fault] = await errorsOf(run.upload(session));
    expect(fault).toMatchObject({ code: "session_files_exceeded" });
    expect(fault?.detail).toContain("ask without this file");
  });
});

test("no operation reads an attached file", async () => {
  const run = await start();
  const session = await run.newVisit();
  const id = await run.attach(session);
  expect(await statusOf(run.get(`${run.pathOf(session)}${id}/`))).toBe(405);
  expect(await statusOf(run.get(`/api/v1/session/${session}/event/${id}/file/`))).toBe(404);
});

test("the files of a session are removed with its end", async () => {
  const run = await start();
  const [ending, going] = [await run.newVisit(), await run.newVisit()];
  await run.attach(ending);
  const kept = await run.attach(going, pdf, "order.pdf");
  await run.event(ending, "SESSION_END");
  await run.service.sweep();
  expect(run.stored()).toEqual([kept]);
  expect(await run.store.eventFiles.use(ending)).toMatchObject({ files: 0, storeBytes: pdf.length });
  expect(await statusOf(run.upload(ending))).toBe(400);
});

test("the files of a killed server's sessions are removed by the next one", async () => {
  const folder = temporaryFolder();
  const killed = await start({ folder });
  await killed.attach(await killed.newVisit());
  await killed.store.close();
  const next = await start({ folder });
  expect(next.stored()).toHaveLength(1);
  next.pass(defaultServiceSettings.connectWithinSec + 1);
  await next.service.sweep();
  expect(next.stored()).toEqual([]);
});
