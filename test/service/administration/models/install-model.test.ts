import { createHash } from "node:crypto";
import { existsSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import {
  type InstallationParts,
  installModel,
} from "../../../../src/service/administration/models/install-model.ts";
import {
  installedVoiceActivity,
  listModelRecords,
} from "../../../../src/service/administration/models/model-record.ts";
import type { ModelSource } from "../../../../src/service/administration/models/model-source.ts";
import { temporaryFolder } from "../../service-fixture.ts";
import { onnxFile } from "../../speech/engines/sherpa/onnx-file.ts";
import { zip } from "./archives.ts";
import { runModelServer } from "./model-server.ts";

const model = onnxFile({ nodes: [], tensors: [], inputs: [], outputs: [], metadata: { model_type: "vits" } });
const archive = zip([
  { name: "voice/model.onnx", content: model },
  { name: "voice/tokens.txt", content: "a 0\n" },
]);
const sha256 = createHash("sha256").update(archive).digest("hex");

let dataFolder: string;
let checked: { sha256: string; isExpected: boolean }[];
let parts: InstallationParts;

beforeEach(() => {
  dataFolder = temporaryFolder();
  checked = [];
  parts = {
    dataFolder,
    fetch,
    nowMs: Date.UTC(2026, 0, 1),
    onProgress: () => undefined,
    onInterrupted: () => undefined,
    onChecked: (sum) => checked.push(sum),
  };
});

const models = () => join(dataFolder, "models");

async function source(overrides: Partial<ModelSource> = {}, content = archive): Promise<ModelSource> {
  const { url } = await runModelServer({ "/voice.zip": content }, { etag: '"v1"' });
  return { name: "voice", languages: ["en"], sha256: null, from: { url: `${url}/voice.zip` }, ...overrides };
}

test("a model is downloaded, unpacked and recognized, and its record says where it came from", async () => {
  const from = await source();
  const record = await installModel(from, parts);
  const file = join(models(), "voice/voice/model.onnx");
  expect(record).toMatchObject({ name: "voice", kind: "voice", sha256, bytes: archive.length });
  expect(record.config).toMatchObject({ model: { vits: { model: file } } });
  expect(existsSync(file)).toBe(true);
  expect(checked).toEqual([{ sha256, isExpected: false }]);
  expect(await listModelRecords(models())).toEqual([record]);
  expect(readdirSync(models()).sort()).toEqual([".downloads", "voice"]);
  expect(readdirSync(join(models(), ".downloads"))).toEqual([]);
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
  expect(readdirSync(join(models(), ".downloads"))).toEqual([]);
  expect(await listModelRecords(models())).toEqual([]);
});

test.each([
  ["archive_refused", zip([{ name: "../escaped.onnx", content: "x" }])],
  ["model_unrecognized", zip([{ name: "readme.txt", content: "x" }])],
  ["archive_refused", Buffer.from("<html>Sign in</html>")],
])("what cannot be used leaves nothing behind: %s", async (code, content) => {
  await expect(installModel(await source({}, content), parts)).rejects.toMatchObject({ code });
  expect(readdirSync(models())).toEqual([".downloads"]);
  expect(readdirSync(join(models(), ".downloads"))).toEqual([]);
  expect(readdirSync(dataFolder)).toEqual(["models"]);
});

test("an installed model is replaced only on request", async () => {
  await installModel(await source(), parts);
  const again = await source();
  await expect(installModel(again, parts)).rejects.toMatchObject({ code: "model_exists" });
  await installModel({ ...again, languages: ["de"] }, parts, true);
  expect((await listModelRecords(models())).map(({ languages }) => languages)).toEqual([["de"]]);
});

test("a replacement that fails leaves the installed model as it was", async () => {
  const before = await installModel(await source(), parts);
  const broken = await source({}, zip([{ name: "readme.txt", content: "x" }]));
  await expect(installModel(broken, parts, true)).rejects.toMatchObject({ code: "model_unrecognized" });
  expect(await listModelRecords(models())).toEqual([before]);
  expect(existsSync(join(models(), "voice/voice/model.onnx"))).toBe(true);
});

test("a file of this machine is installed, and stays where it is", async () => {
  const file = join(dataFolder, "given.zip");
  writeFileSync(file, archive);
  const record = await installModel(await source({ from: { file } }), parts);
  expect(record.source).toBe(file);
  expect(existsSync(file)).toBe(true);
});

test("voice activity is a single file, and is found by the server", async () => {
  const file = join(dataFolder, "silero_vad.onnx");
  writeFileSync(file, model);
  expect(installedVoiceActivity(dataFolder)).toBeUndefined();
  await installModel(await source({ name: "silero-vad", from: { file } }), parts);
  expect(installedVoiceActivity(dataFolder)).toBe(join(models(), "silero-vad/silero_vad.onnx"));
});

test("of several models for voice activity, the one that was installed last is used", async () => {
  const file = join(dataFolder, "silero_vad.onnx");
  writeFileSync(file, model);
  for (const name of ["one", "two"]) await installModel(await source({ name, from: { file } }), parts);
  utimesSync(join(models(), "one"), 1_000, 1_000);
  expect(installedVoiceActivity(dataFolder)).toBe(join(models(), "two/silero_vad.onnx"));
  utimesSync(join(models(), "two"), 500, 500);
  expect(installedVoiceActivity(dataFolder)).toBe(join(models(), "one/silero_vad.onnx"));
});
