import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { recognizeModel } from "../../../../src/service/administration/models/recognize-model.ts";
import { temporaryFolder } from "../../service-fixture.ts";
import { onnxFile } from "../../speech/engines/sherpa/onnx-file.ts";

let folder: string;

beforeEach(() => {
  folder = temporaryFolder();
});

/** A model file with nothing but metadata. */
const model = (metadata: Record<string, string | number> = {}): Buffer =>
  onnxFile({ nodes: [], tensors: [], inputs: [], outputs: [], metadata });

function put(files: Record<string, Buffer | string>): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
}

const at = (name: string): string => join(folder, name);

test("a streaming transducer with eight-bit weights", async () => {
  const dir = "sherpa-onnx-streaming-zipformer-en-20M-2023-02-17";
  put({
    [`${dir}/encoder-epoch-99-avg-1.onnx`]: model(),
    [`${dir}/encoder-epoch-99-avg-1.int8.onnx`]: model({ model_type: "zipformer", decode_chunk_len: 32 }),
    [`${dir}/decoder-epoch-99-avg-1.onnx`]: model(),
    [`${dir}/decoder-epoch-99-avg-1.int8.onnx`]: model(),
    [`${dir}/joiner-epoch-99-avg-1.int8.onnx`]: model(),
    [`${dir}/tokens.txt`]: "<blk> 0\n",
    [`${dir}/bpe.model`]: "",
    [`${dir}/test_wavs/0.wav`]: "",
  });
  expect(await recognizeModel(folder)).toEqual({
    kind: "streaming recognizer",
    family: "transducer",
    config: {
      modelConfig: {
        transducer: {
          encoder: at(`${dir}/encoder-epoch-99-avg-1.int8.onnx`),
          decoder: at(`${dir}/decoder-epoch-99-avg-1.onnx`),
          joiner: at(`${dir}/joiner-epoch-99-avg-1.int8.onnx`),
        },
        tokens: at(`${dir}/tokens.txt`),
        numThreads: 2,
      },
      enableEndpoint: false,
    },
  });
});

test("a transducer for whole recordings, and one of NeMo", async () => {
  put({
    "m/encoder.onnx": model({ model_type: "zipformer2" }),
    "m/decoder.onnx": model(),
    "m/joiner.onnx": model(),
    "m/tokens.txt": "",
  });
  expect(await recognizeModel(folder)).toMatchObject({ kind: "recognizer", family: "transducer" });
  put({ "m/encoder.onnx": model({ model_type: "EncDecRNNTBPEModel" }) });
  const nemo = await recognizeModel(folder);
  expect(nemo.config["modelConfig"]).toMatchObject({ modelType: "nemo_transducer" });
});

test("Whisper", async () => {
  const names = [
    "tiny-encoder.onnx",
    "tiny-encoder.int8.onnx",
    "tiny-decoder.onnx",
    "tiny-decoder.int8.onnx",
  ];
  put(
    Object.fromEntries([...names.map((name) => [name, model()]), ["tiny-tokens.txt", ""]]) as Record<
      string,
      string
    >,
  );
  expect(await recognizeModel(folder)).toMatchObject({
    kind: "recognizer",
    family: "whisper",
    config: {
      modelConfig: {
        whisper: { encoder: at("tiny-encoder.int8.onnx"), decoder: at("tiny-decoder.int8.onnx") },
        tokens: at("tiny-tokens.txt"),
      },
    },
  });
});

test("Moonshine", async () => {
  put({
    "m/preprocess.onnx": model(),
    "m/encode.int8.onnx": model(),
    "m/uncached_decode.int8.onnx": model(),
    "m/cached_decode.int8.onnx": model(),
    "m/tokens.txt": "",
  });
  expect(await recognizeModel(folder)).toMatchObject({
    kind: "recognizer",
    family: "moonshine",
    config: {
      modelConfig: {
        moonshine: {
          preprocessor: at("m/preprocess.onnx"),
          encoder: at("m/encode.int8.onnx"),
          uncachedDecoder: at("m/uncached_decode.int8.onnx"),
          cachedDecoder: at("m/cached_decode.int8.onnx"),
        },
      },
    },
  });
});

test("Kokoro and Kitten, which have the same files", async () => {
  put({
    "k/model.int8.onnx": model({ model_type: "kokoro" }),
    "k/voices.bin": "",
    "k/tokens.txt": "",
    "k/lexicon-gb-en.txt": "",
    "k/lexicon-us-en.txt": "",
    "k/lexicon-zh.txt": "",
    "k/espeak-ng-data/phontab": "",
    "k/espeak-ng-data/lang/tokens.txt": "",
  });
  expect(await recognizeModel(folder)).toMatchObject({
    kind: "voice",
    family: "kokoro",
    config: {
      model: {
        kokoro: {
          model: at("k/model.int8.onnx"),
          voices: at("k/voices.bin"),
          tokens: at("k/tokens.txt"),
          dataDir: at("k/espeak-ng-data"),
          lexicon: `${at("k/lexicon-us-en.txt")},${at("k/lexicon-zh.txt")}`,
        },
      },
    },
  });
  put({ "k/model.int8.onnx": model({ model_type: "kitten-tts", comment: "x" }) });
  const kitten = await recognizeModel(folder);
  expect(kitten.family).toBe("kitten");
  expect(kitten.config["model"]).not.toHaveProperty("kitten.lexicon");
});

test("Piper, and a voice of VITS with a lexicon and rules", async () => {
  put({
    "p/de_DE-thorsten-medium.onnx": model({ model_type: "vits" }),
    "p/de_DE-thorsten-medium.onnx.json": "{}",
    "p/tokens.txt": "",
    "p/espeak-ng-data/phontab": "",
  });
  expect(await recognizeModel(folder)).toMatchObject({
    kind: "voice",
    family: "vits",
    config: {
      model: { vits: { model: at("p/de_DE-thorsten-medium.onnx"), dataDir: at("p/espeak-ng-data") } },
    },
  });
  folder = temporaryFolder();
  put({
    "v/model.onnx": model(),
    "v/lexicon.txt": "",
    "v/tokens.txt": "",
    "v/number.fst": "",
    "v/date.fst": "",
  });
  expect(await recognizeModel(folder)).toMatchObject({
    family: "vits",
    config: {
      model: { vits: { lexicon: at("v/lexicon.txt") } },
      ruleFsts: `${at("v/date.fst")},${at("v/number.fst")}`,
    },
  });
});

test.each([
  ["sense_voice_ctc", "senseVoice"],
  ["EncDecCTCModelBPE", "nemoCtc"],
  ["paraformer", "paraformer"],
  ["zipformer2_ctc", "zipformerCtc"],
])("a recognizer with one file says in its metadata what it is: %s", async (type, family) => {
  put({ "m/model.int8.onnx": model({ model_type: type }), "m/tokens.txt": "" });
  expect(await recognizeModel(folder)).toMatchObject({
    kind: "recognizer",
    family,
    config: { modelConfig: { [family]: { model: at("m/model.int8.onnx") } } },
  });
});

test("a streaming recognizer with one file", async () => {
  put({ "m/model.onnx": model({ model_type: "zipformer2", decode_chunk_len: 32 }), "m/tokens.txt": "" });
  expect(await recognizeModel(folder)).toMatchObject({
    kind: "streaming recognizer",
    family: "zipformer2Ctc",
  });
});

test("Silero VAD", async () => {
  put({ "silero_vad.onnx": model() });
  expect(await recognizeModel(folder)).toMatchObject({ kind: "voice activity", family: "silero" });
});

test("what macOS adds to an archive is not taken for a model", async () => {
  put({
    "m/._model.onnx": "x",
    "__MACOSX/m/a.onnx": "x",
    "m/model.onnx": model({ model_type: "vits" }),
    "m/tokens.txt": "",
  });
  expect((await recognizeModel(folder)).config["model"]).toMatchObject({
    vits: { model: at("m/model.onnx") },
  });
});

test("other files are no known kind of model, and the error says what to do", async () => {
  put({ "readme.txt": "hello", "weights.bin": "" });
  await expect(recognizeModel(folder)).rejects.toMatchObject({ code: "model_unrecognized" });
  put({ "m/model.onnx": model({ model_type: "something new" }), "m/tokens.txt": "" });
  await expect(recognizeModel(folder)).rejects.toThrow(/visavis stt-type put/);
});
