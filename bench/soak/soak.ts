import type { Page } from "@playwright/test";
import { MemoryRecord, residentMegabytes } from "./memory-record.ts";
import { HeapProbe, pictureAheadMs } from "./page-probe.ts";
import { ReportLedger, type SessionOutcome } from "./report-ledger.ts";
import type { SoakStage } from "./soak-stage.ts";
import { Visitor } from "./visitor.ts";

/** Options of a soak test. */
export interface SoakOptions {
  minutes: number;
  /** Kill the media process at times. */
  killMedia: boolean;
}

/** The results of a soak test. */
export interface SoakRecord {
  minutes: number;
  outcomes: SessionOutcome[];
  memory: MemoryRecord;
  /** Absolute offset of picture and sound in ms: normally, and until 20 s after a loss of the link or the media process. */
  skewsMs: { undisturbed: number[]; disturbed: number[] };
  /**
   * Number of samples that are larger than any buffer. They occur when the sound of an overloaded sender stops and starts,
   * because browsers then estimate its clock wrongly.
   */
  unbelievableSkews: number;
  cuts: number;
  kills: number;
  /** Errors of pages and of the visitors' steps. */
  troubles: string[];
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const cutMs = 7_000;
const restMs = 8_000;
const believableMs = 10_000;
const disturbedMs = 20_000;

/** One soak test: a visitor who stays for the whole time, and others who come and go. */
export class Soak {
  readonly #stage: SoakStage;
  readonly #options: SoakOptions;
  readonly #ledger = new ReportLedger();
  readonly #endsAtMs: number;
  #disturbedUntilMs = 0;
  readonly record: SoakRecord;

  constructor(stage: SoakStage, options: SoakOptions) {
    this.#stage = stage;
    this.#options = options;
    this.#endsAtMs = performance.now() + options.minutes * 60_000;
    this.record = {
      minutes: options.minutes,
      outcomes: [],
      memory: new MemoryRecord(),
      skewsMs: { undisturbed: [], disturbed: [] },
      unbelievableSkews: 0,
      cuts: 0,
      kills: 0,
      troubles: [],
    };
  }

  async run(): Promise<SoakRecord> {
    const sampling = setInterval(() => this.#sampleProcesses(), 5_000);
    try {
      await Promise.all([this.#stay(), this.#comeAndGo()]);
    } finally {
      clearInterval(sampling);
    }
    return this.record;
  }

  #isRunning(): boolean {
    return performance.now() < this.#endsAtMs;
  }

  #sampleProcesses(): void {
    const { memory } = this.record;
    const { server } = this.#stage;
    memory.add("server", residentMegabytes(server.pid));
    for (const pid of server.mediaPids()) memory.add(`media process ${pid}`, residentMegabytes(pid));
  }

  async #newPage(): Promise<Page> {
    const page = await this.#stage.newPage();
    page.on("pageerror", (error) => this.record.troubles.push(`a page threw: ${error.message}`));
    this.#ledger.watch(page);
    return page;
  }

  /** The visitor who stays and asks questions at intervals. Measures heap and lip offset meanwhile. */
  async #stay(): Promise<void> {
    const page = await this.#newPage();
    const visitor = new Visitor(page);
    await this.#guarded("the visitor who stays", async () => {
      const id = await visitor.arrive(this.#stage.siteOrigin);
      const heap = await HeapProbe.of(page);
      await pause(6_000);
      while (this.#isRunning()) {
        await visitor.ask();
        await visitor.listen();
        for (let second = 0; second < 10 && this.#isRunning(); second++) {
          await this.#sampleSkew(page);
          await pause(1_000);
        }
        this.record.memory.add("heap of the page that stays", await heap.megabytes());
      }
      await visitor.end();
      await this.#settle(id, visitor);
    });
    await page.close();
  }

  /** The other visitors, one after the other, with different disturbances and different ways to leave. */
  async #comeAndGo(): Promise<void> {
    for (let number = 0; this.#isRunning(); number++) {
      const page = await this.#newPage();
      const visitor = new Visitor(page);
      await this.#guarded(`visitor ${number}`, () => this.#visit(visitor, number));
      await page.close();
      await pause(this.#isRunning() ? restMs : 0);
    }
  }

  async #visit(visitor: Visitor, number: number): Promise<void> {
    const id = await visitor.arrive(this.#stage.siteOrigin);
    await visitor.ask(() => this.#trouble(number));
    if (number % 2 === 0) await visitor.interrupt();
    else await visitor.listen();
    await pause(1_000);
    await visitor.ask();
    if (number % 3 === 0) await visitor.closeTab();
    else await visitor.end();
    await this.#settle(id, visitor);
  }

  /** Cuts the link of every fourth visitor during the answer. With `killMedia`, kills the media process of every tenth. */
  async #trouble(number: number): Promise<void> {
    const { link, server } = this.#stage;
    if (this.#options.killMedia && number % 10 === 9) {
      await pause(1_500);
      this.#disturbedUntilMs = performance.now() + disturbedMs;
      for (const pid of server.mediaPids()) process.kill(pid, "SIGKILL");
      this.record.kills += 1;
    } else if (link && number % 4 === 1) {
      await pause(1_500);
      this.#disturbedUntilMs = performance.now() + cutMs + disturbedMs;
      link.cut();
      this.record.cuts += 1;
      await pause(cutMs);
      link.mend();
    }
  }

  /**
   * Samples the offset of picture and sound. Until 20 s after a loss, jitter buffers are still shrinking; those samples are
   * reported but not judged.
   */
  async #sampleSkew(page: Page): Promise<void> {
    const ahead = await pictureAheadMs(page);
    if (ahead === null) return;
    const { undisturbed, disturbed } = this.record.skewsMs;
    if (Math.abs(ahead) > believableMs) {
      this.record.unbelievableSkews += 1;
      return;
    }
    (performance.now() < this.#disturbedUntilMs ? disturbed : undisturbed).push(Math.abs(ahead));
  }

  async #settle(id: string, visitor: Visitor): Promise<void> {
    this.record.outcomes.push(await this.#ledger.outcome(this.#stage.server, id, visitor));
  }

  async #guarded(who: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.record.troubles.push(`${who}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}
