import { open, readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { AdministrationError } from "../administration-error.ts";
import type { ModelKind } from "./known-models.ts";

/** The files of a model's folder, by their absolute paths. */
class ModelFiles {
  readonly #files: readonly string[];
  readonly #folders: readonly string[];

  constructor(files: readonly string[], folders: readonly string[]) {
    this.#files = files;
    this.#folders = folders;
  }

  /**
   * The file whose name matches; null if there is none. Of several, the one with eight-bit weights: it is smaller and faster, and
   * hardly less accurate.
   */
  file(pattern: RegExp): string | null {
    const matching = this.files(pattern);
    return matching.find((file) => file.includes(".int8.")) ?? matching[0] ?? null;
  }

  /** All files whose names match, sorted. */
  files(pattern: RegExp): string[] {
    return this.#files.filter((file) => pattern.test(basename(file)));
  }

  /** The folder of that name; null if there is none. */
  folder(name: string): string | null {
    return this.#folders.find((folder) => basename(folder) === name) ?? null;
  }
}

/** Data of eSpeak NG, test recordings and files that macOS adds to archives do not belong to a model. */
const otherFolders = new Set(["espeak-ng-data", "test_wavs", "__MACOSX"]);

/** Lists the files of a model's folder and of the folders in it. */
async function listModelFiles(folder: string): Promise<ModelFiles> {
  const files: string[] = [];
  const folders: string[] = [];
  async function visit(at: string, depth: number): Promise<void> {
    const entries = await readdir(at, { withFileTypes: true });
    for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
      const path = join(at, entry.name);
      if (entry.isFile() && !entry.name.startsWith("._")) files.push(path);
      if (!entry.isDirectory()) continue;
      folders.push(path);
      if (depth < 3 && !otherFolders.has(entry.name)) await visit(path, depth + 1);
    }
  }
  await visit(folder, 0);
  return new ModelFiles(files, folders);
}

/** Metadata is at the end of an ONNX file, after the weights. Token lists in it may be long. */
const endBytes = 1024 ** 2;

/** The texts of a model's metadata. */
interface OnnxMetadata {
  /** The value of a key; null without it. */
  value(key: string): string | null;
}

/** A number of variable length (protobuf) in front of a text, and where the text begins. */
function lengthAt(bytes: Buffer, at: number): { length: number; start: number } | null {
  let length = 0;
  for (let index = 0; index < 4; index++) {
    const byte = bytes[at + index];
    if (byte === undefined) return null;
    length |= (byte & 127) << (7 * index);
    if (byte < 128) return { length, start: at + index + 1 };
  }
  return null;
}

/** A value of StringStringEntryProto (onnx.proto3): field 1 is the key, field 2 the value. */
function valueIn(bytes: Buffer, key: string): string | null {
  const name = Buffer.from(key);
  const entry = Buffer.concat([Buffer.from([0x0a, name.length]), name, Buffer.from([0x12])]);
  const at = bytes.lastIndexOf(entry);
  const found = at < 0 ? null : lengthAt(bytes, at + entry.length);
  if (!found || found.start + found.length > bytes.length) return null;
  return bytes.toString("utf8", found.start, found.start + found.length);
}

/** Reads the metadata of an ONNX file. A file of another format has none. */
async function readOnnxMetadata(file: string): Promise<OnnxMetadata> {
  const handle = await open(file, "r");
  try {
    const { size } = await handle.stat();
    const length = Math.min(size, endBytes);
    const { buffer } = await handle.read(Buffer.alloc(length), 0, length, size - length);
    return { value: (key) => valueIn(buffer, key) };
  } finally {
    await handle.close();
  }
}

/** What a model's files say about it. */
interface RecognizedModel {
  kind: ModelKind;
  /** The family of the model, such as `whisper`. */
  family: string;
  /** The configuration for sherpa-onnx, with absolute paths. */
  config: Record<string, unknown>;
}

type Paths = Record<string, string>;

const threads = { numThreads: 2 };

const whole = (family: string, model: object, tokens: string): RecognizedModel => ({
  kind: "recognizer",
  family,
  config: { modelConfig: { ...model, tokens, ...threads } },
});

const streaming = (family: string, model: object, tokens: string): RecognizedModel => ({
  kind: "streaming recognizer",
  family,
  config: { modelConfig: { ...model, tokens, ...threads }, enableEndpoint: false },
});

const voice = (family: string, model: object): RecognizedModel => ({
  kind: "voice",
  family,
  config: { model: { ...model, ...threads }, maxNumSentences: 1 },
});

/** The files of a model by their roles; null unless all of them are there. */
function every<Role extends string>(
  files: ModelFiles,
  patterns: Record<Role, RegExp>,
): Record<Role, string> | null {
  const found: Paths = {};
  for (const [role, pattern] of Object.entries<RegExp>(patterns)) {
    const file = files.file(pattern);
    if (file === null) return null;
    found[role] = file;
  }
  // eslint-disable-next-line no-restricted-syntax -- every role of the patterns was found
  return found as Record<Role, string>;
}

const tokensFile = /(?:^|-)tokens\.txt$/;

const silero = (files: ModelFiles): RecognizedModel | null => {
  const model = files.file(/^silero_vad.*\.onnx$/);
  return model === null
    ? null
    : { kind: "voice activity", family: "silero", config: { sileroVad: { model } } };
};

function moonshine(files: ModelFiles): RecognizedModel | null {
  const found = every(files, {
    preprocessor: /^preprocess.*\.onnx$/,
    encoder: /^encode.*\.onnx$/,
    uncachedDecoder: /^uncached_decode.*\.onnx$/,
    cachedDecoder: /^cached_decode.*\.onnx$/,
    tokens: tokensFile,
  });
  if (!found) return null;
  const { tokens, ...parts } = found;
  return whole("moonshine", { moonshine: parts }, tokens);
}

/** A file's name with that of its folder, which often says what a model is. The folders above are the operator's. */
const namesOf = (path: string): string => path.split("/").slice(-2).join("/");

/** Streaming models name the amount of sound that they process at once. */
const isStreaming = (encoder: string, metadata: OnnxMetadata): boolean =>
  /streaming/i.test(namesOf(encoder)) ||
  ["decode_chunk_len", "chunk_shift"].some((key) => metadata.value(key) !== null);

async function transducer(files: ModelFiles): Promise<RecognizedModel | null> {
  const found = every(files, {
    encoder: /encoder.*\.onnx$/,
    decoder: /decoder.*\.onnx$/,
    joiner: /joiner.*\.onnx$/,
    tokens: tokensFile,
  });
  if (!found) return null;
  const { tokens, ...others } = found;
  // The decoder is small, so its exact weights cost little.
  const exact = files.files(/decoder.*\.onnx$/).find((file) => !file.includes(".int8."));
  const parts = { ...others, decoder: exact ?? others.decoder };
  const metadata = await readOnnxMetadata(parts.encoder);
  if (isStreaming(parts.encoder, metadata)) return streaming("transducer", { transducer: parts }, tokens);
  const isNemo = metadata.value("model_type")?.startsWith("EncDec") === true;
  return whole("transducer", { transducer: parts, ...(isNemo && { modelType: "nemo_transducer" }) }, tokens);
}

function whisper(files: ModelFiles): RecognizedModel | null {
  const found = every(files, {
    encoder: /-encoder.*\.onnx$/,
    decoder: /-decoder.*\.onnx$/,
    tokens: tokensFile,
  });
  if (!found) return null;
  const { tokens, ...parts } = found;
  return whole("whisper", { whisper: parts }, tokens);
}

/** Each of several languages has a file with words. British English is left out, because it would hide the American one. */
function lexiconOf(files: ModelFiles): string | null {
  const lexicons = files.files(/^lexicon.*\.txt$/).filter((file) => !/gb-en/.test(file));
  return lexicons.length === 0 ? null : lexicons.join(",");
}

/** Kokoro and Kitten have the same files. */
async function manyVoices(files: ModelFiles): Promise<RecognizedModel | null> {
  const found = every(files, { model: /^model.*\.onnx$/, voices: /^voices\.bin$/, tokens: tokensFile });
  const dataDir = files.folder("espeak-ng-data");
  if (!found || dataDir === null) return null;
  const type = (await readOnnxMetadata(found.model)).value("model_type") ?? "";
  if (/kitten/i.test(type) || /kitten/i.test(namesOf(found.model)))
    return voice("kitten", { kitten: { ...found, dataDir } });
  const lexicon = lexiconOf(files);
  return voice("kokoro", { kokoro: { ...found, dataDir, ...(lexicon !== null && { lexicon }) } });
}

/** Piper's voices, and others of the VITS family. */
async function vits(files: ModelFiles): Promise<RecognizedModel | null> {
  const found = every(files, { model: /\.onnx$/, tokens: tokensFile });
  if (!found) return null;
  const dataDir = files.folder("espeak-ng-data");
  const lexicon = lexiconOf(files);
  const isVits = (await readOnnxMetadata(found.model)).value("model_type") === "vits";
  if (!isVits && dataDir === null && lexicon === null) return null;
  const rules = files.files(/\.fst$/);
  const recognized = voice("vits", {
    vits: { ...found, ...(dataDir !== null && { dataDir }), ...(lexicon !== null && { lexicon }) },
  });
  return rules.length === 0
    ? recognized
    : { ...recognized, config: { ...recognized.config, ruleFsts: rules.join(",") } };
}

/** How models with one file are named in the configuration, by the type in their metadata. */
const singleFileModels: readonly [type: RegExp, family: string][] = [
  [/^sense_voice/, "senseVoice"],
  [/^EncDecCTC|^EncDecHybridRNNTCTC/, "nemoCtc"],
  [/^paraformer/, "paraformer"],
  [/^tdnn$/, "tdnn"],
  [/^zipformer2_ctc$/, "zipformerCtc"],
];

async function singleFile(files: ModelFiles): Promise<RecognizedModel | null> {
  const found = every(files, { model: /\.onnx$/, tokens: tokensFile });
  if (!found) return null;
  const { model, tokens } = found;
  const metadata = await readOnnxMetadata(model);
  const type = metadata.value("model_type") ?? "";
  if (metadata.value("decode_chunk_len") !== null)
    return streaming("zipformer2Ctc", { zipformer2Ctc: { model } }, tokens);
  const family = singleFileModels.find(([pattern]) => pattern.test(type))?.[1];
  if (family === undefined) return null;
  const recognized = whole(family, { [family]: { model } }, tokens);
  // The only family for sound at 8 kHz.
  return family === "tdnn"
    ? { ...recognized, config: { ...recognized.config, featConfig: { sampleRate: 8_000, featureDim: 23 } } }
    : recognized;
}

/** The families, the ones with the most distinct files first. */
const families: readonly ((files: ModelFiles) => RecognizedModel | null | Promise<RecognizedModel | null>)[] =
  [moonshine, transducer, whisper, manyVoices, vits, singleFile, silero];

/** Recognizes what kind of model is in a folder. Throws AdministrationError `model_unrecognized`. */
export async function recognizeModel(folder: string): Promise<RecognizedModel> {
  const files = await listModelFiles(folder);
  for (const family of families) {
    const recognized = await family(files);
    if (recognized) return recognized;
  }
  throw new AdministrationError(
    "model_unrecognized",
    'The files belong to no kind of model that is known here: a recognizer (transducer, Whisper, Moonshine, SenseVoice, Paraformer, NeMo, Zipformer), a voice (Kokoro, Kitten, Piper, VITS) or Silero VAD of sherpa-onnx. Unpack them yourself, and set engine.config with "visavis stt-type put" or "visavis tts-type put".',
  );
}
