import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../service/service-fixture.ts";
import { commandLine } from "./operator-fixture.ts";

let folder: string;

beforeEach(() => {
  folder = temporaryFolder();
});

/** The error of `put` for the engine settings of an entry. */
async function put(command: string, fields: object, engine?: object, environment = {}) {
  const visavis = commandLine(folder, environment);
  const answer = await visavis([command, "put", "--no-try"], {
    name: "own",
    service: "onpremise",
    ...fields,
    engine,
  });
  const kept = (await visavis([command, "show", "own"])).failure === null;
  expect(kept).toBe(answer.failure === null);
  return answer;
}

const address = { base_url: "http://127.0.0.1:11434/v1" };

describe("a language model", () => {
  test.each([
    ["no settings", {}, undefined, "engine.model: This field is required."],
    ["no address", {}, { model: "m" }, /^engine\.base_url: .*onpremise has no address/],
    [
      "no web address",
      {},
      { model: "m", base_url: "localhost:1" },
      /^engine\.base_url: Set an http or https/,
    ],
    [
      "a password in the address",
      {},
      { model: "m", base_url: "https://me:secret@a.example/v1" },
      /^engine\.base_url: .*api_key/,
    ],
    [
      "a field that does not exist",
      {},
      { ...address, model: "m", apikey: "x" },
      "engine.apikey: There is no such field.",
    ],
    ["a wrong value", {}, { ...address, model: "m", temperature: 9 }, /^engine\.temperature: .*at most 2/],
    [
      "a secret of the service as its key",
      {},
      { ...address, model: "m", api_key_env: "VISAVIS_SECRET" },
      /^engine\.api_key_env: Secrets of the service/,
    ],
    [
      "a key that no header can carry",
      {},
      { ...address, model: "m", api_key: "first\nsecond" },
      /^engine\.api_key: This is no value of a header/,
    ],
    [
      "an invalid header name",
      {},
      { ...address, model: "m", headers: { "X Key": "k" } },
      "engine.headers.X Key: This is no name of a header.",
    ],
    [
      "settings that the built-in engine does not read",
      { service: "visavis" },
      { ...address, model: "m" },
      /^engine: .*visavis has no engine settings/,
    ],
  ])("with %s is refused, and the field named", async (_case, fields, engine, failure) => {
    expect((await put("llm-type", fields, engine)).failure).toMatch(failure);
  });

  test.each([
    ["a private address", {}, { ...address, model: "m" }],
    ["a provider's own address", { service: "anthropic" }, { model: "m", api_key: "k" }],
    ["the built-in engine", { service: "visavis" }, undefined],
  ])("with %s is kept", async (_case, fields, engine) => {
    expect(await put("llm-type", fields, engine)).toMatchObject({ failure: null, noted: "" });
  });

  test("whose provider needs a key is stored without one, with a warning", async () => {
    const kept = await put("llm-type", { service: "openai" }, { model: "m" });
    expect(kept).toMatchObject({ failure: null, noted: expect.stringMatching(/^It has no key/) as string });
  });

  test("whose key is not in this environment is stored, with a warning", async () => {
    const engine = { ...address, model: "m", api_key_env: "MODELS_KEY" };
    const allowed = { VISAVIS_ENGINE_VARIABLES: "OTHER_KEY, MODELS_KEY" };
    expect((await put("llm-type", {}, engine, allowed)).noted).toMatch(/^MODELS_KEY is not set here/);
    expect((await put("llm-type", {}, engine, { ...allowed, MODELS_KEY: "k" })).noted).toBe("");
    expect((await put("llm-type", {}, engine, { MODELS_KEY: "k" })).noted).toMatch(
      /^MODELS_KEY is none of the variables .* adds it to VISAVIS_ENGINE_VARIABLES/,
    );
  });
});

describe("a voice", () => {
  test.each([
    ["no engine", {}, undefined, /^engine\.base_url: /],
    ["an unknown kind of engine", {}, { type: "piper" }, "engine.type: Allowed here: openai, sherpa-onnx."],
    ["a recogniser's engine", {}, { type: "command", command: ["ls", "{wav}"] }, /^engine\.type: /],
    ["an unknown format", {}, { ...address, response_format: "ogg" }, /^engine\.response_format: /],
    [
      "a secret of the service",
      {},
      { ...address, api_key_env: "VISAVIS_SECRET" },
      /^engine\.api_key_env: Secrets of the service/,
    ],
    ["an unknown model of ours", { service: "visavis", model: "piper" }, undefined, /^model: .*flite/],
    [
      "a voice that Flite lacks",
      { service: "visavis", model: "flite", voice: "anna" },
      undefined,
      /^voice: /,
    ],
    [
      "a missing model",
      {},
      { type: "sherpa-onnx", config: { model: { vits: { model: "/none/a.onnx", dataDir: "/none/data" } } } },
      /^engine\.config\.model\.vits\.model: .*\/none\/a\.onnx.*\nengine\.config\.model\.vits\.dataDir: /,
    ],
  ])("with %s is refused, and the field named", async (_case, fields, engine, failure) => {
    expect((await put("tts-type", fields, engine)).failure).toMatch(failure);
  });

  test("with everything that it needs is stored", async () => {
    expect(await put("tts-type", {}, address)).toMatchObject({ failure: null, noted: "" });
    const flite = { service: "visavis", model: "flite", voice: "awb" };
    expect(await put("tts-type", flite)).toMatchObject({ failure: null, noted: "" });
  });

  test("whose engine is not installed here is stored, with a warning", async () => {
    const nowhere = { VISAVIS_ESPEAK_PATH: folder, VISAVIS_SHERPA_PATH: folder };
    const espeak = { service: "visavis", model: "espeak-ng", voice: "ko" };
    expect((await put("tts-type", espeak, undefined, nowhere)).noted).toMatch(/^eSpeak NG is not installed/);
    mkdirSync(join(folder, "model"));
    const sherpa = { type: "sherpa-onnx", config: { dataDir: join(folder, "model") } };
    expect((await put("tts-type", {}, sherpa, nowhere)).noted).toMatch(/^sherpa-onnx-node is not installed/);
    expect((await put("tts-type", { service: "openai" }, {})).noted).toMatch(/^OPENAI_API_KEY is not set/);
  });
});

describe("a recogniser", () => {
  const command = (...parts: string[]) => ({ type: "command", command: parts });

  test.each([
    ["no engine", undefined, /^engine\.base_url: /],
    ["a missing program", command("no-such-program", "{wav}"), /^engine\.command\.0: There is no program/],
    ["a folder for a program", command("/tmp", "{wav}"), /^engine\.command\.0: /],
    ["a path from here", command("./node_modules/.bin/tsc", "{wav}"), /^engine\.command\.0: .*whole path/],
    ["a program that hears nothing", command("ls", "-l"), /^engine\.command: .*\{wav\}/],
    ["no command", { type: "command" }, "engine.command: This field is required."],
    ["a bad address", { base_url: "ftp://ears.example" }, /^engine\.base_url: /],
  ])("with %s is refused, and the field named", async (_case, engine, failure) => {
    expect((await put("stt-type", {}, engine)).failure).toMatch(failure);
  });

  test("with a program in PATH, or with its full path, is stored", async () => {
    const program = join(folder, "listen");
    writeFileSync(program, "#!/bin/sh\n");
    chmodSync(program, 0o755);
    expect((await put("stt-type", {}, command(program, "{wav}"))).failure).toBeNull();
    expect((await put("stt-type", {}, command("listen", "{wav}"), { PATH: folder })).failure).toBeNull();
  });
});
