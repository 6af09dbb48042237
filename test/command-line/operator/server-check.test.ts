import { beforeEach, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../service/service-fixture.ts";
import { commandLine } from "./operator-fixture.ts";

let folder: string;

beforeEach(() => {
  folder = temporaryFolder();
});

/** The error of `put` for an entry. The entry must be stored exactly when there is no error. */
async function put(command: string, entry: object, environment = {}) {
  const visavis = commandLine(folder, environment);
  const untried = command === "text-normalization-config" ? [] : ["--no-try"];
  const answer = await visavis([command, "put", ...untried], { name: "own", ...entry });
  const kept = (await visavis([command, "show", "own"])).failure === null;
  expect(kept).toBe(answer.failure === null);
  return answer;
}

const addresses: [what: string, address: string, failure: RegExp][] = [
  ["no address", "tools.example/mcp", /https address/],
  ["another protocol", "ftp://tools.example/mcp", /https address/],
  ["a password in it", "https://me:secret@tools.example/mcp", /must not contain a user name or password/],
  ["a cloud's metadata", "http://169.254.169.254/latest", /No server may be called at 169\.254\.169\.254/],
  ["http", "http://tools.example/mcp", /by http, allow its private network \(engine\.allow_private\)/],
  ["a private network", "https://10.0.0.7/mcp", /10\.0\.0\.7 is in a private network.*engine\.allow_private/],
  ["this machine", "https://localhost:8443/mcp", /localhost is in a private network/],
  ["this machine in IPv6", "https://[::1]/mcp", /is in a private network/],
];

describe("a tool server", () => {
  const server = { url: "https://tools.example/mcp", transport_protocol: "streamable_http" };

  test.each(addresses)("with %s for its address is refused", async (_what, url, failure) => {
    const answer = await put("mcp-server", { ...server, url });
    expect(answer.failure).toMatch(/^url: /);
    expect(answer.failure).toMatch(failure);
  });

  test.each([
    ["no address", { url: undefined }, "url: This field is required."],
    ["an unknown transport", { transport_protocol: "stdio" }, /^transport_protocol: Allowed here: sse, /],
    ["no transport", { transport_protocol: undefined }, "transport_protocol: This field is required."],
    ["a limit that is never kept", { server_timeout_sec: 600 }, /^server_timeout_sec: .*at most 60/],
    ["a limit of parts of a second", { server_timeout_sec: 1.5 }, /^server_timeout_sec: .*whole number/],
    ["a header that cannot be sent", { auth_header: "Bearer a\nb" }, /^auth_header: .*no value of a header/],
    ["a setting that does not exist", { engine: { allow: true } }, "engine.allow: There is no such field."],
    ["a wrong setting", { engine: { allow_private: "yes" } }, /^engine\.allow_private: .*true or false/],
  ])("with %s is refused, and the field named", async (_what, fields, failure) => {
    expect((await put("mcp-server", { ...server, ...fields })).failure).toMatch(failure);
  });

  test.each([
    ["a public address", {}, {}],
    ["the older transport", { transport_protocol: "sse", auth_header: "X-Key: k" }, {}],
    [
      "a private address it vouches for",
      { url: "http://127.0.0.1:3000", engine: { allow_private: true } },
      {},
    ],
    ["one that all may have", { url: "http://10.0.0.7/mcp" }, { VISAVIS_ALLOW_PRIVATE_ADDRESSES: "true" }],
  ])("with %s is kept", async (_what, fields, environment) => {
    expect((await put("mcp-server", { ...server, ...fields }, environment)).failure).toBeNull();
  });
});

describe("an interactive agent", () => {
  const command = "interactive-agent-config";

  test.each(addresses)("with %s for its address is refused", async (_what, url, failure) => {
    const answer = await put(command, { engine: { url } });
    expect(answer.failure).toMatch(/^engine\.url: /);
    expect(answer.failure).toMatch(failure);
  });

  test.each([
    ["no settings", undefined, "engine.url: This field is required."],
    ["an unknown setting", { auth: "Bearer k" }, "engine.auth: There is no such field."],
    ["a header that cannot be sent", { auth_header: "Bearer \u{1f600}" }, /^engine\.auth_header: /],
    ["no time at all", { first_byte_sec: 0 }, /^engine\.first_byte_sec: /],
    ["too much time", { idle_sec: 601 }, /^engine\.idle_sec: .*at most 600/],
  ])("with %s is refused, and the field named", async (_what, fields, failure) => {
    const engine = fields && { url: "https://agent.example/turns", ...fields };
    expect((await put(command, { engine })).failure).toMatch(failure);
  });

  test("with an address that the operator has allowed is stored", async () => {
    const engine = { url: "http://agent:8000/turns", allow_private: true, auth_header: "Bearer k" };
    expect(await put(command, { engine })).toMatchObject({ failure: null, noted: "" });
  });
});

test("a normalization's hook is checked like every hook", async () => {
  const config = { pre_hook_url: "http://hooks.example/pre", hook_enabled: true };
  const command = "text-normalization-config";
  expect((await put(command, config)).failure).toMatch(
    /^pre_hook_url: .*VISAVIS_ALLOW_PRIVATE_ADDRESSES=true/,
  );
  expect((await put(command, { engine: { rulez: [] } })).failure).toBe(
    "engine.rulez: There is no such field.",
  );
  expect((await put(command, config, { VISAVIS_ALLOW_PRIVATE_ADDRESSES: "true" })).failure).toBeNull();
});
