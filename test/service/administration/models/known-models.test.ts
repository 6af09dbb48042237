import { expect, test } from "vitest";
import { knownModels } from "../../../../src/service/administration/models/known-models.ts";
import { modelSource } from "../../../../src/service/administration/models/model-source.ts";

const releases = "https://mirror.example/releases";

test("there are recognizers, voices for English and six other languages, and voice activity", () => {
  const kinds = (kind: string) => knownModels.filter((model) => model.kind === kind);
  expect(kinds("streaming recognizer").some(({ languages }) => languages.includes("en"))).toBe(true);
  expect(kinds("recognizer").map(({ name }) => name)).toEqual([
    "moonshine-tiny-en",
    "whisper-tiny",
    "zipformer-ko",
  ]);
  const spoken = new Set(kinds("voice").flatMap(({ languages }) => languages.map((tag) => tag.slice(0, 2))));
  expect([...spoken].sort()).toEqual(["de", "en", "es", "fr", "it", "nl", "pt", "zh"]);
  expect(kinds("voice activity")).toHaveLength(1);
});

test("every name can be installed, once, with a whole sum or none", async () => {
  expect(new Set(knownModels.map(({ name }) => name)).size).toBe(knownModels.length);
  for (const { name, sha256, path, bytes } of knownModels) {
    const source = await modelSource({ model: name }, releases);
    expect(source).toMatchObject({ name, sha256, from: { url: `${releases}/${path}` } });
    if (sha256 !== null) expect(sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(bytes).toBeGreaterThan(500_000);
  }
});

test("another model is named after its file, and its language is read from the name", async () => {
  const url = "https://models.example/vits-piper-de_DE-eva_k-x_low.tar.bz2?download=1";
  expect(await modelSource({ model: url }, releases)).toEqual({
    name: "piper-de_DE-eva_k-x_low",
    languages: ["de-DE"],
    sha256: null,
    from: { url },
  });
  const whisper = await modelSource(
    { model: "https://models.example/sherpa-onnx-whisper-base.en.tar.bz2" },
    releases,
  );
  expect(whisper).toMatchObject({ name: "whisper-base-en", languages: ["en"] });
});

test("a known model that was downloaded elsewhere keeps its name and its languages", async () => {
  const url = "https://mirror.example/files/vits-piper-pt_BR-faber-medium.tar.bz2";
  expect(await modelSource({ model: url }, releases)).toEqual({
    name: "piper-pt-faber",
    languages: ["pt-BR"],
    sha256: null,
    from: { url },
  });
});

test.each([
  ["moonshine", "moonshine-tiny-en"],
  ["whisper", "whisper-tiny"],
  ["Silero VAD", "silero-vad"],
  ["kokoro_en", "kokoro-en"],
  ["piper-de-torsten", "piper-de-thorsten"],
])("the error for %s names the known model %s", async (model, meant) => {
  await expect(modelSource({ model }, releases)).rejects.toThrow(`did you mean "${meant}"?`);
});

test("an address with a wrong escape is still an address", async () => {
  const url = "https://models.example/50%-voice.zip";
  expect(await modelSource({ model: url }, releases)).toMatchObject({ name: "50-voice", from: { url } });
});

test("what the operator says takes precedence over what is known", async () => {
  const sum = "AB".repeat(32);
  const request = { model: "kitten-en", name: "my-voice", languages: ["en-GB"], sha256: sum };
  expect(await modelSource(request, releases)).toMatchObject({
    name: "my-voice",
    languages: ["en-GB"],
    sha256: sum.toLowerCase(),
  });
});

test.each([
  [{ model: "no-such-model" }, "model_unknown"],
  [{ model: "/" }, "model_unknown"],
  [{ model: "ftp://models.example/a.zip" }, "model_unknown"],
  [{ model: "kitten-en", name: "../escaped" }, "invalid_name"],
  [{ model: "kitten-en", name: ".hidden" }, "invalid_name"],
  [{ model: "https://models.example/" }, "invalid_name"],
  [{ model: "kitten-en", sha256: "abc" }, "checksum_mismatch"],
])("wrong requests are refused: %j", async (request, code) => {
  await expect(modelSource(request, releases)).rejects.toMatchObject({ code });
});
