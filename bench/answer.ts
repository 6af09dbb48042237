import type { Page } from "@playwright/test";
import { clickLauncher, untilState } from "../e2e/support/widget.ts";
import { openBenchStage } from "./browser.ts";
import { timesRow, type Table } from "./table.ts";

const questions = [
  "How much is the Alder reading chair?",
  "Do you deliver to Austria?",
  "Can I send it back?",
  "When are you open on Saturday?",
  "What does the Hazel desk cost?",
  "Which wool is easiest to clean?",
];

/** Sends a question and measures the time in ms until the page receives the first audible sample of the answer. */
export async function timeToVoice(page: Page, question: string): Promise<number> {
  return page.evaluate(async (text) => {
    const element = document.querySelector("visavis-avatar")!;
    const video = element.shadowRoot?.querySelector("video");
    if (!video) throw new Error("There is no video element.");
    const context = new AudioContext({ latencyHint: "interactive" });
    const analyser = context.createAnalyser();
    analyser.fftSize = 256;
    context.createMediaStreamSource(video.srcObject as MediaStream).connect(analyser);
    await context.resume();
    const wave = new Float32Array(analyser.fftSize);
    const level = (): number => {
      analyser.getFloatTimeDomainData(wave);
      return Math.max(...wave.map(Math.abs));
    };
    const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
    for (let quiet = 0; quiet < 40; quiet = level() < 0.003 ? quiet + 1 : 0) await pause(10);
    const began = performance.now();
    void element.send(text);
    while (level() < 0.003) {
      if (performance.now() - began > 10_000) throw new Error("No answer was heard.");
      await pause(2);
    }
    const elapsed = performance.now() - began;
    await context.close();
    return elapsed;
  }, question);
}

/** Time from `send()` to the first audible sample of the answer, with the local engines. */
export async function benchAnswer(rounds = 12): Promise<Table[]> {
  const stage = await openBenchStage();
  try {
    const page = await stage.newPage();
    await page.goto(stage.site.origin);
    await clickLauncher(page);
    await untilState(page, "live");
    const times: number[] = [];
    for (let round = 0; round < rounds; round++)
      times.push(await timeToVoice(page, questions[round % questions.length]!));
    return [
      {
        title: 'send("…") to the first audible sample of the answer, ms (median at most 250)',
        rows: [
          timesRow("local engines", times),
          timesRow("asked for the first time", times.slice(0, questions.length)),
          timesRow("asked again, spoken from the cache", times.slice(questions.length)),
        ],
      },
    ];
  } finally {
    await stage.close();
  }
}
