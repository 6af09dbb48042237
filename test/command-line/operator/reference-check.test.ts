import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../../service/service-fixture.ts";
import { commandLine } from "./operator-fixture.ts";

let visavis: ReturnType<typeof commandLine>;

beforeEach(() => {
  visavis = commandLine(temporaryFolder());
});

const failure = async (kind: string, entry: object) =>
  (await visavis([kind, "put"], { name: "own", ...entry })).failure;

test("an agent config that no session can use is refused", async () => {
  expect(await failure("agent-config", { config: { temperature: 3 } })).toMatch(/^config\.temperature: /);
  expect(await failure("agent-config", { config: "be kind" })).toMatch(/^config: /);
  expect(await failure("agent-config", { config: { llm_type: "none", mcp_servers: ["nobody"] } })).toBe(
    'config.llm_type: "none" does not exist.\nconfig.mcp_servers.0: "nobody" does not exist.',
  );
  const own = { system_prompt: "Be kind.", llm_type: "visavis-retrieval", designer: { x: 1 } };
  expect(await failure("agent-config", { config: own })).toBeNull();
});

test("a session template with an unknown name is refused", async () => {
  expect(await failure("session-template", { model_style: "nobody", mcp_servers: ["none"] })).toBe(
    'model_style: "nobody" does not exist.\nmcp_servers.0: "none" does not exist.',
  );
  expect(await failure("session-template", { model_style: "mina", tts_type: "visavis-slt" })).toBeNull();
});

test("a listed voice whose voice does not exist is refused", async () => {
  expect(await failure("voice", { engine: { tts_type: "none" } })).toBe(
    'engine.tts_type: "none" does not exist.',
  );
});

test.each([
  "sea.webp",
  "//elsewhere.example/sea.webp",
  "http://a.example/sea.webp",
  "https://u:p@a.example/s",
])("a background image at %j is refused", async (image) => {
  const { failure: refusal } = await visavis(["background-image", "put"], { title: "Sea", image });
  expect(refusal).toMatch(/^image: Set an https address/);
});

test("a document without its text is stored, with a warning", async () => {
  const { failure: refusal, noted } = await visavis(["document", "put"], { title: "Handbook" });
  expect(refusal).toBeNull();
  expect(noted).toMatch(/has no text.*visavis document add/);
});
