import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import type { Command } from "commander";
import { addCatalogueCommands } from "./catalogue-commands.ts";
import { addContextCommands } from "./context-commands.ts";
import { addKeyCommands } from "./key-commands.ts";
import type { Terminal } from "./operate.ts";
import { addOrganizationCommands } from "./organization-commands.ts";
import { addSessionCommands } from "./session-commands.ts";

/** The terminal of this process. */
const ownTerminal = (publicFolder: string): Terminal => ({
  environment: process.env,
  publicFolder,
  read(file) {
    if (file !== undefined) return readFile(file);
    if (process.stdin.isTTY) this.note("Reading from the terminal; Ctrl+D on a line of its own ends it.");
    return buffer(process.stdin);
  },
  print: (line) => void process.stdout.write(`${line}\n`),
  note: (line) => void process.stderr.write(`${line}\n`),
  fail(reason) {
    process.stderr.write(`${reason}\n`);
    process.exitCode = 1;
  },
});

/**
 * Commands that look into the store and change it, also while a server runs on it. `from` is where they are typed, or the
 * folder of the files that the server serves itself, for this process's own terminal.
 */
export function addOperatorCommands(program: Command, from: Terminal | string): void {
  const terminal = typeof from === "string" ? ownTerminal(from) : from;
  addKeyCommands(program, terminal);
  addContextCommands(program, terminal);
  addOrganizationCommands(program, terminal);
  addSessionCommands(program, terminal);
  addCatalogueCommands(program, terminal);
}
