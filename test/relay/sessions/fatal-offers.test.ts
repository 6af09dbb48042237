import { expect } from "vitest";
import { MediaError } from "../../../src/service/media/media-error.ts";
import { failure, relayTest as test } from "../relay-fixture.ts";

test("an address whose offers end media processes is refused after the third, others are not", async ({
  relay,
}) => {
  const body = (sdp: string) => ({ client_sdp: { type: "offer", sdp: `v=0 ${sdp}` } });
  const start = (address: string, sdp: string) =>
    relay.start("visitor-1", address, { ...body(sdp), mode: "avatar" });
  const live = await relay.open();
  const again = (sdp: string) => live.post("exchange", body(sdp), { "x-test-address": "198.51.100.1" });
  relay.running.media.failure = MediaError.fatalOffer();
  for (const answer of [await start("198.51.100.1", "a"), await start("198.51.100.1", "b"), await again("c")])
    expect(await failure(answer)).toBe("503 media_process_died");
  relay.running.media.failure = null;
  for (const answer of [await start("198.51.100.1", "good"), await again("good")]) {
    expect(answer.headers.get("retry-after")).toBe("600");
    expect(await failure(answer)).toBe("403 permission_denied");
  }
  expect((await start("198.51.100.2", "good")).status).toBe(201);
  relay.pass(601);
  expect((await start("198.51.100.1", "good")).status).toBe(201);
});
