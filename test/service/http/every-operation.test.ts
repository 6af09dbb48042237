import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonSchema } from "../../../src/protocol/json-schema.ts";
import { errorBodySchema } from "../../../src/protocol/error-body.ts";
import { documentedOperations } from "../../../src/service/http/documented-operations.ts";
import { createHttpApp } from "../../../src/service/http/http-app.ts";
import type { HttpDependencies } from "../../../src/service/http/http-app.ts";
import type { DocumentedOperation } from "../../../src/service/http/documented-operations.ts";
import { registeredRoutes } from "../../../src/service/http/routing.ts";
import { defaultServiceSettings } from "../../../src/service/service-settings.ts";
import { addOtherOrganization, apiKey, runService } from "../service-fixture.ts";
import type { RunningService } from "../service-fixture.ts";
import { inputSchema, oddBodies, oddQueries, oddText, wellFormed } from "./odd-requests.ts";

const runs = 100;
const otherKey = "vv_other_organization_key";
const plenty = { reads: 1e9, writes: 1e9 };

async function runUnlimited(): Promise<RunningService> {
  const run = await runService({
    settings: {
      ...defaultServiceSettings,
      publicUrl: "https://relay.example",
      publicFolder: "/srv/public",
      rateLimits: { key: plenty, session: plenty, address: plenty, loginsPerMinute: 5 },
    },
  });
  await addOtherOrganization(run, otherKey);
  return run;
}

/** What each part of a path may name. A part that is not here is filled with odd texts alone. */
async function realParts(run: RunningService): Promise<Record<string, string>> {
  const session = await run.newSession();
  await run.event(session, "SESSION_LOG");
  const [event] = await run.store.events.list(session);
  return {
    session,
    event: event!.id,
    context: run.demo.id,
    backgroundimage: "room",
    config: "visavis-english",
  };
}

const names = (path: string) => [...path.matchAll(/:([a-z_]+)/g)].map(([, name = ""]) => name);

function paths(path: string, real: Record<string, string>): fc.Arbitrary<string> {
  const part = (name: string) => {
    const odd = oddText.map((text) => encodeURIComponent(wellFormed(text)) || "%20");
    const broken = fc.constantFrom(
      ".",
      "..",
      "%E0%A4%A",
      "%ff",
      "..%2f..",
      "%2e%2e",
      "a;b",
      "a".repeat(5_000),
    );
    const known = real[name];
    return known === undefined
      ? fc.oneof(odd, broken)
      : fc.oneof({ weight: 6, arbitrary: fc.constant(known) }, odd, broken);
  };
  const parts = names(path);
  return fc
    .tuple(...parts.map(part))
    .map((values) => parts.reduce((url, name, index) => url.replace(`:${name}`, () => values[index]!), path));
}

const credentials = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Record<string, string>>({ "ServicePlatform-APIKey": apiKey }) },
  fc.constantFrom<Record<string, string>[]>(
    {},
    { "XP-API-KEY": "" },
    { "XP-API-KEY": otherKey },
    { "XP-API-KEY": "vv_nobody_has_this_key" },
    { "xi-api-key": apiKey },
    { Cookie: "visavis_console=forged.signature" },
  ),
);

const accepts = fc.oneof(
  { weight: 8, arbitrary: fc.constant<Record<string, string>>({}) },
  fc.constantFrom<Record<string, string>[]>(
    { Accept: "text/html" },
    { Accept: "*/*;q=0" },
    { Accept: ";,;" },
  ),
);

/** What no answer may tell. */
const inside = /node_modules|\.ts:\d|SQLITE|ZodError|at Object\./i;

function requests(operation: DocumentedOperation, real: Record<string, string>) {
  const { body, query } = operation.description;
  const bodySchema = inputSchema(body);
  const querySchema = inputSchema(query);
  return fc.record({
    path: paths(operation.path, real),
    query: querySchema ? oddQueries(querySchema) : fc.constantFrom("", "a=b", "%00"),
    body: bodySchema ? oddBodies(bodySchema) : fc.constant(null),
    headers: fc.tuple(credentials, accepts).map(([one, other]) => ({ ...one, ...other })),
  });
}

/** The operations of an app that nothing is asked of. */
function describedOperations(): DocumentedOperation[] {
  const app = createHttpApp({
    ...({} as HttpDependencies),
    store: {} as never,
    settings: { ...defaultServiceSettings, publicUrl: "https://relay.example", publicFolder: "/" },
  });
  return documentedOperations(app);
}

const operations = describedOperations().map((operation): [string, DocumentedOperation] => [
  operation.description.id,
  operation,
]);

describe("whatever is sent, the answer is as documented, never a 500, and tells nothing of the inside", () => {
  test.each(operations)("%s", async (_, operation) => {
    const run = await runUnlimited();
    const real = await realParts(run);
    await fc.assert(
      fc.asyncProperty(requests(operation, real), async ({ path, query, body, headers }) => {
        const response = await run.request(query === "" ? path : `${path}?${query}`, {
          method: operation.method,
          headers: { ...headers, ...(body && { "Content-Type": body.type }) },
          ...(body && { body: body.body }),
        });
        expect(response.status).toBeLessThan(500);
        const text = await response.text();
        expect(text).not.toMatch(inside);
        if (response.status === 400 && text.includes("validation_error")) {
          const { errors } = errorBodySchema.parse(JSON.parse(text));
          for (const { attr, code } of errors) expect(attr ?? code).toMatch(/^(?!null$)/);
        }
      }),
      { numRuns: runs },
    );
    expect(run.lines.filter(({ level }) => level === "error")).toEqual([]);
  });
});

/** A value of a type that the schema does not take; undefined where it takes everything. */
function wrongValue(schema: JsonSchema): unknown {
  const text = JSON.stringify(schema);
  if (!text.includes('"type"') && !text.includes('"enum"') && !text.includes('"const"')) return undefined;
  return text.includes('"object"') ? 7 : { not: "this" };
}

const withBody = operations.filter(([, { description }]) => description.body !== undefined);

describe("a field that is wrong or missing is named", () => {
  test.each(withBody)("%s", async (_, operation) => {
    const run = await runUnlimited();
    const real = await realParts(run);
    const path = names(operation.path).reduce(
      (url, name) => url.replace(`:${name}`, real[name]!),
      operation.path,
    );
    const schema = inputSchema(operation.description.body)!;
    const attrs = async (body: unknown) => {
      const response = await run.send(operation.method, path, body);
      expect(response.status).toBe(400);
      return errorBodySchema.parse(await response.json()).errors;
    };
    const missing = await attrs({});
    for (const name of schema.required ?? [])
      expect(missing).toContainEqual(expect.objectContaining({ attr: name, code: "required" }));
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      if (typeof property === "boolean") continue;
      const value = wrongValue(property);
      if (value === undefined) continue;
      const found = await attrs({ [name]: value });
      expect(found.map(({ attr }) => attr?.split(".")[0])).toContain(name);
      if (property.enum) {
        const unknown = await attrs({ [name]: "no such value" });
        expect(unknown).toContainEqual(expect.objectContaining({ attr: name, code: "invalid_choice" }));
      }
    }
  });
});

/** Routes that are about the service itself. */
const undescribed = ["/healthz", "/readyz", "/metrics", "/openapi.json", "/api/"];

test("every route is described, so that none is left out above", async () => {
  const run = await runUnlimited();
  const described = documentedOperations(run.service.app).map(({ method, path }) => `${method} ${path}`);
  const routes = registeredRoutes(run.service.app).filter(({ path }) => !undescribed.includes(path));
  expect(routes.map(({ method, path }) => `${method} ${path}`)).toEqual(described);
  expect(new Set(operations.map(([id]) => id)).size).toBe(operations.length);
});
