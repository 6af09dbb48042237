import * as z from "zod";
import { modelLocaleSchema, type SpeechEngine, timeoutSecSchema } from "../../speech-engine.ts";
import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import { encodeWav } from "../../../audio/wav-file.ts";
import { resample } from "../../../audio/resampler.ts";
import type { SpeechRecognizer } from "../../speech-recognizer.ts";
import { accessSync, constants, statSync } from "node:fs";
import type { EngineMachine } from "../../../engines/engine.ts";
import { Fault } from "../../../faults/fault.ts";

/** The settings of a recognition program. */
const commandSettingsSchema = z.object({
  type: z.literal("command"),
  /** The program and its arguments; `{wav}` and `{language}` are replaced. */
  command: z.array(z.string().min(1)).min(1).max(100),
  /** The sample rate of the WAV file that the program gets. */
  sample_rate_hz: z.int().min(8_000).max(48_000).default(16_000),
  timeout_sec: timeoutSecSchema,
  locale: modelLocaleSchema,
});

/** How to run a recognition program. */
type CommandSettings = z.infer<typeof commandSettingsSchema>;

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
function createCommandRecognizer(settings: CommandSettings): SpeechRecognizer {
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

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/**
 * Whether a program exists on this machine: by its absolute path, or by its name in a folder of `PATH`. Relative paths are not
 * accepted, because they would depend on the current folder.
 */
export function hasProgram(program: string, env: Readonly<Record<string, string | undefined>>): boolean {
  if (/[/\\]/.test(program)) return isAbsolute(program) && isProgram(program);
  const folders = (env["PATH"] ?? "").split(delimiter).filter(isAbsolute);
  return folders.some((folder) => isProgram(join(folder, program)));
}

function checkCommand(
  [program = "", ...rest]: readonly string[],
  { environment }: Pick<EngineMachine, "environment">,
): void {
  if (!hasProgram(program, environment)) {
    const detail = `There is no program "${program}" on this machine; install it, or set its whole path.`;
    throw Fault.invalid("invalid", detail, "engine.command.0");
  }
  if (!rest.some((part) => part.includes("{wav}")))
    throw Fault.invalid(
      "invalid",
      "One part must contain {wav}, the path of the audio file.",
      "engine.command",
    );
}

/** Recognition by a program that the operator installed. */
export const commandEngine: SpeechEngine<CommandSettings> = {
  kind: "command",
  settingsSchema: commandSettingsSchema,
  check({ settings }, machine) {
    checkCommand(settings.command, machine);
    return [];
  },
  createRecognizer({ settings }, { environment }) {
    const [program = ""] = settings.command;
    return hasProgram(program, environment) ? createCommandRecognizer(settings) : null;
  },
};
