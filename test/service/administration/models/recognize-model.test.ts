import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { recognizeModel } from "../../../../src/service/administration/models/recognize-model.ts";
import { temporaryFolder } from "../../service-fixture.ts";
import { onnxFile } from "../../speech/engines/sherpa/onnx-file.ts";

let folder: string;

beforeEach(() => void (folder = temporaryFolder()));

/** A model file with nothing but metadata. */
const model = (metadata: Record<string, string | number> = {}): Buffer =>
  onnxFile({ nodes: [], tensors: [], inputs: [], outputs: [], metadata });
const ofType = (model_type: string, more: Record<string, string | number> = {}) =>
  model({ model_type, ...more });

/** Writes files: models with their metadata, and empty ones. */
function put(models: Record<string, Buffer>, ...others: string[]): void {
  const files = { ...models, ...Object.fromEntries(others.map((name) => [name, ""])) };
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(at(name)), { recursive: true });
    writeFileSync(at(name), content);
  }
}

const models = (...names: string[]) => Object.fromEntries(names.map((name) => [name, model()]));
const at = (name: string): string => join(folder, name);
const expectRecognized = async (found: object) => expect(await recognizeModel(folder)).toMatchObject(found);

test("a streaming transducer with eight-bit weights", async () => {
  const dir = "sherpa-onnx-streaming-zipformer-en-20M-2023-02-17";
  const file = (part: string) => `${dir}/${part}-epoch-99-avg-1.onnx`;
  const packed = (part: string) => `${dir}/${part}-epoch-99-avg-1.int8.onnx`;
  put(
    {
      ...models(file("encoder"), file("decoder"), packed("decoder"), packed("joiner")),
      [packed("encoder")]: ofType("zipformer", { decode_chunk_len: 32 }),
    },
    ...[`${dir}/tokens.txt`, `${dir}/bpe.model`, `${dir}/test_wavs/0.wav`],
  );
  expect(await recognizeModel(folder)).toEqual({
    kind: "streaming recognizer",
    family: "transducer",
    config: {
      modelConfig: {
        transducer: {
          encoder: at(packed("encoder")),
          decoder: at(file("decoder")),
          joiner: at(packed("joiner")),
        },
        tokens: at(`${dir}/tokens.txt`),
        numThreads: 2,
      },
      enableEndpoint: false,
    },
  });
});

test("a transducer for whole recordings, and one of NeMo", async () => {
  const parts = models("m/decoder.onnx", "m/joiner.onnx");
  put({ ...parts, "m/encoder.onnx": ofType("zipformer2") }, "m/tokens.txt");
  await expectRecognized({ kind: "recognizer", family: "transducer" });
  put({ "m/encoder.onnx": ofType("EncDecRNNTBPEModel") });
  await expectRecognized({ config: { modelConfig: { modelType: "nemo_transducer" } } });
});

test("Whisper", async () => {
  const files = ["encoder", "decoder"].flatMap((part) => [`tiny-${part}.onnx`, `tiny-${part}.int8.onnx`]);
  put(models(...files), "tiny-tokens.txt");
  const whisper = { encoder: at("tiny-encoder.int8.onnx"), decoder: at("tiny-decoder.int8.onnx") };
  const modelConfig = { whisper, tokens: at("tiny-tokens.txt") };
  await expectRecognized({ kind: "recognizer", family: "whisper", config: { modelConfig } });
});

test("Moonshine", async () => {
  const files = {
    preprocessor: "m/preprocess.onnx",
    encoder: "m/encode.int8.onnx",
    uncachedDecoder: "m/uncached_decode.int8.onnx",
    cachedDecoder: "m/cached_decode.int8.onnx",
  };
  put(models(...Object.values(files)), "m/tokens.txt");
  const moonshine = Object.fromEntries(Object.entries(files).map(([part, name]) => [part, at(name)]));
  await expectRecognized({ kind: "recognizer", family: "moonshine", config: { modelConfig: { moonshine } } });
});

test("Kokoro and Kitten, which have the same files", async () => {
  const lexicons = ["k/lexicon-gb-en.txt", "k/lexicon-us-en.txt", "k/lexicon-zh.txt"];
  const data = ["k/espeak-ng-data/phontab", "k/espeak-ng-data/lang/tokens.txt"];
  put({ "k/model.int8.onnx": ofType("kokoro") }, "k/voices.bin", "k/tokens.txt", ...lexicons, ...data);
  const kokoro = {
    ...{ model: at("k/model.int8.onnx"), voices: at("k/voices.bin"), tokens: at("k/tokens.txt") },
    dataDir: at("k/espeak-ng-data"),
    lexicon: `${at("k/lexicon-us-en.txt")},${at("k/lexicon-zh.txt")}`,
  };
  await expectRecognized({ kind: "voice", family: "kokoro", config: { model: { kokoro } } });
  put({ "k/model.int8.onnx": ofType("kitten-tts", { comment: "x" }) });
  const kitten = await recognizeModel(folder);
  expect(kitten.family).toBe("kitten");
  expect(kitten.config["model"]).not.toHaveProperty("kitten.lexicon");
});

test("Piper", async () => {
  const piper = "p/de_DE-thorsten-medium.onnx";
  put({ [piper]: ofType("vits") }, `${piper}.json`, "p/tokens.txt", "p/espeak-ng-data/phontab");
  const vits = { model: at(piper), dataDir: at("p/espeak-ng-data") };
  await expectRecognized({ kind: "voice", family: "vits", config: { model: { vits } } });
});

test("a voice of VITS with a lexicon and rules", async () => {
  put(models("v/model.onnx"), "v/lexicon.txt", "v/tokens.txt", "v/number.fst", "v/date.fst");
  const ruleFsts = `${at("v/date.fst")},${at("v/number.fst")}`;
  const config = { model: { vits: { lexicon: at("v/lexicon.txt") } }, ruleFsts };
  await expectRecognized({ family: "vits", config });
});

test.each([
  ["sense_voice_ctc", "senseVoice"],
  ["EncDecCTCModelBPE", "nemoCtc"],
  ["paraformer", "paraformer"],
  ["zipformer2_ctc", "zipformerCtc"],
])("a recognizer with one file says in its metadata what it is: %s", async (type, family) => {
  put({ "m/model.int8.onnx": ofType(type) }, "m/tokens.txt");
  const modelConfig = { [family]: { model: at("m/model.int8.onnx") } };
  await expectRecognized({ kind: "recognizer", family, config: { modelConfig } });
});

test("a streaming recognizer with one file", async () => {
  put({ "m/model.onnx": ofType("zipformer2", { decode_chunk_len: 32 }) }, "m/tokens.txt");
  await expectRecognized({ kind: "streaming recognizer", family: "zipformer2Ctc" });
});

test("Silero VAD", async () => {
  put(models("silero_vad.onnx"));
  await expectRecognized({ kind: "voice activity", family: "silero" });
});

test("what macOS adds to an archive is not taken for a model", async () => {
  put({ "m/model.onnx": ofType("vits") }, "m/._model.onnx", "__MACOSX/m/a.onnx", "m/tokens.txt");
  await expectRecognized({ config: { model: { vits: { model: at("m/model.onnx") } } } });
});

test("other files are no known kind of model, and the error says what to do", async () => {
  put({}, "readme.txt", "weights.bin");
  await expect(recognizeModel(folder)).rejects.toMatchObject({ code: "model_unrecognized" });
  put({ "m/model.onnx": ofType("something new") }, "m/tokens.txt");
  await expect(recognizeModel(folder)).rejects.toThrow(/visavis stt-type put/);
});
