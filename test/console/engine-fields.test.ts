import { expect, test } from "vitest";
import {
  changedFields,
  draftOf,
  engineBody,
  faultOfField,
  mergedDraft,
  withPreset,
} from "../../src/console/engines/engine-fields.ts";
import { isExtraWrong } from "../../src/console/engines/engine-more.ts";
import type { Engine, EnginePreset } from "../../src/protocol/console/engines.ts";

const house: Engine = {
  kind: "model",
  id: "house",
  name: "House model",
  engine: "chat-completions",
  is_built_in: false,
  is_offline: false,
  is_shared: true,
  can_change: true,
  state: "ready",
  reason: null,
  since: null,
  address: "https://llm.example/v1",
  model: "m1",
  languages: [],
  key: { from: "stored" },
  used_by: [],
  last_test: null,
  settings: { base_url: "https://llm.example/v1", model: "m1", temperature: 0.2 },
  revision: 4,
};

const preset: EnginePreset = {
  id: "openai",
  name: "OpenAI",
  kinds: ["model"],
  base_url: "https://api.openai.com/v1",
  is_offline: false,
  needs_key: true,
  key_variable: "OPENAI_API_KEY",
};

test("a changed engine keeps its key and the settings that the form does not show", () => {
  const draft = { ...draftOf("model", house), model: "m2" };
  expect(engineBody(draft, house)).toEqual({
    fields: { engine: { base_url: "https://llm.example/v1", model: "m2", temperature: 0.2 } },
    revision: 4,
  });
});

test("a provider fills the address in, and its name goes into the entry", () => {
  const draft = { ...withPreset(draftOf("model", null), preset), name: "GPT", model: "m", key: "secret" };
  expect(engineBody(draft, null)).toEqual({
    fields: { service: "openai", engine: { base_url: "https://api.openai.com/v1", model: "m" } },
    key: { value: "secret" },
    revision: 0,
  });
});

test.each([
  [{ keyChoice: "value", key: "k" }, { value: "k" }],
  [{ keyChoice: "value", key: "" }, { none: true }],
  [{ keyChoice: "variable", key: "LLM_KEY" }, { variable: "LLM_KEY" }],
  [{ keyChoice: "none", key: "left over" }, { none: true }],
  [{ keyChoice: "keep", key: "" }, undefined],
] as const)("the key %o is sent as %o", (choice, key) => {
  expect(engineBody({ ...draftOf("model", house), ...choice }, house).key).toEqual(key);
});

test("a tool server has its address in the entry and no engine", () => {
  const draft = {
    ...draftOf("tools", null),
    name: "Shop",
    address: "https://mcp.example/",
    keyChoice: "none" as const,
  };
  expect(engineBody(draft, null)).toEqual({
    fields: {
      ...{ name: "Shop", url: "https://mcp.example/", transport_protocol: "streamable_http" },
      engine: {},
    },
    key: { none: true },
    revision: 0,
  });
});

test("the settings that most leave as they are go into the entry, and empty ones out of it", () => {
  const settings = { ...house.settings, price: { input: 1, output: 2, currency: "EUR" }, tools: true };
  const engine = { ...house, settings };
  const { more } = draftOf("model", engine);
  expect(more).toMatchObject({
    temperature: "0.2",
    tools: "true",
    priceInput: "1",
    currency: "EUR",
    extra: "",
  });
  const changed = {
    ...more,
    wait: "120",
    temperature: "",
    tools: "false",
    priceOutput: "2,5",
    extra: '{"top_p": 1}',
  };
  const engineOf = (body: ReturnType<typeof engineBody>): unknown =>
    JSON.parse(JSON.stringify(body.fields["engine"]));
  expect(engineOf(engineBody({ ...draftOf("model", engine), more: changed }, engine))).toEqual({
    base_url: "https://llm.example/v1",
    model: "m1",
    first_byte_sec: 120,
    tools: false,
    price: { input: 1, output: 2.5, currency: "EUR" },
    extra_body: { top_p: 1 },
  });
  const none = { ...more, tools: "", priceInput: "", priceOutput: "" };
  expect(engineOf(engineBody({ ...draftOf("model", engine), more: none }, engine))).toEqual({
    base_url: "https://llm.example/v1",
    model: "m1",
    temperature: 0.2,
  });
  expect(isExtraWrong({ ...more, extra: "max_tokens: 3" })).toBe(true);
  expect(faultOfField({ "fields.engine.price.currency": "Three letters." }, "currency")).toBe(
    "Three letters.",
  );
});

test("a tool server in one's own network says so, and keeps its time limit", () => {
  const tools: Engine = {
    ...house,
    kind: "tools",
    settings: { allow_private: true, server_timeout_sec: 20 },
    address: "http://10.0.0.2/mcp",
  };
  expect(engineBody(draftOf("tools", tools), tools).fields).toEqual({
    ...{ name: "House model", url: "http://10.0.0.2/mcp", server_timeout_sec: 20 },
    engine: { allow_private: true },
  });
});

test("my changes go on top of what somebody else saved", () => {
  const base = draftOf("model", house);
  const theirs = { ...base, address: "https://other.example/v1", keyChoice: "variable", key: "A" } as const;
  expect(mergedDraft(base, { ...base, model: "mine" }, theirs)).toEqual({ ...theirs, model: "mine" });
  const mine = { ...base, keyChoice: "value", key: "secret" } as const;
  expect(mergedDraft(base, mine, theirs)).toEqual({ ...mine, address: theirs.address });
  expect(changedFields(base, theirs)).toEqual(["address"]);
});

test("the server's reasons stand beside the fields that they are about", () => {
  expect(faultOfField({ "engine.base_url": "No address." }, "address")).toBe("No address.");
  expect(faultOfField({ "fields.engine.model": "Too short." }, "model")).toBe("Too short.");
  expect(faultOfField({ key: "Give it again." }, "key")).toBe("Give it again.");
  expect(faultOfField({ "key.variable": "No such name." }, "key")).toBe("No such name.");
  expect(faultOfField({ name: "Letters only." }, "address")).toBeUndefined();
});
