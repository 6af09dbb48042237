import { describe, expect, test } from "vitest";
import { launcherRecordSchema, publicContextSchema } from "../../src/protocol/session/relay-api.ts";
import { builtFiles, errorCode, publicUrl, runRelay, shop } from "./relay-fixture.ts";

describe("the public view of a context", () => {
  test("contains what a browser needs, and no instructions, origins or service addresses", async () => {
    const relay = await runRelay();
    await relay.changeContext((context) => {
      context.embed_config["secret_plan"] = "hush";
      context.embed_config.ui = { ...context.embed_config.ui, x_internal_note: "hush" };
    });
    const answer = await relay.get("/embed/v1/contexts/ctx_demo");
    const text = await answer.text();
    const view = publicContextSchema.parse(JSON.parse(text));
    expect(view).toMatchObject({
      context_id: "ctx_demo",
      name: "Alder Home",
      avatar_name: "Mara",
      model_style: {
        name: "mina",
        matte: "packed-alpha",
        poster: `${publicUrl}/characters/mina-poster.webp`,
        still: `${publicUrl}/characters/mina-porthole.webp`,
      },
      background: `${publicUrl}/backgrounds/room.webp`,
      stage: { transparent: false },
      direct: true,
    });
    for (const hidden of ["instructions", "reading chair costs", "allowed_origins", "shop.example", "hush"]) {
      expect(text).not.toContain(hidden);
    }
  });

  test("has a recognizer only where the service can use the one that the context names", async () => {
    let isInstalled = true;
    const recognizer = {
      recognize: () => Promise.resolve({ text: "", locale: null }),
      close: () => Promise.resolve(),
    };
    const relay = await runRelay({}, { recognizer: () => (isInstalled ? recognizer : null) });
    const voice = async () =>
      publicContextSchema.parse(await (await relay.get("/embed/v1/contexts/ctx_demo")).json()).voice;
    const heardBy = async () => {
      const { session } = await relay.newSession();
      const view = await relay.running.get(`/api/v1/session/${session.session_id}/`);
      return ((await view.json()) as { stt_type: unknown }).stt_type;
    };
    expect(await voice()).toEqual({ recognizer: false, browser: true });
    await relay.changeContext((context) => (context.embed_config.stt_type = "pocketsphinx"));
    expect(await voice()).toEqual({ recognizer: true, browser: false });
    expect(await heardBy()).toMatchObject({ name: "pocketsphinx" });
    isInstalled = false;
    relay.pass(10);
    expect(await voice()).toEqual({ recognizer: false, browser: true });
    expect(await heardBy()).toBeNull();
  });

  test("is revalidated by its ETag", async () => {
    const relay = await runRelay();
    const first = await relay.get("/embed/v1/contexts/ctx_demo");
    expect(first.headers.get("cache-control")).toMatch(/^public, max-age=\d+, must-revalidate$/);
    const etag = first.headers.get("etag")!;
    const again = await relay.get("/embed/v1/contexts/ctx_demo", { "if-none-match": `W/${etag}` });
    expect(again.status).toBe(304);
    expect(again.headers.get("access-control-allow-origin")).toBe(shop);
    await relay.changeContext((context) => (context.greeting = "Good morning."));
    expect((await relay.get("/embed/v1/contexts/ctx_demo", { "if-none-match": etag })).status).toBe(200);
  });

  test("is asked for again before a page is refused, so that owners can try a page that they have just allowed", async () => {
    const relay = await runRelay();
    const origin = "https://new.example";
    const statusFor = async () => (await relay.get("/embed/v1/contexts/ctx_demo", { origin })).status;
    expect(await statusFor()).toBe(403);
    await relay.changeContext((context) => (context.embed_config.allowed_origins = [shop, origin]), 0.25);
    expect(await statusFor()).toBe(200);
    await relay.changeContext((context) => (context.is_active = false));
    expect(await statusFor()).toBe(403);
    await relay.changeContext((context) => (context.is_active = true), 0.25);
    expect(await statusFor()).toBe(200);
  });

  test("is refused to other origins in an answer that they can read", async () => {
    const relay = await runRelay();
    for (const origin of [
      "https://evil.example",
      "https://shop.example.evil.example",
      "http://shop.example",
      "null",
    ]) {
      const answer = await relay.get("/embed/v1/contexts/ctx_demo", { origin });
      expect(answer.status, origin).toBe(403);
      expect(answer.headers.get("access-control-allow-origin")).toBe(origin);
      expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
      expect(answer.headers.get("vary")).toMatch(/Origin/);
      expect(await errorCode(answer)).toBe("origin_not_allowed");
    }
  });

  test("is readable from any port of this machine if the pattern allows it, and from the relay's own pages", async () => {
    const relay = await runRelay();
    for (const origin of ["http://localhost:5173", "http://localhost", publicUrl]) {
      expect((await relay.get("/embed/v1/contexts/ctx_demo", { origin })).status, origin).toBe(200);
    }
    expect((await relay.request("/embed/v1/contexts/ctx_demo")).status).toBe(200);
    expect(
      (await relay.get("/embed/v1/contexts/ctx_demo", { origin: "http://localhost.evil.example" })).status,
    ).toBe(403);
  });

  test("is not found for an unknown name, and reports a context that is switched off", async () => {
    const relay = await runRelay();
    for (const name of ["ctx_nobody", "..%2Fsecret", "a".repeat(200)]) {
      const answer = await relay.get(`/embed/v1/contexts/${name}`);
      expect([answer.status, await errorCode(answer)]).toEqual([404, "context_not_found"]);
    }
    await relay.changeContext((context) => (context.is_active = false));
    const answer = await relay.get("/embed/v1/contexts/ctx_demo");
    expect([answer.status, await errorCode(answer)]).toEqual([403, "context_inactive"]);
  });
});

describe("the launcher's record", () => {
  test("is small, complete and the same for every page of a language", async () => {
    const relay = await runRelay();
    const answer = await relay.get("/embed/v1/contexts/ctx_demo/launcher", {
      origin: "https://anyone.example",
    });
    expect(answer.headers.get("access-control-allow-origin")).toBe("https://anyone.example");
    const text = await answer.text();
    expect(text.length).toBeLessThanOrEqual(8_192);
    const record = launcherRecordSchema.parse(JSON.parse(text));
    expect(record).toMatchObject({
      title: "Talk with Mara",
      widget: "/assets/widget-abc123.js",
      theme: "auto",
    });
    expect(record.still).toBe(`data:image/webp;base64,${btoa("a small picture")}`);
  });

  test("of a frame in the page has the large picture and the frame's look, whoever chose the variant", async () => {
    const relay = await runRelay();
    const answer = await relay.get("/embed/v1/contexts/ctx_demo/launcher?lang=en&variant=inline");
    const record = launcherRecordSchema.parse(await answer.json());
    expect(record).toMatchObject({
      variant: "inline",
      still: `${publicUrl}/characters/mina-poster.webp`,
    });
    expect(record.styles).toContain(".vv-launcher .vv-window{inset");
    const bubble = await relay.get("/embed/v1/contexts/ctx_demo/launcher?variant=null");
    const other = launcherRecordSchema.parse(await bubble.json());
    expect(other.variant).toBe("bubble");
    expect(other.styles).toContain("[data-hidden]");
    expect(other.styles).not.toContain(".vv-launcher .vv-window{inset");
  });

  test("is in the page's language where the relay has its texts", async () => {
    const relay = await runRelay();
    const titleIn = async (lang: string) => {
      const answer = await relay.get(`/embed/v1/contexts/ctx_demo/launcher?lang=${lang}`);
      return launcherRecordSchema.parse(await answer.json()).title;
    };
    expect(await titleIn("de-AT")).toBe("Mit Mara sprechen");
    expect(await titleIn("x".repeat(5_000))).toBe("Talk with Mara");
  });

  test("says when the conversation will be in writing", async () => {
    const relay = await runRelay();
    const answer = await relay.get("/embed/v1/contexts/ctx_demo/launcher?lang=de&mode=text");
    expect(launcherRecordSchema.parse(await answer.json())).toMatchObject({
      title: "Mara schreiben",
    });
  });

  test("says what a browser without peer connections can do", async () => {
    const relay = await runRelay();
    const words = async () => {
      const answer = await relay.get("/embed/v1/contexts/ctx_demo/launcher?peers=false");
      const { title, subtitle } = launcherRecordSchema.parse(await answer.json());
      return [title, subtitle];
    };
    expect(await words()).toEqual(["Talk with Mara", "AI assistant, by text"]);
  });

  test("omits the picture if it would exceed its size limit", async () => {
    const large = { ...builtFiles["characters/mina-porthole.webp"]!, body: new Uint8Array(9_000) };
    const read = (path: string) =>
      Promise.resolve(path === "characters/mina-porthole.webp" ? large : (builtFiles[path] ?? null));
    const relay = await runRelay({ assets: { read } });
    const answer = await relay.get("/embed/v1/contexts/ctx_demo/launcher");
    expect(launcherRecordSchema.parse(await answer.json()).still).toBeNull();
  });
});

test("the relay tells a viewer only whether its parent is allowed", async () => {
  const relay = await runRelay();
  const ask = async (origin: string) =>
    (await relay.request(`/embed/v1/contexts/ctx_demo/parent?origin=${encodeURIComponent(origin)}`)).json();
  expect(await ask(shop)).toEqual({ allowed: true });
  expect(await ask("https://evil.example")).toEqual({ allowed: false });
  expect(await ask("not an origin")).toEqual({ allowed: false });
});
