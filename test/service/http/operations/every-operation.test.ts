import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import type { JsonSchema } from "../../../../src/protocol/schema/json-schema.ts";
import { errorBodySchema } from "../../../../src/protocol/schema/error-body.ts";
import { createInvitation } from "../../../../src/service/administration/accounts/invitations.ts";
import type { Operation } from "../../../../src/service/http/operations/operation.ts";
import { paramNames } from "../../../../src/service/http/operations/operation-body.ts";
import { errorsOf } from "../../answers.ts";
import { addOtherOrganization, apiKey, noRateLimits, type RunningService } from "../../service-fixture.ts";
import { origin, owner, runConsole } from "../console/console-fixture.ts";
import { openKeptStore } from "../shared-service.ts";
import { registeredOperations } from "./answering.ts";
import { inputSchema, oddBodies, oddQueries, oddText, wellFormed } from "./odd-requests.ts";

/** Of each of the operations, so some thousands in all. Every run begins with another seed. */
const runs = Number(process.env["OPERATION_RUNS"] ?? 12);
/** What pages and their visitors call most is given more of them. */
const runsOf = (id: string): number =>
  runs * (id === "createSession" || id === "createSessionEvent" ? 10 : 1);
/** So many operations share a service. */
const operationsOfService = 20;
/** The console's page sends this with changes. */
const ofOwnPage = { Origin: origin, "X-Requested-With": "fetch" };
const otherKey = "vv_other_organization_key";

interface SharedService {
  run: RunningService;
  operations: number;
  end(): Promise<void>;
}

async function runUnlimited(): Promise<SharedService> {
  const { folder, store, end } = await openKeptStore();
  const run = await runConsole({ rateLimits: noRateLimits }, { folder, store });
  await addOtherOrganization(run, otherKey);
  return { run, operations: 0, end };
}

let shared: SharedService | null = null;
afterAll(() => shared?.end());

/** A service on which earlier operations have left what they name: to start one takes longer than an operation's requests. */
async function service(): Promise<RunningService> {
  const demo = await shared?.run.store.contexts.byContextId(shared.run.organizationId, "ctx_demo");
  if (shared === null || shared.operations >= operationsOfService || !demo?.is_active) {
    await shared?.end();
    shared = await runUnlimited();
  }
  shared.operations += 1;
  shared.run.lines.length = 0;
  return shared.run;
}

async function accountParts(run: RunningService): Promise<Record<string, string>> {
  const { id: account } = (await run.store.accounts.first())!;
  const [login] = await run.store.logins.list(run.organizationId, 0);
  const { store, organizationId } = run;
  const fields = { organizationId, role: "viewer" as const, note: "", invitedBy: "owner" };
  const { invitation } = await createInvitation(store, fields, Date.UTC(2026, 0, 1));
  return { account, invitation: invitation.id, ...(login && { login: login.id }) };
}

/** Existing values for path parameters. A parameter that is not listed gets only odd texts. */
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
    revision: "1",
    question: "no such question",
    document: "no such document",
    website: "no such website",
    kind: "model",
    engine: "visavis-retrieval",
    model: "no such model",
    key: "no such key",
    ...(await accountParts(run)),
  };
}

function paths(path: string, real: Record<string, string>): fc.Arbitrary<string> {
  const part = (name: string) => {
    const odd = oddText.map((text) => encodeURIComponent(wellFormed(text)) || "%20");
    const wrong = [".", "..", "%E0%A4%A", "%ff", "..%2f..", "%2e%2e", "a;b", "a".repeat(5_000)];
    const broken = fc.constantFrom(...wrong);
    const known = real[name];
    return known === undefined
      ? fc.oneof(odd, broken)
      : fc.oneof({ weight: 6, arbitrary: fc.constant(known) }, odd, broken);
  };
  const parts = paramNames(path);
  return fc
    .tuple(...parts.map(part))
    .map((values) => parts.reduce((url, name, index) => url.replace(`:${name}`, () => values[index]!), path));
}

type Headers = Record<string, string>;

const credentials = (cookie: string) =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constant<Headers>({ "ServicePlatform-APIKey": apiKey }) },
    { weight: 6, arbitrary: fc.constant<Headers>({ Cookie: cookie, ...ofOwnPage }) },
    fc.constantFrom<Headers[]>(
      {},
      { "XP-API-KEY": "" },
      { "XP-API-KEY": otherKey },
      { "XP-API-KEY": "vv_nobody_has_this_key" },
      { "xi-api-key": apiKey },
      { Cookie: "visavis_console=forged.signature" },
    ),
  );

const accepts = fc.oneof(
  { weight: 8, arbitrary: fc.constant<Headers>({}) },
  fc.constantFrom<Headers[]>({ Accept: "text/html" }, { Accept: "*/*;q=0" }, { Accept: ";,;" }),
);

/** Texts that no answer may contain. */
const inside = /node_modules|\.ts:\d|SQLITE|ZodError|at Object\./i;

function requests(operation: Operation, real: Record<string, string>, cookie: string) {
  const { body, query } = operation;
  const bodySchema = inputSchema(body);
  const querySchema = inputSchema(query);
  return fc.record({
    path: paths(operation.path, real),
    query: querySchema ? oddQueries(querySchema) : fc.constantFrom("", "a=b", "%00"),
    body: bodySchema ? oddBodies(bodySchema) : fc.constant(null),
    headers: fc.tuple(credentials(cookie), accepts).map(([one, other]) => ({ ...one, ...other })),
  });
}

/** An answer's text; of a stream that goes on until its reader leaves, the first part. */
async function textOf(response: Response, method: string): Promise<string> {
  const isEndless = method === "GET" && response.headers.get("content-type") === "text/event-stream";
  if (!isEndless || !response.body) return response.text();
  const reader = response.body.getReader();
  const { value } = await reader.read();
  await reader.cancel();
  return new TextDecoder().decode(value);
}

describe("any input gives a documented answer, never a 500, and no internal details", () => {
  test.each(registeredOperations)("$id", async (operation) => {
    const run = await service();
    const { cookie } = await owner(run);
    const real = await realParts(run);
    await fc.assert(
      fc.asyncProperty(requests(operation, real, cookie), async ({ path, query, body, headers }) => {
        const response = await run.request(query === "" ? path : `${path}?${query}`, {
          method: operation.method,
          headers: { ...headers, ...(body && { "Content-Type": body.type }) },
          ...(body && { body: body.body }),
        });
        expect(response.status).toBeLessThan(500);
        const text = await textOf(response, operation.method);
        expect(text).not.toMatch(inside);
        if (response.status === 400 && text.includes("validation_error")) {
          const { errors } = errorBodySchema.parse(JSON.parse(text));
          for (const { attr, code } of errors) expect(attr ?? code).toMatch(/^(?!null$)/);
        }
      }),
      { numRuns: runsOf(operation.id) },
    );
    expect(run.lines.filter(({ level }) => level === "error")).toEqual([]);
  });
});

/** A value of a type that the schema does not accept; undefined if it accepts everything. */
function wrongValue(schema: JsonSchema): unknown {
  const text = JSON.stringify(schema);
  if (!text.includes('"type"') && !text.includes('"enum"') && !text.includes('"const"')) return undefined;
  return text.includes('"object"') ? 7 : { not: "this" };
}

const withBody = registeredOperations.filter(({ body }) => body !== undefined);

describe("a field that is wrong or missing is named", () => {
  test.each(withBody)("$id", async (operation) => {
    const run = await service();
    const real = await realParts(run);
    const path = operation.path.replace(/:(\w+)/g, (_, name: string) => real[name]!);
    const schema = inputSchema(operation.body)!;
    const browser = operation.auth === "operator" ? await owner(run) : run;
    const attrs = async (body: unknown) => {
      const response = await browser.send(operation.method, path, body);
      expect(response.status).toBe(400);
      return errorsOf(response);
    };
    const required = schema.required ?? [];
    const missing = required.length > 0 ? await attrs({}) : [];
    for (const name of required)
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

test("every route of the app is an operation, and every operation is a route", async () => {
  const { app, operations: all } = (await service()).service;
  const routes = app.routes.map(({ method, path }) => `${method} ${path}`);
  // Besides operations there is the middleware of every request, and for each path the answer to other methods.
  const others = ["ALL /*", ...new Set(all.map(({ path }) => `ALL ${path}`))];
  expect(routes.sort()).toEqual([...others, ...all.map(({ method, path }) => `${method} ${path}`)].sort());
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
});
