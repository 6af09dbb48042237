import { describe, expect, test } from "vitest";
import { sessionCreateSchema } from "../../../../src/protocol/session/session.ts";
import { interfaceDescription } from "../../../../scripts/operation-docs.ts";
import { jsonOf } from "../../answers.ts";
import { runService } from "../../service-fixture.ts";

type Content = Record<string, { schema: Record<string, unknown> & { properties: Record<string, unknown> } }>;

interface Operation {
  operationId: string;
  parameters: { name: string; in: string; required: boolean; schema: Record<string, unknown> }[];
  requestBody?: { content: Content };
  responses: Record<string, { headers: object; content?: Content }>;
  security: Record<string, unknown>[];
}

interface Document {
  openapi: string;
  info: { version: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, unknown>; securitySchemes: Record<string, unknown> };
}

const { paths, ...document } = interfaceDescription() as unknown as Document;

const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

const bodyOf = (path: string, method: string, type = "application/json") =>
  paths[path]?.[method]?.requestBody?.content[type]?.schema.properties;

describe("the document", () => {
  test("is OpenAPI 3.1 of version 0.0.0, and is what the service sends", async () => {
    const response = await (await runService()).request("/openapi.json");
    expect(response.headers.get("content-type")).toContain("application/json");
    expect(await jsonOf(response)).toEqual({ paths, ...document });
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(document.info.version).toBe("0.0.0");
  });

  test("describes itself, and everything else that is JSON, as what it is and not as a text", () => {
    const answers = operations.flatMap(({ path, operation }) =>
      Object.entries(operation.responses).flatMap(([status, { content }]) =>
        status.startsWith("2") ? [{ path, schema: content?.["application/json"]?.schema }] : [],
      ),
    );
    const described = (wanted: string) => answers.find(({ path }) => path === wanted)?.schema;
    const required = ["openapi", "info", "paths"];
    expect(described("/openapi.json")).toMatchObject({ type: "object", required });
    expect(described("/api/console/conversation-export/json/")).toMatchObject({ type: "array" });
    expect(answers.filter(({ schema }) => schema?.["type"] === "string")).toEqual([]);
  });

  test("has every operation of the specification", () => {
    const listed = operations.map(({ path, method }) => `${method} ${path}`);
    const inSession = (...names: string[]) => names.map((name) => `/api/v1/session/{session}/${name}/`);
    const settings = (...names: string[]) => names.map((name) => `/api/v1/settings/${name}/`);
    const catalogues = (...names: string[]) => names.map((name) => `/api/v1/${name}/`);
    const normalization = "text_normalization_config";
    for (const path of [
      ...["/api/v1/session/{session}/", ...inSession("ice-servers"), "/api/speech/v2/voices"],
      ...settings(normalization, `${normalization}/{config}/download`, "llm_type", "mcp_type"),
      ...settings("modelstyle", "tts_type", "stt_type"),
      ...catalogues("prompt", "document", "background_image", "background_image/{backgroundimage}"),
      ...catalogues("session_template", "session_template/{sessiontemplate}"),
      ...["/api/console/b2c/contexts/{context}/", "/api/console/b2c/contexts/{context}/embed/"],
      ...["/api/console/b2c/form-resources/", "/healthz", "/readyz", "/metrics"],
    ])
      expect(listed).toContain(`get ${path}`);
    for (const path of [
      ...["/api/v1/session/", ...inSession("event/create", "stt", "llm/v2", "tts", "exchange")],
      ...[...settings(`${normalization}/{config}/normalize`), ...catalogues("background_image")],
    ])
      expect(listed).toContain(`post ${path}`);
    expect(listed).toContain("put /api/console/b2c/contexts/{context}/");
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("describes the path parameters, answers and security of every operation", () => {
    for (const { path, operation } of operations) {
      const parts = [...path.matchAll(/\{([a-z_]+)\}/g)].map(([, name]) => name);
      const named = operation.parameters.filter((parameter) => parameter.in === "path");
      expect(named.map(({ name }) => name)).toEqual(parts);
      for (const status of ["429", "500"]) expect(operation.responses).toHaveProperty(status);
      for (const response of Object.values(operation.responses))
        expect(Object.keys(response.headers)).toContain("X-RateLimit-Reset");
      for (const scheme of operation.security.flatMap((one) => Object.keys(one)))
        expect(document.components.securitySchemes).toHaveProperty(scheme);
    }
  });

  test("describes every body in three content types, by the schema that validates it", () => {
    const types = ["application/json", "application/x-www-form-urlencoded", "multipart/form-data"];
    for (const { operation } of operations)
      if (operation.requestBody) expect(Object.keys(operation.requestBody.content)).toEqual(types);
    const create = bodyOf("/api/v1/session/", "post");
    expect(Object.keys(create ?? {})).toEqual(Object.keys(sessionCreateSchema.shape));
    const height = { anyOf: [{ minimum: 0, maximum: 5 }, { type: "null" }] };
    expect(create?.["padding_height"]).toMatchObject(height);
    const settings = bodyOf("/api/console/b2c/contexts/{context}/", "put");
    expect(settings?.["name"]).toMatchObject({ type: "string" });
    // Any JSON; what of it has an effect is a schema of its own.
    expect(settings?.["embed_config"]).toEqual({ default: {} });
    const event = bodyOf("/api/v1/session/{session}/event/create/", "post", "multipart/form-data");
    expect(event?.["file"]).toMatchObject({ format: "binary", maxLength: 10 * 1024 * 1024 });
  });

  test("has the query parameters with their limits", () => {
    const { parameters = [] } = paths["/api/speech/v2/voices"]?.["get"] ?? {};
    const schema = { type: "integer", minimum: 1, maximum: 100, default: 30 };
    const pageSize = parameters.find(({ name }) => name === "page_size");
    expect(pageSize).toMatchObject({ in: "query", required: false, schema });
  });

  test("contains no broken references", () => {
    const references = JSON.stringify({ paths, ...document }).matchAll(/"\$ref":"([^"]+)"/g);
    const names = [...references].map(([, reference = ""]) => reference);
    expect(names.length).toBeGreaterThan(50);
    for (const name of names) {
      expect(name).toMatch(/^#\/components\/schemas\//);
      expect(document.components.schemas).toHaveProperty(name.split("/").at(-1) ?? "");
    }
  });
});

test("the page loads the viewer and the document only from this server, and allows no other script", async () => {
  const run = await runService();
  const response = await run.request("/api/", { headers: { Accept: "text/html" } });
  expect([response.status, response.headers.get("content-type")]).toEqual([
    200,
    expect.stringContaining("text/html"),
  ]);
  const policy = response.headers.get("content-security-policy");
  for (const rule of [
    "default-src 'none'; script-src 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'; trusted-types lit-html",
  ])
    expect(policy).toContain(rule);
  const addresses = (await response.text()).matchAll(/\b(?:src|href|spec-url)="([^"]+)"/g);
  const base = "https://relay.example/api/";
  const loaded = [...addresses].map(([, address = ""]) => new URL(address, base).href);
  const description = "https://relay.example/openapi.json";
  expect(loaded).toEqual([`${base}viewer.js`, description, description]);
  const script = await run.get("/api/viewer.js");
  expect(script.headers.get("content-type")).toContain("text/javascript");
  expect(await script.text()).toContain('define("openapi-explorer"');
});
