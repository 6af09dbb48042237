import { onTestFinished, expect, test } from "vitest";
import { errorBodySchema } from "../../src/protocol/schema/error-body.ts";
import { createMediaEngine } from "../../src/service/media/create-media-engine.ts";
import type { MediaEngine } from "../../src/service/media/media-engine.ts";
import { bundleEntry } from "../service/bundle-entry.ts";
import { characterFile, testPatience } from "../service/media/media-stand.ts";
import { realOffers } from "../service/media/real-offers.ts";
import { defaultServiceSettings } from "../../src/service/service-settings.ts";
import { publicUrl, runRelay } from "./relay-fixture.ts";

/** The relay in front of a service with real media. */
async function runWithMedia() {
  const entry = await bundleEntry("src/service/media/media-process.ts");
  const deaths: string[] = [];
  let media: MediaEngine | undefined;
  const relay = await runRelay(
    {},
    {
      settings: {
        ...defaultServiceSettings,
        publicUrl,
        publicFolder: characterFile("").replace(/\/characters.*$/, ""),
      },
      media: (hooks) =>
        (media = createMediaEngine({
          processUrl: entry.url,
          hooks,
          patience: testPatience,
          log: { info: () => undefined, warn: (message) => void deaths.push(message) },
        })),
    },
  );
  onTestFinished(async () => {
    await media?.stop();
    entry.remove();
  });
  return { relay, deaths };
}

/** The detail of an error answer. */
async function faultOf(answer: Response) {
  return { status: answer.status, fault: errorBodySchema.parse(await answer.json()).errors[0] };
}

const head = "v=0\r\no=- 1 2 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\n";

/** Each ended a media process before they were refused. They share one engine, since its processes take long to start. */
const sections = [
  "m=foo 9 UDP/DTLS/SCTP webrtc-datachannel",
  "m=text 9 UDP/DTLS/SCTP webrtc-datachannel",
  "m=audio 9 SCTP 0",
];

test("offers with a section that no session has are refused with its name, and no media process dies", async () => {
  const { relay, deaths } = await runWithMedia();
  const { running } = relay;
  const live = await relay.newSession({ client_sdp: { type: "offer", sdp: realOffers["chromium"] } });
  expect(live.server_sdp?.sdp).toContain("a=candidate");
  for (const section of sections) {
    const bad = { client_sdp: { type: "offer", sdp: `${head}${section}\r\n` } };
    const expected = {
      status: 400,
      fault: {
        code: "invalid",
        attr: "client_sdp.sdp",
        detail: expect.stringContaining(`Line 5 of the offer ("${section}")`) as string,
      },
    };

    const id = await running.newSession();
    const exchanged = await running.send("POST", `/api/v1/session/${id}/exchange/`, bad);
    expect(await faultOf(exchanged)).toEqual(expected);
    expect((await running.status(id)).status).toBe("CREATED");

    const created = await relay.post("/embed/v1/sessions", { context_id: "ctx_demo", ...bad });
    expect(await faultOf(created)).toEqual(expected);
    const path = `/embed/v1/sessions/${live.session.session_id}/exchange`;
    const repeated = await relay.post(path, bad, { authorization: `Bearer ${live.token}` });
    expect(await faultOf(repeated)).toEqual(expected);
    expect(deaths).toEqual([]);
    expect((await running.status(live.session.session_id)).status).toBe("EXCHANGED");
  }
});
