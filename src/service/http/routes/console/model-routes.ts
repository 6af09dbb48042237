import { installationSchema, offlineModelListSchema } from "../../../../protocol/console/engines.ts";
import { errorBodySchema } from "../../../../protocol/schema/error-body.ts";
import type { ModelInstallations } from "../../../administration/engines/model-installations.ts";
import { organizationScope } from "../../../administration/catalogue/catalogue-entries.ts";
import { requireFirstOrganization } from "../../../administration/organizations.ts";
import type { Store } from "../../../store/store.ts";
import { operation, type Operation } from "../../operations/operation.ts";

const tag = "Engines";
const auth = "operator";
const role = "owner";
const path = "/api/console/models/";

/** Voices and recognizers that run on this server. They are installed for the whole installation. */
export function modelRoutes(store: Store, models: ModelInstallations): Operation[] {
  const scopeFor = async (organizationId: string) => {
    await requireFirstOrganization(store, organizationId);
    return organizationScope(store, organizationId);
  };
  return [
    operation({
      method: "GET",
      path,
      id: "listModels",
      tag,
      summary: "List the voices and recognizers that run on this server, installed or not, with progress",
      auth,
      answer: { status: 200, description: "The models", schema: offlineModelListSchema },
      handler: () => models.list(),
    }),
    operation({
      method: "POST",
      path: `${path}:model/install/`,
      id: "installModel",
      tag,
      summary: "Install a known voice or recognizer; the list of models shows the progress",
      auth,
      role,
      answer: { status: 200, description: "It has begun", schema: installationSchema },
      otherAnswers: {
        400: { description: "It is not known, or installed already", schema: errorBodySchema },
      },
      handler: async ({ params, caller: { organizationId } }) =>
        models.install(await scopeFor(organizationId), params.model),
    }),
    operation({
      method: "DELETE",
      path: `${path}:model/`,
      id: "removeModel",
      tag,
      summary: "Remove an installed voice or recognizer with its engine",
      auth,
      role,
      answer: { status: 204, description: "It was removed" },
      otherAnswers: { 400: { description: "It is not installed", schema: errorBodySchema } },
      handler: async ({ params, caller: { organizationId } }) =>
        models.remove(await scopeFor(organizationId), params.model),
    }),
  ];
}
