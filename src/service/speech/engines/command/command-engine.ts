import type { EngineMachine } from "../../../engine.ts";
import { Fault } from "../../../fault.ts";
import type { SpeechEngine } from "../../speech-engine.ts";
import { createCommandRecognizer } from "./command-recognizer.ts";
import { commandSettingsSchema, type CommandSettings } from "./command-settings.ts";
import { hasProgram } from "./find-program.ts";

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
