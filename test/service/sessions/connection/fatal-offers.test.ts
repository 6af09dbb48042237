import { describe, expect, it } from "vitest";
import { MediaError } from "../../../../src/service/media/media-error.ts";
import { apiKey, runService, type RunningService } from "../../service-fixture.ts";

/** A service that knows the addresses of requests. */
function run(): Promise<RunningService> {
  return runService({ clientAddress: (request) => request.headers.get("x-test-address") });
}

/** Sends an offer from an address, with a key if one is given. */
async function exchange(
  { request }: RunningService,
  session: string,
  sdp: string,
  { address = "198.51.100.1", key }: { address?: string; key?: string } = {},
) {
  const answer = await request(`/api/v1/session/${session}/exchange/`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-test-address": address,
      ...(key !== undefined && { "ServicePlatform-APIKey": key }),
    },
    body: JSON.stringify({ client_sdp: { type: "offer", sdp } }),
  });
  const body = (await answer.json()) as { errors?: { code: string; detail: string }[] };
  return { status: answer.status, error: body.errors?.[0], retryAfter: answer.headers.get("retry-after") };
}

/** Sends this offer in a new session. The media process dies of it. */
async function fatalExchange(service: RunningService, sdp: string, by: Parameters<typeof exchange>[3] = {}) {
  service.media.failure = MediaError.fatalOffer();
  const session = await service.newSession();
  const answer = await exchange(service, session, sdp, by);
  service.media.failure = null;
  return { session, ...answer };
}

describe("an offer that has crashed a media process", () => {
  it("ends its session, with a code of its own", async () => {
    const service = await run();
    const { session, status, error } = await fatalExchange(service, "v=0 fatal");
    expect([status, error?.code]).toEqual([500, "media_process_died"]);
    expect(await service.status(session)).toMatchObject({
      status: "TERMINATED",
      termination_reason: "SESSION_MISC_ERROR",
    });
    expect(service.lines).toContainEqual(
      expect.objectContaining({ level: "error", message: "media process died of an offer" }),
    );
  });

  it("is passed to no other process, in any session; other offers are", async () => {
    const service = await run();
    await fatalExchange(service, "v=0 fatal");
    const [session, handed] = [await service.newSession(), service.media.exchanges.length];
    const again = await exchange(service, session, "v=0 fatal", { address: "198.51.100.2" });
    expect([again.status, again.error?.detail]).toEqual([400, expect.stringContaining("Create a new offer")]);
    expect(service.media.exchanges).toHaveLength(handed);
    expect((await exchange(service, session, "v=0 other")).status).toBe(200);
  });

  it("counts against its address, which is refused after the third one for the rest of ten minutes", async () => {
    const service = await run();
    for (const sdp of ["v=0 a", "v=0 b", "v=0 c"]) await fatalExchange(service, sdp);
    const session = await service.newSession();
    const handed = service.media.exchanges.length;
    const refused = await exchange(service, session, "v=0 good");
    expect(refused).toMatchObject({ status: 403, error: { code: "permission_denied" }, retryAfter: "600" });
    expect(service.media.exchanges).toHaveLength(handed);
    expect((await exchange(service, session, "v=0 good", { address: "198.51.100.2" })).status).toBe(200);
    service.pass(601);
    expect((await exchange(service, await service.newSession(), "v=0 good")).status).toBe(200);
  });

  it("does not count against the address of a caller with a key, who acts for visitors elsewhere", async () => {
    const service = await run();
    for (const sdp of ["v=0 a", "v=0 b", "v=0 c"]) await fatalExchange(service, sdp, { key: apiKey });
    expect((await exchange(service, await service.newSession(), "v=0 good")).status).toBe(200);
  });
});

it("an offer whose process died after the answer is not passed to another", async () => {
  const service = await run();
  const session = await service.newSession();
  expect((await exchange(service, session, "v=0 answered")).status).toBe(200);
  service.hooks.onClosed(session, "process-died");
  await expect.poll(async () => (await exchange(service, session, "v=0 answered")).status).toBe(400);
  expect((await exchange(service, session, "v=0 new")).status).toBe(200);
});
