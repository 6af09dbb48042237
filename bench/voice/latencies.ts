import { chromium, type Page } from "@playwright/test";
import config from "../../e2e/playwright.config.ts";
import { soundFile } from "../../e2e/support/fake-microphone.ts";
import { hostPage, startHostSite } from "../../e2e/support/host-page.ts";
import { putRecognizer } from "../../e2e/support/put-recognizer.ts";
import { changeContext } from "../../e2e/support/service-api.ts";
import { startServer, type Server } from "../../e2e/support/stack.ts";
import { clickLauncher, snippet, untilState } from "../../e2e/support/widget.ts";
import { timeToVoice } from "../answer.ts";
import { percentile, short, timesRow, type Row, type Table } from "../table.ts";
import { addEars, audible } from "./ears.ts";
import { handsFreeTurn, legRows } from "./hands-free-turn.ts";

const rounds = 7;
const question = "How long does delivery take";
/** What the microphone hears. It has no comma, at which a voice pauses as it does at a turn's end. */
const heardQuestion = "Can I pay by card?";
const speech =
  "We deliver to Austria, Germany, Italy, Slovenia and Switzerland. You choose the day of delivery, and we call you before we arrive. " +
  "Our drivers carry the furniture into the room of your choice and take the packaging away. If something is missing, we bring it within " +
  "two days. You can also collect your furniture from our shop, where we help you to load it into your car.";

/** They contain no commas, so that a voice pauses only between them. */
const sentences = [
  "We deliver to Austria and Germany.",
  "You choose the day of delivery.",
  "We call you before we arrive.",
  "Our drivers carry the furniture into the room of your choice.",
  "They take the packaging away.",
];
/** The silence that ends a turn by default, in ms. */
const pauseMs = 350;

/** A recognizer that takes no time, so that only the other steps are measured. */
async function addRecognizer(server: Server): Promise<void> {
  const command = ["sh", "-c", `echo "${question}"`, "{wav}"];
  await putRecognizer(server, "instant", { type: "command", command, locale: "en-US" });
}

/** From the end of a turn of push-to-talk, soon after the visitor's last word, to the first audible sample of the answer, in ms. */
function releaseToAnswer(page: Page): Promise<number> {
  return page.evaluate(async (limit) => {
    const element = document.querySelector("visavis-avatar")!;
    await ears.until(() => ears.heard() < limit, 400);
    await element.listen();
    const { sender } = window.visavisDebug.peerConnection
      .getTransceivers()
      .find(({ receiver }) => receiver.track.kind === "audio")!;
    const said = ears.levelOf(sender.track!);
    await ears.until(() => said() > 0.05);
    await ears.until(() => said() < 0.01, 200);
    const releasedMs = performance.now();
    element.stopListening();
    return (await ears.until(() => ears.heard() > limit)) - releasedMs;
  }, audible);
}

/** The silences between these sentences in the sound that the page receives, in ms. Each sentence is sent as a separate text. */
function silencesBetween(page: Page, sentences: readonly string[]): Promise<number[]> {
  return page.evaluate(
    async ({ limit, texts }) => {
      const element = document.querySelector("visavis-avatar")!;
      await ears.until(() => ears.heard() < limit, 400);
      for (const text of texts) element.say(text);
      const silences: number[] = [];
      await ears.until(() => ears.heard() > limit);
      for (;;) {
        const silentMs = await ears.until(() => ears.heard() < limit, 100);
        const loudMs = await ears
          .until(() => ears.heard() > limit || performance.now() - silentMs > 2_000)
          .then((ms) => (ears.heard() > limit ? ms : null));
        if (loudMs === null) return silences;
        silences.push(loudMs - silentMs);
      }
    },
    { limit: audible, texts: sentences },
  );
}

/** Lets the visitor speak over the avatar. Measures the time from the first loud sample at the microphone to a lower volume, and to silence, in ms. */
function bargeIn(page: Page, text: string): Promise<{ duckMs: number; silenceMs: number }> {
  return page.evaluate(
    async ({ limit, words }) => {
      const element = document.querySelector("visavis-avatar")!;
      const { peerConnection } = window.visavisDebug;
      const { sender } = peerConnection
        .getTransceivers()
        .find(({ receiver }) => receiver.track.kind === "audio")!;
      const said = ears.levelOf(sender.track!);
      // The visitor's last turn is over.
      await ears.until(() => said() < 0.01, 3_500);
      element.interrupt();
      element.say(words);
      await ears.until(() => ears.heard() > limit);
      const full = ears.volume();
      const onsetMs = await ears.until(() => said() > 0.05);
      const [duckedMs, silentMs] = await Promise.all([
        ears.until(() => ears.volume() < full),
        ears.until(() => ears.heard() < limit, 60),
      ]);
      return { duckMs: duckedMs - onsetMs, silenceMs: silentMs - onsetMs };
    },
    { limit: audible, words: text },
  );
}

/** From the button that interrupts the avatar to silence, in ms. */
function interruptToSilence(page: Page, text: string): Promise<number> {
  return page.evaluate(
    async ({ limit, words }) => {
      const element = document.querySelector("visavis-avatar")!;
      element.say(words);
      await ears.until(() => ears.heard() > limit, 500);
      const pressedMs = performance.now();
      element.interrupt();
      return (await ears.until(() => ears.heard() < limit, 60)) - pressedMs;
    },
    { limit: audible, words: text },
  );
}

async function times<Value>(measure: () => Promise<Value>): Promise<Value[]> {
  const values: Value[] = [];
  for (let round = 0; round < rounds; round++) values.push(await measure());
  return values;
}

const added = (name: string, ms: number, target: number): Row => ({
  name,
  columns: { median: short(ms), target: String(target) },
});

const withTarget = (row: Row, target: string): Row => ({ ...row, columns: { ...row.columns, target } });

/** A live conversation in a browser whose microphone hears a question every twelve seconds. */
async function converse(origin: string): Promise<{ page: Page; close(): Promise<void> }> {
  const file = await soundFile({ pauseMs: 6_000 }, heardQuestion, { pauseMs: 6_000 });
  const { launchOptions } = config.use ?? {};
  const args = [...(launchOptions?.args ?? []), `--use-file-for-fake-audio-capture=${file}`];
  const browser = await chromium.launch({ ...launchOptions, args });
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.addInitScript("globalThis.__name = (f) => f");
  await page.goto(`${origin}/?visavis-debug`);
  await clickLauncher(page);
  await untilState(page, "live");
  await page.evaluate(addEars);
  await page.evaluate(() => ears.resume());
  return { page, close: () => browser.close() };
}

async function inMode(server: Server, mode: string, origin: string): ReturnType<typeof converse> {
  await changeContext({ server, context: "ctx_demo" }, ({ embed_config }) => {
    embed_config["stt_type"] = "instant";
    embed_config["ui"] = { ...(embed_config["ui"] as object), voice_mode: mode };
  });
  return converse(origin);
}

async function pressed(server: Server, origin: string): Promise<Row[]> {
  const { page, close } = await inMode(server, "push-to-talk", origin);
  try {
    const typed = await times(() => timeToVoice(page, question));
    const spoken = await times(() => releaseToAnswer(page));
    const stopped = await times(() => interruptToSilence(page, speech));
    const silences = (await times(() => silencesBetween(page, sentences))).flat();
    return [
      timesRow("a typed question to the first audible answer", typed),
      timesRow("release of push-to-talk to the same", spoken),
      added("what speaking adds to typing, median", percentile(spoken, 50) - percentile(typed, 50), 120),
      withTarget(timesRow("Interrupt to silence", stopped), "100"),
      withTarget(timesRow("silence between two sentences, as received", silences), "300"),
    ];
  } finally {
    await close();
  }
}

async function handsFree(server: Server, origin: string): Promise<Row[]> {
  const { page, close } = await inMode(server, "hands-free", origin);
  try {
    await page.evaluate(() => document.querySelector("visavis-avatar")!.listen());
    const turns = await times(() => handsFreeTurn(page, question));
    const barged = await times(() => bargeIn(page, speech));
    const ducked = barged.map(({ duckMs }) => duckMs);
    const silent = barged.map(({ silenceMs }) => silenceMs);
    return [
      ...legRows(turns),
      added(
        `what speaking adds to typing and the pause of ${pauseMs} ms, median`,
        percentile(
          turns.map(({ answerMs, typedMs }) => answerMs - typedMs - pauseMs),
          50,
        ),
        120,
      ),
      withTarget(timesRow("onset of speech to the avatar ducked", ducked), "80"),
      withTarget(timesRow("onset of speech to silence", silent), "250"),
    ];
  } finally {
    await close();
  }
}

/** How fast the avatar answers a spoken question, and makes room for a visitor who speaks over it. */
export async function measureLatencies(): Promise<Table> {
  const server = await startServer();
  const site = await startHostSite(
    { "/": hostPage(snippet(server.origin, "ctx_demo")) },
    { relayOrigin: server.origin },
  );
  try {
    await addRecognizer(server);
    return {
      title: "The voice loop in Chromium, ms; the recognizer takes no time",
      rows: [...(await pressed(server, site.origin)), ...(await handsFree(server, site.origin))],
    };
  } finally {
    await site.close();
    await server.stop();
  }
}
