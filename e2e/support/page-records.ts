import { expect, type Page } from "@playwright/test";
import { patience } from "./patience.ts";

/** A `visavis-…` event that was dispatched on the document. */
export interface SeenEvent {
  type: string;
  detail: Record<string, unknown>;
}

/** A message of the data channel. */
interface ChannelMessage {
  type: string;
  data: Record<string, unknown>;
}

/** The messages of the page's data channels, oldest first. */
interface ChannelMessages {
  sent: ChannelMessage[];
  received: ChannelMessage[];
}

declare global {
  interface Window {
    /** Every peer connection that the page made. Set by `recordConnections`. */
    madeConnections: RTCPeerConnection[];
    /** Energy of all received audio so far. Set by `recordConnections`. */
    receivedAudioEnergy(): Promise<number>;
    /** Set by `recordChannel`. */
    channelMessages: ChannelMessages;
    /** Set by `recordEvents`. */
    seenEvents: SeenEvent[];
  }
}

/** Keeps every peer connection that the page makes, so that its statistics can be read. */
export async function recordConnections(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const Native = window.RTCPeerConnection;
    const made: RTCPeerConnection[] = [];
    window.madeConnections = made;
    window.RTCPeerConnection = class extends Native {
      constructor(configuration?: RTCConfiguration) {
        super(configuration);
        made.push(this);
      }
    };
    window.receivedAudioEnergy = async () => {
      let energy = 0;
      for (const connection of made)
        for (const report of (await connection.getStats()).values())
          if (report.type === "inbound-rtp" && report.kind === "audio")
            energy += Number(report.totalAudioEnergy ?? 0);
      return energy;
    };
  });
}

/** Keeps every message that the page sends and gets over data channels, but no pings. */
export async function recordChannel(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const messages: ChannelMessages = { sent: [], received: [] };
    window.channelMessages = messages;
    const keep = (list: ChannelMessage[], text: string): void => {
      const message = JSON.parse(text) as ChannelMessage;
      if (message.type !== "ping") list.push(message);
    };
    const Native = window.RTCPeerConnection;
    window.RTCPeerConnection = class extends Native {
      override createDataChannel(label: string, options?: RTCDataChannelInit): RTCDataChannel {
        const channel = super.createDataChannel(label, options);
        const send = channel.send.bind(channel) as (message: string) => void;
        channel.send = (message: unknown) => {
          keep(messages.sent, message as string);
          send(message as string);
        };
        channel.addEventListener("message", ({ data }: MessageEvent<string>) => {
          keep(messages.received, data);
        });
        return channel;
      }
    };
  });
}

/** The data of all messages of a type that the page has sent or received. Needs `recordChannel`. */
export async function channelData(
  page: Page,
  way: keyof ChannelMessages,
  type: string,
): Promise<Record<string, unknown>[]> {
  const messages = await page.evaluate((which) => window.channelMessages[which], way);
  return messages.filter((message) => message.type === type).map(({ data }) => data);
}

/** Keeps every `visavis-…` event that reaches the document. */
export async function recordEvents(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const seen: SeenEvent[] = [];
    window.seenEvents = seen;
    for (const name of [
      "statechange",
      "activitychange",
      "message",
      "caption",
      "interrupted",
      "speechstart",
      "speechend",
      "transcript",
      "open",
      "close",
      "error",
    ])
      document.addEventListener(`visavis-${name}`, (event) =>
        seen.push({ type: event.type, detail: structuredClone((event as CustomEvent).detail) }),
      );
  });
}

/** All events so far, oldest first. Needs `recordEvents`. */
export async function seenEvents(page: Page): Promise<SeenEvent[]> {
  return page.evaluate(() => window.seenEvents);
}

/** One field of all events of a kind, oldest first. */
async function seenDetails(page: Page, type: string, field: string): Promise<string[]> {
  return (await seenEvents(page))
    .filter((event) => event.type === type)
    .map(({ detail }) => String(detail[field]));
}

/** The states that the session went through, oldest first. Needs `recordEvents`. */
export const seenStates = (page: Page): Promise<string[]> =>
  seenDetails(page, "visavis-statechange", "state");

/** Waits until the session has gone through a state, however short. Needs `recordEvents`. */
export const untilSeenState = (page: Page, state: string): Promise<void> =>
  expect.poll(() => seenStates(page)).toContain(state);

/** The codes of the errors that the page received. Needs `recordEvents`. */
export const seenErrors = (page: Page): Promise<string[]> => seenDetails(page, "visavis-error", "code");

/** Words captioned so far. Needs `recordEvents`. */
export const captionedWords = (page: Page): Promise<string[]> => seenDetails(page, "visavis-caption", "word");

/** Sum of the energy of all received audio so far (RTCInboundRtpStreamStats.totalAudioEnergy). Needs `recordConnections`. */
export async function receivedAudioEnergy(page: Page): Promise<number> {
  return page.evaluate(() => window.receivedAudioEnergy());
}

/** Waits until speech of the avatar has been received after the call. Needs `recordConnections`. */
export async function untilAudible(page: Page): Promise<void> {
  await page.waitForFunction(
    async (before) => (await window.receivedAudioEnergy()) - before > 0.005,
    await receivedAudioEnergy(page),
    { timeout: patience, polling: 50 },
  );
}
