import {
  engineListSchema,
  engineModelsSchema,
  enginePresetListSchema,
  engineSchema,
  engineTestSchema,
  installationSchema,
  offlineModelListSchema,
  type Engine,
  type EnginePreset,
  type EnginePut,
  type EngineTest,
  type Installation,
  type OfflineModel,
} from "../../protocol/console/engines.ts";
import type { ApiClient } from "../api/api-client.ts";

/** What identifies an engine. */
export type EngineName = Pick<Engine, "kind" | "id">;

/** What the page shows. */
export interface EngineOverview {
  readonly engines: readonly Engine[];
  readonly models: readonly OfflineModel[];
  readonly presets: readonly EnginePreset[];
}

const enginesPath = "/api/console/engines/";
const modelsPath = "/api/console/models/";

const onePath = ({ kind, id }: EngineName): string => `${enginesPath}${kind}/${encodeURIComponent(id)}/`;

/** The engines, the models that can run on the server, and the presets. Throws ApiError. */
export async function loadEngines(api: ApiClient, signal: AbortSignal): Promise<EngineOverview> {
  const [engines, models, presets] = await Promise.all([
    api.request(enginesPath, { schema: engineListSchema, signal }),
    api.request(modelsPath, { schema: offlineModelListSchema, signal }),
    api.request("/api/console/engine-presets/", { schema: enginePresetListSchema, signal }),
  ]);
  return { engines, models, presets };
}

/** Tests an engine with a real call. Throws ApiError. */
export const testEngine = (api: ApiClient, name: EngineName): Promise<EngineTest> =>
  api.request(`${onePath(name)}test/`, { method: "POST", schema: engineTestSchema });

/** Adds or changes an engine. Throws ApiError. */
export const putEngine = (api: ApiClient, name: EngineName, body: EnginePut): Promise<Engine> =>
  api.request(onePath(name), { method: "PUT", body, schema: engineSchema });

/** Removes an engine. Throws ApiError. */
export const removeEngine = (api: ApiClient, name: EngineName): Promise<undefined> =>
  api.request(onePath(name), { method: "DELETE" });

/** The names of the models at an address. `key`: empty for none. Throws ApiError. */
export async function findModels(api: ApiClient, address: string, key: string): Promise<string[]> {
  const body = { base_url: address, ...(key !== "" && { key }) };
  const request = { method: "POST", body, schema: engineModelsSchema } as const;
  return (await api.request("/api/console/engine-models/", request)).models;
}

/** Begins to install a model. Throws ApiError. */
export const installModel = (api: ApiClient, model: string): Promise<Installation> =>
  api.request(`${modelsPath}${encodeURIComponent(model)}/install/`, {
    method: "POST",
    schema: installationSchema,
  });

/** Removes an installed model with its engine. Throws ApiError. */
export const removeModel = (api: ApiClient, model: string): Promise<undefined> =>
  api.request(`${modelsPath}${encodeURIComponent(model)}/`, { method: "DELETE" });
