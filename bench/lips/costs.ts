import type { Page } from "@playwright/test";

/** What a speaking avatar costs the visitor. */
export interface Costs {
  /** Received by the peer connection, while the avatar speaks. */
  kbitPerSec: number;
  /** From the beginning of each of the page's frames until it was painted, in ms. */
  frameMs: number[];
}

/** Lets the avatar in the page say a text, and measures for a while. */
export async function measureCosts(page: Page, text: string, lengthMs: number): Promise<Costs> {
  return page.evaluate(
    async ([message, duration]) => {
      const element = document.querySelector("visavis-avatar") as HTMLElement & { say(text: string): void };
      const { current } = Reflect.get(element, "session") as {
        current: { peerConnection: RTCPeerConnection };
      };
      const received = async (): Promise<number> => {
        let bytes = 0;
        (await current.peerConnection.getStats()).forEach((stats: Partial<RTCTransportStats>) => {
          if (stats.type === "transport") bytes += stats.bytesReceived ?? 0;
        });
        return bytes;
      };
      element.say(message);
      await new Promise((resolve) => setTimeout(resolve, 800));
      const frameMs: number[] = [];
      let open = true;
      const painted = new MessageChannel();
      let frameAtMs = 0;
      // A task that a frame's callback posts runs once the frame is painted.
      painted.port1.onmessage = () => frameMs.push(performance.now() - frameAtMs);
      const onFrame = (): void => {
        frameAtMs = performance.now();
        painted.port2.postMessage(null);
        if (open) requestAnimationFrame(onFrame);
      };
      requestAnimationFrame(onFrame);
      const [before, beganMs] = [await received(), performance.now()];
      await new Promise((resolve) => setTimeout(resolve, duration));
      const bits = ((await received()) - before) * 8;
      const kbitPerSec = bits / (performance.now() - beganMs);
      open = false;
      return { kbitPerSec, frameMs };
    },
    [text, lengthMs] as const,
  );
}
