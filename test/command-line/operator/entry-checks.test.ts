/** Entries of the catalogues that an operator puts: what is refused with the field's name, and what is kept. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Answer, commandLine } from "./operator-fixture.ts";

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "visavis-entries-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const untried = ["llm-type", "tts-type", "stt-type", "mcp-server", "interactive-agent-config"];

/** The answer to `put` for an entry "own". It must be stored exactly when nothing failed; it is removed again. */
async function put(kind: string, entry: object, environment: Record<string, string> = {}): Promise<Answer> {
  const visavis = commandLine(folder, environment);
  const words = [kind, "put", ...(untried.includes(kind) ? ["--no-try"] : [])];
  const answer = await visavis(words, { name: "own", ...entry });
  const kept = (await visavis([kind, "show", "own"])).failure === null;
  expect(kept).toBe(answer.failure === null);
  if (kept) await visavis([kind, "delete", "own"]);
  return answer;
}

/** Rows of what an entry has, the entry, and the refusal. */
type Refused = readonly [has: string, entry: object, refusal: string | RegExp];
/** Rows of what an entry has, the entry, the warning, and the environment. */
type Kept = readonly [
  has: string,
  entry: object,
  warning: string | RegExp,
  environment?: Record<string, string>,
];

function checks(kind: string, refused: readonly Refused[], kept: readonly Kept[]): void {
  test.each(refused)(`${kind} with %s is refused, and the field named`, async (_has, entry, refusal) => {
    expect((await put(kind, entry)).failure).toMatch(refusal);
  });
  test.for(kept)(`${kind} with %s is kept`, async ([, entry, warning, environment]) => {
    const { failure, noted } = await put(kind, entry, environment);
    expect(failure).toBeNull();
    if (warning === "") expect(noted).toBe("");
    else expect(noted).toMatch(warning);
  });
}

const own = (engine: object | undefined, fields: object = {}) => ({
  service: "onpremise",
  ...fields,
  ...(engine && { engine }),
});
const address = { base_url: "http://127.0.0.1:11434/v1" };
const local = { ...address, model: "m" };

describe("a language model", () => {
  const variable = own({ ...local, api_key_env: "MODELS_KEY" });
  const allowed = { VISAVIS_ENGINE_VARIABLES: "OTHER_KEY, MODELS_KEY" };
  checks(
    "llm-type",
    [
      ["no settings", own(undefined), "engine.model: This field is required."],
      ["no address", own({ model: "m" }), /^engine\.base_url: .*onpremise has no address/],
      [
        "no web address",
        own({ model: "m", base_url: "localhost:1" }),
        /^engine\.base_url: Set an http or https/,
      ],
      [
        "a password in it",
        own({ model: "m", base_url: "https://me:x@a.example/v1" }),
        /^engine\.base_url: .*api_key/,
      ],
      [
        "a field that does not exist",
        own({ ...local, apikey: "x" }),
        "engine.apikey: There is no such field.",
      ],
      ["a wrong value", own({ ...local, temperature: 9 }), /^engine\.temperature: .*at most 2/],
      [
        "our secret",
        own({ ...local, api_key_env: "VISAVIS_SECRET" }),
        /^engine\.api_key_env: Secrets of the service/,
      ],
      [
        "a key of two lines",
        own({ ...local, api_key: "a\nb" }),
        /^engine\.api_key: This is no value of a header/,
      ],
      [
        "a wrong header",
        own({ ...local, headers: { "X Key": "k" } }),
        /^engine\.headers\.X Key: This is no name/,
      ],
      ["needless settings", own(local, { service: "visavis" }), /^engine: .*visavis has no engine settings/],
    ],
    [
      ["a private address", own(local), ""],
      ["a provider's own address", own({ model: "m", api_key: "k" }, { service: "anthropic" }), ""],
      ["the built-in engine", { service: "visavis" }, ""],
      ["no key where its provider needs one", own({ model: "m" }, { service: "openai" }), /^It has no key/],
      ["a key that is not set here", variable, /^MODELS_KEY is not set here/, allowed],
      ["a key that is set", variable, "", { ...allowed, MODELS_KEY: "k" }],
      [
        "a key of a variable that is not allowed",
        variable,
        /^MODELS_KEY is none of the variables .* adds it to VISAVIS_ENGINE_VARIABLES/,
        { MODELS_KEY: "k" },
      ],
    ],
  );
});

describe("a voice", () => {
  const flite = (voice: string) => own(undefined, { service: "visavis", model: "flite", voice });
  const vits = { model: "/none/a.onnx", dataDir: "/none/data" };
  const wrongModel =
    /^engine\.config\.model\.vits\.model: .*\/none\/a\.onnx.*\nengine\.config\.model\.vits\.dataDir: /;
  checks(
    "tts-type",
    [
      ["no engine", own(undefined), /^engine\.base_url: /],
      ["an unknown engine", own({ type: "piper" }), "engine.type: Allowed here: openai, sherpa-onnx."],
      ["a recogniser's engine", own({ type: "command", command: ["ls", "{wav}"] }), /^engine\.type: /],
      ["an unknown format", own({ ...address, response_format: "ogg" }), /^engine\.response_format: /],
      [
        "our secret",
        own({ ...address, api_key_env: "VISAVIS_SECRET" }),
        /^engine\.api_key_env: Secrets of the/,
      ],
      ["an unknown model of ours", own(undefined, { service: "visavis", model: "piper" }), /^model: .*flite/],
      ["a voice that Flite lacks", flite("anna"), /^voice: /],
      ["a missing model", own({ type: "sherpa-onnx", config: { model: { vits } } }), wrongModel],
    ],
    [
      ["an address", own(address), ""],
      ["a voice of Flite", flite("awb"), ""],
      ["no key of its provider", own({}, { service: "openai" }), /^OPENAI_API_KEY is not set/],
    ],
  );

  test("whose engine is not installed here is stored, with a warning", async () => {
    const nowhere = { VISAVIS_ESPEAK_PATH: folder, VISAVIS_SHERPA_PATH: folder };
    const espeak = { service: "visavis", model: "espeak-ng", voice: "ko" };
    expect((await put("tts-type", espeak, nowhere)).noted).toMatch(/^eSpeak NG is not installed/);
    mkdirSync(join(folder, "model"));
    const sherpa = own({ type: "sherpa-onnx", config: { dataDir: join(folder, "model") } });
    expect((await put("tts-type", sherpa, nowhere)).noted).toMatch(/^sherpa-onnx-node is not installed/);
  });
});

describe("a recogniser", () => {
  const command = (...parts: string[]) => own({ type: "command", command: parts });
  checks(
    "stt-type",
    [
      ["no engine", own(undefined), /^engine\.base_url: /],
      ["a missing program", command("no-such-program", "{wav}"), /^engine\.command\.0: There is no program/],
      ["a folder for a program", command("/tmp", "{wav}"), /^engine\.command\.0: /],
      ["a path from here", command("./node_modules/.bin/tsc", "{wav}"), /^engine\.command\.0: .*whole path/],
      ["a program that hears nothing", command("ls", "-l"), /^engine\.command: .*\{wav\}/],
      ["no command", own({ type: "command" }), "engine.command: This field is required."],
      ["a bad address", own({ base_url: "ftp://ears.example" }), /^engine\.base_url: /],
    ],
    [],
  );

  test("with a program in PATH, or with its full path, is stored", async () => {
    const program = join(folder, "listen");
    writeFileSync(program, "#!/bin/sh\n");
    chmodSync(program, 0o755);
    expect((await put("stt-type", command(program, "{wav}"))).failure).toBeNull();
    expect((await put("stt-type", command("listen", "{wav}"), { PATH: folder })).failure).toBeNull();
  });
});

/** Addresses that no server of somebody else may have. */
function wrongAddresses(field: string, entryAt: (url: string) => object): Refused[] {
  const rows: [has: string, url: string, words: string][] = [
    ["no address", "tools.example/mcp", "https address"],
    ["another protocol", "ftp://tools.example/mcp", "https address"],
    ["a password in it", "https://me:secret@tools.example/mcp", "must not contain a user name or password"],
    ["a cloud's metadata", "http://169.254.169.254/latest", "No server may be called at 169.254.169.254"],
    ["http", "http://tools.example/mcp", "by http, allow its private network (engine.allow_private)"],
    ["a private network", "https://10.0.0.7/mcp", "10.0.0.7 is in a private network"],
    ["this machine", "https://localhost:8443/mcp", "localhost is in a private network"],
    ["this machine in IPv6", "https://[::1]/mcp", "is in a private network"],
  ];
  const escaped = (text: string): string => text.replace(/[.[\]()]/g, "\\$&");
  return rows.map(([has, url, words]) => [
    `${has} as its address`,
    entryAt(url),
    new RegExp(`^${escaped(field)}: .*${escaped(words)}`),
  ]);
}

const server = { url: "https://tools.example/mcp", transport_protocol: "streamable_http" };
const anywhere = { VISAVIS_ALLOW_PRIVATE_ADDRESSES: "true" };
const vouched = { url: "http://127.0.0.1:3000", engine: { allow_private: true } };

checks(
  "mcp-server",
  [
    ...wrongAddresses("url", (url) => ({ ...server, url })),
    ["no address", { ...server, url: undefined }, "url: This field is required."],
    [
      "another transport",
      { ...server, transport_protocol: "stdio" },
      /^transport_protocol: Allowed here: sse, /,
    ],
    ["no transport", { url: server.url }, "transport_protocol: This field is required."],
    [
      "a limit that is never kept",
      { ...server, server_timeout_sec: 600 },
      /^server_timeout_sec: .*at most 60/,
    ],
    ["parts of a second", { ...server, server_timeout_sec: 1.5 }, /^server_timeout_sec: .*whole number/],
    [
      "a header of two lines",
      { ...server, auth_header: "Bearer a\nb" },
      /^auth_header: .*no value of a header/,
    ],
    ["an unknown setting", { ...server, engine: { allow: true } }, "engine.allow: There is no such field."],
    [
      "a wrong one",
      { ...server, engine: { allow_private: "yes" } },
      /^engine\.allow_private: .*true or false/,
    ],
  ],
  [
    ["a public address", server, ""],
    ["the older transport", { ...server, transport_protocol: "sse", auth_header: "X-Key: k" }, ""],
    ["a private address it vouches for", { ...server, ...vouched }, ""],
    ["an address that all may have", { ...server, url: "http://10.0.0.7/mcp" }, "", anywhere],
  ],
);

const agentAt = (engine: object) => ({ engine: { url: "https://agent.example/turns", ...engine } });

checks(
  "interactive-agent-config",
  [
    ...wrongAddresses("engine.url", (url) => ({ engine: { url } })),
    ["no settings", {}, "engine.url: This field is required."],
    ["an unknown setting", agentAt({ auth: "Bearer k" }), "engine.auth: There is no such field."],
    ["a header of signs", agentAt({ auth_header: "Bearer \u{1f600}" }), /^engine\.auth_header: /],
    ["no time at all", agentAt({ first_byte_sec: 0 }), /^engine\.first_byte_sec: /],
    ["too much time", agentAt({ idle_sec: 601 }), /^engine\.idle_sec: .*at most 600/],
  ],
  [
    [
      "an address that the operator allows",
      agentAt({ ...vouched.engine, url: "http://agent:8000/turns" }),
      "",
    ],
  ],
);

const hook = { pre_hook_url: "http://hooks.example/pre", hook_enabled: true };

checks(
  "text-normalization-config",
  [
    ["a hook by http", hook, /^pre_hook_url: .*VISAVIS_ALLOW_PRIVATE_ADDRESSES=true/],
    ["an unknown setting", { engine: { rulez: [] } }, "engine.rulez: There is no such field."],
  ],
  [["a hook that all may have", hook, "", anywhere]],
);

const unknown = (...names: [field: string, name: string][]): string =>
  names.map(([field, name]) => `${field}: "${name}" does not exist.`).join("\n");
const missing = { llm_type: "none", mcp_servers: ["nobody"] };
const kind = { system_prompt: "Be kind.", llm_type: "visavis-retrieval", designer: { x: 1 } };

checks(
  "agent-config",
  [
    ["a wrong setting", { config: { temperature: 3 } }, /^config\.temperature: /],
    ["words for settings", { config: "be kind" }, /^config: /],
    [
      "unknown names",
      { config: missing },
      unknown(["config.llm_type", "none"], ["config.mcp_servers.0", "nobody"]),
    ],
  ],
  [["settings", { config: kind }, ""]],
);

checks(
  "session-template",
  [
    [
      "unknown names",
      { model_style: "nobody", mcp_servers: ["none"] },
      unknown(["model_style", "nobody"], ["mcp_servers.0", "none"]),
    ],
  ],
  [["known names", { model_style: "mina", tts_type: "visavis-slt" }, ""]],
);

checks("voice", [["no voice", { engine: { tts_type: "none" } }, unknown(["engine.tts_type", "none"])]], []);

test.each([
  "sea.webp",
  "//elsewhere.example/sea.webp",
  "http://a.example/sea.webp",
  "https://u:p@a.example/s",
])("a background image at %j is refused", async (image) => {
  const { failure } = await commandLine(folder)(["background-image", "put"], { title: "Sea", image });
  expect(failure).toMatch(/^image: Set an https address/);
});

test("a document without its text is stored, with a warning", async () => {
  const { failure, noted } = await commandLine(folder)(["document", "put"], { title: "Handbook" });
  expect(failure).toBeNull();
  expect(noted).toMatch(/has no text.*visavis document add/);
});

const character = { name: "character", file: "/characters/mina.json" };
const poster = { name: "poster", file: "/characters/mina-poster.webp" };
const porthole = { name: "porthole", file: "https://pictures.example/porthole.webp" };
const style = (...files: object[]) => ({ model: "own", files });
const drawnBy = (file: string) => style({ ...character, file });
const green = [{ modelstyleconfig_id: "m", key: "matte", value: "green" }];

checks(
  "model-style",
  [
    ["no character", style(poster), /^files: .*"character"/],
    ["nothing at all", { model: "own" }, /^files: /],
    ["a character elsewhere", drawnBy("https://a.example/c.json"), /^files\.0\.file: /],
    ["a missing character", drawnBy("/characters/nobody.json"), /no file/],
    ["a character outside of the folder", drawnBy("/../package.json"), /no file/],
    ["a folder as character", drawnBy("/characters"), /^files\.0\.file: .*no file/],
    [
      "a picture as character",
      style(poster, { ...character, file: poster.file }),
      /^files\.1\.file: .*drawn/,
    ],
    [
      "a missing picture",
      style(character, { ...poster, file: "/characters/none.webp" }),
      /^files\.1\.file: .*no file/,
    ],
    [
      "a picture by http",
      style(character, { ...poster, file: "http://a.example/p.webp" }),
      /^files\.1\.file: /,
    ],
    ["a file that is not there", { ...style(character), file: "/characters/none.webp" }, /^file: .*no file/],
    ["an unknown matte", { ...style(character), configs: green }, /^configs\.0\.value: /],
  ],
  [
    ["a character, poster and porthole", style(character, poster, porthole), ""],
    ["a character alone", style(character), /no poster[^]*no porthole/],
    ["another platform, whose clients draw it", { model: "own", platform_type: "ios" }, ""],
  ],
);
