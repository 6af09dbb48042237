import type { Locator, Page } from "@playwright/test";
import { ask, openAvatar } from "../../e2e/support/talk.ts";
import { receivedAudioEnergy } from "../../e2e/support/page-records.ts";
import { avatar, endSession, untilState, type AvatarElement } from "../../e2e/support/widget.ts";

const questions = [
  "How much is the Alder reading chair?",
  "Do you deliver to Austria?",
  "Can I send it back?",
  "When are you open on Saturday?",
  "What does the Hazel desk cost?",
  "Which wool is easiest to clean?",
];

/** Waits for a condition. False if it is not met in time. */
async function becomesTrue(condition: () => Promise<boolean>, limitMs: number): Promise<boolean> {
  const deadline = performance.now() + limitMs;
  while (!(await condition())) {
    if (performance.now() > deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return true;
}

/** A visitor of a page: opens the avatar, asks, listens and leaves. */
export class Visitor {
  readonly page: Page;
  asked = 0;
  answered = 0;
  closedTab = false;

  constructor(page: Page) {
    this.page = page;
  }

  /** Opens the page and the session. Returns its id. */
  arrive(origin: string): Promise<string> {
    return openAvatar(this.page, origin);
  }

  /** Asks and waits until the answer is complete and speech was received. `meanwhile` runs after the question was sent. */
  async ask(meanwhile?: () => Promise<void>): Promise<void> {
    const { page } = this;
    const question = questions[this.asked % questions.length]!;
    const energyBefore = await receivedAudioEnergy(page);
    const answersBefore = await this.#finishedAnswers();
    this.asked += 1;
    await ask(page, question);
    await meanwhile?.();
    const isWritten = await becomesTrue(async () => (await this.#finishedAnswers()) > answersBefore, 30_000);
    const isHeard = await becomesTrue(
      async () => (await receivedAudioEnergy(page)) - energyBefore > 0.005,
      30_000,
    );
    if (isWritten && isHeard) this.answered += 1;
  }

  /** Waits until the avatar has finished speaking. */
  async listen(): Promise<void> {
    await becomesTrue(
      async () => (await this.#avatar.evaluate((element: AvatarElement) => element.activity)) === "idle",
      40_000,
    );
  }

  async interrupt(): Promise<void> {
    await this.#avatar.evaluate((element: AvatarElement) => element.interrupt());
  }

  /** Ends the session with its button. */
  async end(): Promise<void> {
    await endSession(this.page);
    await untilState(this.page, "ended");
  }

  /** Leaves without a word. */
  async closeTab(): Promise<void> {
    this.closedTab = true;
    await this.page.close({ runBeforeUnload: false });
  }

  get #avatar(): Locator {
    return avatar(this.page);
  }

  #finishedAnswers(): Promise<number> {
    return this.#avatar.evaluate(
      (element: AvatarElement) =>
        element.transcript.filter(({ role, status }) => role === "avatar" && status !== "streaming").length,
    );
  }
}
