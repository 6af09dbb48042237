import {
  engineConflictSchema,
  type EngineKind,
  engineKinds,
  engineListSchema,
  engineModelsQuerySchema,
  engineModelsSchema,
  enginePresetListSchema,
  enginePutSchema,
  engineSchema,
  engineTestSchema,
} from "../../../../protocol/console/engines.ts";
import { errorBodySchema } from "../../../../protocol/schema/error-body.ts";
import { enginePresets } from "../../../administration/engines/engine-presets.ts";
import {
  EngineConflict,
  type EngineParts,
  listEngines,
  putEngine,
  removeEngine,
  testEngine,
} from "../../../administration/engines/engines.ts";
import { modelsAtAddress } from "../../../administration/engines/models-at-address.ts";
import { requireFirstOrganization } from "../../../administration/organizations.ts";
import { Fault } from "../../../faults/fault.ts";
import type { OutboundCalls } from "../../../outbound/outbound-calls.ts";
import { operation, type Operation, OtherAnswer } from "../../operations/operation.ts";

const tag = "Engines";
const auth = "operator";
/** Engines call addresses with secrets and from inside the network, so only owners change them. */
const role = "owner";
const onePath = "/api/console/engines/:kind/:engine/";

function kindOf(text: string): EngineKind {
  const kind = engineKinds.find((one) => one === text);
  if (kind === undefined) throw Fault.notFound();
  return kind;
}

/** The answer to a change of an engine that somebody else has changed meanwhile: it has what they saved. */
function conflict(error: unknown): OtherAnswer {
  if (!(error instanceof EngineConflict)) throw error;
  const { message: detail, current } = error;
  const errors = [{ code: "conflict", detail, attr: null }];
  return new OtherAnswer(409, { type: "client_error", errors, current });
}

function readRoutes(parts: EngineParts): Operation[] {
  return [
    operation({
      method: "GET",
      path: "/api/console/engines/",
      id: "listEngines",
      tag,
      summary: "List models, voices, recognizers, tool servers and agents with their state, without secrets",
      auth,
      answer: { status: 200, description: "The engines by kind", schema: engineListSchema },
      handler: ({ caller: { organizationId } }) => listEngines(parts, organizationId),
    }),
    operation({
      method: "GET",
      path: "/api/console/engine-presets/",
      id: "listEnginePresets",
      tag,
      summary: "List well-known servers of the OpenAI protocol",
      auth,
      answer: { status: 200, description: "The presets", schema: enginePresetListSchema },
      handler: () => [...enginePresets],
    }),
  ];
}

function changeRoutes(parts: EngineParts): Operation[] {
  return [
    operation({
      method: "PUT",
      path: onePath,
      id: "putEngine",
      tag,
      summary: "Add or change an engine; its key is stored encrypted and never returned",
      auth,
      role,
      body: { schema: enginePutSchema },
      answer: { status: 200, description: "The engine", schema: engineSchema },
      otherAnswers: { 409: { description: "Somebody else saved meanwhile", schema: engineConflictSchema } },
      target: (_call, { id, name }) => ({ id, name }),
      handler: ({ params, caller: { organizationId }, body }) =>
        putEngine(parts, organizationId, { kind: kindOf(params.kind), id: params.engine }, body).catch(
          conflict,
        ),
    }),
    operation({
      method: "DELETE",
      path: onePath,
      id: "deleteEngine",
      tag,
      summary: "Remove an engine that no avatar uses",
      auth,
      role,
      answer: { status: 204, description: "It was removed" },
      otherAnswers: { 400: { description: "An avatar uses it", schema: errorBodySchema } },
      handler: ({ params, caller: { organizationId } }) =>
        removeEngine(parts, organizationId, kindOf(params.kind), params.engine),
    }),
    operation({
      method: "POST",
      path: `${onePath}test/`,
      id: "testEngine",
      tag,
      summary: "Test an engine with a real call",
      auth,
      changesNothing: true,
      answer: { status: 200, description: "The result", schema: engineTestSchema },
      handler: ({ params, caller: { organizationId } }) =>
        testEngine(parts, organizationId, kindOf(params.kind), params.engine),
    }),
  ];
}

/** Models, voices, recognizers, tool servers and agents. */
export function engineRoutes(parts: EngineParts, outbound: OutboundCalls): Operation[] {
  return [
    ...readRoutes(parts),
    ...changeRoutes(parts),
    operation({
      method: "POST",
      path: "/api/console/engine-models/",
      id: "listModelsAtAddress",
      tag,
      summary: "List the models at an address of the OpenAI protocol",
      auth,
      role,
      changesNothing: true,
      body: { schema: engineModelsQuerySchema },
      answer: { status: 200, description: "Their names", schema: engineModelsSchema },
      async handler({ caller: { organizationId }, body: { base_url: baseUrl, key } }) {
        await requireFirstOrganization(parts.store, organizationId);
        return { models: await modelsAtAddress(outbound.engine({ isOperators: true }), { baseUrl, key }) };
      },
    }),
  ];
}
