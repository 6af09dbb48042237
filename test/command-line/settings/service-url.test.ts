import { expect, test } from "vitest";
import { serviceUrlOf } from "../../../src/command-line/settings/service-url.ts";

test.each([
  ["no setting", undefined, "http://localhost:8787", "http://localhost:8787"],
  ["a public address for everything", undefined, "https://avatar.example", "https://avatar.example"],
  ["a relay beside it", undefined, "http://localhost:9000", "http://localhost:8787"],
  ["a relay beside it, behind a proxy", undefined, "https://127.0.0.1", "http://localhost:8787"],
  ["an address of its own", "https://api.example", "https://avatar.example", "https://api.example"],
])("a service with %s knows where its own paths are", (_what, serviceUrl, publicUrl, expected) => {
  expect(serviceUrlOf({ serviceUrl, publicUrl, port: 8787 })).toBe(expected);
});
