import type * as z from "zod";
import { Fault } from "../faults/fault.ts";
import type { CatalogueRow, EngineSettings } from "../store/store.ts";
import type { ToolServer } from "../language/language-model.ts";

/** What an engine uses of the machine that it runs on. */
export interface EngineMachine {
  /** Holds the keys that settings name by `api_key_env`, `PATH`, and the paths of installed add-ons. */
  environment: Readonly<Record<string, string | undefined>>;
  /** Whether engines may be called over http and in private networks even if their entries do not allow it. */
  allowPrivateAddresses: boolean;
}

/** A catalogue entry for its engine: the public fields, and the private settings parsed by the engine's schema. */
export interface EngineEntry<Body, Settings> {
  body: Body;
  settings: Settings;
}

/** The definition of an engine. Each folder `engines/<name>/` exports one such object; a registry lists them. */
export interface EngineDefinition<Body, Settings> {
  /** How entries name it: `type` in their settings, or `model` of the service `visavis` for a built-in engine. */
  readonly kind: string;
  /** A built-in engine has no settings, and one instance serves all entries. */
  readonly isBuiltIn?: boolean;
  readonly settingsSchema: z.ZodObject & z.ZodType<Settings>;
  /**
   * Checks an entry before it is saved. Throws a Fault that names each wrong field (`engine.…` for settings). Returns notes for
   * the operator on what is still missing before the entry is available.
   */
  check(entry: EngineEntry<Body, Settings>, machine: EngineMachine): string[];
}

/** The engine that an entry names, and the field that names it. */
export interface EngineChoice {
  kind: string;
  field: string;
}

/** An entry names an engine that does not exist. The response is status 500, because the operator has to correct the entry. */
export class UnknownEngineError extends Fault {
  readonly choice: EngineChoice;
  /** The allowed values of the field. */
  readonly known: readonly string[];

  constructor(choice: EngineChoice, known: readonly string[]) {
    const detail = `A catalogue entry names the engine "${choice.kind}", which does not exist; the engines are ${known.join(", ")}. The operator has to correct the entry.`;
    super(500, "server_error", [{ code: "unknown_engine", detail, attr: null }]);
    this.choice = choice;
    this.known = known;
  }
}

/** The engine that the settings name by `type`, or the default. */
export function choiceOfSettings(settings: EngineSettings | null, defaultKind: string): EngineChoice {
  const type = settings?.["type"] ?? defaultKind;
  return { kind: typeof type === "string" ? type : JSON.stringify(type), field: "engine.type" };
}

/** The engine of a kind. Throws UnknownEngineError when the registry has none. */
export function engineOfKind<Engine extends { readonly kind: string; readonly isBuiltIn?: boolean }>(
  engines: readonly Engine[],
  choice: EngineChoice,
): Engine {
  const engine = engines.find(({ kind }) => kind === choice.kind);
  if (engine) return engine;
  const isBuiltIn = choice.field === "model";
  const known = engines.filter((other) => (other.isBuiltIn ?? false) === isBuiltIn);
  throw new UnknownEngineError(
    choice,
    known.map(({ kind }) => kind),
  );
}

/** The tool server of a row. */
export function toolServerOf({ body, engine, isOperators }: CatalogueRow<"mcp_server">): ToolServer {
  return { ...body, trusted: engine?.["allow_private"] === true, isOperators };
}
