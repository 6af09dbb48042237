import { test } from "vitest";
import {
  createRelay,
  MemoryCounter,
  type RelayAsset,
  type RelayDeps,
  serviceInProcess,
} from "../../src/relay/index.ts";
import type { RelaySessionResponse } from "../../src/protocol/session/relay-session.ts";
import type { EmbedContextPut } from "../../src/protocol/settings/embed-context.ts";
import type { ServiceDependencies } from "../../src/service/service.ts";
import { apiKey, type RunningService, runService } from "../service/service-fixture.ts";

export const publicUrl = "https://relay.example";
export const shop = "https://shop.example";
export const offer = { type: "offer", sdp: "v=0 an offer" } as const;

const manifest = {
  "src/widget/define.ts": { file: "assets/widget-abc123.js" },
  "src/viewer/viewer.ts": {
    file: "assets/viewer-def456.js",
    css: ["assets/viewer-aaa.css"],
    imports: ["_shared.js"],
  },
  "_shared.js": {
    file: "assets/shared-1.js",
    css: ["assets/shared-bbb.css"],
    imports: ["src/viewer/viewer.ts"],
  },
};

function asset(text: string, contentType: string): RelayAsset {
  return {
    body: new TextEncoder().encode(text),
    contentType,
    etag: `"${text.length}-${contentType.length}"`,
  };
}

/** The files of a build that the relay uses. */
export const builtFiles: Record<string, RelayAsset> = {
  ".vite/manifest.json": asset(JSON.stringify(manifest), "application/json"),
  "embed.js": { ...asset("(()=>{})();", "text/javascript"), brotli: new Uint8Array([1, 2, 3]) },
  "assets/widget-abc123.js": asset("export{};", "text/javascript"),
  "backgrounds/room.webp": asset("a room", "image/webp"),
  "characters/mina.json": asset("{}", "application/json"),
  "characters/mina-porthole.webp": asset("a small picture", "image/webp"),
  "characters/mina-poster.webp": asset("a large picture", "image/webp"),
};

export interface RunningRelay {
  running: RunningService;
  warnings: string[];
  /** Moves the clocks of relay and service. */
  pass(sec: number): void;
  request(path: string, init?: RequestInit): Promise<Response>;
  /** A request from a page of the shop's origin. */
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  /** Changes the demo context, and lets `passSec` go by: after 3 s, no cache holds the former one. */
  changeContext(change: (context: EmbedContextPut) => void, passSec?: number): Promise<void>;
  newSession(fields?: Record<string, unknown>): Promise<RelaySessionResponse>;
  /** Asks for a session of a visitor of the demo context. */
  start(visitor?: string, address?: string, fields?: Record<string, unknown>): Promise<Response>;
  /** A session that has been opened, and its own requests. */
  open(fields?: Record<string, unknown>): Promise<OpenSession>;
}

/** Requests with the session's latest token. */
export interface OpenSession {
  id: string;
  path: string;
  /** The first token. */
  token: string;
  opened: RelaySessionResponse;
  get(): Promise<Response>;
  post(view: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  event(name: string, headers?: Record<string, string>): Promise<Response>;
}

export const bearer = (token: string): { authorization: string } => ({ authorization: `Bearer ${token}` });

export function openSession(relay: RunningRelay, opened: RelaySessionResponse): OpenSession {
  const id = opened.session.session_id;
  const path = `/embed/v1/sessions/${id}`;
  let latest = opened.token;
  const post = (view: string, body: unknown, headers = {}) =>
    relay.post(`${path}/${view}`, body, { ...bearer(latest), ...headers });
  return {
    ...{ id, path, token: opened.token, opened, post },
    get: () => relay.get(path, bearer(latest)),
    async event(name, headers) {
      const answer = await post("event", { event: name }, headers);
      latest = answer.headers.get("x-visavis-token") ?? latest;
      return answer;
    },
  };
}

/** The relay in front of the real service, in one process. The demo context allows the shop's origin. */
export async function runRelay(
  overrides: Partial<RelayDeps> = {},
  service: Partial<ServiceDependencies> = {},
): Promise<RunningRelay> {
  const running = await runService(service);
  let nowMs = Date.UTC(2026, 0, 1);
  const clock = { now: () => nowMs };
  const warnings: string[] = [];
  const relay = createRelay({
    service: serviceInProcess(running.service.app, apiKey),
    tokenSecret: new Uint8Array(32).fill(7),
    assets: { read: (path) => Promise.resolve(builtFiles[path] ?? null) },
    publicUrl,
    clock,
    counter: new MemoryCounter(clock.now),
    log: { info: () => undefined, warn: (...line) => void warnings.push(JSON.stringify(line)) },
    clientAddress: (request) => request.headers.get("x-test-address"),
    ...overrides,
  });
  const request = async (path: string, init?: RequestInit) => relay.request(publicUrl + path, init);
  const fixture: RunningRelay = {
    running,
    warnings,
    pass(sec) {
      nowMs += sec * 1000;
      running.pass(sec);
    },
    request,
    get: (path, headers = {}) => request(path, { headers: { origin: shop, ...headers } }),
    post: (path, body, headers = {}) =>
      request(path, {
        method: "POST",
        headers: { origin: shop, "content-type": "application/json", ...headers },
        body: JSON.stringify(body),
      }),
    async changeContext(change, passSec = 3) {
      const path = `/api/console/b2c/contexts/${running.demo.id}/`;
      const context = (await (await running.get(path)).json()) as EmbedContextPut;
      change(context);
      const answer = await running.send("PUT", path, context);
      if (!answer.ok) throw new Error(await answer.text());
      fixture.pass(passSec);
    },
    async newSession(fields = {}) {
      const answer = await fixture.post("/embed/v1/sessions", {
        context_id: "ctx_demo",
        client_sdp: offer,
        ...fields,
      });
      if (!answer.ok) throw new Error(await answer.text());
      return (await answer.json()) as RelaySessionResponse;
    },
    start: (visitor = "visitor-1", address = "192.0.2.1", fields = {}) =>
      fixture.post(
        "/embed/v1/sessions",
        { context_id: "ctx_demo", mode: "text", visitor_id: visitor, ...fields },
        { "x-test-address": address },
      ),
    open: async (fields = {}) => openSession(fixture, await fixture.newSession(fields)),
  };
  await fixture.changeContext((context) => {
    context.embed_config.allowed_origins = [shop, "http://localhost:*"];
  });
  return fixture;
}

/** The status and the code of an error answer, such as "404 session_lost". */
export async function failure(answer: Response): Promise<string> {
  return `${answer.status} ${await errorCode(answer)}`;
}

/** A test with a relay, and with a session that is open. */
export const relayTest = test
  .extend("relay", () => runRelay())
  .extend("session", ({ relay }) => relay.open());

export async function errorCode(answer: Response): Promise<string> {
  return ((await answer.json()) as { errors: { code: string }[] }).errors[0]!.code;
}
