import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { listen } from "../../../src/command-line/http/http-server.ts";
import { sessionCreatedSchema, sessionRetrievedSchema } from "../../../src/protocol/session/session.ts";
import { hasProgram } from "../../../src/service/speech/engines/command/command-engine.ts";
import type { SpeechRecognizer } from "../../../src/service/speech/speech-recognizer.ts";
import { apiKey as key, runService } from "../service-fixture.ts";

const headers = { "XP-API-KEY": key };

/** The address of a service on a fresh store, whose recognizers are all there. */
async function served(): Promise<string> {
  const recognizer: SpeechRecognizer = {
    recognize: () => Promise.resolve({ text: "", locale: null }),
    close: () => Promise.resolve(),
  };
  const { service } = await runService({ recognizer: () => recognizer });
  const server = await listen((request, environment) => service.app.fetch(request, environment), 0);
  onTestFinished(() => server.close(100));
  return `http://127.0.0.1:${server.port}`;
}

/** The first shell block of a section of the documentation. */
function documentedLines(page: string, section: string): string {
  const text = readFileSync(join(import.meta.dirname, "../../../docs", page), "utf8");
  const part = text.split(`\n## ${section}\n`)[1]?.split("\n## ")[0] ?? "";
  return /```sh\n([^`]*)```/.exec(part)?.[1] ?? "";
}

/** Runs shell lines with these variables. Resolves with what they print. */
async function runLines(lines: string, variables: Record<string, string>): Promise<string> {
  const environment = { PATH: process.env["PATH"], ...variables };
  const { stdout } = await promisify(execFile)("sh", ["-euc", lines], { env: environment });
  return stdout;
}

const missing = ["sh", "curl", "jq"].filter((program) => !hasProgram(program, process.env));
const missingNote = missing.length > 0 ? ` [needs ${missing.join(", ")}]` : "";

test.skipIf(missing.length > 0)(
  `the documented lines make a session of a fresh store${missingNote}`,
  async () => {
    const lines = documentedLines("interface.md", "A first session");
    expect(lines.trim().split("\n")).toHaveLength(5);
    const url = await served();
    const printed = await runLines(lines, { BASE: url, KEY: key });
    const created = sessionCreatedSchema.parse(JSON.parse(printed));
    expect(created).toMatchObject({ status: "CREATED", capability: ["STF_WEBRTC"], model_style: "mina" });
  },
);

type Entry = Record<string, string>;

async function first(url: string, path: string): Promise<Entry | undefined> {
  const response = await fetch(`${url}/api/v1/${path}/`, { headers });
  expect(response.status).toBe(200);
  return ((await response.json()) as Entry[])[0];
}

async function created(url: string, body: unknown): Promise<string> {
  const response = await fetch(`${url}/api/v1/session/`, {
    method: "POST",
    headers: { ...headers, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const answer: unknown = await response.json();
  expect([response.status, answer]).toEqual([201, expect.anything()]);
  return sessionCreatedSchema.parse(answer).session_id;
}

test.skipIf(missing.length > 0)(
  `the documented lines print a session's timeline and its end${missingNote}`,
  async () => {
    const lines = documentedLines("debugging.md", "A session's timeline");
    expect(lines.trim().split("\n")).toHaveLength(2);
    const url = await served();
    const session = await created(url, { capability: ["TTS"], tts_type: "visavis-slt" });
    for (const fields of [
      { event: "SESSION_START" },
      { event: "SESSION_DURING" },
      { event: "SESSION_ERROR", detail: "microphone lost" },
    ])
      await fetch(`${url}/api/v1/session/${session}/event/create/`, {
        method: "POST",
        headers: { ...headers, "Content-Type": "application/json" },
        body: JSON.stringify(fields),
      });
    const printed = await runLines(lines, { BASE: url, KEY: key, SESSION: session });
    const [started, during, failed, ...summary] = printed.trim().split("\n");
    expect(started).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z\tSESSION_START\t$/);
    expect(during).toContain("\tSESSION_DURING\t");
    expect(failed).toMatch(/\tSESSION_ERROR\tmicrophone lost$/);
    expect(JSON.parse(summary.join("\n"))).toEqual({
      created_at: expect.any(String),
      status: "TERMINATED",
      termination_reason: expect.any(String),
      duration_sec: expect.any(Number),
    });
  },
);

test("sessions made from the first entry of every list, and from the first template unchanged, speak", async () => {
  const url = await served();
  const prompt = (await first(url, "prompt"))!["prompt_id"];
  const document = (await first(url, "document"))!["document_id"];
  const fields = {
    prompt,
    document,
    llm_type: (await first(url, "settings/llm_type"))!["name"],
    tts_type: (await first(url, "settings/tts_type"))!["name"],
    model_style: (await first(url, "settings/modelstyle"))!["name"],
    background_image: (await first(url, "background_image"))!["backgroundimage_id"],
    text_normalization_config: (await first(url, "settings/text_normalization_config"))![
      "textnormalizationconfig_id"
    ],
    capability: ["STF_WEBRTC", "STT"],
    stt_type: (await first(url, "settings/stt_type"))!["name"],
  };
  const ids = [await created(url, fields), await created(url, await first(url, "session_template"))];
  for (const id of ids) {
    const session = await fetch(`${url}/api/v1/session/${id}/`, { headers });
    expect(sessionRetrievedSchema.parse(await session.json())).toMatchObject({
      prompt: { prompt_id: prompt },
      document,
      background_image: { backgroundimage_id: fields.background_image },
    });
    const answer = await fetch(`${url}/api/v1/session/${id}/llm/v2/`, {
      method: "POST",
      headers: { ...headers, "Content-Type": "application/json" },
      body: JSON.stringify({ messages: [{ role: "user", content: "Does Visavis need an account?" }] }),
    });
    expect(await answer.text()).toContain("needs no account anywhere");
  }
});
