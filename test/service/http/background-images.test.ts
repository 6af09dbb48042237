import { createCanvas } from "@napi-rs/canvas";
import { expect } from "vitest";
import type { BackgroundImage } from "../../../src/protocol/catalogue.ts";
import { filled, jsonOf, refusalOf, statusOf } from "../answers.ts";
import { addOtherOrganization, apiKey, type RunningService, runService } from "../service-fixture.ts";
import { testWith } from "./shared-service.ts";

const test = testWith(runService);

const path = "/api/v1/background_image/";
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const big = Buffer.concat([png, Buffer.alloc(2 * 1024 * 1024)]);
const dataUrl = (bytes: Buffer) => `data:image/png;base64,${bytes.toString("base64")}`;

/** The one-pixel picture with another size in its header, which no encoder writes. */
function pngOf(width: number, height: number): Buffer {
  const bytes = Buffer.from(png);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}

const send = (run: RunningService, fields: object) => run.send("POST", path, fields);

function sendForm(run: RunningService, image: Uint8Array | string, text?: string): Promise<Response> {
  // Its name and type do not matter: the content decides.
  const file =
    typeof image === "string"
      ? image
      : new File([new Uint8Array(image)], "picture.html", { type: "text/html" });
  const body = filled(new FormData(), { title: "Dot", image: file });
  if (text !== undefined) body.append("image", text);
  return run.request(path, { method: "POST", body, headers: { "XP-API-KEY": apiKey } });
}

/** How a picture that was stored is served. */
async function served(run: RunningService, created: Promise<Response>): Promise<[Response, Buffer]> {
  const url = new URL((await jsonOf<BackgroundImage>(created)).image);
  expect(url.origin).toBe("https://relay.example");
  const response = await run.request(url.pathname, { headers: { Accept: "image/*" } });
  return [response, Buffer.from(await response.arrayBuffer())];
}

test("an https address is stored unchanged, listed and retrieved, and a session can name it", async ({
  run,
}) => {
  const image = "https://pictures.example/room.webp?size=2";
  const created = await jsonOf<BackgroundImage>(send(run, { title: "Our room", image }));
  expect(created).toMatchObject({ title: "Our room", image, created_at: "2026-01-01T00:00:00.000Z" });
  expect(await jsonOf(run.get(`${path}${created.backgroundimage_id}/`))).toEqual(created);
  expect(await jsonOf(run.get(path))).toContainEqual(created);
  const session = await run.newSession({ background_image: created.backgroundimage_id });
  expect(await run.status(session)).toMatchObject({ background_image: created });
});

test.for([
  ["", dataUrl(png)],
  [" with its lines wrapped", dataUrl(png).replace(/(.{40})/g, "$1\r\n")],
  [" with a parameter", dataUrl(png).replace(";base64", ";charset=utf-8;base64")],
] as const)("a data URL%s is stored as a file that every page can show", async ([, image], { run }) => {
  for (const sent of [send(run, { title: "Dot", image }), sendForm(run, image)]) {
    const [{ headers }, bytes] = await served(run, sent);
    expect(headers.get("content-type")).toBe("image/png");
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(headers.get("cache-control")).toContain("immutable");
    expect(bytes.equals(png)).toBe(true);
  }
  expect(await statusOf(run.request(`${path}${"0".repeat(8)}-0000-4000-8000-000000000000/file/`))).toBe(404);
});

const canvas = createCanvas(40, 30);
canvas.getContext("2d").fillRect(0, 0, 40, 30);

test.for([
  ["image/png", canvas.toBuffer("image/png")],
  ["image/jpeg", canvas.toBuffer("image/jpeg")],
  ["image/webp", canvas.toBuffer("image/webp")],
] as const)("a file of %s is taken for what its content is", async ([type, content], { run }) => {
  const [{ headers }, bytes] = await served(run, sendForm(run, content));
  expect(headers.get("content-type")).toBe(type);
  expect(bytes.equals(content)).toBe(true);
});

test.for<[what: string, bytes: Buffer, code: string, text?: string]>([
  ["no picture", Buffer.from("<svg onload=alert(1)></svg>"), "invalid"],
  ["nothing", Buffer.alloc(0), "invalid"],
  ["a picture cut off in its header", png.subarray(0, 12), "invalid"],
  ["a JPEG that never tells its size", Buffer.from([255, 216, 255, 224, 0, 4, 0, 0]), "invalid"],
  ["too wide a picture", pngOf(4_097, 1), "max_value"],
  ["too high a picture", pngOf(16, 65_535), "max_value"],
  ["an empty picture", pngOf(0, 10), "invalid"],
  ["too large a file", big, "max_length"],
  ["a file and an address", png, "invalid", "https://a.example/x.png"],
])("a file is refused: %s", async ([, bytes, code, text], { run }) => {
  expect(await refusalOf(sendForm(run, bytes, text))).toEqual([400, `image ${code}`]);
});

const address = "https://a.example/x.png";

test.for<[fields: object, ...faults: string[]]>([
  [{}, "title required", "image required"],
  [{ title: 5, image: [] }, "title invalid", "image invalid"],
  [{ image: address }, "title required"],
  [{ title: "", image: address }, "title blank"],
  [{ title: "t".repeat(256), image: address }, "title max_length"],
  [{ title: "t".repeat(256), image: "javascript:alert(1)" }, "title max_length", "image invalid"],
  [{ title: "t" }, "image required"],
  [{ title: "t", image: "http://a.example/x.png" }, "image invalid"],
  [{ title: "t", image: "/etc/passwd" }, "image invalid"],
  [{ title: "t", image: "javascript:alert(1)" }, "image invalid"],
  [{ title: "t", image: "https://user:secret@a.example/" }, "image invalid"],
  [{ title: "t", image: `https://a.example/${"x".repeat(2_048)}` }, "image max_length"],
  [{ title: "t", image: "data:image/png;base64,AAAA" }, "image invalid"],
  [{ title: "t", image: "data:image/svg+xml;base64,PHN2Zz48L3N2Zz4=" }, "image invalid"],
  [{ title: "t", image: "data:text/html,hello" }, "image invalid"],
  [{ title: "t", image: dataUrl(pngOf(5_000, 5_000)) }, "image max_value"],
  [{ title: "t", image: dataUrl(big) }, "image max_length"],
])("%.200j is refused: %s %s", async ([fields, ...faults], { run }) => {
  expect(await refusalOf(send(run, fields))).toEqual([400, ...faults]);
});

test("another organization sees nothing of it", async ({ own: run }) => {
  await addOtherOrganization(run, "vv_other_organization_key");
  const { backgroundimage_id: id } = await jsonOf<BackgroundImage>(
    send(run, { title: "Ours", image: address }),
  );
  const headers = { "XP-API-KEY": "vv_other_organization_key" };
  expect(await statusOf(run.request(`${path}${id}/`, { headers }))).toBe(404);
  expect(JSON.stringify(await jsonOf(run.request(path, { headers })))).not.toContain(id);
});
