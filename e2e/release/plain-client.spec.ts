import { readFileSync } from "node:fs";
import { expect, test, type Page } from "../support/test.ts";
import { hostPage, startHostSite, type HostSite } from "../support/host-page.ts";
import { pageScript } from "../support/page-script.ts";
import { pictureOf, type Picture } from "../support/picture.ts";
import { canaryKey, startServer, type Server } from "../support/stack.ts";

/**
 * A client as somebody else would write it: only from the interface's description, with no code of this project in its
 * page. Its script is text, so that nothing is bundled into it.
 */
const plainClient = `
window.talk = async ({ base, session, size, video }) => {
  const { ice_servers } = await (await fetch(base + "/api/v1/session/" + session + "/ice-servers/")).json();
  const peerConnection = new RTCPeerConnection({ iceServers: ice_servers });
  const element = document.createElement("video");
  element.muted = element.autoplay = element.playsInline = true;
  element.style.cssText = "display:block;width:" + size.width + "px;height:" + size.height + "px";
  peerConnection.ontrack = ({ streams }) => (element.srcObject = streams[0]);
  const channel = peerConnection.createDataChannel("message", { protocol: "message", ordered: true });
  peerConnection.addTransceiver("video", { direction: "recvonly" });
  peerConnection.addTransceiver("audio", { direction: "recvonly" });
  await peerConnection.setLocalDescription();
  const response = await fetch(base + "/api/v1/session/" + session + "/exchange/", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ client_sdp: peerConnection.localDescription, ...(video && { video }) }),
  });
  const answer = await response.json();
  channel.onopen = () => {
    const send = (type, data) => channel.send(JSON.stringify({ type, data }));
    send("motion", { reduced: true });
    send("change-size", size);
    setInterval(() => send("ping", {}), 1000);
  };
  await peerConnection.setRemoteDescription(answer.server_sdp);
  return { element, answer };
};`;

let service: Server;
let site: HostSite;
let stageCode: string;

test.beforeAll(async () => {
  service = await startServer("service");
  site = await startHostSite(
    { "/": hostPage('<div id="here"></div>') },
    { relayOrigin: service.origin, policy: false },
  );
  stageCode = await pageScript("stage");
});

test.afterAll(async () => {
  await site.close();
  await service.stop();
});

interface Paddings {
  padding_left: number;
  padding_top: number;
  padding_height: number;
}

/** What the client's own server does, with the key. */
async function newSession(paddings: Paddings): Promise<string> {
  const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(service.origin + path, {
      method,
      headers: { "ServicePlatform-APIKey": canaryKey, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    expect(response.ok, `${method} ${path}`).toBe(true);
    return response.json();
  };
  const [context] = (await call("GET", "/api/console/b2c/contexts/")) as { id: string }[];
  const { session_id } = (await call("POST", "/api/v1/session/", {
    prompt: context!.id,
    llm_type: "visavis-retrieval",
    model_style: "mina",
    tts_type: "visavis-slt",
    background_image: "room",
    ...paddings,
  })) as { session_id: string };
  return session_id;
}

declare global {
  interface Window {
    /** Set by the plain client. */
    talk(options: unknown): Promise<{ element: HTMLVideoElement; answer: { video?: { matte: string } } }>;
  }
}

interface Size {
  width: number;
  height: number;
}

/** Shows the received video. Resolves with the exchange's description of it, once it has the requested size. */
async function showPlain(page: Page, session: string, size: Size): Promise<unknown> {
  const video = await page.evaluate(
    async ([base, session, size]) => {
      const { element, answer } = await window.talk({ base, session, size });
      element.id = "plain";
      document.querySelector("#here")!.replaceChildren(element);
      return answer.video;
    },
    [service.origin, session, size] as const,
  );
  await page.waitForFunction(({ width, height }) => {
    const element = document.querySelector<HTMLVideoElement>("#plain")!;
    return element.videoWidth === width && element.videoHeight === height;
  }, size);
  return video;
}

/** Shows packed alpha on a real stage over the same background. */
async function showOnStage(page: Page, session: string, size: Size, paddings: Paddings): Promise<void> {
  await page.evaluate(
    async ([base, session, size, { padding_left, padding_top, padding_height }, background]) => {
      const video = { matte: "packed-alpha" };
      const { element, answer } = await window.talk({ base, session, size, video });
      if (answer.video?.matte !== "packed-alpha") throw new Error("no packed alpha");
      const host = document.createElement("div");
      host.id = "stage";
      host.style.cssText = `position:relative;overflow:hidden;width:${size.width}px;height:${size.height}px`;
      document.querySelector("#here")!.append(host);
      const stage = window.visavisStage.createStage(host, {
        ...{ matte: "packed-alpha", background, transparent: false, poster: null },
        ...{ paddingLeft: padding_left, paddingTop: padding_top, paddingHeight: padding_height },
      });
      const shown = new Promise<void>((resolve) => stage.onFirstFrame(resolve));
      stage.attach(element);
      await element.play();
      await shown;
    },
    [service.origin, session, size, paddings, roomUrl] as const,
  );
}

/** Mean difference of two pictures' colours, 0…255. */
function meanDifference(first: Picture, second: Picture): number {
  let sum = 0;
  for (let y = 0; y < first.height; y++)
    for (let x = 0; x < first.width; x++) {
      const other = second.at(x, y);
      sum += first.at(x, y).reduce((total, value, index) => total + Math.abs(value - other[index]!), 0) / 3;
    }
  return sum / (first.width * first.height);
}

const roomUrl = `data:image/webp;base64,${readFileSync("public/backgrounds/room.webp").toString("base64")}`;

const cases = [
  {
    name: "upright",
    size: { width: 360, height: 640 },
    paddings: { padding_left: 0, padding_top: 0.25, padding_height: 0.75 },
  },
  {
    name: "wide",
    size: { width: 640, height: 360 },
    paddings: { padding_left: -0.2, padding_top: 0, padding_height: 1 },
  },
];

for (const { name, size, paddings } of cases)
  test(`a client of the interface alone sees the finished avatar, ${name}, as the stage composes it`, async ({
    page,
  }, testInfo) => {
    await page.setViewportSize({ width: 800, height: 1_500 });
    await page.goto(site.origin);
    await page.addScriptTag({ content: plainClient });
    expect(await showPlain(page, await newSession(paddings), size)).toBeUndefined();
    await page.addScriptTag({ content: stageCode });
    await showOnStage(page, await newSession(paddings), size, paddings);
    await page.locator("#plain").screenshot({ path: testInfo.outputPath(`${name}-finished.png`) });
    await page.locator("#stage").screenshot({ path: testInfo.outputPath(`${name}-stage.png`) });
    // Both may blink, and both are lossy. A misplaced picture differs by far more.
    await expect
      .poll(async () => {
        const [finished, stage] = [
          await pictureOf(page, page.locator("#plain")),
          await pictureOf(page, page.locator("#stage")),
        ];
        return meanDifference(finished, stage);
      })
      .toBeLessThan(5);
  });
