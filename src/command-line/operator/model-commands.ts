import type { Command } from "commander";
import {
  installSherpa,
  removeSherpa,
  sherpaInstallation,
  sherpaName,
} from "../../service/administration/models/install-sherpa.ts";
import { type InstallationParts, installModel } from "../../service/administration/models/install-model.ts";
import { knownByFile } from "../../service/administration/models/known-models.ts";
import { listModels } from "../../service/administration/models/list-models.ts";
import {
  putModelEntry,
  refuseOtherEntry,
  removeModel,
} from "../../service/administration/models/model-entry.ts";
import {
  modelFolder,
  type ModelRecord,
  sherpaFolder,
} from "../../service/administration/models/model-record.ts";
import { modelSource, type ModelSource } from "../../service/administration/models/model-source.ts";
import { tryVoiceActivity } from "../../service/administration/trials/engine-trials.ts";
import { findSherpa } from "../../service/speech/engines/sherpa/sherpa-program.ts";
import { engineEnvironment, withTrialEngines } from "../engines.ts";
import { type CatalogueOptions, type CatalogueScope, onCatalogue } from "./catalogue-scope.ts";
import { CommandError, withHint } from "./command-error.ts";
import { onStore, type StoreAccess, type Terminal } from "./operate.ts";
import { forOrganization } from "./organization-choice.ts";
import { progressText, sizeText } from "./progress-line.ts";
import { textTable } from "./text-table.ts";
import { trySavedEntry } from "./try-saved-entry.ts";

interface InstallOptions extends CatalogueOptions {
  name?: string;
  language?: string;
  sha256?: string;
  replace?: boolean;
  try?: boolean;
}

const installHint = `"visavis model install ${sherpaName}" installs it`;

async function list({ dataFolder, machine }: StoreAccess, terminal: Terminal): Promise<void> {
  const rows = (await listModels(dataFolder, machine)).map((model) => [
    model.name,
    model.kind,
    model.languages.join(", ") || "any",
    model.bytes === null ? "" : sizeText(model.bytes),
    model.licence ?? "unknown",
    model.isInstalled ? "installed" : "",
  ]);
  const headings = ["name", "kind", "languages", "download", "licence", "state"];
  for (const line of textTable(headings, rows)) terminal.print(line);
}

async function installLibrary({ dataFolder }: StoreAccess, terminal: Terminal): Promise<void> {
  const elsewhere = terminal.environment["VISAVIS_SHERPA_PATH"];
  if (elsewhere)
    throw new CommandError(
      `VISAVIS_SHERPA_PATH is "${elsewhere}", so nothing would use a copy in the data folder; unset it first.`,
    );
  terminal.note(`Runs: npm ${sherpaInstallation(dataFolder).join(" ")}`);
  const folder = await installSherpa(dataFolder, { environment: terminal.environment });
  terminal.print(folder);
  terminal.note("sherpa-onnx-node (Apache-2.0) is installed. Restart a running server.");
}

function announce(terminal: Terminal, { from }: ModelSource): void {
  if ("file" in from) {
    terminal.note(`Reads ${from.file}`);
    return;
  }
  const known = knownByFile(from.url);
  const licence = known?.licence ?? "see its files";
  terminal.note(
    known ? `Downloads ${from.url} (${sizeText(known.bytes)}; licence: ${licence})` : `Downloads ${from.url}`,
  );
}

function installationParts(terminal: Terminal, { dataFolder, nowMs }: StoreAccess): InstallationParts {
  return {
    dataFolder,
    nowMs,
    fetch,
    onProgress: ({ receivedBytes, totalBytes }) => terminal.progress(progressText(receivedBytes, totalBytes)),
    onInterrupted(reason, waitMs) {
      terminal.progress(null);
      terminal.note(`Interrupted: ${reason}. Continues in ${waitMs / 1_000} s.`);
    },
    onChecked({ sha256, isExpected }) {
      terminal.progress(null);
      terminal.note(
        isExpected
          ? "Its SHA-256 is the expected one. Unpacking…"
          : `Its SHA-256 is ${sha256}; compare it with what the publisher says. Unpacking…`,
      );
    },
  };
}

/** Tries voice activity with the model that was just installed. Throws a CommandError if it does not work. */
async function tryActivity({ machine, dataFolder }: StoreAccess, terminal: Terminal): Promise<void> {
  const environment = engineEnvironment(terminal.environment, dataFolder);
  const parts = { environment, scriptUrl: terminal.scriptUrl };
  const trial = await withTrialEngines(machine, parts, ({ voiceActivity, sample }) =>
    tryVoiceActivity(voiceActivity, sample),
  );
  if (trial.outcome === "failed")
    throw new CommandError(
      `The model is installed, but does not work. ${trial.detail} ${trial.remedy ?? ""}`.trim(),
    );
  terminal.note(`Tried: ${trial.detail} Restart a running server to use it.`);
}

/** Makes an installed model usable: its catalogue entry, and a trial. */
async function use(
  scope: CatalogueScope,
  terminal: Terminal,
  record: ModelRecord,
  isTried: boolean,
): Promise<void> {
  const entry = await putModelEntry(scope, record);
  terminal.note(
    `${record.name} is a ${record.kind === "voice activity" ? "model for voice activity" : record.kind} (${record.family}).` +
      (entry ? ` Its ${entry.kind} is "${entry.id}".` : " Recordings are searched for speech with it."),
  );
  terminal.print(record.name);
  if (findSherpa(scope.machine.environment["VISAVIS_SHERPA_PATH"] || undefined) === null) {
    terminal.note(`It was not tried, because sherpa-onnx-node is not installed here; ${installHint}.`);
    return;
  }
  for (const note of entry?.notes ?? []) terminal.note(note);
  if (!isTried) return;
  await (entry ? trySavedEntry(scope, terminal, entry.kind, entry.id) : tryActivity(scope, terminal));
}

async function install(
  scope: CatalogueScope,
  terminal: Terminal,
  model: string,
  { name, language, sha256, replace, try: isTried = true }: InstallOptions,
): Promise<void> {
  if (model === sherpaName) return installLibrary(scope, terminal);
  const languages = language?.split(",").map((tag) => tag.trim());
  const source = await withHint("model_unknown", '"visavis model list" shows the known ones', () =>
    modelSource({ model, name, languages, sha256 }, scope.modelsUrl),
  );
  if (!replace)
    await withHint(
      "entry_exists",
      "--name gives the model another name, and --replace replaces the entry",
      () => refuseOtherEntry(scope, source.name, modelFolder(scope.dataFolder, source.name)),
    );
  announce(terminal, source);
  const parts = installationParts(terminal, scope);
  const record = await withHint("model_exists", "--replace installs it again", () =>
    installModel(source, parts, replace),
  ).finally(() => terminal.progress(null));
  await use(scope, terminal, record, isTried);
}

async function remove(scope: CatalogueScope, terminal: Terminal, name: string): Promise<void> {
  if (name === sherpaName) {
    await removeSherpa(scope.dataFolder);
    terminal.note(`${sherpaFolder(scope.dataFolder)} is removed.`);
    return;
  }
  const hadEntry = await withHint("model_unknown", '"visavis model list" shows the installed ones', () =>
    removeModel(scope, scope.dataFolder, name),
  );
  terminal.note(`The model ${name}${hadEntry ? " and its entry are" : " is"} removed.`);
}

/** `visavis model …`: speech models of sherpa-onnx. */
export function addModelCommands(program: Command, terminal: Terminal): void {
  const models = program
    .command("model")
    .description("speech models of sherpa-onnx, and the library that runs them");
  models
    .command("list")
    .description("lists what can be installed by name, and what is installed")
    .action(() => onStore(terminal, (access) => list(access, terminal)));
  forOrganization(models.command("install <model>"))
    .description(
      `installs a known name, an address or a file, with its catalogue entry; ${sherpaName} is the library`,
    )
    .option("--name <name>", "the name of the model and its entry; default: the known one, or the file's")
    .option(
      "--language <tags>",
      "the languages that it recognizes or speaks, such as en or de-DE, separated by commas",
    )
    .option("--sha256 <sum>", "refuses a file with another sum")
    .option("--replace", "installs it again if it is installed already")
    .option("--shared", "adds an entry for every organization")
    .option("--no-try", "does not try it")
    .action((model: string, options: InstallOptions) =>
      onCatalogue(terminal, options, (scope) => install(scope, terminal, model, options)),
    );
  forOrganization(models.command("remove <name>"))
    .description("removes a model and its catalogue entry")
    .option("--shared", "about the entry of every organization")
    .action((name: string, options: CatalogueOptions) =>
      onCatalogue(terminal, options, (scope) => remove(scope, terminal, name)),
    );
}
