import { expect, test } from "vitest";
import type { LogFields, LogLevel } from "../../src/logging/logger.ts";
import { createPinoLogger } from "../../src/logging/pino-logger.ts";

function logger(level: LogLevel = "info") {
  const lines: string[] = [];
  const log = createPinoLogger({ level, write: (line) => lines.push(line), clock: () => 0 });
  return { log, lines, only: () => JSON.parse(lines[0]!) as Record<string, unknown> };
}

test("writes one line of JSON with the level's name, the time, the fields and the message", () => {
  const { log, lines, only } = logger();
  log.error("media order failed", { session: "01234567", ms: 12, cause: null });
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/"level":"error".*\n$/);
  expect(only()).toEqual({
    level: "error",
    time: "1970-01-01T00:00:00.000Z",
    session: "01234567",
    ms: 12,
    cause: null,
    message: "media order failed",
  });
});

test("writes the lines of its level and the more severe ones", () => {
  const severities = (level: LogLevel) => {
    const { log, lines } = logger(level);
    for (const severity of ["debug", "info", "warn", "error"] as const) log[severity]("line");
    return lines.map((line) => (JSON.parse(line) as { level: string }).level);
  };
  expect(severities("debug")).toEqual(["debug", "info", "warn", "error"]);
  expect(severities("info")).toEqual(["info", "warn", "error"]);
  expect(severities("warn")).toEqual(["warn", "error"]);
  expect(severities("silent")).toEqual([]);
});

test("leaves out fields that are not on the allow-list, and values that are not plain", () => {
  const { log, only } = logger();
  const fields = {
    session: "01234567",
    text: "a visitor's words",
    prompt: "You are",
    reason: { text: "words" },
  };
  log.info("turn", fields as unknown as LogFields);
  expect(only()).toEqual({
    level: "info",
    time: "1970-01-01T00:00:00.000Z",
    session: "01234567",
    message: "turn",
  });
});

test("cannot be made to write a second line", () => {
  const { log, lines } = logger();
  log.warn("fault", { error: 'x\n{"level":"error"}' });
  expect(lines.join("").split("\n")).toHaveLength(2);
});

test.each([
  [
    "a session id",
    "GET /session/0123456789abcdef0123456789abcdef01234567/",
    "GET /session/01234567[secret]/",
  ],
  ["an API key", "key vv_0123456789012345678901234567890123456789abc", "key [secret]"],
  ["an engine's key", "Incorrect API key: sk-proj-0123456789abcdef", "Incorrect API key: [secret]"],
  ["a signed token", "token eyJhbGciOiJIUzI1NiJ9.eyJzaWQiOiIx.c2ln-_", "token [secret]"],
  ["an Authorization header", "authorization: Bearer abc.def", "authorization: Bearer [secret]"],
  ["a password in an address", "postgres://app:pass@db/visavis", "postgres://app:[secret]@db/visavis"],
])("masks %s, in fields and in messages", (_what, text, masked) => {
  const { log, only } = logger();
  log.error(text, { error: text });
  expect(only()).toMatchObject({ error: masked, message: masked });
});

test("keeps ids and hashes that give no access", () => {
  const { log, only } = logger();
  const harmless = "01234567 3f1c0e9a-5b7d-4a55-9a0e-0d8f5e1f0a11 0123456789abcdef http://host:8080/path";
  log.info("line", { detail: harmless });
  expect(only()).toMatchObject({ detail: harmless });
});

test("cuts a value that is too long to read", () => {
  const { log, only } = logger();
  log.error("fault", { error: "x".repeat(10_000) });
  expect(only()["error"]).toHaveLength(2_000);
});
