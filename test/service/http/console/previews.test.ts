import { describe, expect, test } from "vitest";
import type { Conversation } from "../../../../src/protocol/console/conversations.ts";
import type { ContextPreview } from "../../../../src/protocol/console/previews.ts";
import type { TtsResponse } from "../../../../src/protocol/speech/speech.ts";
import type { EmbedContext } from "../../../../src/protocol/settings/embed-context.ts";
import type { RunningService } from "../../service-fixture.ts";
import { type Browser, invited, jsonOf, owner, runConsole } from "./console-fixture.ts";

const body = {
  name: "Shop",
  tts_type: "visavis-slt",
  model_style: "mina",
  is_active: false,
  embed_config: { allowed_origins: ["https://shop.example"] },
};

const pathOf = (run: RunningService): string => `/api/console/contexts/${run.demo.id}/preview/`;

async function previewed(run: RunningService, browser: Browser, changes = {}): Promise<string> {
  const settings = { ...body, ...changes };
  return (await jsonOf<ContextPreview>(browser.send("PUT", pathOf(run), { settings }))).context_id;
}

async function found(run: RunningService, contextId: string): Promise<EmbedContext | undefined> {
  const [first] = await jsonOf<EmbedContext[]>(run.get(`/api/console/b2c/contexts/?context_id=${contextId}`));
  return first;
}

describe("a preview of unsaved settings", () => {
  test("is found by its key, may be used although the avatar is off, and only on the relay's own pages", async () => {
    const run = await runConsole();
    const key = await previewed(run, await owner(run), { greeting: "Not saved" });
    const preview = await found(run, key);
    expect(preview).toMatchObject({ context_id: key, greeting: "Not saved", is_active: true });
    expect(preview?.embed_config.allowed_origins).toEqual([]);
    expect((await run.store.contexts.byUuid(run.organizationId, run.demo.id))?.greeting).not.toBe(
      "Not saved",
    );
  });

  test("gets another key with each change, so that no cache shows the settings before", async () => {
    const run = await runConsole();
    const browser = await owner(run);
    const [one, two] = [await previewed(run, browser), await previewed(run, browser, { greeting: "Two" })];
    expect(one).not.toBe(two);
    expect((await found(run, two))?.greeting).toBe("Two");
  });

  test("is no avatar: it is neither listed nor changed, and others have their own", async () => {
    const run = await runConsole();
    const [ana, ben] = [await invited(run, "editor", "Ana"), await invited(run, "editor", "Ben")];
    const [ofAna, ofBen] = [await previewed(run, ana), await previewed(run, ben, { greeting: "Ben's" })];
    expect((await found(run, ofAna))?.greeting).toBe("");
    const { id } = (await found(run, ofBen))!;
    expect((await ben.get(`/api/console/b2c/contexts/${id}/`)).status).toBe(404);
    expect((await ben.send("PUT", `/api/console/b2c/contexts/${id}/`, body)).status).toBe(404);
    const listed = await jsonOf<EmbedContext[]>(ana.get("/api/console/b2c/contexts/"));
    expect(listed.map(({ context_id: key }) => key)).not.toContain(ofAna);
  });

  test("names what is wrong with its settings", async () => {
    const run = await runConsole();
    const settings = { ...body, tts_type: "nobody" };
    const refused = await (await owner(run)).send("PUT", pathOf(run), { settings });
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ errors: [{ code: "does_not_exist", attr: "tts_type" }] });
  });

  test("counts no conversation of visitors", async () => {
    const run = await runConsole();
    const browser = await owner(run);
    const key = await previewed(run, browser);
    const { id } = (await found(run, key))!;
    const session = await run.newSession({
      capability: ["LLM"],
      prompt: id,
      llm_type: "visavis-retrieval",
      extra_data: { context_id: key },
    });
    await run.event(session, "SESSION_START");
    await run.service.sweep();
    expect((await run.store.sessions.byId(session))?.state.endedAtMs).toBeNull();
    expect(await jsonOf<Conversation[]>(browser.get("/api/console/conversations/"))).toEqual([]);
  });

  test("is gone a day after its last change", async () => {
    const run = await runConsole();
    const key = await previewed(run, await owner(run));
    run.pass(24 * 60 * 60 + 1);
    await run.service.removeExpired();
    expect(await found(run, key)).toBeUndefined();
  });
});

describe("a voice's sample", () => {
  const path = "/api/console/voice-sample/";

  test("is a sound file", async () => {
    const run = await runConsole();
    const sample = await (await owner(run)).send("POST", path, { tts_type: "visavis-slt", text: "Hello." });
    expect(sample.status).toBe(200);
    expect(sample.headers.get("content-type")).toBe("audio/wav");
    expect(Buffer.from(await sample.arrayBuffer()).toString("latin1", 0, 4)).toBe("RIFF");
  });

  test("needs a text that can be spoken, however the voice is changed", async () => {
    const run = await runConsole();
    const sample = { tts_type: "visavis-slt", text: " ", pitch: 0.5 };
    const refused = await (await owner(run)).send("POST", path, sample);
    expect([refused.status, await refused.json()]).toMatchObject([400, { errors: [{ attr: "text" }] }]);
  });

  test("of a voice that does not exist is refused", async () => {
    const run = await runConsole();
    const refused = await (await owner(run)).send("POST", path, { tts_type: "nobody", text: "Hello." });
    expect(await refused.json()).toMatchObject({ errors: [{ code: "does_not_exist", attr: "tts_type" }] });
  });

  test("comes with the mouth's shapes where a face says it", async () => {
    const run = await runConsole();
    const browser = await owner(run);
    const body = { tts_type: "visavis-slt", text: "Hello." };
    const spoken = await jsonOf<TtsResponse>(browser.send("POST", "/api/console/speech-sample/", body));
    expect(Buffer.from(spoken.audio, "base64").toString("latin1", 0, 4)).toBe("RIFF");
    expect(spoken.visemes).toEqual([{ viseme: "aa", start: 0, end: 60 }]);
  });
});
