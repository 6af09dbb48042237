import { describe, expect, it } from "vitest";
import { MediaError } from "../../../../src/service/media/media-error.ts";
import { runService, type RunningService } from "../../service-fixture.ts";

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

  it.each([[["TTS"]], [["LLM"]]])("is refused with %j: there are no media", async (capability) => {
    const run = await runService();
    const response = await exchange(run, await run.newSession({ capability }));
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      type: "validation_error",
      errors: [
        {
          code: "invalid",
          detail:
            "This session was created without the capability STF_WEBRTC or STF_ONPREMISE: it has no media.",
          attr: null,
        },
      ],
    });
    expect(run.media.exchanges).toEqual([]);
  });

  it.each([[["STF_ONPREMISE"]], [["STF_ONPREMISE", "LLM", "TTS"]]])(
    "is answered with %j by sound and data only, because the caller draws",
    async (capability) => {
      const run = await runService();
      const response = await exchange(run, await run.newSession({ capability }), {
        ...offer,
        video: { matte: "packed-alpha" },
      });
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual({ server_sdp: { type: "answer", sdp: "v=0 answer 1" } });
      expect(run.media.exchanges).toMatchObject([{ characterFile: null }]);
    },
  );

  it("can be repeated while the session lives; the last descriptions are stored", async () => {
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

  it("reports an error of the offer as such, and any other error without internal details", async () => {
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

  it("does not end a session after a temporary media failure", async () => {
    const run = await runService();
    const session = await run.newSession();
    run.media.failure = MediaError.processDied();
    expect((await exchange(run, session)).status).toBe(500);
    run.media.failure = null;
    expect((await exchange(run, session)).status).toBe(200);
  });

  it("ends a session whose model style was removed", async () => {
    const run = await runService();
    const style = (await run.store.catalogue.rows("model_style", run.organizationId))[0]!;
    const session = await run.newSession({ model_style: style.name });
    await run.store.catalogue.remove("model_style", null, style.id);
    expect((await exchange(run, session)).status).toBe(500);
    expect(await run.status(session)).toMatchObject({ termination_reason: "SESSION_MISC_ERROR" });
  });
});

describe("a session whose media failed because of its own error", () => {
  it("ends", async () => {
    const run = await runService();
    const session = await run.newSession();
    await exchange(run, session);
    run.hooks.onClosed(session, "session-failed");
    await expect.poll(() => run.status(session)).toMatchObject({ termination_reason: "SESSION_MISC_ERROR" });
  });
});

describe("the picture", () => {
  it("is finished by default, composed with the session's background and paddings", async () => {
    const run = await runService();
    const session = await run.newSession({
      ...{ background_image: "room", padding_left: -0.25, padding_top: 0.1, padding_height: 1.5 },
    });
    await exchange(run, session);
    expect(run.media.exchanges).toMatchObject([
      {
        matte: undefined,
        scene: {
          paddings: { padding_left: -0.25, padding_top: 0.1, padding_height: 1.5 },
          background: "/backgrounds/room.webp",
        },
      },
    ]);
  });

  it("is packed alpha on request, by JSON or form, and the answer says so", async () => {
    const run = await runService();
    const video = { matte: "packed-alpha" };
    const response = await exchange(run, await run.newSession(), { ...offer, video });
    expect(await response.json()).toMatchObject({ video });
    const form = new URLSearchParams({
      client_sdp: JSON.stringify(offer.client_sdp),
      video: JSON.stringify(video),
    });
    const path = `/api/v1/session/${await run.newSession()}/exchange/`;
    const formed = await run.request(path, { method: "POST", body: form });
    expect(await formed.json()).toMatchObject({ video });
    const asNothing = await exchange(run, await run.newSession(), { ...offer, video: null });
    expect(await asNothing.json()).not.toHaveProperty("video");
  });

  it("is finished for a style without packed alpha, also on request, and the answer says so", async () => {
    const run = await runService();
    const style = await run.store.catalogue.find("model_style", run.organizationId, "mina");
    await run.store.catalogue.put({
      ...{
        kind: "model_style",
        id: "plain",
        name: "plain",
        organizationId: run.organizationId,
        createdAtMs: 0,
      },
      body: {
        ...style!,
        name: "plain",
        configs: [{ modelstyleconfig_id: "m", key: "matte", value: "none" }],
      },
    });
    const session = await run.newSession({ model_style: "plain" });
    const response = await exchange(run, session, { ...offer, video: { matte: "packed-alpha" } });
    expect(await response.json()).toMatchObject({ video: { matte: "none" } });
  });

  it.each([[{ matte: "chroma:#00ff00" }], [{}], ["packed-alpha"]])("refuses %j", async (video) => {
    const run = await runService();
    const response = await exchange(run, await run.newSession(), { ...offer, video });
    expect(response.status).toBe(400);
    const { errors } = (await response.json()) as { errors: { attr: string }[] };
    expect(errors[0]!.attr).toMatch(/^video/);
  });
});
