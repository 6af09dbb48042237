import type { Installation as InstallationView, OfflineModel } from "../../../protocol/console/engines.ts";
import { Fault } from "../../faults/fault.ts";
import type { Logger } from "../../../logging/logger.ts";
import type { Installation } from "../../installation.ts";
import type { CatalogueScope } from "../catalogue/catalogue-entries.ts";
import { AdministrationError } from "../administration-error.ts";

/** For which organization models are installed, and where. */
export interface ModelParts {
  installation: Pick<Installation, "machine" | "dataFolder" | "modelsUrl">;
  log: Logger;
  nowMs(): number;
}

/** What an interface can do with models that run on this server. */
export interface ModelInstallations {
  list(): Promise<OfflineModel[]>;
  /** Starts an installation in the background. Throws AdministrationError `model_exists` while it runs. */
  install(scope: CatalogueScope, model: string): Promise<InstallationView>;
  /** Removes a model and its entry. Throws AdministrationError `model_unknown`. */
  remove(scope: CatalogueScope, model: string): Promise<void>;
}

const reasonOf = (error: unknown): string =>
  error instanceof Fault
    ? error.body.errors.map(({ detail }) => detail).join(" ")
    : error instanceof Error
      ? error.message
      : String(error);

/** The code that installs models is loaded on demand: it is large, and most servers never need it. */
const loadInstaller = async () => ({
  ...(await import("../models/install-model.ts")),
  ...(await import("../models/install-sherpa.ts")),
  ...(await import("../models/model-source.ts")),
  ...(await import("../models/model-entry.ts")),
  ...(await import("../models/model-record.ts")),
  ...(await import("../models/model-entry.ts")),
});

/** The progress of each installation. */
class InstallationStates {
  readonly #states = new Map<string, InstallationView>();

  get(model: string): InstallationView | null {
    return this.#states.get(model) ?? null;
  }

  begin(view: InstallationView): void {
    this.#states.set(view.model, view);
  }

  change(model: string, changed: Partial<InstallationView>): void {
    const before = this.#states.get(model);
    if (before) this.#states.set(model, { ...before, ...changed });
  }

  forget(model: string): void {
    this.#states.delete(model);
  }
}

/** Installs a model and records the progress. */
async function installOne(
  { installation, nowMs }: ModelParts,
  states: InstallationStates,
  scope: CatalogueScope,
  model: string,
): Promise<void> {
  const { dataFolder, machine, modelsUrl } = installation;
  const installer = await loadInstaller();
  if (model === installer.sherpaName) {
    await installer.installSherpa(dataFolder, { environment: machine.environment });
    states.change(model, { state: "installed", detail: "Restart the server to use it." });
    return;
  }
  const source = await installer.modelSource({ model }, modelsUrl);
  await installer.refuseOtherEntry(scope, source.name, installer.modelFolder(dataFolder, source.name));
  const record = await installer.installModel(source, {
    dataFolder,
    nowMs: nowMs(),
    // eslint-disable-next-line no-restricted-globals -- the releases' address is the operator's (VISAVIS_MODELS_URL)
    fetch,
    onProgress: ({ receivedBytes, totalBytes }) =>
      states.change(model, { received_bytes: receivedBytes, total_bytes: totalBytes, detail: null }),
    onInterrupted: (reason, waitMs) =>
      states.change(model, {
        detail: `Interrupted: ${reason}. Continues in ${Math.ceil(waitMs / 1_000)} s.`,
      }),
    onChecked: () => states.change(model, { state: "unpacking", detail: null }),
  });
  const entry = await installer.putModelEntry({ ...scope, machine, nowMs: nowMs() }, record);
  const notes = entry?.notes.join(" ") ?? "Restart the server to use it.";
  states.change(model, { state: "installed", detail: notes === "" ? null : notes });
}

const isGoingOn = ({ state }: InstallationView): boolean => state !== "installed" && state !== "failed";

/** Installs models one after another, and reports the progress of each. */
export function createModelInstallations(parts: ModelParts): ModelInstallations {
  const states = new InstallationStates();
  let last: Promise<void> = Promise.resolve();

  async function list(): Promise<OfflineModel[]> {
    const { dataFolder, machine } = parts.installation;
    const { listModels } = await import("../models/list-models.ts");
    return (await listModels(dataFolder, machine)).map(({ isInstalled, languages, ...model }) => ({
      ...model,
      languages: [...languages],
      is_installed: isInstalled,
      installation: states.get(model.name),
    }));
  }

  async function work(scope: CatalogueScope, model: string): Promise<void> {
    try {
      await installOne(parts, states, scope, model);
    } catch (error) {
      parts.log.warn("a model could not be installed", { detail: model, error: reasonOf(error) });
      states.change(model, { state: "failed", detail: reasonOf(error) });
    }
  }

  return {
    list,
    async install(scope, model) {
      const before = states.get(model);
      if (before && isGoingOn(before)) return before;
      const meant = (await list()).find(({ name }) => name === model);
      // Only the shell commands on the server accept other addresses and files.
      if (!meant) throw new AdministrationError("model_unknown", `There is no known model "${model}".`);
      if (meant.is_installed)
        throw new AdministrationError("model_exists", `The model ${model} is installed already.`);
      const started: InstallationView = {
        model,
        state: "downloading",
        received_bytes: 0,
        total_bytes: meant.bytes,
        detail: null,
        started_at: new Date(parts.nowMs()).toISOString(),
      };
      states.begin(started);
      last = last.then(() => work(scope, model));
      return started;
    },
    async remove(scope, model) {
      const { removeModel, removeSherpa, sherpaName } = await loadInstaller();
      const { dataFolder } = parts.installation;
      if (model === sherpaName) await removeSherpa(dataFolder);
      else await removeModel(scope, dataFolder, model);
      states.forget(model);
    },
  };
}
