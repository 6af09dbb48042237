import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { defaultServiceSettings } from "../../../../src/service/service-settings.ts";
import { runService } from "../../service-fixture.ts";

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const { signal } = new AbortController();
const settings = {
  ...defaultServiceSettings,
  publicUrl: "https://relay.example",
  publicFolder: join(import.meta.dirname, "../../../../public"),
};
const builtIn = "/backgrounds/room.webp";

test("a built-in image is read from the public folder", async () => {
  const run = await runService({ settings });
  const session = await run.newSession({ background_image: "room" });
  const bytes = await run.hooks.background(session, builtIn, signal);
  expect(Buffer.from(bytes!)).toEqual(readFileSync(join(settings.publicFolder, builtIn)));
});

test("an image that was uploaded as data is read from the store's files", async () => {
  const run = await runService();
  const created = await run.send("POST", "/api/v1/background_image/", {
    title: "Wall",
    image: `data:image/png;base64,${png.toString("base64")}`,
  });
  const { backgroundimage_id: id } = (await created.json()) as { backgroundimage_id: string };
  const session = await run.newSession({ background_image: id });
  await run.send("POST", `/api/v1/session/${session}/exchange/`, {
    client_sdp: { type: "offer", sdp: "v=0" },
  });
  const { background } = run.media.exchanges[0]!.scene!;
  expect(Buffer.from((await run.hooks.background(session, background!, signal))!)).toEqual(png);
});

test("only the session's own image is read, for any request", async () => {
  const run = await runService({ settings });
  const session = await run.newSession({ background_image: "room" });
  const without = await run.newSession();
  for (const [of, image] of [
    [session, "/backgrounds/calm.webp"],
    [session, "/../package.json"],
    [session, "https://example.com/wall.png"],
    [without, builtIn],
    ["0".repeat(40), builtIn],
  ] as const)
    expect(await run.hooks.background(of, image, signal)).toBeNull();
});

test("an image at another address is fetched with the guards and the size limit; a failure gives null and a log line", async () => {
  const asked: { url: string; maxBytes: number | undefined }[] = [];
  let answer = new Response(png);
  const run = await runService({
    outbound: {
      engine: () => () => Promise.reject(new Error("A picture is no engine.")),
      webhook: () => () => Promise.reject(new Error("A picture is no webhook.")),
      address: () => (url, request) => {
        asked.push({ url: String(url), maxBytes: request?.maxBytes });
        return Promise.resolve(answer);
      },
    },
  });
  const image = "https://pictures.example/wall.png";
  const created = await run.send("POST", "/api/v1/background_image/", { title: "Wall", image });
  const { backgroundimage_id } = (await created.json()) as { backgroundimage_id: string };
  const session = await run.newSession({ background_image: backgroundimage_id });
  expect(Buffer.from((await run.hooks.background(session, image, signal))!)).toEqual(png);
  expect(asked).toEqual([{ url: image, maxBytes: 2 * 1024 * 1024 }]);
  answer = new Response("gone", { status: 404 });
  expect(await run.hooks.background(session, image, signal)).toBeNull();
  expect(run.lines.some(({ message }) => message === "media order failed")).toBe(true);
});
