import type { Page } from "@playwright/test";
import {
  clickLauncher,
  receivedAudioEnergy,
  sessionId,
  untilFirstFrame,
  untilState,
} from "../../e2e/support/widget.ts";

interface AvatarElement extends HTMLElement {
  send(text: string): Promise<void>;
  interrupt(): void;
  end(): Promise<void>;
  readonly activity: string;
  readonly transcript: readonly { role: string; status: string }[];
}

const questions = [
  "How much is the Alder reading chair?",
  "Do you deliver to Austria?",
  "Can I send it back?",
  "When are you open on Saturday?",
  "What does the Hazel desk cost?",
  "Which wool is easiest to clean?",
];

/** Waits for a condition; false when it does not come within the time. */
async function comes(condition: () => Promise<boolean>, limitMs: number): Promise<boolean> {
  const deadline = performance.now() + limitMs;
  while (!(await condition())) {
    if (performance.now() > deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return true;
}

/** Somebody in front of a page: opens the avatar, asks, listens, and leaves. */
export class Visitor {
  readonly page: Page;
  asked = 0;
  answered = 0;

  constructor(page: Page) {
    this.page = page;
  }

  /** Opens the page and the session; answers its id. */
  async arrive(origin: string): Promise<string> {
    await this.page.goto(origin);
    await this.page.locator("visavis-avatar [part~=launcher-button]").waitFor();
    await clickLauncher(this.page);
    await untilState(this.page, "live");
    await untilFirstFrame(this.page);
    return sessionId(this.page);
  }

  /** Asks and waits until the answer is complete and speech was received. `meanwhile` runs when the question is out. */
  async ask(meanwhile?: () => Promise<void>): Promise<void> {
    const { page } = this;
    const question = questions[this.asked % questions.length]!;
    const energyBefore = await receivedAudioEnergy(page);
    const answersBefore = await this.#finishedAnswers();
    this.asked += 1;
    await this.#run((element, text) => void element.send(text as string), question);
    await meanwhile?.();
    const isWritten = await comes(async () => (await this.#finishedAnswers()) > answersBefore, 30_000);
    const isHeard = await comes(async () => (await receivedAudioEnergy(page)) - energyBefore > 0.005, 30_000);
    if (isWritten && isHeard) this.answered += 1;
  }

  /** Lets the avatar finish. */
  async listen(): Promise<void> {
    await comes(async () => (await this.#run((element) => element.activity)) === "idle", 40_000);
  }

  async interrupt(): Promise<void> {
    await this.#run((element) => element.interrupt());
  }

  /** Ends the session by its own button's method. */
  async end(): Promise<void> {
    await this.#run((element) => element.end());
    await untilState(this.page, "ended");
  }

  #finishedAnswers(): Promise<number> {
    return this.#run(
      (element) =>
        element.transcript.filter(({ role, status }) => role === "avatar" && status !== "streaming").length,
    );
  }

  #run<T>(action: (element: AvatarElement, word?: unknown) => T | Promise<T>, word?: unknown): Promise<T> {
    return this.page
      .locator("visavis-avatar")
      .evaluate(action as unknown as (element: Element, word: unknown) => T | Promise<T>, word);
  }
}
