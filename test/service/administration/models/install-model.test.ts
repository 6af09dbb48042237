import { createHash } from "node:crypto";
import { existsSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import {
  type InstallationParts,
  installModel,
} from "../../../../src/service/administration/models/install-model.ts";
import { knownModels } from "../../../../src/service/administration/models/known-models.ts";
import {
  installedVoiceActivity,
  listModelRecords,
} from "../../../../src/service/administration/models/model-record.ts";
import { modelSource, type ModelSource } from "../../../../src/service/administration/models/model-source.ts";
import { temporaryFolder } from "../../service-fixture.ts";
import { onnxFile } from "../../speech/engines/sherpa/onnx-file.ts";
import { zip } from "./archives.ts";
import { runModelServer } from "./model-server.ts";

const model = onnxFile({ nodes: [], tensors: [], inputs: [], outputs: [], metadata: { model_type: "vits" } });
const archive = zip([
  { name: "voice/model.onnx", content: model },
  { name: "voice/tokens.txt", content: "a 0\n" },
]);
const unrecognized = zip([{ name: "readme.txt", content: "x" }]);
const sha256 = createHash("sha256").update(archive).digest("hex");

let dataFolder: string;
let checked: { sha256: string; isExpected: boolean }[];
let parts: InstallationParts;

beforeEach(() => {
  dataFolder = temporaryFolder();
  checked = [];
  parts = {
    ...{ dataFolder, fetch, nowMs: Date.UTC(2026, 0, 1) },
    ...{ onProgress: () => undefined, onInterrupted: () => undefined },
    onChecked: (sum) => checked.push(sum),
  };
});

const models = (...names: string[]) => join(dataFolder, "models", ...names);
const records = () => listModelRecords(models());

async function source(overrides: Partial<ModelSource> = {}, content = archive): Promise<ModelSource> {
  const { url } = await runModelServer({ "/voice.zip": content }, { etag: '"v1"' });
  return { name: "voice", languages: ["en"], sha256: null, from: { url: `${url}/voice.zip` }, ...overrides };
}

test("a model is downloaded, unpacked and recognized, and its record says where it came from", async () => {
  const record = await installModel(await source(), parts);
  const file = models("voice/voice/model.onnx");
  expect(record).toMatchObject({ name: "voice", kind: "voice", sha256, bytes: archive.length });
  expect(record.config).toMatchObject({ model: { vits: { model: file } } });
  expect(existsSync(file)).toBe(true);
  expect(checked).toEqual([{ sha256, isExpected: false }]);
  expect(await records()).toEqual([record]);
  expect(readdirSync(models()).sort()).toEqual([".downloads", "voice"]);
  expect(readdirSync(models(".downloads"))).toEqual([]);
});

test("an expected sum is confirmed", async () => {
  await installModel(await source({ sha256 }), parts);
  expect(checked).toEqual([{ sha256, isExpected: true }]);
});

test("a wrong sum is refused: nothing is installed, and the file is not kept", async () => {
  const expected = "0".repeat(64);
  const refused = installModel(await source({ sha256: expected }), parts);
  await expect(refused).rejects.toMatchObject({ code: "checksum_mismatch" });
  await expect(refused).rejects.toThrow(new RegExp(`${sha256}.*${expected}`));
  expect(readdirSync(models(".downloads"))).toEqual([]);
  expect(await records()).toEqual([]);
});

test.each([
  ["archive_refused", zip([{ name: "../escaped.onnx", content: "x" }])],
  ["model_unrecognized", unrecognized],
  ["archive_refused", Buffer.from("<html>Sign in</html>")],
])("what cannot be used leaves nothing behind: %s", async (code, content) => {
  await expect(installModel(await source({}, content), parts)).rejects.toMatchObject({ code });
  expect(readdirSync(models())).toEqual([".downloads"]);
  expect(readdirSync(models(".downloads"))).toEqual([]);
  expect(readdirSync(dataFolder)).toEqual(["models"]);
});

test("an installed model is replaced only on request", async () => {
  await installModel(await source(), parts);
  const again = await source({ languages: ["de"] });
  await expect(installModel(again, parts)).rejects.toMatchObject({ code: "model_exists" });
  await installModel(again, parts, true);
  expect((await records()).map(({ languages }) => languages)).toEqual([["de"]]);
});

test("a replacement that fails leaves the installed model as it was", async () => {
  const before = await installModel(await source(), parts);
  const replacing = installModel(await source({}, unrecognized), parts, true);
  await expect(replacing).rejects.toMatchObject({ code: "model_unrecognized" });
  expect(await records()).toEqual([before]);
  expect(existsSync(models("voice/voice/model.onnx"))).toBe(true);
});

/** Installs a file of this machine. */
async function installFile(fileName: string, content: Buffer, name = "voice") {
  const file = join(dataFolder, fileName);
  writeFileSync(file, content);
  return { file, record: await installModel(await source({ name, from: { file } }), parts) };
}

test("a file of this machine is installed, and stays where it is", async () => {
  const { file, record } = await installFile("given.zip", archive);
  expect(record.source).toBe(file);
  expect(existsSync(file)).toBe(true);
});

test("voice activity is a single file, and of several models the one that was installed last is used", async () => {
  expect(installedVoiceActivity(dataFolder)).toBeUndefined();
  for (const name of ["one", "two"]) {
    await installFile("silero_vad.onnx", model, name);
    expect(installedVoiceActivity(dataFolder)).toBe(models(`${name}/silero_vad.onnx`));
    utimesSync(models(name), 1_000, 1_000);
  }
  utimesSync(models("two"), 500, 500);
  expect(installedVoiceActivity(dataFolder)).toBe(models("one/silero_vad.onnx"));
});

describe("the source of", () => {
  const releases = "https://mirror.example/releases";
  const sourceOf = (request: Parameters<typeof modelSource>[0]) => modelSource(request, releases);

  test("known models: recognizers, voices for English and six other languages, and voice activity", () => {
    const kinds = (kind: string) => knownModels.filter((known) => known.kind === kind);
    expect(kinds("streaming recognizer").some(({ languages }) => languages.includes("en"))).toBe(true);
    const recognizers = ["moonshine-tiny-en", "whisper-tiny", "zipformer-ko"];
    expect(kinds("recognizer").map(({ name }) => name)).toEqual(recognizers);
    const tags = kinds("voice").flatMap(({ languages }) => languages);
    const spoken = new Set(tags.map((tag) => tag.slice(0, 2)));
    expect([...spoken].sort()).toEqual(["de", "en", "es", "fr", "it", "nl", "pt", "zh"]);
    expect(kinds("voice activity")).toHaveLength(1);
  });

  test("every known name is one, with a whole sum or none", async () => {
    expect(new Set(knownModels.map(({ name }) => name)).size).toBe(knownModels.length);
    for (const { name, sha256: sum, path, bytes } of knownModels) {
      const from = { url: `${releases}/${path}` };
      expect(await sourceOf({ model: name })).toMatchObject({ name, sha256: sum, from });
      if (sum !== null) expect(sum).toMatch(/^[0-9a-f]{64}$/);
      expect(bytes).toBeGreaterThan(500_000);
    }
  });

  test.each([
    // A model that nobody knows is named after its file, and its language is read from the name.
    ["vits-piper-de_DE-eva_k-x_low.tar.bz2?download=1", "piper-de_DE-eva_k-x_low", ["de-DE"]],
    ["sherpa-onnx-whisper-base.en.tar.bz2", "whisper-base-en", ["en"]],
    ["50%-voice.zip", "50-voice", []],
    // A known model that was downloaded elsewhere keeps its name and its languages.
    ["vits-piper-pt_BR-faber-medium.tar.bz2", "piper-pt-faber", ["pt-BR"]],
  ])("%s is named %s, of %j", async (file, name, languages) => {
    const url = `https://models.example/files/${file}`;
    expect(await sourceOf({ model: url })).toMatchObject({ name, languages, sha256: null, from: { url } });
  });

  test.each([
    ["moonshine", "moonshine-tiny-en"],
    ["whisper", "whisper-tiny"],
    ["Silero VAD", "silero-vad"],
    ["kokoro_en", "kokoro-en"],
    ["piper-de-torsten", "piper-de-thorsten"],
  ])("%s is unknown, and the error names the known model %s", async (unknown, meant) => {
    await expect(sourceOf({ model: unknown })).rejects.toThrow(`did you mean "${meant}"?`);
  });

  test("a known model is what the operator says of it", async () => {
    const said = { name: "my-voice", languages: ["en-GB"], sha256: "AB".repeat(32) };
    const found = await sourceOf({ model: "kitten-en", ...said });
    expect(found).toMatchObject({ ...said, sha256: said.sha256.toLowerCase() });
  });

  test.each([
    [{ model: "no-such-model" }, "model_unknown"],
    [{ model: "/" }, "model_unknown"],
    [{ model: "ftp://models.example/a.zip" }, "model_unknown"],
    [{ model: "kitten-en", name: "../escaped" }, "invalid_name"],
    [{ model: "kitten-en", name: ".hidden" }, "invalid_name"],
    [{ model: "https://models.example/" }, "invalid_name"],
    [{ model: "kitten-en", sha256: "abc" }, "checksum_mismatch"],
  ])("%j is refused: %s", async (request, code) => {
    await expect(sourceOf(request)).rejects.toMatchObject({ code });
  });
});
