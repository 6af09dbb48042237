import { basename } from "node:path";

/** What a model does. */
export type ModelKind = "streaming recognizer" | "recognizer" | "voice" | "voice activity";

/** A model that the sherpa-onnx project publishes. */
export interface KnownModel {
  /** How it is installed, and the name of its catalogue entry. */
  name: string;
  kind: ModelKind;
  /** BCP 47. Empty: many, or none. */
  languages: readonly string[];
  /** Of the model, or of the recordings that it was trained on; null when it is not known. */
  licence: string | null;
  /** About the size of the download. */
  bytes: number;
  /** The path of the download below the address of the releases. */
  path: string;
  /** In hexadecimal; null when no published sum is known. */
  sha256: string | null;
}

/** The address of the sherpa-onnx project's releases. */
export const releasesUrl = "https://github.com/k2-fsa/sherpa-onnx/releases/download";

const recognizers: readonly KnownModel[] = [
  {
    name: "zipformer-en-20m",
    kind: "streaming recognizer",
    languages: ["en"],
    licence: "Apache-2.0",
    bytes: 127_887_156,
    path: "asr-models/sherpa-onnx-streaming-zipformer-en-20M-2023-02-17.tar.bz2",
    sha256: "9c559283e8498d3fe95913c79ca1cb454bb26281ac2b102b41306c7d752765d9",
  },
  {
    name: "moonshine-tiny-en",
    kind: "recognizer",
    languages: ["en"],
    licence: "MIT",
    bytes: 107_600_538,
    path: "asr-models/sherpa-onnx-moonshine-tiny-en-int8.tar.bz2",
    sha256: "d5fe6ec4334fef36255b2a4010412cad4c007e33103fec62fb5d17cad88086f2",
  },
  {
    name: "whisper-tiny",
    kind: "recognizer",
    languages: [],
    licence: "MIT",
    bytes: 116_204_861,
    path: "asr-models/sherpa-onnx-whisper-tiny.tar.bz2",
    sha256: "c46116994e539aa165266d96b325252728429c12535eb9d8b6a2b10f129e66b1",
  },
  {
    name: "zipformer-ko",
    kind: "recognizer",
    languages: ["ko"],
    licence: null,
    bytes: 329_740_690,
    path: "asr-models/sherpa-onnx-zipformer-korean-2024-06-24.tar.bz2",
    sha256: "24bd409318f389cd2de0e295eb1acf91f4e8dfcc0d650490dd2a01f5b50d2c77",
  },
];

const voices: readonly KnownModel[] = [
  {
    name: "kokoro-en",
    kind: "voice",
    languages: ["en"],
    licence: "Apache-2.0",
    bytes: 103_248_205,
    path: "tts-models/kokoro-int8-en-v0_19.tar.bz2",
    sha256: "c9f0dd393615805b0bab050c340834d5e684e732aec91c0e860cd30e982c08bd",
  },
  {
    name: "kokoro-zh-en",
    kind: "voice",
    languages: ["zh", "en"],
    licence: "Apache-2.0",
    bytes: 147_031_220,
    path: "tts-models/kokoro-int8-multi-lang-v1_1.tar.bz2",
    sha256: "a1e94694776049035c4f2c6529f003aaece993c76aae9a78995831c3c4dcafc6",
  },
  {
    name: "kitten-en",
    kind: "voice",
    languages: ["en"],
    licence: "Apache-2.0",
    bytes: 26_586_708,
    path: "tts-models/kitten-nano-en-v0_2-fp16.tar.bz2",
    sha256: "0345a8a2f4a710cb8f7912c9a731ded8b3e1e69b33a871efa95c2e64651518fe",
  },
];

type PiperVoice = Pick<KnownModel, "licence" | "bytes" | "sha256"> & {
  name: string;
  language: string;
  file: string;
};

/** The voices of Piper, each with the licence of the recordings it was trained on. */
const piperVoices: readonly PiperVoice[] = [
  {
    name: "piper-en-cori",
    language: "en-GB",
    file: "en_GB-cori-high",
    licence: "public domain",
    bytes: 115_574_061,
    sha256: "42922f07738fcde2e49eed4e959635692f73b933de35a6b7c1010162ff566292",
  },
  {
    name: "piper-de-thorsten",
    language: "de-DE",
    file: "de_DE-thorsten-medium",
    licence: "CC0-1.0",
    bytes: 67_214_254,
    sha256: "50487d9c95fdf2191f31d2588569381063ba1591dcd4c7d4bdd30f12b2191714",
  },
  {
    name: "piper-es-davefx",
    language: "es-ES",
    file: "es_ES-davefx-medium",
    licence: "CC0-1.0",
    bytes: 67_000_000,
    sha256: null,
  },
  {
    name: "piper-fr-siwis",
    language: "fr-FR",
    file: "fr_FR-siwis-medium",
    licence: "CC-BY-4.0",
    bytes: 67_207_459,
    sha256: null,
  },
  {
    name: "piper-it-paola",
    language: "it-IT",
    file: "it_IT-paola-medium",
    licence: null,
    bytes: 67_000_000,
    sha256: null,
  },
  {
    name: "piper-pt-faber",
    language: "pt-BR",
    file: "pt_BR-faber-medium",
    licence: "CC0-1.0",
    bytes: 67_000_000,
    sha256: "7add3f923ad6bc25ca8a192805fd1a64d1b3893e4611c4a9719545a825039a83",
  },
  {
    name: "piper-nl-nathalie",
    language: "nl-BE",
    file: "nl_BE-nathalie-medium",
    licence: null,
    bytes: 67_000_000,
    sha256: null,
  },
];

/** The models that can be installed by their names. */
export const knownModels: readonly KnownModel[] = [
  ...recognizers,
  ...voices,
  ...piperVoices.map(({ language, file, ...voice }) => ({
    ...voice,
    kind: "voice" as const,
    languages: [language],
    path: `tts-models/vits-piper-${file}.tar.bz2`,
  })),
  {
    name: "silero-vad",
    kind: "voice activity",
    languages: [],
    licence: "MIT",
    bytes: 643_854,
    path: "asr-models/silero_vad.onnx",
    sha256: "9e2449e1087496d8d4caba907f23e0bd3f78d91fa552479bb9c23ac09cbb1fd6",
  },
];

/** Whether a known model has this SHA-256. */
export const isPublishedSum = (sha256: string): boolean =>
  knownModels.some((model) => model.sha256 === sha256);

/** The known model whose download has the file name of this path or address. */
export const knownByFile = (place: string): KnownModel | undefined =>
  knownModels.find(({ path }) => basename(path) === basename(place));
