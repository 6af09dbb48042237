import { describe, expect } from "vitest";
import { launcherRecordSchema, publicContextSchema } from "../../src/protocol/session/relay-api.ts";
import type { LauncherRecord, PublicContext } from "../../src/protocol/session/relay-api.ts";
import { builtFiles, failure, publicUrl, relayTest as test, type RunningRelay } from "./relay-fixture.ts";
import { runRelay, shop } from "./relay-fixture.ts";

const demo = "/embed/v1/contexts/ctx_demo";

const publicView = async (relay: RunningRelay): Promise<PublicContext> =>
  publicContextSchema.parse(await (await relay.get(demo)).json());

const launcher = async (relay: RunningRelay, query = ""): Promise<LauncherRecord> =>
  launcherRecordSchema.parse(await (await relay.get(`${demo}/launcher${query}`)).json());

describe("the public view of a context", () => {
  test("contains what a browser needs, and no instructions, origins or service addresses", async ({
    relay,
  }) => {
    await relay.changeContext((context) => {
      context.embed_config["secret_plan"] = "hush";
      context.embed_config.ui = { ...context.embed_config.ui, x_internal_note: "hush" };
    });
    const answer = await relay.get(demo);
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
    for (const hidden of ["instructions", "reading chair costs", "allowed_origins", "shop.example", "hush"])
      expect(text).not.toContain(hidden);
  });

  test("has a recognizer only where the service can use the one that the context names", async () => {
    let isInstalled = true;
    const recognizer = {
      recognize: () => Promise.resolve({ text: "", locale: null }),
      close: () => Promise.resolve(),
    };
    const relay = await runRelay({}, { recognizer: () => (isInstalled ? recognizer : null) });
    const voice = async () => (await publicView(relay)).voice;
    const heardBy = async () => {
      const { id } = await relay.open();
      const view = await relay.running.get(`/api/v1/session/${id}/`);
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

  test("is revalidated by its ETag", async ({ relay }) => {
    const first = await relay.get(demo);
    expect(first.headers.get("cache-control")).toMatch(/^public, max-age=\d+, must-revalidate$/);
    const etag = first.headers.get("etag")!;
    const again = await relay.get(demo, { "if-none-match": `W/${etag}` });
    expect(again.status).toBe(304);
    expect(again.headers.get("access-control-allow-origin")).toBe(shop);
    await relay.changeContext((context) => (context.greeting = "Good morning."));
    expect((await relay.get(demo, { "if-none-match": etag })).status).toBe(200);
  });

  test("is asked for again before a page is refused, so that owners can try a page that they have just allowed", async ({
    relay,
  }) => {
    const origin = "https://new.example";
    const statusFor = async () => (await relay.get(demo, { origin })).status;
    expect(await statusFor()).toBe(403);
    await relay.changeContext((context) => (context.embed_config.allowed_origins = [shop, origin]), 0.25);
    expect(await statusFor()).toBe(200);
    await relay.changeContext((context) => (context.is_active = false));
    expect(await statusFor()).toBe(403);
    await relay.changeContext((context) => (context.is_active = true), 0.25);
    expect(await statusFor()).toBe(200);
  });

  test("is refused to other origins in an answer that they can read", async ({ relay }) => {
    const near = ["https://shop.example.evil.example", "http://shop.example", "null"];
    for (const origin of ["https://evil.example", ...near]) {
      const answer = await relay.get(demo, { origin });
      expect(answer.headers.get("access-control-allow-origin")).toBe(origin);
      expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
      expect(answer.headers.get("vary")).toMatch(/Origin/);
      expect(await failure(answer), origin).toBe("403 origin_not_allowed");
    }
  });

  test("is readable from any port of this machine if the pattern allows it, and from the relay's own pages", async ({
    relay,
  }) => {
    const statusOf = async (origin: string) => (await relay.get(demo, { origin })).status;
    for (const origin of ["http://localhost:5173", "http://localhost", publicUrl])
      expect(await statusOf(origin), origin).toBe(200);
    expect((await relay.request(demo)).status).toBe(200);
    expect(await statusOf("http://localhost.evil.example")).toBe(403);
  });

  test("is not found for an unknown name, and reports a context that is switched off", async ({ relay }) => {
    for (const name of ["ctx_nobody", "..%2Fsecret", "a".repeat(200)])
      expect(await failure(await relay.get(`/embed/v1/contexts/${name}`))).toBe("404 context_not_found");
    await relay.changeContext((context) => (context.is_active = false));
    expect(await failure(await relay.get(demo))).toBe("403 context_inactive");
  });
});

describe("the launcher's record", () => {
  test("is small, complete and the same for every page of a language", async ({ relay }) => {
    const answer = await relay.get(`${demo}/launcher`, { origin: "https://anyone.example" });
    expect(answer.headers.get("access-control-allow-origin")).toBe("https://anyone.example");
    const text = await answer.text();
    expect(text.length).toBeLessThanOrEqual(8_192);
    expect(launcherRecordSchema.parse(JSON.parse(text))).toMatchObject({
      title: "Talk with Mara",
      widget: "/assets/widget-abc123.js",
      theme: "auto",
      still: `data:image/webp;base64,${btoa("a small picture")}`,
    });
  });

  test("of a frame in the page has the large picture and the frame's look, whoever chose the variant", async ({
    relay,
  }) => {
    const record = await launcher(relay, "?lang=en&variant=inline");
    expect(record).toMatchObject({ variant: "inline", still: `${publicUrl}/characters/mina-poster.webp` });
    expect(record.styles).toContain(".vv-launcher .vv-window{inset");
    const other = await launcher(relay, "?variant=null");
    expect(other.variant).toBe("bubble");
    expect(other.styles).toContain("[data-hidden]");
    expect(other.styles).not.toContain(".vv-launcher .vv-window{inset");
  });

  test.for([
    ["?lang=de-AT", "in the page's language", { title: "Mit Mara sprechen" }],
    [
      `?lang=${"x".repeat(5_000)}`,
      "in English where the relay lacks the page's",
      { title: "Talk with Mara" },
    ],
    ["?lang=de&mode=text", "for a conversation in writing", { title: "Mara schreiben" }],
    ["?peers=false", "for a browser without peer connections", { subtitle: "AI assistant, by text" }],
  ] as const)("has the words of %.20s: %s", async ([query, , words], { relay }) => {
    expect(await launcher(relay, query)).toMatchObject(words);
  });

  test("omits the picture if it would exceed its size limit", async () => {
    const large = { ...builtFiles["characters/mina-porthole.webp"]!, body: new Uint8Array(9_000) };
    const read = (path: string) =>
      Promise.resolve(path === "characters/mina-porthole.webp" ? large : (builtFiles[path] ?? null));
    const relay = await runRelay({ assets: { read } });
    expect((await launcher(relay)).still).toBeNull();
  });
});

test("the relay tells a viewer only whether its parent is allowed", async ({ relay }) => {
  const ask = async (origin: string) =>
    (await relay.request(`${demo}/parent?origin=${encodeURIComponent(origin)}`)).json();
  for (const [origin, allowed] of [
    [shop, true],
    ["https://evil.example", false],
    ["not an origin", false],
  ] as const)
    expect(await ask(origin), origin).toEqual({ allowed });
});
