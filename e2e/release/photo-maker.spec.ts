import { createCanvas, loadImage, type Canvas } from "@napi-rs/canvas";
import { expect, test, type Page } from "../support/test.ts";
import { mostClosedGapMm } from "../../src/photo-making/photo-faults.ts";
import { photoLimits } from "../../src/protocol/characters/photo-character.ts";
import { debianPicture } from "../support/debian-picture.ts";
import { useServer } from "../support/served-site.ts";
import { changed, portrait } from "../support/portrait.ts";

// Without a graphics card the models take their time.
test.describe.configure({ mode: "serial", timeout: 900_000 });

const served = useServer();
let page: Page;
const requests: string[] = [];

test.beforeAll(async ({ browser }) => {
  page = await browser.newPage();
  page.on("request", (request) => requests.push(`${request.method()} ${request.url()}`));
  // The maker answers whoever holds its frame; here it is that page itself.
  await page.goto(`${served.server.origin}/console/photo-maker`);
});
test.afterAll(async () => {
  await page.close();
});

interface Verdict {
  type: string;
  faults?: string[] | undefined;
  advice?: string[] | undefined;
  detail?: string | undefined;
}

interface Answer extends Verdict {
  size?: number | undefined;
  hasGlasses?: boolean | undefined;
  hasBackground?: boolean | undefined;
  /** Between the lips in the photograph, in millimetres. */
  gap?: number | undefined;
  poster?: number | undefined;
  porthole?: number | undefined;
}

/** What the maker says about a photograph. */
function make(
  photo: Uint8Array,
  wishes: { glasses?: boolean; keepsBackground?: boolean } = {},
): Promise<Answer> {
  const base64 = Buffer.from(photo).toString("base64");
  return page.evaluate(
    async (given) => {
      const bytes = Uint8Array.from(atob(given.base64), (letter) => letter.charCodeAt(0));
      interface Made {
        character?: { pictures: object };
        hasGlasses?: boolean;
        measures?: { mouthGapMm: number };
        poster?: Blob;
        porthole?: Blob;
      }
      const answered = new Promise<Verdict & Made>((resolve) => {
        const take = ({ data }: MessageEvent): void => {
          if (!["made", "refused", "failed"].includes(data.type) || data.source !== "visavis-photo-maker")
            return;
          removeEventListener("message", take);
          resolve(data);
        };
        addEventListener("message", take);
      });
      const { wishes: asked } = given;
      postMessage(
        { type: "make", photo: new Blob([bytes]), keepsBackground: false, ...asked },
        location.origin,
      );
      const { type, faults, advice, detail, character, poster, porthole, hasGlasses, measures } =
        await answered;
      return {
        ...{ type, faults, advice, detail, size: character ? JSON.stringify(character).length : undefined },
        ...{ hasGlasses, gap: measures?.mouthGapMm },
        hasBackground: character && "background" in character.pictures,
        poster: poster?.size,
        porthole: porthole?.size,
      };
    },
    { base64, wishes },
  );
}

const png = (canvas: Canvas): Uint8Array => canvas.toBuffer("image/png");

test("drawn portraits become characters, and nothing is sent anywhere", async () => {
  for (const name of ["mina", "tomas", "amara", "ingrid"] as const) {
    const answer = await make(png(portrait(name)));
    expect(answer, name).toMatchObject({ type: "made" });
    expect(answer.size).toBeLessThan(200_000);
    expect(answer.porthole).toBeLessThan(6_000);
  }
  const own = requests.filter(
    (request) => !request.startsWith(`GET ${served.server.origin}/console/`) && !request.includes(" blob:"),
  );
  expect(own).toEqual([]);
});

/** A portrait with something before the face. */
const behind = (what: "mask" | "hand"): Canvas =>
  changed(portrait("mina"), (context, side) => {
    context.drawImage(portrait("mina"), 0, 0);
    context.fillStyle = what === "mask" ? "#3b6ea5" : "#8d6248";
    if (what === "mask") context.fillRect(0.3 * side, 0.5 * side, 0.4 * side, 0.25 * side);
    else context.fillRect(0.48 * side, 0.22 * side, 0.3 * side, 0.5 * side);
  });

/** A PNG with one more chunk behind its header. */
function withChunk(bytes: Uint8Array, name: string): Uint8Array {
  const chunk = Buffer.concat([Buffer.from([0, 0, 0, 8]), Buffer.from(name), Buffer.alloc(12)]);
  return Buffer.concat([bytes.subarray(0, 33), chunk, bytes.subarray(33)]);
}

/** A PNG whose header says that it has this side; nothing of its pixels is there. */
function saysToBe(side: number): Uint8Array {
  const bytes = Buffer.from(png(createCanvas(1, 1)).subarray(0, 33));
  bytes.writeUInt32BE(side, 16);
  bytes.writeUInt32BE(side, 20);
  return bytes;
}

const cases: [string, string, () => Uint8Array][] = [
  [
    "a dark one",
    "dark",
    () =>
      png(
        changed(portrait("mina"), (context, side) => {
          context.drawImage(portrait("mina"), 0, 0);
          context.fillStyle = "rgba(0,0,0,0.8)";
          context.fillRect(0, 0, side, side);
        }),
      ),
  ],
  [
    "a blurred one",
    "blurred",
    () =>
      png(
        changed(portrait("mina"), (context) => {
          context.filter = "blur(14px)";
          context.drawImage(portrait("mina"), 0, 0);
        }),
      ),
  ],
  [
    "a tilted one",
    "tilted",
    () =>
      png(
        changed(portrait("mina"), (context, side) => {
          context.translate(side / 2, side / 2);
          context.rotate(0.3);
          context.drawImage(portrait("mina"), -side / 2, -side / 2);
        }),
      ),
  ],
  [
    "a bright one",
    "bright",
    () =>
      png(
        changed(portrait("mina"), (context, side) => {
          context.drawImage(portrait("mina"), 0, 0);
          context.fillStyle = "rgba(255,255,255,0.93)";
          context.fillRect(0, 0, side, side);
        }),
      ),
  ],
  ["closed eyes", "eyes_closed", () => png(portrait("mina", { params: { blink: 1 } }))],
  ["a face behind a mask", "covered", () => png(behind("mask"))],
  ["half a face behind a hand", "covered", () => png(behind("hand"))],
  [
    "a head that is cut off",
    "cut_off",
    () =>
      png(changed(portrait("mina"), (context, side) => context.drawImage(portrait("mina"), 0, -0.24 * side))),
  ],
  [
    "a head at the picture's side",
    "cut_off",
    () =>
      png(changed(portrait("mina"), (context, side) => context.drawImage(portrait("mina"), -0.34 * side, 0))),
  ],
  ["an open mouth", "mouth_open", () => png(portrait("mina", { params: { visemeWeights: { aa: 1 } } }))],
  ["a tiny one", "too_small", () => png(portrait("mina", { side: 180 }))],
  [
    "two people",
    "several_faces",
    () =>
      png(
        changed(
          portrait("mina"),
          (context, side) => {
            context.drawImage(portrait("mina"), 0, side / 4, side / 2, side / 2);
            context.drawImage(portrait("tomas"), side / 2, side / 4, side / 2, side / 2);
          },
          1_400,
        ),
      ),
  ],
  [
    "nobody",
    "no_face",
    () =>
      png(
        changed(portrait("mina"), (context, side) => {
          context.fillStyle = "#7a9";
          context.fillRect(0, 0, side, side);
        }),
      ),
  ],
  ["too many pixels", "too_many_pixels", () => png(createCanvas(6_400, 16))],
  ["more pixels than there is memory for", "too_many_pixels", () => saysToBe(60_000)],
  ["a text", "not_a_picture", () => Buffer.from("not a picture at all")],
  ["a picture that breaks off", "not_a_picture", () => png(portrait("mina")).subarray(0, 900)],
  ["an animation", "animated", () => Buffer.from("GIF89a, and more")],
  ["a PNG that moves", "animated", () => withChunk(png(portrait("mina", { side: 64 })), "acTL")],
];
for (const [name, fault, photo] of cases)
  test(`a photograph is refused with advice: ${name}`, async () => {
    const answer = await make(photo());
    expect(answer).toMatchObject({ type: "refused" });
    expect(answer.faults).toContain(fault);
    expect(answer.advice?.every((line) => line.endsWith("."))).toBe(true);
  });

test("a picture that its camera held sideways is turned", async () => {
  const upright = portrait("mina");
  const { width: side } = upright;
  const lying = changed(upright, (context) => {
    context.translate(0, side);
    context.rotate(-Math.PI / 2);
    context.drawImage(upright, 0, 0);
  });
  const jpeg = lying.toBuffer("image/jpeg");
  // An Exif block that says: turn it by 90° to the right.
  const exif = Buffer.from("ffe1002245786966000049492a00080000000100120103000100000006000000000000", "hex");
  const turned = Buffer.concat([jpeg.subarray(0, 2), exif, Buffer.from("00", "hex"), jpeg.subarray(2)]);
  expect(await make(turned)).toMatchObject({ type: "made" });
});

/** Portraits of some people in a large picture, each `side` pixels large at its place. */
function farAway(
  people: readonly [name: "mina" | "tomas", x: number, y: number][],
  side: number,
  height = 4_000,
): Canvas {
  const canvas = createCanvas(0.75 * height, height);
  const context = canvas.getContext("2d");
  context.fillStyle = "#c9d2da";
  context.fillRect(0, 0, canvas.width, canvas.height);
  for (const [name, x, y] of people) context.drawImage(portrait(name, { side }), x, y);
  return canvas;
}

test("a face that is small in its photograph is worked on with the photograph's own pixels", async () => {
  // Its face has a twelfth of the photograph's height.
  expect(await make(png(farAway([["mina", 1_400, 700]], 900)))).toMatchObject({ type: "made" });
});

test("a small face with too few pixels is found, and the advice is to come closer", async () => {
  const answer = await make(png(farAway([["mina", 500, 300]], 300, 1_600)));
  expect(answer).toMatchObject({ type: "refused" });
  expect(answer.faults).toContain("too_small");
});

test("of two people who are far away nobody is chosen", async () => {
  const both = farAway(
    [
      ["mina", 200, 700],
      ["tomas", 1_700, 900],
    ],
    900,
  );
  expect(await make(png(both))).toMatchObject({ type: "refused", faults: ["several_faces"] });
});

test("a real photograph: too small as it is, and with enough pixels its smile is closed", async () => {
  // An astronaut with a smile (NASA, in the public domain).
  const photo = debianPicture("python3-skimage", "astronaut.png");
  test.skip(photo === null, "python3-skimage cannot be downloaded here");
  if (photo === null) return;
  expect(await make(photo)).toMatchObject({ type: "refused", faults: ["too_small"] });
  const image = await loadImage(photo);
  const enlarged = createCanvas(2 * image.width, 2 * image.height);
  enlarged.getContext("2d").drawImage(image, 0, 0, enlarged.width, enlarged.height);
  const answer = await make(png(enlarged));
  expect(answer).toMatchObject({ type: "made", hasGlasses: false });
  expect(answer.gap).toBeGreaterThan(mostClosedGapMm);
});

test("a real photograph with glasses: they are found, and what is behind the person is kept where it is asked for", async () => {
  // Grace Hopper (United States Navy, in the public domain).
  const photo = debianPicture("python-matplotlib-data", "grace_hopper.jpg");
  test.skip(photo === null, "python-matplotlib-data cannot be downloaded here");
  if (photo === null) return;
  expect(await make(photo)).toMatchObject({ type: "made", hasGlasses: true, hasBackground: false });
  expect(await make(photo, { keepsBackground: true })).toMatchObject({ type: "made", hasBackground: true });
});

test("a smile that shows teeth becomes a face with closed lips", async () => {
  const smile = { smile: 1, visemeWeights: { E: 0.7 } };
  const answer = await make(png(portrait("mina", { params: smile })));
  expect(answer).toMatchObject({ type: "made" });
  expect(answer.gap).toBeGreaterThan(mostClosedGapMm);
});

test("a browser that writes no WebP makes a character that is small enough to be stored", async ({
  browser,
}) => {
  const former = page;
  page = await browser.newPage();
  try {
    await page.addInitScript(() => {
      const write = (canvas: OffscreenCanvas) => Reflect.apply(own, canvas, [{ type: "image/png" }]);
      const own = OffscreenCanvas.prototype.convertToBlob;
      OffscreenCanvas.prototype.convertToBlob = function () {
        return write(this);
      };
    });
    await page.goto(`${served.server.origin}/console/photo-maker`);
    const answer = await make(png(portrait("tomas")), { keepsBackground: true });
    expect(answer).toMatchObject({ type: "made", hasBackground: true });
    expect(answer.size).toBeLessThan(photoLimits.mostBytes);
  } finally {
    await page.close();
    page = former;
  }
});

test("glasses are found, and become a layer of their own", async () => {
  const inGlasses = portrait("tomas", { params: { options: { glasses: true } } });
  expect(await make(png(inGlasses))).toMatchObject({ type: "made", hasGlasses: true });
  expect(await make(png(inGlasses), { glasses: false })).toMatchObject({ type: "made", hasGlasses: false });
  expect(await make(png(portrait("tomas")))).toMatchObject({ type: "made", hasGlasses: false });
});
