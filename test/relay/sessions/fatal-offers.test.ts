import { expect, test } from "vitest";
import { MediaError } from "../../../src/service/media/media-error.ts";
import { errorCode, runRelay } from "../relay-fixture.ts";

test("an address whose offers end media processes is refused after the third, others are not", async () => {
  const relay = await runRelay();
  const start = (address: string, offer: string) =>
    relay.post(
      "/embed/v1/sessions",
      { context_id: "ctx_demo", client_sdp: { type: "offer", sdp: `v=0 ${offer}` } },
      { "x-test-address": address },
    );
  const live = await relay.newSession();
  relay.running.media.failure = MediaError.fatalOffer();
  for (const offer of ["a", "b"]) {
    const answer = await start("198.51.100.1", offer);
    expect([answer.status, await errorCode(answer)]).toEqual([503, "media_process_died"]);
  }
  const path = `/embed/v1/sessions/${live.session.session_id}/exchange`;
  const again = (offer: string) =>
    relay.post(
      path,
      { client_sdp: { type: "offer", sdp: `v=0 ${offer}` } },
      { authorization: `Bearer ${live.token}`, "x-test-address": "198.51.100.1" },
    );
  expect(await errorCode(await again("c"))).toBe("media_process_died");
  relay.running.media.failure = null;
  for (const answer of [await start("198.51.100.1", "good"), await again("good")]) {
    expect(answer.status).toBe(403);
    expect(answer.headers.get("retry-after")).toBe("600");
    expect(await errorCode(answer)).toBe("permission_denied");
  }
  expect((await start("198.51.100.2", "good")).status).toBe(201);
  relay.pass(601);
  expect((await start("198.51.100.1", "good")).status).toBe(201);
});
