import { describe, expect, test } from "vitest";
import { sessionCreateSchema } from "../../../../src/protocol/session/session.ts";
import { interfaceDescription } from "../../../../scripts/operation-docs.ts";
import { runService } from "../../service-fixture.ts";

interface Operation {
  operationId: string;
  parameters: { name: string; in: string; required: boolean; schema: Record<string, unknown> }[];
  requestBody?: { content: Record<string, { schema: { properties: Record<string, unknown> } }> };
  responses: Record<string, { headers: object; content?: object }>;
  security: Record<string, unknown>[];
}

type Content = Record<string, { schema: Record<string, unknown> }>;

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

describe("the document", () => {
  test("is OpenAPI 3.1 of version 0.0.0, and is what the service sends", async () => {
    const run = await runService();
    const response = await run.request("/openapi.json");
    expect(response.headers.get("content-type")).toContain("application/json");
    expect(await response.json()).toEqual({ paths, ...document });
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(document.info.version).toBe("0.0.0");
  });

  test("describes itself, and everything else that is JSON, as what it is and not as a text", () => {
    const success = operations.flatMap(({ path, operation }) =>
      Object.entries(operation.responses).flatMap(([status, { content }]) =>
        status.startsWith("2") ? [{ path, content: content as Content | undefined }] : [],
      ),
    );
    const described = (wanted: string): unknown =>
      success.find(({ path }) => path === wanted)?.content?.["application/json"]?.schema;
    expect(described("/openapi.json")).toMatchObject({
      type: "object",
      required: ["openapi", "info", "paths"],
    });
    expect(described("/api/console/conversation-export/json/")).toMatchObject({ type: "array" });
    const texts = success.filter(({ content }) => content?.["application/json"]?.schema["type"] === "string");
    expect(texts.map(({ path }) => path)).toEqual([]);
  });

  test("has every operation of the specification", () => {
    const listed = operations.map(({ path, method }) => `${method} ${path}`);
    expect(listed).toEqual(
      expect.arrayContaining([
        "post /api/v1/session/",
        "get /api/v1/session/{session}/",
        "post /api/v1/session/{session}/event/create/",
        "post /api/v1/session/{session}/stt/",
        "post /api/v1/session/{session}/llm/v2/",
        "post /api/v1/settings/text_normalization_config/{config}/normalize/",
        "get /api/v1/settings/text_normalization_config/{config}/download/",
        "get /api/v1/settings/text_normalization_config/",
        "get /api/v1/settings/llm_type/",
        "get /api/v1/settings/mcp_type/",
        "get /api/v1/prompt/",
        "get /api/v1/document/",
        "get /api/v1/background_image/",
        "get /api/v1/session_template/",
        "post /api/v1/session/{session}/tts/",
        "post /api/v1/session/{session}/exchange/",
        "get /api/v1/session/{session}/ice-servers/",
        "post /api/v1/background_image/",
        "get /api/v1/background_image/{backgroundimage}/",
        "get /api/v1/session_template/{sessiontemplate}/",
        "get /api/v1/settings/modelstyle/",
        "get /api/v1/settings/tts_type/",
        "get /api/v1/settings/stt_type/",
        "get /api/speech/v2/voices",
        "get /api/console/b2c/contexts/{context}/",
        "put /api/console/b2c/contexts/{context}/",
        "get /api/console/b2c/contexts/{context}/embed/",
        "get /api/console/b2c/form-resources/",
        "get /healthz",
        "get /readyz",
        "get /metrics",
      ]),
    );
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("describes the path parameters, answers and security of every operation", () => {
    for (const { path, operation } of operations) {
      const parts = [...path.matchAll(/\{([a-z_]+)\}/g)].map(([, name]) => name);
      const named = operation.parameters.filter((parameter) => parameter.in === "path");
      expect(named.map(({ name }) => name)).toEqual(parts);
      expect(operation.responses).toHaveProperty("429");
      expect(operation.responses).toHaveProperty("500");
      for (const response of Object.values(operation.responses))
        expect(Object.keys(response.headers)).toContain("X-RateLimit-Reset");
      for (const scheme of operation.security.flatMap((one) => Object.keys(one)))
        expect(document.components.securitySchemes).toHaveProperty(scheme);
    }
  });

  test("describes every body in three content types, by the schema that validates it", () => {
    for (const { operation } of operations)
      if (operation.requestBody)
        expect(Object.keys(operation.requestBody.content)).toEqual([
          "application/json",
          "application/x-www-form-urlencoded",
          "multipart/form-data",
        ]);
    const create = paths["/api/v1/session/"]?.["post"]?.requestBody?.content["application/json"]?.schema;
    expect(Object.keys(create?.properties ?? {})).toEqual(Object.keys(sessionCreateSchema.shape));
    expect(create?.properties["padding_height"]).toMatchObject({
      anyOf: [{ minimum: 0, maximum: 5 }, { type: "null" }],
    });
    const context = paths["/api/console/b2c/contexts/{context}/"]?.["put"]?.requestBody;
    const settings = context?.content["application/json"]?.schema.properties;
    expect(settings?.["name"]).toMatchObject({ type: "string" });
    // Any JSON; what of it has an effect is a schema of its own.
    expect(settings?.["embed_config"]).toEqual({ default: {} });
    const event = paths["/api/v1/session/{session}/event/create/"]?.["post"]?.requestBody;
    expect(event?.content["multipart/form-data"]?.schema.properties["file"]).toMatchObject({
      format: "binary",
      maxLength: 10 * 1024 * 1024,
    });
  });

  test("has the query parameters with their limits", () => {
    const { parameters = [] } = paths["/api/speech/v2/voices"]?.["get"] ?? {};
    const pageSize = parameters.find(({ name }) => name === "page_size");
    expect(pageSize).toMatchObject({ in: "query", required: false });
    expect(pageSize?.schema).toMatchObject({ type: "integer", minimum: 1, maximum: 100, default: 30 });
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
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toContain("text/html");
  const policy = response.headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'none'; script-src 'self'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).toContain("require-trusted-types-for 'script'; trusted-types lit-html");
  const html = await response.text();
  const addresses = [...html.matchAll(/\b(?:src|href|spec-url)="([^"]+)"/g)].map(
    ([, address = ""]) => address,
  );
  const base = "https://relay.example/api/";
  expect(addresses.map((address) => new URL(address, base).href)).toEqual([
    "https://relay.example/api/viewer.js",
    "https://relay.example/openapi.json",
    "https://relay.example/openapi.json",
  ]);
  const script = await run.get("/api/viewer.js");
  expect(script.headers.get("content-type")).toContain("text/javascript");
  expect(await script.text()).toContain('define("openapi-explorer"');
});
