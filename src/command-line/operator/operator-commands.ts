import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import type { Command } from "commander";
import { addCatalogueCommands } from "./catalogue-commands.ts";
import { addCharacterCommands } from "./character-commands.ts";
import { addCheckCommand } from "./check-command.ts";
import { addContextCommands } from "./context-commands.ts";
import { addKeyCommands } from "./key-commands.ts";
import { addModelCommands } from "./model-commands.ts";
import type { Terminal } from "./operate.ts";
import { addOrganizationCommands } from "./organization-commands.ts";
import { progressLine } from "./progress-line.ts";
import { addSessionCommands } from "./session-commands.ts";

/** Where the build's files are. */
type BuiltPlace = Pick<Terminal, "publicFolder" | "scriptUrl">;

/** The terminal of this process. */
const ownTerminal = (place: BuiltPlace): Terminal => ({
  environment: process.env,
  ...place,
  read(file) {
    if (file !== undefined) return readFile(file);
    if (process.stdin.isTTY) this.note("Reading from the terminal; Ctrl+D on a line of its own ends it.");
    return buffer(process.stdin);
  },
  print: (line) => void process.stdout.write(`${line}\n`),
  note: (line) => void process.stderr.write(`${line}\n`),
  progress: progressLine(process.stderr),
  fail(reason) {
    process.stderr.write(`${reason}\n`);
    process.exitCode = 1;
  },
});

/**
 * Commands that read and change the store, also while a server runs on it. `from` is the terminal where they are typed. For this
 * process's own terminal, it is the place of the built files.
 */
export function addOperatorCommands(program: Command, from: Terminal | BuiltPlace): void {
  const terminal = "print" in from ? from : ownTerminal(from);
  addCheckCommand(program, terminal);
  addKeyCommands(program, terminal);
  addContextCommands(program, terminal);
  addOrganizationCommands(program, terminal);
  addSessionCommands(program, terminal);
  addCatalogueCommands(program, terminal);
  addCharacterCommands(program, terminal);
  addModelCommands(program, terminal);
}
