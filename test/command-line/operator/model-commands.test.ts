import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { findSherpa } from "../../../src/service/speech/engines/sherpa/sherpa-program.ts";
import { hasBzip2, tarBzip2, zip, type ArchiveEntry } from "../../service/administration/models/archives.ts";
import { runModelServer } from "../../service/administration/models/model-server.ts";
import { bundleEntry, type BundledEntry } from "../../service/bundle-entry.ts";
import { temporaryFolder } from "../../service/service-fixture.ts";
import {
  toneOf,
  writeLoudnessDetector,
  writeStreamingToneRecognizer,
  writeWordVoice,
} from "../../service/speech/engines/sherpa/tiny-models.ts";
import { commandLine } from "./operator-fixture.ts";
import { freePort } from "../../free-port.ts";

let data: string;
let visavis: ReturnType<typeof commandLine>;

beforeEach(() => {
  data = temporaryFolder();
  visavis = commandLine(data, { VISAVIS_SHERPA_PATH: "/nowhere" });
});

/** The files of a folder as entries of an archive. */
function filesOf(folder: string, inside: string): ArchiveEntry[] {
  return readdirSync(folder).map((name) => ({
    name: `${inside}/${name}`,
    content: readFileSync(join(folder, name)),
  }));
}

/** A voice whose files are named as those of published voices. */
function voiceFiles(): ArchiveEntry[] {
  const folder = temporaryFolder();
  writeWordVoice(folder, [{ word: "hello", pcm: toneOf("one") }], 8_000);
  renameSync(join(folder, "words.txt"), join(folder, "tokens.txt"));
  return filesOf(folder, "vits-piper-en_US-tiny");
}

function streamingFiles(): ArchiveEntry[] {
  const folder = temporaryFolder();
  writeStreamingToneRecognizer(folder, 80);
  renameSync(join(folder, "streaming-tones.txt"), join(folder, "tokens.txt"));
  return filesOf(folder, "tones");
}

const sumOf = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");

test("the list names kind, languages, size and licence, and what is installed", async () => {
  const { printed } = await visavis(["model", "list"]);
  expect(printed).toMatch(/^name +kind +languages +download +licence +state$/m);
  expect(printed).toMatch(/^sherpa-onnx +library +any +Apache-2\.0$/m);
  expect(printed).toMatch(/^zipformer-en-20m +streaming recognizer +en +128 MB +Apache-2\.0$/m);
  expect(printed).toMatch(/^silero-vad +voice activity +any +644 kB +MIT$/m);
  expect(printed).not.toMatch(/installed$/m);
});

test("a voice is installed from an address: with its entry, its sum and its progress", async () => {
  const archive = zip(voiceFiles());
  const { url } = await runModelServer({ "/vits-piper-en_US-tiny.zip": archive });
  const answer = await visavis(["model", "install", `${url}/vits-piper-en_US-tiny.zip`]);
  expect(answer.failure).toBeNull();
  expect(answer.printed).toBe("piper-en_US-tiny");
  expect(answer.noted).toContain(`Its SHA-256 is ${sumOf(archive)}; compare it`);
  expect(answer.noted).toContain('piper-en_US-tiny is a voice (vits). Its tts_type is "piper-en_US-tiny".');
  expect(answer.noted).toContain('"visavis model install sherpa-onnx" installs it');
  expect(answer.shown.filter((line) => line !== "").at(-1)).toMatch(/ 100 % /);
  expect(answer.shown.at(-1)).toBe("");
  const entry = JSON.parse((await visavis(["tts-type", "show", "piper-en_US-tiny"])).printed) as object;
  expect(entry).toMatchObject({
    service: "onpremise",
    voice_extra_data: { language: ["en-US"] },
    engine: { type: "sherpa-onnx", config: { model: { vits: {} } } },
  });
  expect((await visavis(["model", "list"])).printed).toMatch(/^piper-en_US-tiny .* unknown +installed$/m);
});

test("known names come from the address of the releases, and another sum than the published one is refused", async () => {
  const path = "/asr-models/silero_vad.onnx";
  const server = await runModelServer({ [path]: readFileSync(writeLoudnessDetector(temporaryFolder())) });
  const mirrored = commandLine(data, { VISAVIS_SHERPA_PATH: "/nowhere", VISAVIS_MODELS_URL: server.url });
  const answer = await mirrored(["model", "install", "silero-vad"]);
  expect(server.seen.map((request) => request.path)).toEqual([path]);
  expect(answer.noted).toContain("(644 kB; licence: MIT)");
  expect(answer.failure).toMatch(/^The file of silero-vad has the SHA-256 [0-9a-f]{64}, but 9e2449e1/);
  expect((await mirrored(["model", "list"])).printed).not.toMatch(/installed$/m);
});

test("without a network, the failure says at once how the model can be installed", async () => {
  const mirror = `http://127.0.0.1:${await freePort()}`;
  const offline = commandLine(data, { VISAVIS_SHERPA_PATH: "/nowhere", VISAVIS_MODELS_URL: mirror });
  const answer = await offline(["model", "install", "kitten-en"]);
  expect(answer.noted).toMatch(/^Interrupted: .*ECONNREFUSED.* Continues in 2 s\.$/m);
  expect(answer.failure).toMatch(
    /Check the address and the network.* downloaded on another machine can be installed/,
  );
});

test("a sum, a name and languages can be given", async () => {
  const archive = zip(voiceFiles());
  const file = join(data, "any.zip");
  writeFileSync(file, archive);
  const words = ["model", "install", file, "--name", "hotel", "--language", "en, fr"];
  expect((await visavis([...words, "--sha256", "1".repeat(64)])).failure).toContain("was expected");
  const answer = await visavis([...words, "--sha256", sumOf(archive)]);
  expect([answer.failure, answer.printed]).toEqual([null, "hotel"]);
  expect(answer.noted).toContain("Its SHA-256 is the expected one.");
  const { printed } = await visavis(["tts-type", "show", "hotel"]);
  expect(JSON.parse(printed)).toMatchObject({ voice_extra_data: { language: ["en", "fr"] } });
});

test("an installed model is replaced with --replace, and removed with its entry", async () => {
  const file = join(data, "tiny.zip");
  writeFileSync(file, zip(voiceFiles()));
  await visavis(["model", "install", file]);
  expect((await visavis(["model", "install", file])).failure).toBe(
    "The model tiny is installed already; --replace installs it again.",
  );
  expect((await visavis(["model", "install", file, "--replace"])).failure).toBeNull();
  const removed = await visavis(["model", "remove", "tiny"]);
  expect([removed.failure, removed.noted]).toEqual([null, "The model tiny and its entry are removed."]);
  expect(existsSync(join(data, "models/tiny"))).toBe(false);
  expect((await visavis(["tts-type", "show", "tiny"])).failure).not.toBeNull();
  expect((await visavis(["model", "remove", "tiny"])).failure).toContain('"visavis model list" shows');
});

test("an entry of the same name that is not of the model is replaced only on request", async () => {
  const file = join(data, "tiny.zip");
  writeFileSync(file, zip(voiceFiles()));
  const own = { name: "tiny", service: "visavis", model: "flite", voice: "slt" };
  await visavis(["tts-type", "put", "--no-try"], own);
  expect((await visavis(["model", "install", file])).failure).toBe(
    'There is already the tts_type "tiny", which does not use this model; --name gives the model another name, and --replace replaces the entry.',
  );
  expect((await visavis(["model", "list"])).printed).not.toMatch(/installed$/m);
  expect((await visavis(["model", "install", file, "--replace"])).failure).toBeNull();
  expect((await visavis(["tts-type", "show", "tiny"])).printed).toContain('"sherpa-onnx"');
});

test("an entry that was changed to use other files stays when the model is removed", async () => {
  const file = join(data, "tiny.zip");
  writeFileSync(file, zip(voiceFiles()));
  await visavis(["model", "install", file]);
  await visavis(["tts-type", "put", "--no-try"], {
    name: "tiny",
    service: "visavis",
    model: "flite",
    voice: "slt",
  });
  expect((await visavis(["model", "remove", "tiny"])).noted).toBe("The model tiny is removed.");
  expect((await visavis(["tts-type", "show", "tiny"])).failure).toBeNull();
});

test.each([
  [["no-such-model"], /nor a file; "visavis model list" shows the known ones/],
  [["moonshine"], /did you mean "moonshine-tiny-en"/],
  [["./missing.tar.bz2"], /There is no file "\.\/missing\.tar\.bz2"/],
  [["kitten-en", "--name", "../x"], /Latin letters, digits, hyphens and underscores/],
  [["/etc/hostname"], /is not a tar\.bz2, zip or onnx file/],
])("a wrong request is refused with what to do: %j", async (words, reason) => {
  expect((await visavis(["model", "install", ...words])).failure).toMatch(reason);
  expect((await visavis(["model", "list"])).printed).not.toMatch(/installed$/m);
});

describe("the library", () => {
  /** A program that stands for npm: it writes down its arguments, and may leave the package behind. */
  function npm(script: string): Record<string, string> {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "npm"), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, "npm"), 0o755);
    return { PATH: `${folder}:/usr/bin:/bin` };
  }

  const leavesPackage = `
    folder="$3/node_modules/sherpa-onnx-node"
    mkdir -p "$folder" && echo "$@" > "$3/arguments"
    echo '{"name":"sherpa-onnx-node","main":"index.js"}' > "$folder/package.json"
    echo '' > "$folder/index.js"`;

  test("is installed with npm into the data folder, reports that, and is removed again", async () => {
    const command = commandLine(data, npm(leavesPackage));
    const answer = await command(["model", "install", "sherpa-onnx"]);
    const folder = join(data, "sherpa");
    expect([answer.failure, answer.printed]).toEqual([null, folder]);
    const words = `install --prefix ${folder} --ignore-scripts --no-audit --no-fund sherpa-onnx-node@^1.13.8`;
    expect(answer.noted).toContain(`Runs: npm ${words}`);
    expect(readFileSync(join(folder, "arguments"), "utf8").trim()).toBe(words);
    expect((await command(["model", "list"])).printed).toMatch(/^sherpa-onnx .* installed$/m);
    await command(["model", "remove", "sherpa-onnx"]);
    expect(existsSync(folder)).toBe(false);
  });

  test("reports what npm says when it fails, and when npm is missing", async () => {
    const failing = commandLine(data, npm("echo 'npm error network unreachable' >&2; exit 1"));
    expect((await failing(["model", "install", "sherpa-onnx"])).failure).toMatch(
      /status 1\. npm error network unreachable\. To install it yourself, run: npm install/,
    );
    const missing = commandLine(data, { PATH: "/nowhere" });
    expect((await missing(["model", "install", "sherpa-onnx"])).failure).toMatch(
      /npm ENOENT\. To install it yourself, run: npm install --prefix /,
    );
  });

  test("is not installed where another copy is in use", async () => {
    expect((await visavis(["model", "install", "sherpa-onnx"])).failure).toContain("unset it first");
  });
});

describe.skipIf(findSherpa(process.env["VISAVIS_SHERPA_PATH"]) === null)(
  "with sherpa-onnx [needs sherpa-onnx]",
  () => {
    let entries: BundledEntry[];
    let scripts: Record<string, URL>;

    beforeAll(async () => {
      const names = ["engines/sherpa/sherpa-process", "engines/flite/flite-worker", "audio/audio-worker"];
      entries = await Promise.all(names.map((name) => bundleEntry(`src/service/speech/${name}.ts`)));
      scripts = Object.fromEntries(names.map((name, at) => [name.split("/").at(-1)!, entries[at]!.url]));
    });
    afterAll(() => entries.forEach((entry) => entry.remove()));

    beforeEach(() => {
      const sherpa = process.env["VISAVIS_SHERPA_PATH"];
      visavis = commandLine(data, sherpa ? { VISAVIS_SHERPA_PATH: sherpa } : {}, scripts);
    });

    test("a voice speaks after its installation", async () => {
      const file = join(data, "tiny.zip");
      writeFileSync(file, zip(voiceFiles()));
      const answer = await visavis(["model", "install", file]);
      expect(answer.failure).toBeNull();
      expect(answer.noted).toMatch(/Tried: It spoke \d\.\d s of sound/);
    });

    test.skipIf(!hasBzip2)(
      "a streaming recognizer hears a sentence after its installation [needs bzip2]",
      async () => {
        const file = join(data, "tones.tar.bz2");
        writeFileSync(file, await tarBzip2(streamingFiles()));
        const answer = await visavis(["model", "install", file, "--language", "en"]);
        expect(answer.failure).toBeNull();
        expect(answer.noted).toMatch(/is a streaming recognizer \(zipformer2Ctc\)\. Its stt_type is "tones"/);
        expect(answer.noted).toMatch(/Tried: It heard /);
        expect(JSON.parse((await visavis(["stt-type", "show", "tones"])).printed)).toMatchObject({
          engine: { streaming: true, locale: "en" },
        });
      },
    );

    test("voice activity hears a sentence after its installation", async () => {
      const answer = await visavis(["model", "install", writeLoudnessDetector(temporaryFolder())]);
      expect(answer.failure).toBeNull();
      expect(answer.noted).toMatch(/Tried: It found the speech in a sentence/);
    });

    test("a model that does not work stays installed, and the failure says so", async () => {
      const file = join(data, "broken.zip");
      const files = voiceFiles().map((entry) =>
        entry.name.endsWith(".onnx") ? { ...entry, content: "no model" } : entry,
      );
      writeFileSync(file, zip(files));
      expect((await visavis(["model", "install", file])).failure).toMatch(/is saved, but does not work/);
      expect((await visavis(["model", "list"])).printed).toMatch(/^broken .* installed$/m);
      const again = await visavis(["model", "install", file, "--replace", "--no-try"]);
      expect(again.failure).toBeNull();
    });
  },
);

test("nothing is downloaded by the server's start or by listing", async () => {
  mkdirSync(join(data, "models"), { recursive: true });
  const server = await runModelServer({});
  const mirrored = commandLine(data, { VISAVIS_MODELS_URL: server.url });
  await mirrored(["model", "list"]);
  await mirrored(["stt-type", "list"]);
  expect(server.seen).toEqual([]);
});
