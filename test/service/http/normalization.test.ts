import { describe, expect, test } from "vitest";
import { errorBodySchema } from "../../../src/protocol/schema/error-body.ts";
import { normalizeResponseSchema } from "../../../src/protocol/speech/normalization.ts";
import { ttsResponseSchema } from "../../../src/protocol/speech/speech.ts";
import { configRow, rule } from "../normalization/config-row.ts";
import { type RunningService, runService } from "../service-fixture.ts";

const path = (config: string) => `/api/v1/settings/text_normalization_config/${config}/normalize/`;

/** Stores a config of the organization, with the id and name `own`. */
async function ownConfig(run: RunningService, rules: unknown, fields = {}): Promise<void> {
  const { body, engine } = configRow(rules, { textnormalizationconfig_id: "own", name: "own", ...fields });
  await run.store.catalogue.put({
    kind: "text_normalization_config",
    id: "own",
    name: "own",
    organizationId: run.organizationId,
    createdAtMs: 0,
    body,
    engine,
  });
}

describe("normalize", () => {
  test.each(["visavis-english", "English"])("finds the config %s by id or name", async (config) => {
    const run = await runService();
    const response = await run.send("POST", path(config), { text: "Dr. Lee has 2 cats." });
    expect(response.status).toBe(200);
    expect(normalizeResponseSchema.parse(await response.json())).toEqual({
      normalized_text: "Doctor Lee has two cats.",
    });
  });

  test("runs the rules of the locale and those without a locale", async () => {
    const run = await runService();
    await ownConfig(run, [rule("a", "b"), rule("b", "c", { order: 2, locale: "ko" })]);
    const ask = async (locale?: string) =>
      normalizeResponseSchema.parse(await (await run.send("POST", path("own"), { text: "a", locale })).json())
        .normalized_text;
    expect([await ask(), await ask("ko"), await ask("ko-KR"), await ask("en")]).toEqual(["b", "c", "c", "b"]);
  });

  test("accepts a form as well", async () => {
    const run = await runService();
    const response = await run.request(path("English"), {
      method: "POST",
      headers: { "XP-API-KEY": "vv_test_key_0123456789" },
      body: new URLSearchParams({ text: "5 & 6", locale: "en-US" }),
    });
    expect(await response.json()).toEqual({ normalized_text: "five and six" });
  });

  test.each([
    [{}, "text", "required"],
    [{ text: "" }, "text", "blank"],
    [{ text: 5 }, "text", "invalid"],
    [{ text: "x".repeat(10_001) }, "text", "max_length"],
    [{ text: "x", locale: "x".repeat(36) }, "locale", "max_length"],
  ])("%j names the field that is wrong", async (body, attr, code) => {
    const run = await runService();
    const response = await run.send("POST", path("English"), body);
    expect(response.status).toBe(400);
    expect(errorBodySchema.parse(await response.json()).errors).toMatchObject([{ attr, code }]);
  });

  test("needs a key and a config that the caller may see", async () => {
    const run = await runService();
    const body = JSON.stringify({ text: "x" });
    const headers = { "Content-Type": "application/json" };
    expect((await run.request(path("English"), { method: "POST", headers, body })).status).toBe(401);
    expect((await run.send("POST", path("nothing"), { text: "x" })).status).toBe(404);
    expect((await run.get(path("English"))).status).toBe(405);
  });

  test("a hook that fails is logged, and the text is returned without it", async () => {
    const run = await runService();
    await ownConfig(run, [rule("a", "b")], { hook_enabled: true, pre_hook_url: "https://169.254.169.254/" });
    const response = await run.send("POST", path("own"), { text: "a" });
    expect(await response.json()).toEqual({ normalized_text: "b" });
    expect(run.lines).toMatchObject([{ level: "warn", code: "pre_hook_failed", config: "own" }]);
  });
});

describe("speech of a session", () => {
  const speak = async (run: RunningService, fields: object, text: string) => {
    const id = await run.newSession({ capability: ["TTS"], ...fields });
    const response = await run.send("POST", `/api/v1/session/${id}/tts/`, { text });
    return { id, words: ttsResponseSchema.parse(await response.json()).words };
  };

  test("is synthesized from the normalized text, with the words of the message", async () => {
    const run = await runService();
    const text = "Dr. Lee has 2 cats.";
    const { words } = await speak(run, { text_normalization_config: "English" }, text);
    expect(words.map((word) => word.text)).toEqual(text.split(" "));
    // The fixture's voice takes 10 ms per character.
    expect(words.at(-1)!.end).toBeCloseTo("Doctor Lee has two cats.".length * 10);
  });

  test("follows the session's locale", async () => {
    const run = await runService();
    await ownConfig(run, [rule("a", "aaaa", { locale: "en" })]);
    const endFor = async (locale?: string) =>
      (
        await speak(run, { text_normalization_config: "own", text_normalization_locale: locale }, "a")
      ).words.at(-1)!.end;
    expect([await endFor(), await endFor("en-GB")]).toEqual([10, 40]);
  });

  test("continues without a hook that fails, and the session stores an event about it", async () => {
    const run = await runService();
    await ownConfig(run, [], { hook_enabled: true, post_hook_url: "https://169.254.169.254/" });
    const { id } = await speak(run, { text_normalization_config: "own" }, "hello");
    const events = (await (await run.get(`/api/v1/session/${id}/event/`)).json()) as object[];
    expect(events).toMatchObject([
      { event: "SESSION_LOG", detail: "tts text normalization: post_hook_failed (forbidden_address)" },
    ]);
    expect(run.lines.filter(({ level }) => level === "warn")).toHaveLength(1);
  });
});
