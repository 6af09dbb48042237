import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import * as z from "zod";
import type { MakerRequest } from "../../photo-making/maker-requests.ts";
import { photoLimits } from "../../protocol/characters/photo-character.ts";
import { consoleSite } from "../console-site.ts";
import { existsSync } from "node:fs";

/**
 * The page that a browser without a window opens: it gives the photograph to the maker's page, as the console does, and sends what was
 * made back. `secret` keeps other users of the machine from the photograph.
 */
const openerPage = (secret: string): string => `<!doctype html>
<meta charset="utf-8" />
<title>Photograph</title>
<iframe src="/console/photo-maker"></iframe>
<script type="module">
  const base64 = (blob) =>
    new Promise((resolve) => {
      const reader = new FileReader();
      reader.onload = () => resolve(reader.result.slice(reader.result.indexOf(",") + 1));
      reader.readAsDataURL(blob);
    });
  const send = (answer) => fetch("/${secret}/answer", { method: "POST", body: JSON.stringify(answer) });
  addEventListener("message", async ({ data, origin, source }) => {
    if (origin !== location.origin || data.source !== "visavis-photo-maker") return;
    if (data.type === "ready") {
      const photo = await (await fetch("/${secret}/photograph")).blob();
      const wishes = await (await fetch("/${secret}/wishes")).json();
      source.postMessage({ type: "make", photo, ...wishes }, origin);
    } else if (data.type === "made")
      await send({ ...data, poster: await base64(data.poster), porthole: await base64(data.porthole) });
    else if (data.type === "refused" || data.type === "failed") await send(data);
  });
</script>
`;

/** What the browser's page says about a photograph. */
const answerSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("made"), character: z.unknown(), poster: z.base64(), porthole: z.base64() }),
  z.object({ type: z.literal("refused"), advice: z.array(z.string().max(500)).max(50) }),
  z.object({ type: z.literal("failed"), detail: z.string().max(2_000) }),
]);

/** A character that was made, with its still pictures. It was not checked yet. */
interface MadePhoto {
  readonly character: unknown;
  readonly poster: Uint8Array;
  readonly porthole: Uint8Array;
}

/** A photograph that cannot be used; the message is advice, a line for each fault. */
class PhotographRefused extends Error {
  override readonly name = "PhotographRefused";
}

/** What somebody chooses about a character. */
type PhotoWishes = Pick<Extract<MakerRequest, { type: "make" }>, "keepsBackground" | "framing" | "glasses">;

/** What making a character needs. */
interface PhotoMaking {
  photograph: Uint8Array;
  wishes: PhotoWishes;
  /** The folder of the built console, which has the page that makes characters. */
  consoleFolder: string;
  /** Path of a browser (Chromium). */
  browser: string;
}

/** Without a graphics card the models take up to a minute. */
const withinMs = 300_000;
const signals = ["SIGINT", "SIGTERM"] as const;

/** A browser without a window and without a profile. It draws in software where it must. */
function browserArguments(profile: string, address: string): string[] {
  return [
    "--headless=new",
    "--no-first-run",
    "--disable-extensions",
    "--disable-background-networking",
    "--enable-unsafe-swiftshader",
    // The browser's sandbox does not work for root.
    ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
    `--user-data-dir=${profile}`,
    address,
  ];
}

/** The pages for the browser. `take` gets what it sends. */
function pages(secret: string, making: PhotoMaking, take: (text: string) => void): Hono {
  const app = new Hono();
  // The browser's folder may stay, when this process is killed: the photograph is not in it.
  app.use(`/${secret}/*`, async (context, next) => {
    await next();
    context.header("Cache-Control", "no-store");
  });
  app.get(`/${secret}`, (context) => context.html(openerPage(secret)));
  app.get(`/${secret}/photograph`, (context) => context.body(Uint8Array.from(making.photograph)));
  app.get(`/${secret}/wishes`, (context) => context.json(making.wishes));
  app.post(`/${secret}/answer`, async (context) => {
    const text = await context.req.text();
    if (text.length > 2 * photoLimits.mostBytes) return context.text("Too large.", 413);
    take(text);
    return context.text("");
  });
  app.route("/", consoleSite(making.consoleFolder));
  return app;
}

/** Opens the page and waits for what it sends. */
async function answerOf(making: PhotoMaking, profile: string): Promise<string> {
  const secret = randomBytes(24).toString("hex");
  let take: (text: string) => void = () => undefined;
  const answered = new Promise<string>((resolve) => (take = resolve));
  const server = serve({ fetch: pages(secret, making, take).fetch, port: 0, hostname: "127.0.0.1" });
  try {
    await new Promise((resolve) => server.once("listening", resolve));
    const address: AddressInfo | string | null = server.address();
    if (typeof address !== "object" || address === null) throw new Error("No port is free.");
    const browser = spawn(
      making.browser,
      browserArguments(profile, `http://127.0.0.1:${address.port}/${secret}`),
      { stdio: "ignore" },
    );
    const ended = new Promise<never>((_, reject) => {
      browser.once("error", (error) => reject(new Error(`The browser did not start: ${error.message}`)));
      browser.once("exit", () => reject(new Error("The browser ended before the character was made.")));
    });
    let timer: NodeJS.Timeout | undefined;
    let stop: () => void = () => undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error("The browser did not answer in time.")), withinMs);
      stop = () => reject(new Error("It was stopped before the character was made."));
    });
    // Otherwise the browser would go on, and its folder would stay.
    for (const signal of signals) process.once(signal, stop);
    try {
      return await Promise.race([answered, ended, late]);
    } finally {
      clearTimeout(timer);
      for (const signal of signals) process.off(signal, stop);
      ended.catch(() => undefined);
      const gone = new Promise((resolve) => browser.once("exit", resolve));
      if (browser.kill()) await gone;
    }
  } finally {
    server.close();
  }
}

/** Makes a character from a photograph in a browser on this machine. Throws a PhotographRefused with advice. */
export async function makePhotoCharacter(making: PhotoMaking): Promise<MadePhoto> {
  const profile = await mkdtemp(join(tmpdir(), "visavis-browser-"));
  try {
    const answer = answerSchema.parse(JSON.parse(await answerOf(making, profile)));
    if (answer.type === "refused") throw new PhotographRefused(answer.advice.join("\n"));
    if (answer.type === "failed") throw new Error(`The character could not be made: ${answer.detail}`);
    const { character, poster, porthole } = answer;
    return { character, poster: Buffer.from(poster, "base64"), porthole: Buffer.from(porthole, "base64") };
  } finally {
    await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

/** Programs that can make characters, by the names under which systems have them. */
const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge"];
const elsewhere = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/** The path of a browser on this machine: the one that is named, or one that is installed. Null: there is none. */
export function findBrowser(
  named: string | undefined,
  environment: Record<string, string | undefined>,
): string | null {
  const given = named ?? environment["CHROMIUM_PATH"];
  if (given) return existsSync(given) ? given : null;
  const folders = (environment["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  const candidates = [...names.flatMap((name) => folders.map((folder) => join(folder, name))), ...elsewhere];
  return candidates.find((path) => existsSync(path)) ?? null;
}
