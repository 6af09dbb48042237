import { describe, expect, it } from "vitest";
import { MediaError } from "../../../src/service/media/media-error.ts";
import { runService, type RunningService } from "../service-fixture.ts";

const offer = { client_sdp: { type: "offer", sdp: "v=0 offer" } };

function exchange(run: RunningService, session: string, body: unknown = offer): Promise<Response> {
  return run.send("POST", `/api/v1/session/${session}/exchange/`, body);
}

describe("exchanging descriptions", () => {
  it.each([
    [["STF_WEBRTC"]],
    [["STF_WEBRTC", "LLM"]],
    [["STF_WEBRTC", "TTS"]],
    [["STF_WEBRTC", "LLM", "TTS"]],
    [["TTS", "LLM", "STF_WEBRTC"]],
  ])("is answered with %j", async (capability) => {
    const run = await runService();
    const response = await exchange(run, await run.newSession({ capability }));
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ server_sdp: { type: "answer", sdp: "v=0 answer 1" } });
  });

  it.each([[["STF_ONPREMISE"]], [["STF_ONPREMISE", "LLM", "TTS"]], [["TTS"]], [["LLM"]]])(
    "is refused with %j: no video is sent for it",
    async (capability) => {
      const run = await runService();
      const response = await exchange(run, await run.newSession({ capability }));
      expect(response.status).toBe(400);
      expect(await response.json()).toEqual({
        type: "validation_error",
        errors: [
          {
            code: "invalid",
            detail: "This session was created without the capability STF_WEBRTC.",
            attr: null,
          },
        ],
      });
      expect(run.media.exchanges).toEqual([]);
    },
  );

  it("can be repeated while the session lives; the last descriptions are kept", async () => {
    const run = await runService();
    const session = await run.newSession();
    for (const count of [1, 2]) {
      const response = await exchange(run, session, { client_sdp: { type: "offer", sdp: `v=0 ${count}` } });
      expect(await response.json()).toEqual({ server_sdp: { type: "answer", sdp: `v=0 answer ${count}` } });
    }
    expect(run.media.exchanges.map(({ sessionId }) => sessionId)).toEqual([session, session]);
    const retrieved = (await (await run.request(`/api/v1/session/${session}/`)).json()) as object;
    expect(retrieved).toMatchObject({ client_sdp: "v=0 2", server_sdp: "v=0 answer 2", status: "EXCHANGED" });
  });

  it("blames the offer where it is at fault, and names nothing of the inside where it is not", async () => {
    const run = await runService();
    const session = await run.newSession();
    run.media.failure = MediaError.invalidOffer(new Error("no media section"));
    const blamed = await exchange(run, session);
    expect(blamed.status).toBe(400);
    expect(await blamed.json()).toMatchObject({ errors: [{ code: "invalid", attr: "client_sdp.sdp" }] });
    run.media.failure = MediaError.invalidCharacter("/srv/public/x.json", new Error("gone"));
    const failed = await exchange(run, session);
    expect(failed.status).toBe(500);
    expect(await failed.text()).not.toContain("/srv");
    expect(await run.status(session)).toMatchObject({
      status: "TERMINATED",
      termination_reason: "SESSION_MISC_ERROR",
    });
  });

  it("lets a session go on whose media failed by accident", async () => {
    const run = await runService();
    const session = await run.newSession();
    run.media.failure = MediaError.processDied();
    expect((await exchange(run, session)).status).toBe(500);
    run.media.failure = null;
    expect((await exchange(run, session)).status).toBe(200);
  });

  it("ends a session whose model style was taken away", async () => {
    const run = await runService();
    const style = (await run.store.catalogue.rows("model_style", run.organizationId))[0]!;
    const session = await run.newSession({ model_style: style.name });
    await run.store.catalogue.remove("model_style", null, style.id);
    expect((await exchange(run, session)).status).toBe(500);
    expect(await run.status(session)).toMatchObject({ termination_reason: "SESSION_MISC_ERROR" });
  });
});

describe("a session whose media failed by an error of its own", () => {
  it("ends", async () => {
    const run = await runService();
    const session = await run.newSession();
    await exchange(run, session);
    run.hooks.onClosed(session, "session-failed");
    await expect.poll(() => run.status(session)).toMatchObject({ termination_reason: "SESSION_MISC_ERROR" });
  });
});
