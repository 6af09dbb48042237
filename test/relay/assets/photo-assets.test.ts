import { expect, test } from "vitest";
import { photoAssetPath } from "../../../src/protocol/settings/public-path.ts";
import { withPhotos } from "../../../src/relay/assets/photo-assets.ts";
import { serviceInProcess } from "../../../src/relay/index.ts";
import { apiKey } from "../../service/service-fixture.ts";
import { publicUrl, runRelay, type RunningRelay } from "../relay-fixture.ts";

const id = "13cf9abe-ed57-4f55-b601-d12eccf50167";
const webp = Buffer.from("RIFF\0\0\0\0WEBPVP8 ");

function relayAssets(answers: (path: string) => Response) {
  const asked: string[] = [];
  let nowMs = 1_000;
  const assets = withPhotos(
    { read: () => Promise.resolve(null) },
    {
      service: (path) => {
        asked.push(path);
        return Promise.resolve(answers(path));
      },
      clock: { now: () => nowMs },
    },
  );
  return { assets, asked, pass: (ms: number) => (nowMs += ms) };
}

test("the service's path of a photo character becomes one of the relay", () => {
  expect(photoAssetPath(`/api/v1/photo_character/${id}/poster/`)).toBe(`characters/photos/${id}/poster.webp`);
  expect(photoAssetPath(`/api/v1/photo_character/${id}/character/`)).toBe(
    `characters/photos/${id}/character.json`,
  );
  expect(photoAssetPath(`/api/v1/photo_character/${id}/consent/`)).toBeNull();
  expect(photoAssetPath("/characters/mina.json")).toBeNull();
});

test("its files are read from the service once in a while, and are gone soon after they are removed", async () => {
  let isThere = true;
  const { assets, asked, pass } = relayAssets(() =>
    isThere ? new Response(webp) : new Response("", { status: 404 }),
  );
  const path = `characters/photos/${id}/porthole.webp`;
  expect((await assets.read(path))?.contentType).toBe("image/webp");
  expect((await assets.read(path))?.body).toHaveLength(webp.length);
  expect(asked).toEqual([`/api/v1/photo_character/${id}/porthole/`]);
  isThere = false;
  pass(61_000);
  expect(await assets.read(path)).toBeNull();
});

test("what is no picture is not passed on", async () => {
  const { assets } = relayAssets(() => new Response("<script>"));
  expect(await assets.read(`characters/photos/${id}/poster.webp`)).toBeNull();
  expect(await assets.read(`characters/photos/${id}/consent.json`)).toBeNull();
});

test("browsers keep its files for minutes only, so that a removed face is soon gone", async () => {
  const relay: RunningRelay = await runRelay({
    service: (path, init) =>
      path.startsWith("/api/v1/photo_character/")
        ? Promise.resolve(new Response(webp))
        : serviceInProcess(relay.running.service.app, apiKey)(path, init),
  });
  const photo = await relay.get(`/characters/photos/${id}/poster.webp`);
  expect(photo.status).toBe(200);
  expect(photo.headers.get("cache-control")).toBe("public, max-age=240, must-revalidate");
  const drawn = await relay.get("/characters/mina-poster.webp");
  expect(drawn.headers.get("cache-control")).toContain("max-age=3600");
});

test("a browser is told where the character is, so that it can draw the face itself", async () => {
  const file = `/api/v1/photo_character/${id}/character/`;
  const style = {
    ...{ name: "mina", model: "mina", style: null, platform_type: "webrtc", model_file: file, file: null },
    model_files: [],
    files: [{ name: "character", file }],
    configs: [{ modelstyleconfig_id: "matte", key: "matte", value: "packed-alpha" }],
  };
  const relay: RunningRelay = await runRelay({
    service: (path, init) =>
      path.startsWith("/api/v1/settings/modelstyle/")
        ? Promise.resolve(Response.json([style]))
        : serviceInProcess(relay.running.service.app, apiKey)(path, init),
  });
  const context: unknown = await (await relay.get("/embed/v1/contexts/ctx_demo")).json();
  expect(context).toMatchObject({
    drawing: { character: `${publicUrl}/characters/photos/${id}/character.json` },
  });
});
