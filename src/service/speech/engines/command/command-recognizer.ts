import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeWav } from "../../../audio/encode-wav.ts";
import type { CommandSettings } from "./command-settings.ts";
import { resample } from "../../../audio/resampler.ts";
import type { SpeechRecognizer } from "../../speech-recognizer.ts";

/** The longest output of a program, in bytes. */
const outputMaxBytes = 256 * 1024;

/** A language code; other texts are not passed to a program. */
const languagePattern = /^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*$/;

interface Run {
  argv: readonly string[];
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

/**
 * Runs a program without a shell; resolves with its output. Its error output is discarded, because it may contain a visitor's
 * words.
 */
function outputOf({ argv, timeoutMs, signal }: Run): Promise<string> {
  return new Promise((resolve, reject) => {
    const [program = "", ...args] = argv;
    const child = spawn(program, args, {
      stdio: ["ignore", "pipe", "ignore"],
      timeout: timeoutMs,
      killSignal: "SIGKILL",
      ...(signal && { signal }),
    });
    const pieces: Buffer[] = [];
    let length = 0;
    child.stdout.on("data", (piece: Buffer) => {
      length += piece.length;
      if (length > outputMaxBytes) child.kill("SIGKILL");
      else pieces.push(piece);
    });
    child.on("error", reject);
    child.on("close", (code) => {
      if (length > outputMaxBytes) reject(new Error("The recognition program printed too much."));
      else if (code === 0) resolve(Buffer.concat(pieces).toString("utf8"));
      else
        reject(
          new Error(
            `The recognition program exited with ${code === null ? "a signal, or took too long" : `status ${code}`}.`,
          ),
        );
    });
  });
}

/** Recognizes speech with the operator's program, which gets the path of a WAV file and prints the text. */
export function createCommandRecognizer(settings: CommandSettings): SpeechRecognizer {
  const rateHz = settings.sample_rate_hz;
  return {
    isLocal: true,
    async recognize({ pcm, sampleRateHz, language = "", signal }) {
      signal?.throwIfAborted();
      const folder = await mkdtemp(join(tmpdir(), "visavis-speech-"));
      try {
        const wav = join(folder, "speech.wav");
        await writeFile(wav, encodeWav(resample(pcm, sampleRateHz, rateHz), rateHz), { mode: 0o600 });
        const spokenIn = languagePattern.test(language) ? language : "";
        const argv = settings.command.map((part) =>
          part.replaceAll("{wav}", wav).replaceAll("{language}", spokenIn),
        );
        const output = await outputOf({ argv, timeoutMs: settings.timeout_sec * 1_000, signal });
        return { text: output.replace(/\s+/gu, " ").trim(), locale: settings.locale };
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
    close: () => Promise.resolve(),
  };
}
