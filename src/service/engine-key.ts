import type { EngineMachine } from "./engine.ts";

/** Settings that contain an engine's key, or name the environment variable that holds it. */
export interface KeySettings {
  api_key?: string | undefined;
  api_key_env?: string | undefined;
}

/** The key of an engine; undefined when its settings have none or its environment variable is not set. */
export function engineKey(
  { api_key, api_key_env }: KeySettings,
  environment: EngineMachine["environment"],
): string | undefined {
  return api_key ?? (api_key_env === undefined ? undefined : environment[api_key_env] || undefined);
}

/** Notes for the operator when the key's environment variable is not set; empty when there is another key. */
export function missingKeyNotes(
  variable: string | undefined,
  key: string | undefined,
  { environment }: Pick<EngineMachine, "environment">,
): string[] {
  if (variable === undefined || key !== undefined || environment[variable]) return [];
  return [
    `${variable} is not set here; the entry is not available until the server has this environment variable.`,
  ];
}
