import { createCanvas, loadImage } from "@napi-rs/canvas";
import type { Locator, Page } from "@playwright/test";
import { canaryKey, type Server } from "./stack.ts";

/** The snippet an owner pastes. */
export function snippet(relayOrigin: string, context = "ctx_demo", attributes = ""): string {
  return `<script async src="${relayOrigin}/embed.js" data-context="${context}" ${attributes}></script>`;
}

/** Keeps every peer connection that the page makes, so that its statistics can be read. */
export async function recordConnections(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const Native = window.RTCPeerConnection;
    const made: RTCPeerConnection[] = [];
    Object.assign(window, { madeConnections: made });
    window.RTCPeerConnection = class extends Native {
      constructor(configuration?: RTCConfiguration) {
        super(configuration);
        made.push(this);
      }
    };
  });
}

/** Keeps every `visavis-…` event that reaches the document. */
export async function recordEvents(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const seen: { type: string; detail: unknown }[] = [];
    Object.assign(window, { seenEvents: seen });
    for (const name of [
      "statechange",
      "activitychange",
      "message",
      "caption",
      "interrupted",
      "open",
      "close",
      "error",
    ])
      document.addEventListener(`visavis-${name}`, (event) =>
        seen.push({ type: event.type, detail: structuredClone((event as CustomEvent).detail as unknown) }),
      );
  });
}

export interface SeenEvent {
  type: string;
  detail: Record<string, unknown>;
}

export async function seenEvents(page: Page): Promise<SeenEvent[]> {
  return page.evaluate(() => (window as unknown as { seenEvents: SeenEvent[] }).seenEvents);
}

export function avatar(page: Page): Locator {
  return page.locator("visavis-avatar").first();
}

export async function clickLauncher(page: Page): Promise<void> {
  await page.locator("visavis-avatar [part~=launcher-button]").first().click();
}

export async function state(page: Page): Promise<string> {
  return avatar(page).evaluate((element) => (element as unknown as { state: string }).state);
}

/** Resolves when the element has reached one of the states. */
export async function untilState(page: Page, ...states: string[]): Promise<void> {
  await page.waitForFunction(
    (wanted) => {
      const element = document.querySelector("visavis-avatar") as unknown as { state?: string } | null;
      return element?.state !== undefined && wanted.includes(element.state);
    },
    states,
    { timeout: 20_000, polling: 25 },
  );
}

/** Resolves when the page has drawn a frame of the received video on the stage. */
export async function untilFirstFrame(page: Page): Promise<void> {
  await page.waitForFunction(
    () => {
      const root = document.querySelector("visavis-avatar")?.shadowRoot;
      const video = root?.querySelector("video");
      return Boolean(video && video.videoWidth > 0 && video.getVideoPlaybackQuality().totalVideoFrames > 2);
    },
    undefined,
    { timeout: 20_000, polling: 25 },
  );
}

/** Sum of the energy of all received audio so far (RTCInboundRtpStreamStats.totalAudioEnergy). */
export async function receivedAudioEnergy(page: Page): Promise<number> {
  return page.evaluate(async () => {
    let energy = 0;
    for (const connection of (window as unknown as { madeConnections: RTCPeerConnection[] }).madeConnections)
      for (const [, report] of (await connection.getStats()) as unknown as Map<
        string,
        Record<string, unknown>
      >)
        if (report["type"] === "inbound-rtp" && report["kind"] === "audio")
          energy += Number(report["totalAudioEnergy"] ?? 0);
    return energy;
  });
}

/** Waits until speech of the avatar has been received beyond what was there at the call. */
export async function untilAudible(page: Page, timeoutMs = 10_000): Promise<void> {
  const before = await receivedAudioEnergy(page);
  const deadline = Date.now() + timeoutMs;
  while ((await receivedAudioEnergy(page)) - before < 0.005) {
    if (Date.now() > deadline) throw new Error("No speech was received.");
    await page.waitForTimeout(50);
  }
}

/** Pixels of a screenshot: RGBA bytes with their size. */
export interface Picture {
  width: number;
  height: number;
  at(x: number, y: number): [number, number, number];
}

/** What a person sees where the element stands. */
export async function pictureOf(page: Page, locator: Locator): Promise<Picture> {
  const box = await locator.boundingBox();
  if (!box) throw new Error("The element is not visible.");
  const image = await loadImage(await page.screenshot({ clip: box }));
  const context = createCanvas(image.width, image.height).getContext("2d");
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, image.width, image.height);
  return {
    width: image.width,
    height: image.height,
    at: (x, y) => {
      const offset = (Math.round(y) * image.width + Math.round(x)) * 4;
      return [data[offset]!, data[offset + 1]!, data[offset + 2]!];
    },
  };
}

/** Share of pixels that differ by more than 8 of 255 in some channel. */
export function difference(first: Picture, second: Picture): number {
  let changed = 0;
  for (let y = 0; y < first.height; y++)
    for (let x = 0; x < first.width; x++) {
      const [a, b] = [first.at(x, y), second.at(x, y)];
      if (a.some((value, index) => Math.abs(value - b[index]!) > 8)) changed += 1;
    }
  return changed / (first.width * first.height);
}

/** A call of the service's interface with the API key, as the owner's server makes it. */
export async function callApi(
  server: Server,
  path: string,
  init: Omit<RequestInit, "headers"> = {},
): Promise<Response> {
  return fetch(`${server.origin}${path}`, {
    ...init,
    headers: { "ServicePlatform-APIKey": canaryKey, "content-type": "application/json" },
  });
}

/** Kinds of the lifecycle events that the service has stored of a session, oldest first. */
export async function storedEvents(server: Server, sessionId: string): Promise<string[]> {
  const answer = await callApi(server, `/api/v1/session/${sessionId}/event/`);
  return ((await answer.json()) as { event: string }[]).map(({ event }) => event);
}

/** A session as its owner reads it. */
export async function sessionView(server: Server, sessionId: string): Promise<Record<string, unknown>> {
  return (await (await callApi(server, `/api/v1/session/${sessionId}/`)).json()) as Record<string, unknown>;
}

/** The element's session id. */
export async function sessionId(page: Page): Promise<string> {
  const id = await avatar(page).evaluate(
    (element) => (element as unknown as { sessionId: string | null }).sessionId,
  );
  if (!id) throw new Error("There is no session.");
  return id;
}

/** Changes fields of the demo context by reading it and putting it back. */
export async function changeContext(
  server: Server,
  contextId: string,
  change: (context: Record<string, unknown> & { embed_config: Record<string, unknown> }) => void,
): Promise<void> {
  const list = (await (
    await callApi(server, `/api/console/b2c/contexts/?context_id=${contextId}`)
  ).json()) as {
    id: string;
    embed_config: Record<string, unknown>;
  }[];
  const context = list[0];
  if (!context) throw new Error(`There is no context ${contextId}.`);
  const publicView = async (): Promise<string> => {
    const headers = { Origin: server.origin };
    const answer = await fetch(`${server.origin}/embed/v1/contexts/${contextId}`, { headers });
    return `${answer.status} ${await answer.text()}`;
  };
  const before = await publicView();
  change(context);
  const answer = await callApi(server, `/api/console/b2c/contexts/${context.id}/`, {
    method: "PUT",
    body: JSON.stringify(context),
  });
  if (!answer.ok) throw new Error(`PUT answered ${answer.status}: ${await answer.text()}`);
  // The relay takes a context for unchanged for two seconds; a change that is not public cannot be seen.
  const untilMs = Date.now() + 2_100;
  while (Date.now() < untilMs && (await publicView()) === before)
    await new Promise((resolve) => setTimeout(resolve, 100));
}
