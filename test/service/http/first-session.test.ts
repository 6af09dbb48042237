/** A service as its first callers find it: by the lines of the documentation, over real connections. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { listen } from "../../../src/command-line/http/http-server.ts";
import { hasProgram } from "../../../src/service/speech/engines/command/command-engine.ts";
import { filled, jsonOf, refusalOf } from "../answers.ts";
import { apiKey as key, runService } from "../service-fixture.ts";
import { deafRecognizer } from "./full-catalogue.ts";

const json = { "Content-Type": "application/json" };

/** The address of a service on a fresh store, whose recognizers are all there. */
async function served(): Promise<string> {
  const { service } = await runService({ recognizer: () => deafRecognizer });
  const server = await listen((request, environment) => service.app.fetch(request, environment), 0);
  onTestFinished(() => server.close(100));
  return `http://127.0.0.1:${server.port}`;
}

const post = (url: string, path: string, body: unknown): Promise<Response> =>
  fetch(`${url}/api/v1/${path}`, {
    method: "POST",
    headers: { ...json, "XP-API-KEY": key },
    body: JSON.stringify(body),
  });

const create = async (url: string, body: unknown): Promise<string> =>
  (await jsonOf<{ session_id: string }>(post(url, "session/", body))).session_id;

const speaking = { capability: ["TTS"], tts_type: "visavis-slt" };

/** Runs the first shell block of a section of the documentation, which has so many lines. Resolves with what it prints. */
async function runDocumented(
  page: string,
  section: string,
  count: number,
  variables: Record<string, string>,
) {
  const text = readFileSync(join(import.meta.dirname, "../../../docs", page), "utf8");
  const part = text.split(`\n## ${section}\n`)[1]?.split("\n## ")[0] ?? "";
  const lines = /```sh\n([^`]*)```/.exec(part)?.[1] ?? "";
  expect(lines.trim().split("\n")).toHaveLength(count);
  const env = { PATH: process.env["PATH"], KEY: key, ...variables };
  return (await promisify(execFile)("sh", ["-euc", lines], { env })).stdout;
}

const missing = ["sh", "curl", "jq"].filter((program) => !hasProgram(program, process.env));
const missingNote = missing.length > 0 ? ` [needs ${missing.join(", ")}]` : "";
const shellTest = test.skipIf(missing.length > 0);

shellTest(`the documented lines make a session of a fresh store${missingNote}`, async () => {
  const printed = await runDocumented("interface.md", "A first session", 5, { BASE: await served() });
  const created = { status: "CREATED", capability: ["STF_WEBRTC"], model_style: "mina" };
  expect(JSON.parse(printed)).toMatchObject(created);
});

shellTest(`the documented lines print a session's timeline and its end${missingNote}`, async () => {
  const url = await served();
  const session = await create(url, speaking);
  for (const fields of [
    { event: "SESSION_START" },
    { event: "SESSION_DURING" },
    { event: "SESSION_ERROR", detail: "microphone lost" },
  ])
    await post(url, `session/${session}/event/create/`, fields);
  const variables = { BASE: url, SESSION: session };
  const printed = await runDocumented("debugging.md", "A session's timeline", 2, variables);
  const [started, during, failed, ...summary] = printed.trim().split("\n");
  expect(started).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z\tSESSION_START\t$/);
  expect(during).toContain("\tSESSION_DURING\t");
  expect(failed).toMatch(/\tSESSION_ERROR\tmicrophone lost$/);
  expect(JSON.parse(summary.join("\n"))).toEqual({
    ...{ created_at: expect.any(String), status: "TERMINATED" },
    ...{ termination_reason: expect.any(String), duration_sec: expect.any(Number) },
  });
});

test("sessions made from the first entry of every list, and from the first template unchanged, speak", async () => {
  const url = await served();
  const get = <Value>(path: string) =>
    jsonOf<Value>(fetch(`${url}/api/v1/${path}/`, { headers: { "XP-API-KEY": key } }));
  const first = async (path: string, id = "name") => (await get<Record<string, string>[]>(path))[0]![id];
  const prompt = await first("prompt", "prompt_id");
  const document = await first("document", "document_id");
  const backgroundimage_id = await first("background_image", "backgroundimage_id");
  const fields = {
    prompt,
    document,
    background_image: backgroundimage_id,
    capability: ["STF_WEBRTC", "STT"],
    llm_type: await first("settings/llm_type"),
    tts_type: await first("settings/tts_type"),
    model_style: await first("settings/modelstyle"),
    stt_type: await first("settings/stt_type"),
    text_normalization_config: await first(
      "settings/text_normalization_config",
      "textnormalizationconfig_id",
    ),
  };
  const [template] = await get<object[]>("session_template");
  for (const id of [await create(url, fields), await create(url, template)]) {
    expect(await get(`session/${id}`)).toMatchObject({
      ...{ prompt: { prompt_id: prompt }, document, background_image: { backgroundimage_id } },
    });
    const messages = [{ role: "user", content: "Does Visavis need an account?" }];
    const answer = await post(url, `session/${id}/llm/v2/`, { messages });
    expect(await answer.text()).toContain("needs no account anywhere");
  }
});

test("under Node's server, bodies of every type are read, and every origin can read the answers", async () => {
  const url = await served();
  const path = `${url}/api/v1/session/${await create(url, speaking)}/event/create/`;
  for (const init of [
    { headers: json, body: JSON.stringify({ event: "SESSION_START", detail: "grüß" }) },
    { body: new URLSearchParams({ event: "SESSION_DURING" }) },
    { body: filled(new FormData(), { event: "SESSION_LOG", file: new Blob(["hello"]) }) },
  ]) {
    const { status, headers } = await fetch(path, { method: "POST", ...init });
    expect([status, headers.get("Access-Control-Allow-Origin")]).toEqual([201, "*"]);
    expect(headers.get("Content-Length")).not.toBeNull();
  }
  const asked = { Origin: "https://shop.example", "Access-Control-Request-Method": "POST" };
  const { status, headers } = await fetch(path, { method: "OPTIONS", headers: asked });
  expect([status, headers.get("Access-Control-Allow-Credentials")]).toEqual([204, null]);
  expect(headers.get("Access-Control-Allow-Methods")).toContain("POST");
  const allowed = headers.get("Access-Control-Allow-Headers")?.split(",");
  expect(allowed).toEqual(expect.arrayContaining(["*", "Content-Type", "Authorization"]));
});

test("under Node's server, a body that is too large gets an answer before the connection is closed", async () => {
  const url = await served();
  const path = `${url}/api/v1/session/${await create(url, speaking)}/event/create/`;
  const body = new ReadableStream({
    start(controller) {
      for (let piece = 0; piece < 40; piece++) controller.enqueue(new Uint8Array(64 * 1024).fill(32));
      controller.close();
    },
  });
  const init = { method: "POST", headers: json, body, duplex: "half" };
  expect(await refusalOf(fetch(path, init))).toEqual([400, "- max_length"]);
});
