import { describe, expect, onTestFinished, vi } from "vitest";
import { listen } from "../../src/command-line/http/http-server.ts";
import type { BackgroundImage } from "../../src/protocol/catalogue.ts";
import { publicContextSchema } from "../../src/protocol/session/relay-api.ts";
import { createRelay, serviceOverHttp } from "../../src/relay/index.ts";
import { apiKey } from "../service/service-fixture.ts";
import {
  builtFiles,
  errorCode,
  publicUrl,
  runRelay,
  shop,
  type RunningRelay,
  relayTest as test,
  failure,
} from "./relay-fixture.ts";

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const dataUrl = `data:image/png;base64,${png.toString("base64")}`;
const elsewhere = "https://pictures.example/backgrounds/sea.png?key=1";
const route = "/embed/v1/contexts/ctx_demo/background";

/** Creates a background through the interface and gives it to the demo context. */
async function withBackground(relay: RunningRelay, image: string): Promise<string> {
  const created = await relay.running.send("POST", "/api/v1/background_image/", { title: "Sea", image });
  const { backgroundimage_id: id } = (await created.json()) as BackgroundImage;
  await relay.changeContext((context) => (context.background_image = id));
  relay.pass(6);
  return id;
}

async function shownBackground(relay: Pick<RunningRelay, "get">): Promise<string | null> {
  const answer = await relay.get("/embed/v1/contexts/ctx_demo");
  return publicContextSchema.parse(await answer.json()).background;
}

/** An answer without a content length. */
function streamed(bytes: Uint8Array): Response {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += 65_536) controller.enqueue(bytes.subarray(at, at + 65_536));
      controller.close();
    },
  });
  return new Response(body, { headers: { "Content-Type": "image/png" } });
}

describe("a background that was created through the interface", () => {
  test("is served at an address of the relay, with the type of its bytes", async ({ relay }) => {
    const id = await withBackground(relay, dataUrl);
    expect(await shownBackground(relay)).toBe(`${publicUrl}${route}?v=${id}`);
    const answer = await relay.get(`${route}?v=${id}`);
    expect(answer.status).toBe(200);
    expect(Buffer.from(await answer.arrayBuffer()).equals(png)).toBe(true);
    const header = (name: string) => answer.headers.get(name);
    expect(header("content-type")).toBe("image/png");
    expect(header("x-content-type-options")).toBe("nosniff");
    expect(header("content-security-policy")).toContain("default-src 'none'");
    expect(header("cross-origin-resource-policy")).toBe("cross-origin");
    expect(header("access-control-allow-origin")).toBe(shop);
    expect(header("cache-control")).toBe("public, max-age=3600");
    const again = await relay.get(route, { "if-none-match": header("etag")! });
    expect([again.status, await again.text()]).toEqual([304, ""]);
  });

  test("is also read from a service over HTTP, whose address stays hidden", async ({ relay }) => {
    const id = await withBackground(relay, dataUrl);
    const { app } = relay.running.service;
    const server = await listen((request, environment) => app.fetch(request, environment), 0);
    onTestFinished(() => server.close(100));
    const remote = createRelay({
      service: serviceOverHttp({ baseUrl: `http://127.0.0.1:${server.port}`, apiKey }),
      tokenSecret: new Uint8Array(32),
      assets: { read: (path) => Promise.resolve(builtFiles[path] ?? null) },
      publicUrl: "https://talk.example/visavis",
    });
    const get = async (path: string) =>
      remote.request(`https://talk.example${path}`, { headers: { origin: shop } });
    expect(await shownBackground({ get })).toBe(`https://talk.example/visavis${route}?v=${id}`);
    const answer = await get(route);
    expect(Buffer.from(await answer.arrayBuffer()).equals(png)).toBe(true);
    expect(JSON.stringify([...answer.headers])).not.toContain("127.0.0.1");
  });

  test("and is stored elsewhere is fetched by the relay if possible, otherwise not shown", async () => {
    const fetchPicture = vi.fn(() => Promise.resolve(new Response(png)));
    const relay = await runRelay({ fetchPicture });
    const id = await withBackground(relay, elsewhere);
    expect(await shownBackground(relay)).toBe(`${publicUrl}${route}?v=${id}`);
    const answers = await Promise.all([relay.get(route), relay.get(route)]);
    for (const answer of answers) expect(answer.headers.get("content-type")).toBe("image/png");
    expect(fetchPicture.mock.calls).toEqual([[elsewhere, expect.any(AbortSignal)]]);
    relay.pass(61);
    await relay.get(route);
    expect(fetchPicture).toHaveBeenCalledTimes(2);

    const without = await runRelay();
    await withBackground(without, elsewhere);
    expect(await shownBackground(without)).toBeNull();
    expect((await without.get(route)).status).toBe(404);
  });
});

describe("nothing is passed on", () => {
  test.each([
    ["that is no picture", () => Promise.resolve(new Response("<svg onload='alert(1)'>", { headers: {} }))],
    [
      "that says it is too large",
      () => Promise.resolve(new Response(png, { headers: { "content-length": "9999999" } })),
    ],
    ["that is too large", () => Promise.resolve(streamed(Buffer.concat([png, Buffer.alloc(2_097_153)])))],
    ["that is refused", () => Promise.resolve(new Response(png, { status: 403 }))],
    ["that cannot be fetched", () => Promise.reject(new Error("forbidden_address"))],
  ])("%s; it is told once and not asked for again for a minute", async (_case, answer) => {
    const fetchPicture = vi.fn(answer);
    const relay = await runRelay({ fetchPicture });
    await withBackground(relay, elsewhere);
    for (let time = 0; time < 3; time++) {
      expect(await failure(await relay.get(route))).toBe("404 not_found");
    }
    expect(fetchPicture).toHaveBeenCalledTimes(1);
    expect(relay.warnings).toHaveLength(1);
    expect(relay.warnings[0]).not.toContain("pictures.example");
  });

  test("except what the context itself names, for any requested path", async () => {
    const relay = await runRelay({ fetchPicture: () => Promise.reject(new Error("Not to be asked.")) });
    const id = await withBackground(relay, dataUrl);
    await relay.changeContext((context) => (context.background_image = "room"));
    relay.pass(6);
    expect(await shownBackground(relay)).toBe(`${publicUrl}/backgrounds/room.webp`);
    for (const query of ["", `?v=${id}`, `?v=${encodeURIComponent(elsewhere)}`])
      expect((await relay.get(route + query)).status).toBe(404);
    expect(relay.warnings).toEqual([]);
  });

  test("for a context that is unknown or switched off", async ({ relay }) => {
    await withBackground(relay, dataUrl);
    expect((await relay.get("/embed/v1/contexts/ctx_nobody/background")).status).toBe(404);
    await relay.changeContext((context) => (context.is_active = false));
    expect(await errorCode(await relay.get(route))).toBe("context_inactive");
  });
});
