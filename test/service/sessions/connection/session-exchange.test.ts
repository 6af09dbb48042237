import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test as plainTest } from "vitest";
import type { IceServer } from "../../../../src/protocol/session/ice.ts";
import { MediaError } from "../../../../src/service/media/media-error.ts";
import type { WantedTemplate } from "../../../../src/service/media/media-engine.ts";
import { errorsOf, jsonOf, statusOf } from "../../answers.ts";
import { testWith } from "../../http/shared-service.ts";
import { apiKey, type RunningService, runService, settingsWith } from "../../service-fixture.ts";

const test = plainTest.extend("run", () => runService());

const { signal } = new AbortController();
const offer = { client_sdp: { type: "offer", sdp: "v=0 offer" } };

const exchange = (run: RunningService, session: string, fields: object = {}): Promise<Response> =>
  run.send("POST", `/api/v1/session/${session}/exchange/`, { ...offer, ...fields });
const answered = (count = 1) => ({ server_sdp: { type: "answer", sdp: `v=0 answer ${count}` } });
const reasonOf = async (run: RunningService, session: string) =>
  (await run.status(session)).termination_reason;

describe("exchanging descriptions", () => {
  test.for([
    [["STF_WEBRTC"]],
    [["STF_WEBRTC", "LLM"]],
    [["STF_WEBRTC", "TTS"]],
    [["STF_WEBRTC", "LLM", "TTS"]],
    [["TTS", "LLM", "STF_WEBRTC"]],
  ])("is answered with %j", async ([capability], { run }) => {
    expect(await jsonOf(exchange(run, await run.newSession({ capability })))).toEqual(answered());
  });

  test.for([[["TTS"]], [["LLM"]]])(
    "is refused with %j: there are no media",
    async ([capability], { run }) => {
      const response = await exchange(run, await run.newSession({ capability }));
      expect(response.status).toBe(400);
      const created = "This session was created without the capability STF_WEBRTC or STF_ONPREMISE";
      const errors = [{ code: "invalid", detail: `${created}: it has no media.`, attr: null }];
      expect(await response.json()).toEqual({ type: "validation_error", errors });
      expect(run.media.exchanges).toEqual([]);
    },
  );

  test.for([[["STF_ONPREMISE"]], [["STF_ONPREMISE", "LLM", "TTS"]]])(
    "is answered with %j by sound and data only, because the caller draws",
    async ([capability], { run }) => {
      const session = await run.newSession({ capability });
      expect(await jsonOf(exchange(run, session, { video: { matte: "packed-alpha" } }))).toEqual(answered());
      expect(run.media.exchanges).toMatchObject([{ characterFile: null }]);
    },
  );

  test("can be repeated while the session lives; the last descriptions are stored", async ({ run }) => {
    const session = await run.newSession();
    for (const count of [1, 2]) {
      const client_sdp = { type: "offer", sdp: `v=0 ${count}` };
      expect(await jsonOf(exchange(run, session, { client_sdp }))).toEqual(answered(count));
    }
    expect(run.media.exchanges.map(({ sessionId }) => sessionId)).toEqual([session, session]);
    const stored = { client_sdp: "v=0 2", server_sdp: "v=0 answer 2", status: "EXCHANGED" };
    expect(await run.status(session)).toMatchObject(stored);
  });

  test("reports an error of the offer as such, and any other error without internal details", async ({
    run,
  }) => {
    const session = await run.newSession();
    run.media.failure = MediaError.invalidOffer(new Error("no media section"));
    const blamed = await exchange(run, session);
    expect(blamed.status).toBe(400);
    expect(await errorsOf(blamed)).toMatchObject([{ code: "invalid", attr: "client_sdp.sdp" }]);
    expect((await run.status(session)).status).toBe("CREATED");
    run.media.failure = MediaError.invalidCharacter("/srv/public/x.json", new Error("gone"));
    const failed = await exchange(run, session);
    expect(failed.status).toBe(500);
    expect(await failed.text()).not.toContain("/srv");
    expect(await reasonOf(run, session)).toBe("SESSION_MISC_ERROR");
  });

  test("does not end a session after a temporary media failure", async ({ run }) => {
    const session = await run.newSession();
    run.media.failure = MediaError.processDied();
    expect(await statusOf(exchange(run, session))).toBe(500);
    run.media.failure = null;
    expect(await statusOf(exchange(run, session))).toBe(200);
  });

  test("ends a session whose model style was removed", async ({ run }) => {
    const style = (await run.store.catalogue.rows("model_style", run.organizationId))[0]!;
    const session = await run.newSession({ model_style: style.name });
    await run.store.catalogue.remove("model_style", null, style.id);
    expect(await statusOf(exchange(run, session))).toBe(500);
    expect(await reasonOf(run, session)).toBe("SESSION_MISC_ERROR");
  });

  test("ends a session whose media fails later because of its own error", async ({ run }) => {
    const session = await run.newSession();
    await exchange(run, session);
    run.hooks.onClosed(session, "session-failed");
    await expect.poll(() => reasonOf(run, session)).toBe("SESSION_MISC_ERROR");
  });
});

describe("the picture", () => {
  const packed = { video: { matte: "packed-alpha" } };

  test("is finished by default, composed with the session's background and paddings", async ({ run }) => {
    const paddings = { padding_left: -0.25, padding_top: 0.1, padding_height: 1.5 };
    await exchange(run, await run.newSession({ background_image: "room", ...paddings }));
    const scene = { paddings, background: "/backgrounds/room.webp" };
    expect(run.media.exchanges).toMatchObject([{ matte: undefined, scene }]);
  });

  test("is packed alpha on request, by JSON or form, and the answer says so", async ({ run }) => {
    expect(await jsonOf(exchange(run, await run.newSession(), packed))).toMatchObject(packed);
    const texts = Object.entries({ ...offer, ...packed }).map(([name, value]) => [
      name,
      JSON.stringify(value),
    ]);
    const path = `/api/v1/session/${await run.newSession()}/exchange/`;
    const formed = run.request(path, { method: "POST", body: new URLSearchParams(texts) });
    expect(await jsonOf(formed)).toMatchObject(packed);
    const asNothing = await jsonOf(exchange(run, await run.newSession(), { video: null }));
    expect(asNothing).not.toHaveProperty("video");
  });

  test("is finished for a style without packed alpha, also on request, and the answer says so", async ({
    run,
  }) => {
    const style = (await run.store.catalogue.find("model_style", run.organizationId, "mina"))!;
    const configs = [{ modelstyleconfig_id: "m", key: "matte", value: "none" }];
    await run.put("model_style", "plain", { ...style, name: "plain", configs });
    const session = await run.newSession({ model_style: "plain" });
    expect(await jsonOf(exchange(run, session, packed))).toMatchObject({ video: { matte: "none" } });
  });

  test.for([[{ matte: "chroma:#00ff00" }], [{}], ["packed-alpha"]])(
    "is refused with %j",
    async ([video], { run }) => {
      const response = await exchange(run, await run.newSession(), { video });
      expect(response.status).toBe(400);
      expect((await errorsOf(response))[0]!.attr).toMatch(/^video/);
    },
  );
});

describe("an offer that has crashed a media process", () => {
  const withAddresses = plainTest.extend("run", () =>
    runService({ clientAddress: (request) => request.headers.get("x-test-address") }),
  );

  /** Sends an offer from an address, with a key if one is given. */
  async function offering(
    run: RunningService,
    session: string,
    sdp: string,
    { address = "198.51.100.1", key = "" } = {},
  ) {
    const keyed: Record<string, string> = key === "" ? {} : { "XP-API-KEY": key };
    const answer = await run.request(`/api/v1/session/${session}/exchange/`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-test-address": address, ...keyed },
      body: JSON.stringify({ client_sdp: { type: "offer", sdp } }),
    });
    const body = (await answer.json()) as { errors?: { code: string; detail: string }[] };
    return { status: answer.status, error: body.errors?.[0], retryAfter: answer.headers.get("retry-after") };
  }

  /** Sends this offer in a new session. The media process dies of it. */
  async function fatal(run: RunningService, sdp: string, by = {}) {
    run.media.failure = MediaError.fatalOffer();
    const session = await run.newSession();
    const answer = await offering(run, session, sdp, by);
    run.media.failure = null;
    return { session, ...answer };
  }

  const fatals = async (run: RunningService, by = {}) => {
    for (const sdp of ["v=0 a", "v=0 b", "v=0 c"]) await fatal(run, sdp, by);
  };
  const elsewhere = { address: "198.51.100.2" };

  withAddresses("ends its session, with a code of its own", async ({ run }) => {
    const { session, status, error } = await fatal(run, "v=0 fatal");
    expect([status, error?.code]).toEqual([500, "media_process_died"]);
    expect(await reasonOf(run, session)).toBe("SESSION_MISC_ERROR");
    const line = { level: "error", message: "media process died of an offer" };
    expect(run.lines).toContainEqual(expect.objectContaining(line));
  });

  withAddresses("is passed to no other process, in any session; other offers are", async ({ run }) => {
    await fatal(run, "v=0 fatal");
    const [session, handed] = [await run.newSession(), run.media.exchanges.length];
    const again = await offering(run, session, "v=0 fatal", elsewhere);
    expect([again.status, again.error?.detail]).toEqual([400, expect.stringContaining("Create a new offer")]);
    expect(run.media.exchanges).toHaveLength(handed);
    expect(await offering(run, session, "v=0 other")).toMatchObject({ status: 200 });
  });

  withAddresses(
    "counts against its address, which is refused after the third one for the rest of ten minutes",
    async ({ run }) => {
      await fatals(run);
      const [session, handed] = [await run.newSession(), run.media.exchanges.length];
      const refused = { status: 403, error: { code: "permission_denied" }, retryAfter: "600" };
      expect(await offering(run, session, "v=0 good")).toMatchObject(refused);
      expect(run.media.exchanges).toHaveLength(handed);
      expect(await offering(run, session, "v=0 good", elsewhere)).toMatchObject({ status: 200 });
      run.pass(601);
      expect(await offering(run, await run.newSession(), "v=0 good")).toMatchObject({ status: 200 });
    },
  );

  withAddresses(
    "does not count against the address of a caller with a key, who acts for visitors elsewhere",
    async ({ run }) => {
      await fatals(run, { key: apiKey });
      expect(await offering(run, await run.newSession(), "v=0 good")).toMatchObject({ status: 200 });
    },
  );

  withAddresses("after its answer is not passed to another", async ({ run }) => {
    const session = await run.newSession();
    const status = async (sdp: string) => (await offering(run, session, sdp)).status;
    expect(await status("v=0 answered")).toBe(200);
    run.hooks.onClosed(session, "process-died");
    await expect.poll(() => status("v=0 answered")).toBe(400);
    expect(await status("v=0 new")).toBe(200);
  });
});

describe("the character of set-template", () => {
  /** A catalogue in which Mina has a festive dress, and there is a style without a character. */
  const dressed = testWith(async (given) => {
    const run = await runService(given);
    const { organizationId } = run;
    const mina = (await run.store.catalogue.find("model_style", organizationId, "mina"))!;
    const files = [{ name: "character", file: "/characters/mina-festive.json" }];
    const festive = { ...mina, name: "mina-festive", style: "festive", files };
    await run.put("model_style", "mina-festive", festive, null, { organizationId });
    const phone = { ...mina, name: "phone-only", files: [], platform_type: "ios" as const };
    await run.put("model_style", "phone-only", phone);
    return run;
  });
  const templateOf = async (run: RunningService, wanted: WantedTemplate) =>
    run.hooks.template(await run.newSession(), wanted, signal);

  dressed.for<[WantedTemplate, string | null]>([
    [{ model: "tomas" }, "/srv/public/characters/tomas.json"],
    [{ model: "mina", dress: "festive" }, "/srv/public/characters/mina-festive.json"],
    [{ dress: "festive" }, "/srv/public/characters/mina-festive.json"],
    [{ dress: "mina-festive" }, "/srv/public/characters/mina-festive.json"],
    [{ model: "tomas", dress: "festive" }, null],
    [{ model: "nobody" }, null],
    [{ model: "../../secrets" }, null],
  ])("of %j is %s", async ([wanted, file], { run }) => {
    expect((await templateOf(run, wanted))?.characterFile ?? null).toBe(file);
  });

  dressed(
    "comes with the style's name and the public addresses of its files, for who draws it elsewhere",
    async ({ run }) => {
      const address = "https://relay.example/characters/mina-festive.json";
      for (const [model, files] of [
        ["mina-festive", [{ name: "character", file: address }]],
        ["phone-only", []],
      ] as const)
        expect((await templateOf(run, { model }))?.drawn).toEqual({ model_style: model, files });
      expect(await run.hooks.template("unknown", { model: "mina" }, signal)).toBeNull();
    },
  );
});

describe("the background", () => {
  const png = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  );
  const publicFolder = join(import.meta.dirname, "../../../../public");
  const room = "/backgrounds/room.webp";
  const withFiles = testWith((given) => runService({ ...given, settings: settingsWith({ publicFolder }) }));

  /** A session with an image that is added for it. */
  async function sessionOf(run: RunningService, image: string): Promise<string> {
    const created = run.send("POST", "/api/v1/background_image/", { title: "Wall", image });
    const { backgroundimage_id } = await jsonOf<{ backgroundimage_id: string }>(created);
    return run.newSession({ background_image: backgroundimage_id });
  }

  withFiles("that is built in is read from the public folder", async ({ run }) => {
    const session = await run.newSession({ background_image: "room" });
    const bytes = await run.hooks.background(session, room, signal);
    expect(Buffer.from(bytes!)).toEqual(readFileSync(join(publicFolder, room)));
  });

  test("that was uploaded as data is read from the store's files", async ({ run }) => {
    const session = await sessionOf(run, `data:image/png;base64,${png.toString("base64")}`);
    await exchange(run, session);
    const { background } = run.media.exchanges[0]!.scene!;
    expect(Buffer.from((await run.hooks.background(session, background!, signal))!)).toEqual(png);
  });

  withFiles("that is read is only the session's own, for any request", async ({ run }) => {
    const session = await run.newSession({ background_image: "room" });
    for (const [of, image] of [
      [session, "/backgrounds/calm.webp"],
      [session, "/../package.json"],
      [session, "https://example.com/wall.png"],
      [await run.newSession(), room],
      ["0".repeat(40), room],
    ] as const)
      expect(await run.hooks.background(of, image, signal)).toBeNull();
  });

  test("at another address is fetched with the guards and the size limit; a failure gives null and a log line", async () => {
    const asked: { url: string; maxBytes: number | undefined }[] = [];
    let answer = new Response(png);
    const forbidden = () => () => Promise.reject(new Error("A picture is neither engine nor webhook."));
    const run = await runService({
      outbound: {
        ...{ engine: forbidden, webhook: forbidden },
        address: () => (url, request) => {
          asked.push({ url: String(url), maxBytes: request?.maxBytes });
          return Promise.resolve(answer);
        },
      },
    });
    const image = "https://pictures.example/wall.png";
    const session = await sessionOf(run, image);
    expect(Buffer.from((await run.hooks.background(session, image, signal))!)).toEqual(png);
    expect(asked).toEqual([{ url: image, maxBytes: 2 * 1024 * 1024 }]);
    answer = new Response("gone", { status: 404 });
    expect(await run.hooks.background(session, image, signal)).toBeNull();
    expect(run.lines).toContainEqual(expect.objectContaining({ message: "media order failed" }));
  });
});

describe("the ICE servers", () => {
  const secret = "shared with the TURN server";
  const stun = { urls: ["stun:stun.example:3478"] };
  const urls = ["turn:turn.example:3478?transport=udp", "turns:turn.example:443?transport=tcp"];
  const startSec = Date.UTC(2026, 0, 1) / 1_000;
  const ice = { servers: [stun], turn: { urls, secret, ttlSec: 600 } };
  const withTurn = testWith((given) => runService({ ...given, settings: settingsWith({ ice }) }));

  async function serversOf(
    run: RunningService,
    session: string,
    part = "ice-servers/",
  ): Promise<IceServer[]> {
    const answer = await jsonOf<{ ice_servers: IceServer[] }>(
      run.request(`/api/v1/session/${session}/${part}`),
    );
    expect(JSON.stringify(answer)).not.toContain(secret);
    return answer.ice_servers;
  }

  withTurn(
    "are returned by ice-servers and retrieve, with the session's own credentials, not its whole id",
    async ({ run }) => {
      const [session, other] = [await run.newSession(), await run.newSession()];
      const username = `${startSec + 600}:${session.slice(0, 8)}`;
      const credential = createHmac("sha1", secret).update(username).digest("base64");
      for (const part of ["ice-servers/", ""])
        expect(await serversOf(run, session, part)).toEqual([stun, { urls, username, credential }]);
      const [, turnOfOther] = await serversOf(run, other);
      expect(turnOfOther!.username).not.toBe(username);
      expect(JSON.stringify(await serversOf(run, session))).not.toContain(session);
    },
  );

  withTurn("are valid for their full time from each request", async ({ own: run }) => {
    const session = await run.newSession();
    run.pass(30);
    const [, turn] = await serversOf(run, session);
    expect(turn!.username).toMatch(new RegExp(`^${startSec + 630}:`));
  });

  test("are an empty list if none are configured", async ({ run }) => {
    expect(await serversOf(run, await run.newSession())).toEqual([]);
  });
});
