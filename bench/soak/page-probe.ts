import type { CDPSession, Page } from "@playwright/test";
// Declares `window.madeConnections`.
import type {} from "../../e2e/support/page-records.ts";

/** JavaScript memory of a page after a collection, in MB. */
export class HeapProbe {
  readonly #session: CDPSession;

  private constructor(session: CDPSession) {
    this.#session = session;
  }

  static async of(page: Page): Promise<HeapProbe> {
    return new HeapProbe(await page.context().newCDPSession(page));
  }

  async megabytes(): Promise<number> {
    await this.#session.send("HeapProfiler.collectGarbage");
    const { usedSize } = await this.#session.send("Runtime.getHeapUsage");
    return usedSize / 1_048_576;
  }
}

/**
 * How far the picture on the screen is ahead of the audible sound, in ms on the sender's clock
 * (RTCInboundRtpStreamStats.estimatedPlayoutTimestamp). Null before the sender's first reports and while nothing arrives.
 */
export async function pictureAheadMs(page: Page): Promise<number | null> {
  return page.evaluate(async () => {
    const connection = window.madeConnections.findLast(
      ({ connectionState }) => connectionState === "connected",
    );
    if (!connection) return null;
    const playout: Record<string, number | undefined> = {};
    for (const report of (await connection.getStats()).values()) {
      if (report.type !== "inbound-rtp") continue;
      const isFresh = Number(report.timestamp) - Number(report.lastPacketReceivedTimestamp) < 500;
      if (isFresh) playout[String(report.kind)] = report.estimatedPlayoutTimestamp;
    }
    const { audio, video } = playout;
    return audio === undefined || video === undefined ? null : video - audio;
  });
}
