import type { CDPSession, Page } from "@playwright/test";

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
 * By how much the picture being shown is ahead of the sound being heard, in ms, on the sender's clock
 * (RTCInboundRtpStreamStats.estimatedPlayoutTimestamp); null before the sender's first reports or while nothing arrives.
 */
export async function pictureAheadMs(page: Page): Promise<number | null> {
  return page.evaluate(async () => {
    const { madeConnections } = window as unknown as { madeConnections: RTCPeerConnection[] };
    const connection = madeConnections.findLast(({ connectionState }) => connectionState === "connected");
    if (!connection) return null;
    const playout: Record<string, number | undefined> = {};
    for (const [, report] of (await connection.getStats()) as unknown as Map<
      string,
      Record<string, unknown>
    >) {
      if (report["type"] !== "inbound-rtp") continue;
      const isFresh = Number(report["timestamp"]) - Number(report["lastPacketReceivedTimestamp"]) < 500;
      if (isFresh)
        playout[String(report["kind"])] = report["estimatedPlayoutTimestamp"] as number | undefined;
    }
    const { audio, video } = playout;
    return audio === undefined || video === undefined ? null : video - audio;
  });
}
