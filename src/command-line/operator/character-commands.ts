import { join } from "node:path";
import type { Command } from "commander";
import { type ConsentKind, consentKinds } from "../../protocol/console/photo-characters.ts";
import {
  checkPhotoName,
  consentStatements,
  photoConsent,
  putPhotoCharacter,
  removePhotoCharacter,
} from "../../service/administration/catalogue/photo-characters.ts";
import { type Framing, framings } from "../../photo-making/maker-requests.ts";
import { findBrowser, makePhotoCharacter } from "../photo/make-photo-character.ts";
import { type CatalogueOptions, type CatalogueScope, onCatalogue } from "./catalogue-scope.ts";
import { CommandError, withHint } from "./command-error.ts";
import { readInput } from "./input.ts";
import type { Terminal } from "./operate.ts";
import { forOrganization } from "./organization-choice.ts";

interface PhotoOptions extends CatalogueOptions {
  name: string;
  title?: string;
  consent: string;
  by: string;
  framing?: string;
  keepBackground?: boolean;
  glasses?: boolean;
  browser?: string;
}

function consentOf(text: string): ConsentKind {
  const kind = consentKinds.find((known) => known === text);
  if (kind !== undefined) return kind;
  throw new CommandError(
    `--consent: set "self" (${consentStatements.self}) or "written" (${consentStatements.written}).`,
  );
}

function framingOf(text: string | undefined): Framing | undefined {
  if (text === undefined) return undefined;
  const framing = framings.find((known) => known === text);
  if (framing !== undefined) return framing;
  throw new CommandError(`--framing: set one of ${framings.join(", ")}.`);
}

/** The browser that finds the face. Throws a CommandError that says where none is. */
function browserOf({ environment }: Terminal, named: string | undefined): string {
  const browser = findBrowser(named, environment);
  if (browser !== null) return browser;
  const [source, path] = named ? ["--browser", named] : ["CHROMIUM_PATH", environment["CHROMIUM_PATH"]];
  throw new CommandError(
    path
      ? `${source}: there is no file ${path}. Name the browser's program, such as /usr/bin/chromium.`
      : "There is no browser here. Install Chromium, or name one with --browser.",
  );
}

async function photo(
  scope: CatalogueScope,
  terminal: Terminal,
  file: string,
  { name, title, consent, by, framing, keepBackground = false, glasses, browser: named }: PhotoOptions,
): Promise<void> {
  const statement = consentOf(consent);
  const wishes = { keepsBackground: keepBackground, framing: framingOf(framing), glasses };
  await checkPhotoName(scope, name);
  const { bytes: photograph } = await readInput(terminal, file);
  const browser = browserOf(terminal, named);
  terminal.note(`Finds the face with ${browser}, on this machine. This may take a minute.`);
  const consoleFolder = join(terminal.publicFolder, "../console");
  const made = await makePhotoCharacter({ photograph, wishes, browser, consoleFolder });
  const given = { ...made, name, title: title ?? name, consent: statement, statedBy: by, account: null };
  terminal.print(await putPhotoCharacter(scope, given));
  terminal.note(`Stated by ${by}: ${consentStatements[statement]}`);
  terminal.note(
    `Choose the model style "${name}" for an avatar. "visavis character remove ${name}" removes it.`,
  );
}

const withListHint = <Result>(act: () => Promise<Result>): Promise<Result> =>
  withHint("not_found", '"visavis model-style list" shows the characters that there are', act);

async function remove(scope: CatalogueScope, terminal: Terminal, name: string): Promise<void> {
  await withListHint(() => removePhotoCharacter(scope, name));
  terminal.note(
    `The photograph is removed. Avatars with the model style "${name}" show a drawn character now.`,
  );
}

/** `visavis character …`: characters that are made from photographs. */
export function addCharacterCommands(program: Command, terminal: Terminal): void {
  const characters = program.command("character").description("characters that are made from photographs");
  const command = (words: string) =>
    forOrganization(characters.command(words)).option("--shared", "about what every organization has");
  command("photo <file>")
    .description(
      "makes a character from a photograph, with a browser on this machine, and adds its model style",
    )
    .requiredOption("--name <name>", "the name of its model style")
    .option("--title <title>", "what people call it; default: its name")
    .requiredOption(
      "--consent <kind>",
      "self: the photograph shows you; written: you hold the person's written consent; both: an adult",
    )
    .requiredOption("--by <name>", "who states this; it is kept with the character")
    .option("--framing <kind>", `how much it shows: ${framings.join(", ")}; default: usual`)
    .option("--keep-background", "keeps what is behind the person")
    .option("--glasses", "the person wears glasses; default: they are looked for")
    .option("--no-glasses", "the person wears none")
    .option("--browser <path>", "the browser (Chromium) that finds the face")
    .action((file: string, options: PhotoOptions) =>
      onCatalogue(terminal, options, (scope) => photo(scope, terminal, file, options)),
    );
  command("consent <name>")
    .description("prints what was stated about the person, by whom and when")
    .action((name: string, options: CatalogueOptions) =>
      onCatalogue(terminal, options, async (scope) =>
        terminal.print(await withListHint(() => photoConsent(scope, name))),
      ),
    );
  command("remove <name>")
    .description("removes the photograph at once; a drawn character takes its place")
    .action((name: string, options: CatalogueOptions) =>
      onCatalogue(terminal, options, (scope) => remove(scope, terminal, name)),
    );
}
