import type { EngineMachine } from "./engine.ts";

type Environment = EngineMachine["environment"];

/** Settings that contain an engine's key, or name the environment variable that holds it. */
export interface KeySettings {
  api_key?: string | undefined;
  api_key_env?: string | undefined;
}

/** The setting with the names of the variables that engines may use, instead of the well-known ones. */
const allowList = "VISAVIS_ENGINE_VARIABLES";
/** What providers call the variables with their keys. */
const wellKnown = [
  "OPENAI",
  "AZURE_OPENAI",
  "ANTHROPIC",
  "GEMINI",
  "MISTRAL",
  "GROQ",
  "OPENROUTER",
  "TOGETHER",
  "DEEPSEEK",
].map((provider) => `${provider}_API_KEY`);

/** The environment variables that engines may use. Others may hold secrets that no engine's server is to receive. */
function engineVariables(environment: Environment): readonly string[] {
  const listed = environment[allowList]?.split(/[\s,]+/).filter((name) => name !== "");
  return listed ?? wellKnown;
}

/** Why engines may not use a variable at all; null: they may. */
export function refusedVariable(name: string, environment: Environment): string | null {
  const allowed = engineVariables(environment);
  return allowed.includes(name)
    ? null
    : `${name} is none of the variables that engines may use (${allowed.join(", ")}); whoever runs the server adds it to ${allowList}.`;
}

/** Why a variable's value is no key; null: it is one. */
export function variableProblem(name: string, environment: Environment): string | null {
  const isMissing = !environment[name];
  return refusedVariable(name, environment) ?? (isMissing ? `${name} is not set here.` : null);
}

/** The value of a variable that engines may use. */
export function engineVariable(name: string, environment: Environment): string | undefined {
  return variableProblem(name, environment) === null ? environment[name] : undefined;
}

/** The key of an engine; undefined when its settings have none, or its environment variable is not set or not for engines. */
export function engineKey(
  { api_key, api_key_env }: KeySettings,
  environment: Environment,
): string | undefined {
  return api_key ?? (api_key_env === undefined ? undefined : engineVariable(api_key_env, environment));
}

/** Notes for the operator when the key's environment variable has no key; empty when there is another key. */
export function missingKeyNotes(
  variable: string | undefined,
  key: string | undefined,
  { environment }: Pick<EngineMachine, "environment">,
): string[] {
  if (variable === undefined || key !== undefined) return [];
  const problem = variableProblem(variable, environment);
  return problem === null ? [] : [`${problem} The entry is not available until then.`];
}
