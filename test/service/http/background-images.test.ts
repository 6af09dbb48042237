import { createCanvas } from "@napi-rs/canvas";
import { describe, expect, test } from "vitest";
import { backgroundImageSchema } from "../../../src/protocol/catalogue.ts";
import { errorBodySchema } from "../../../src/protocol/schema/error-body.ts";
import { apiKey, type RunningService, runService } from "../service-fixture.ts";

const path = "/api/v1/background_image/";
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const dataUrl = (bytes: Buffer, type = "image/png") => `data:${type};base64,${bytes.toString("base64")}`;

test("an https address is stored unchanged, listed and retrieved, and a session can name it", async () => {
  const run = await runService();
  const image = "https://pictures.example/room.webp?size=2";
  const response = await run.send("POST", path, { title: "Our room", image });
  expect(response.status).toBe(201);
  const created = backgroundImageSchema.parse(await response.json());
  expect(created).toMatchObject({ title: "Our room", image, created_at: "2026-01-01T00:00:00.000Z" });
  expect(await (await run.get(`${path}${created.backgroundimage_id}/`)).json()).toEqual(created);
  expect(await (await run.get(path)).json()).toContainEqual(created);
  const session = await run.newSession({ background_image: created.backgroundimage_id });
  expect(await run.status(session)).toMatchObject({ background_image: created });
});

test("a data URL is stored as a file that every page can show", async () => {
  const run = await runService();
  const response = await run.send("POST", path, { title: "Dot", image: dataUrl(png) });
  const { image } = backgroundImageSchema.parse(await response.json());
  const url = new URL(image);
  expect(url.origin).toBe("https://relay.example");
  const served = await run.request(url.pathname, { headers: { Accept: "image/*" } });
  expect(served.status).toBe(200);
  expect(served.headers.get("content-type")).toBe("image/png");
  expect(served.headers.get("access-control-allow-origin")).toBe("*");
  expect(served.headers.get("cache-control")).toContain("immutable");
  expect(Buffer.from(await served.arrayBuffer()).equals(png)).toBe(true);
  expect((await run.request(`${path}${"0".repeat(8)}-0000-4000-8000-000000000000/file/`)).status).toBe(404);
});

test.each([
  ["lines wrapped", dataUrl(png).replace(/(.{40})/g, "$1\r\n")],
  ["a parameter", dataUrl(png).replace(";base64", ";charset=utf-8;base64")],
])("a data URL with %s is read", async (_, image) => {
  const run = await runService();
  const response = await run.send("POST", path, { title: "Dot", image });
  const created = backgroundImageSchema.parse(await response.json());
  const served = await run.request(new URL(created.image).pathname, { headers: { Accept: "image/*" } });
  expect(Buffer.from(await served.arrayBuffer()).equals(png)).toBe(true);
});

test("forms are accepted too", async () => {
  const run = await runService();
  const form = new FormData();
  form.append("title", "Dot");
  form.append("image", dataUrl(png));
  const response = await run.request(path, { method: "POST", body: form, headers: { "XP-API-KEY": apiKey } });
  expect(response.status).toBe(201);
});

async function sendFile(run: RunningService, bytes: Uint8Array, text?: string): Promise<Response> {
  const form = new FormData();
  form.append("title", "Uploaded");
  // Its name and type do not matter: the content decides.
  form.append("image", new Blob([new Uint8Array(bytes)], { type: "text/html" }), "picture.html");
  if (text !== undefined) form.append("image", text);
  return run.request(path, { method: "POST", body: form, headers: { "XP-API-KEY": apiKey } });
}

const canvas = createCanvas(40, 30);
canvas.getContext("2d").fillRect(0, 0, 40, 30);

test.each([
  ["image/png", canvas.toBuffer("image/png")],
  ["image/jpeg", canvas.toBuffer("image/jpeg")],
  ["image/webp", canvas.toBuffer("image/webp")],
])("a file of %s is taken for what its content is", async (type, bytes) => {
  const run = await runService();
  const response = await sendFile(run, bytes);
  expect(response.status).toBe(201);
  const { title, image } = backgroundImageSchema.parse(await response.json());
  expect(title).toBe("Uploaded");
  const served = await run.request(new URL(image).pathname, { headers: { Accept: "image/*" } });
  expect(served.headers.get("content-type")).toBe(type);
  expect(Buffer.from(await served.arrayBuffer()).equals(bytes)).toBe(true);
});

/** The one-pixel picture with another size in its header, which no encoder writes. */
function pngOf(width: number, height: number): Buffer {
  const bytes = Buffer.from(png);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}

test.each([
  ["no picture", Buffer.from("<svg onload=alert(1)></svg>"), undefined, "invalid"],
  ["nothing", Buffer.alloc(0), undefined, "invalid"],
  ["a picture cut off in its header", png.subarray(0, 12), undefined, "invalid"],
  ["a JPEG that never tells its size", Buffer.from([255, 216, 255, 224, 0, 4, 0, 0]), undefined, "invalid"],
  ["too wide a picture", pngOf(4_097, 1), undefined, "max_value"],
  ["too high a picture", pngOf(16, 65_535), undefined, "max_value"],
  ["an empty picture", pngOf(0, 10), undefined, "invalid"],
  ["too large a file", Buffer.concat([png, Buffer.alloc(2 * 1024 * 1024)]), undefined, "max_length"],
  ["a file and an address", png, "https://a.example/x.png", "invalid"],
])("a file is refused: %s", async (_, bytes, text, code) => {
  const response = await sendFile(await runService(), bytes, text);
  expect(response.status).toBe(400);
  expect(errorBodySchema.parse(await response.json()).errors).toMatchObject([{ code, attr: "image" }]);
});

test("a data URL has the same pixel limits", async () => {
  const run = await runService();
  const response = await run.send("POST", path, { title: "t", image: dataUrl(pngOf(5_000, 5_000)) });
  expect(errorBodySchema.parse(await response.json()).errors).toMatchObject([
    { code: "max_value", attr: "image" },
  ]);
});

test("another organization sees nothing of it", async () => {
  const run = await runService();
  await run.store.organizations.insert({ id: "other", name: "Other", createdAtMs: Date.UTC(2027, 0, 1) });
  await run.store.catalogue.put({
    kind: "background_image",
    id: "theirs",
    name: "Theirs",
    organizationId: "other",
    createdAtMs: 0,
    body: { backgroundimage_id: "theirs", title: "Theirs", image: "https://a.example/", created_at: "" },
  });
  expect((await run.get(`${path}theirs/`)).status).toBe(404);
  expect(JSON.stringify(await (await run.get(path)).json())).not.toContain("theirs");
});

describe("an upload is refused", () => {
  const big = Buffer.concat([png, Buffer.alloc(2 * 1024 * 1024)]);
  test.each([
    [{ image: "https://a.example/x.png" }, "title", "required"],
    [{ title: "", image: "https://a.example/x.png" }, "title", "blank"],
    [{ title: "t".repeat(256), image: "https://a.example/x.png" }, "title", "max_length"],
    [{ title: "t" }, "image", "required"],
    [{ title: "t", image: "http://a.example/x.png" }, "image", "invalid"],
    [{ title: "t", image: "/etc/passwd" }, "image", "invalid"],
    [{ title: "t", image: "javascript:alert(1)" }, "image", "invalid"],
    [{ title: "t", image: "https://user:secret@a.example/" }, "image", "invalid"],
    [{ title: "t", image: `https://a.example/${"x".repeat(2_048)}` }, "image", "max_length"],
    [{ title: "t", image: "data:image/png;base64,AAAA" }, "image", "invalid"],
    [{ title: "t", image: "data:image/svg+xml;base64,PHN2Zz48L3N2Zz4=" }, "image", "invalid"],
    [{ title: "t", image: "data:text/html,hello" }, "image", "invalid"],
  ])("%j", async (fields, attr, code) => {
    const run = await runService();
    const response = await run.send("POST", path, fields);
    expect(response.status).toBe(400);
    expect(errorBodySchema.parse(await response.json()).errors).toContainEqual(
      expect.objectContaining({ attr, code }),
    );
  });

  test("with one error for each wrong field, all at once", async () => {
    const run = await runService();
    const attrs = async (fields: object) => {
      const { errors } = errorBodySchema.parse(await (await run.send("POST", path, fields)).json());
      return errors.map(({ attr }) => attr);
    };
    expect(await attrs({ title: "t".repeat(256), image: "javascript:alert(1)" })).toEqual(["title", "image"]);
    expect(await attrs({ title: 5, image: [] })).toEqual(["title", "image"]);
    expect(await attrs({})).toEqual(["title", "image"]);
  });

  test("for a picture above 2 MiB", async () => {
    const run = await runService();
    const response = await run.send("POST", path, { title: "t", image: dataUrl(big) });
    expect(errorBodySchema.parse(await response.json()).errors[0]).toMatchObject({
      attr: "image",
      code: "max_length",
    });
  });
});
