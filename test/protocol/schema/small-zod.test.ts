import fc from "fast-check";
import { expect, test, vi } from "vitest";

/** The schemas that a browser parses with, each with data that it accepts. */
const session = { session_id: "s", status: "CREATED", created_at: "2026-01-01T00:00:00Z" };
const answer = { type: "answer", sdp: "v=0" };
const words = [{ text: "a", start: 0, end: 1.5 }];
const call = { id: "c", type: "function", function: { name: "f", arguments: "{}" } };
const ui = {
  avatar_name: "Mara",
  variant: "inline",
  placement: "top-left",
  theme: "dark",
  brand_color: "#aabbcc",
  radius: 12,
  languages: ["en", "ko"],
  texts: { ready: "Ready" },
  suggestions: ["Which wood?"],
  privacy_url: "https://example.com/p",
  voice_mode: "off",
  captions: true,
  something_else: { kept: [1] },
};
const context = {
  context_id: "ctx_1",
  name: "n",
  avatar_name: "Mara",
  greeting: "",
  model_style: { name: "mina", matte: "packed-alpha", poster: "/p", still: null },
  background: null,
  stage: { padding_left: 0, padding_top: 0.5, padding_height: 1, transparent: false },
  ui,
  idle_timeout_sec: 0,
  max_session_sec: 0,
  direct: true,
};
const area = { x: 0, y: -2.5, width: 12, height: 9 };
const layer = "data:image/webp;base64,UklGRg==";
const photo = {
  ...{ format: "visavis-photo", version: 1, size: 384 },
  landmarks: Array.from({ length: 3 * 478 }, (_, i) => (i % 7) / 10),
  triangles: [0, 1, 467],
  eyes: { left: area, right: area },
  lids: { left: area, right: area },
  pictures: Object.fromEntries(
    ["photo", "scleraLeft", "scleraRight", "irisLeft", "irisRight", "lidLeft", "lidRight", "mouth"].map(
      (name) => [name, layer],
    ),
  ),
  origin: { kind: "photograph", made_at: "2026-01-01T00:00:00Z" },
};
const cases: [module: string, schema: string, fitting: unknown[]][] = [
  ["session/relay-api", "publicContextSchema", [context]],
  [
    "session/relay-session",
    "relaySessionResponseSchema",
    [
      {
        session,
        server_sdp: answer,
        ice_servers: [{ urls: ["stun:a"], username: "u" }],
        token: "t",
        expires_at: "e",
      },
    ],
  ],
  [
    "session/relay-api",
    "launcherRecordSchema",
    [
      {
        ...context,
        title: "t",
        subtitle: "",
        offline: "",
        variant: "bubble",
        placement: "top-left",
        theme: "auto",
        styles: "",
        still: null,
        picture: "",
        widget: "/w",
      },
    ],
  ],
  ["session/exchange", "exchangeResponseSchema", [{ server_sdp: answer }]],
  ["session/ice", "iceServersSchema", [{ ice_servers: [{ urls: "turn:a", credential: "c" }] }]],
  [
    "session/session-event",
    "sessionEventSchema",
    [
      {
        sessionevent_id: "e",
        event: "SESSION_END",
        detail: null,
        file: null,
        created_at: "c",
        terminate: true,
        terminate_reason: "SESSION_EVENT_MISC_ERROR",
      },
    ],
  ],
  [
    "session/session-event",
    "eventOutcomeSchema",
    [{ terminate: true, terminate_reason: "R", event: "SESSION_END" }],
  ],
  [
    "session/data-channel",
    "serverMessageSchema",
    [
      { type: "stf", data: { message: "m", duration: 12.5, words } },
      { type: "stf-error", data: { message: "m", code: "engine_failed", detail: "" } },
      { type: "stt-error", data: { code: 7 } },
      { type: "ping", data: {} },
    ],
  ],
  [
    "speech/speech-part",
    "speechPartSchema",
    [
      {
        speech: 1,
        began: 10,
        sent: 12.5,
        duration: 900,
        from: 0,
        to: 900,
        visemes: "sil40PP60",
        accents: [[0, 300, 0.5]],
        loudness: "0az",
      },
    ],
  ],
  [
    "answers/llm-stream",
    "llmStreamEventSchema",
    [
      { status: "error", reason: "r" },
      { status: "success", type: "message", role: "assistant", content: "c" },
      { status: "success", type: "tool_call", role: "assistant", content: "", tool_calls: [call] },
      { status: "success", type: "tool_call", role: "tool", content: "x", tool_call_id: "c" },
    ],
  ],
  [
    "answers/llm-request",
    "llmRequestSchema",
    [{ messages: [{ role: "user", content: "c" }], variables: { a: 1, b: null } }],
  ],
  [
    "settings/embed-config",
    "embedConfigSchema",
    [
      {
        ui,
        stage: { padding_left: -1 },
        allowed_origins: ["https://a.example"],
        limits: { minutes_per_day: 5 },
      },
    ],
  ],
  [
    "schema/error-body",
    "errorBodySchema",
    [{ type: "client_error", errors: [{ code: "c", detail: "d", attr: null }] }],
  ],
  ["schema/error-body", "authErrorBodySchema", [{ code: "c", message: "m", status: "s" }]],
  ["characters/photo-character", "photoCharacterSchema", [photo]],
  ["page/viewer-message", "viewerCommandSchema", [{ target: "visavis", command: "send", args: ["Hi"] }]],
];

interface Parser {
  safeParse(value: unknown): { success: boolean; data?: unknown };
}

async function schemaOf(module: string, name: string, small: boolean): Promise<Parser> {
  vi.resetModules();
  if (small) vi.doMock("zod/mini", () => import("../../../src/protocol/schema/small-zod.ts"));
  else vi.doUnmock("zod/mini");
  const [room, file] = module.split("/");
  const loaded = (await import(`../../../src/protocol/${room}/${file}.ts`)) as Record<string, Parser>;
  return loaded[name]!;
}

const verdict = (schema: Parser, value: unknown): unknown => {
  const { success, data } = schema.safeParse(value);
  return success ? { success, data } : { success };
};

const oddity = fc.oneof(
  fc.constantFrom(
    null,
    undefined,
    "",
    "x",
    -1,
    0.5,
    1e9,
    Number.NaN,
    true,
    [],
    {},
    [null],
    "#12345g",
    "__proto__",
  ),
  fc.jsonValue({ maxDepth: 2 }),
  fc.string({ maxLength: 400 }),
  fc.double(),
);

/** Paths of everything inside a value, including the value itself. */
const pathsOf = (value: unknown): string[][] =>
  typeof value === "object" && value !== null
    ? [[], ...Object.entries(value).flatMap(([key, inner]) => pathsOf(inner).map((path) => [key, ...path]))]
    : [[]];

/** A copy in which one place is replaced, removed, or has an additional field. */
function changed(
  value: unknown,
  path: string[],
  kind: "replace" | "remove" | "add",
  other: unknown,
): unknown {
  if (!path.length)
    return kind === "add" && Object(value) === value ? { ...(value as object), extra: other } : other;
  const copy = structuredClone(value);
  let place = copy as Record<string, unknown>;
  for (const key of path.slice(0, -1)) place = place[key] as Record<string, unknown>;
  const last = path.at(-1)!;
  if (kind === "remove") Reflect.deleteProperty(place, last);
  else if (kind === "add") place["extra"] = other;
  else place[last] = other;
  return copy;
}

/** Data as it arrives over the network. */
const asReceived = (value: unknown): unknown => (JSON.parse(JSON.stringify([value])) as unknown[])[0];

test.each(cases)(
  "%s %s: small-zod and zod accept the same data and return the same result",
  async (module, name, fitting) => {
    const zod = await schemaOf(module, name, false);
    const small = await schemaOf(module, name, true);
    expect(small.constructor.name).not.toBe(zod.constructor.name);
    for (const value of fitting) {
      expect(verdict(zod, value)).toMatchObject({ success: true });
      expect(verdict(small, value)).toEqual(verdict(zod, value));
      fc.assert(
        fc.property(
          fc.constantFrom(...pathsOf(value)),
          fc.constantFrom("replace" as const, "remove" as const, "add" as const),
          oddity,
          (path, kind, other) => {
            const candidate = asReceived(changed(value, path, kind, other));
            expect(verdict(small, candidate)).toStrictEqual(verdict(zod, candidate));
          },
        ),
        { numRuns: 300 },
      );
    }
  },
);

test.each([
  ["answers/llm-request", "chatMessageSchema", (text: string) => ({ role: "user", content: text }), 32_768],
  ["settings/embed-config", "embedConfigSchema", (text: string) => ({ ui: { avatar_name: text } }), 200],
] as const)("%s %s: both count an emoji of a text as one character", async (module, name, value, most) => {
  const zod = await schemaOf(module, name, false);
  const small = await schemaOf(module, name, true);
  for (const [count, success] of [
    [most, true],
    [most + 1, false],
  ] as const)
    for (const schema of [zod, small])
      expect(schema.safeParse(value("😀".repeat(count))).success).toBe(success);
});

test("neither copies a name that would reach a prototype", async () => {
  const hostile: unknown = JSON.parse('{"__proto__":{"polluted":true},"theme":"dark"}');
  for (const isSmall of [true, false]) {
    const schema = await schemaOf("settings/embed-config", "uiConfigSchema", isSmall);
    const { data } = schema.safeParse(hostile);
    expect((data as { polluted?: boolean } | undefined)?.polluted).toBeUndefined();
  }
});
