import type { Page } from "@playwright/test";
import type { Drawer } from "../../src/protocol/settings/drawing-settings.ts";
import type { TtsResponse } from "../../src/protocol/speech/speech.ts";
import { openDistantStage } from "../../e2e/support/lossy-link/distant-stage.ts";
import { linkProblem } from "../../e2e/support/lossy-link/lossy-link.ts";
import { canaryKey, type Server } from "../../e2e/support/stack.ts";
import { openAvatar, untilSpoken } from "../../e2e/support/talk.ts";
import { avatar } from "../../e2e/support/widget.ts";
import { openBenchStage } from "../browser.ts";
import { percentile, short, type Row, type Table } from "../table.ts";
import { measureCosts, type Costs } from "./costs.ts";
import { expectedLoudness, expectedMouth } from "./expected.ts";
import { record } from "./record.ts";
import { delayOf, slice } from "./series.ts";

const texts = [
  "The Alder reading chair costs four hundred and eighty euros.",
  "Our drivers carry the furniture into the room of your choice.",
  "You can pay by card, by bank transfer, or in three instalments.",
  "Maybe papa bought a big lamp, a table and a small blue mat.",
  "All our wood comes from certified forests in Austria and Slovenia.",
  "You can try every chair in the showroom, and the coffee is on us.",
  "The Rowan table is a hundred and twenty centimetres long.",
  "We call you half an hour before we arrive at your home.",
];

/** The longest time from the call until the voice is heard. */
const latestMs = 2_000;
const windowMs = 1_200;
const windowEveryMs = 400;
/** Lips are looked for so far from the voice. */
const nearMs = 150;

/** How much later than the voice the lips were seen, in ms. */
interface Offsets {
  whole: number[];
  windows: number[];
}

async function synthesized(server: Server, session: string, text: string): Promise<TtsResponse> {
  const answer = await fetch(`${server.origin}/api/v1/session/${session}/tts/`, {
    method: "POST",
    headers: { "content-type": "application/json", "ServicePlatform-APIKey": canaryKey },
    body: JSON.stringify({ text }),
  });
  return (await answer.json()) as TtsResponse;
}

async function addOffsets(offsets: Offsets, page: Page, text: string, speech: TtsResponse): Promise<void> {
  const loudness = expectedLoudness(speech.audio);
  const lengthMs = loudness.timesMs.at(-1) ?? 0;
  const expected = expectedMouth(speech, lengthMs);
  const { sound, mouth } = await record(page, text, lengthMs + latestMs);
  const heard = delayOf(sound, loudness, 0, latestMs);
  const shown = delayOf(mouth, expected, 0, latestMs);
  if (Number.isFinite(heard) && Number.isFinite(shown)) offsets.whole.push(shown - heard);
  for (let from = heard; from + windowMs <= heard + lengthMs; from += windowEveryMs) {
    const window = delayOf(slice(mouth, from, from + windowMs), expected, heard - nearMs, heard + nearMs);
    if (Number.isFinite(window)) offsets.windows.push(window - heard);
  }
}

/** Talks with the avatar at an address; `drawer`: who must draw it. */
async function measure(
  page: Page,
  server: Server,
  address: string,
  drawer: Drawer,
): Promise<[Offsets, Costs]> {
  await page.emulateMedia({ reducedMotion: "reduce" });
  const session = await openAvatar(page, address);
  if (drawer === "local")
    await avatar(page).and(page.locator("[data-drawn=local]")).waitFor({ state: "attached" });
  await untilSpoken(page);
  const offsets: Offsets = { whole: [], windows: [] };
  for (const text of texts) await addOffsets(offsets, page, text, await synthesized(server, session, text));
  const costs = await measureCosts(page, texts.join(" "), 8_000);
  return [offsets, costs];
}

function offsetRow(name: string, values: readonly number[]): Row {
  return {
    name,
    columns: {
      n: values.length,
      median: short(percentile(values, 50)),
      "2.5 %": short(percentile(values, 2.5)),
      "97.5 %": short(percentile(values, 97.5)),
    },
  };
}

function costRow(name: string, { kbitPerSec, frameMs }: Costs): Row {
  return {
    name,
    columns: {
      "kbit/s received": short(kbitPerSec),
      "frames/s": short(frameMs.length / 8),
      "main thread a frame, ms: median": short(percentile(frameMs, 50)),
      p95: short(percentile(frameMs, 95)),
    },
  };
}

/** Lips against voice as a visitor sees and hears them, positive if the lips are late, and what a speaking avatar costs. */
export async function benchLips(): Promise<Table[]> {
  const offsetRows: Row[] = [];
  const costRows: Row[] = [];
  const add = (name: string, [offsets, costs]: [Offsets, Costs]): void => {
    offsetRows.push(offsetRow(`${name}, whole utterances`, offsets.whole));
    offsetRows.push(offsetRow(`${name}, windows of 1.2 s`, offsets.windows));
    costRows.push(costRow(name, costs));
  };
  for (const drawer of ["remote", "local"] as const) {
    const stage = await openBenchStage(drawer);
    try {
      const name = drawer === "remote" ? "video" : "drawn here";
      add(name, await measure(await stage.newPage(), stage.server, stage.site.origin, drawer));
    } finally {
      await stage.close();
    }
  }
  const problem = linkProblem("plain");
  if (problem === null) {
    const far = { delayMs: 100, lossPercent: 5, routing: "plain" } as const;
    const env = (link: { hostAddress: string }) =>
      Promise.resolve({ VISAVIS_MEDIA_ADDRESS: link.hostAddress });
    const stage = await openDistantStage(far, env, "local");
    try {
      const page = await stage.browser.newPage({ viewport: { width: 1280, height: 800 } });
      await page.addInitScript("globalThis.__name = (f) => f");
      add("drawn here, 200 ms RTT, 5 % loss", await measure(page, stage.server, stage.site.origin, "local"));
    } finally {
      await stage.close();
    }
  } else console.error(`Without a distant avatar: ${problem}`);
  return [
    {
      title: "Lips against voice, ms (|median| at most 15, 95 % within ±40; positive: lips late)",
      rows: offsetRows,
    },
    { title: "A speaking avatar", rows: costRows },
  ];
}
