import { expect, test } from "vitest";
import { originOf } from "../../../src/console/editor/typed-origin.ts";

test.each([
  ["localhost:19125", "http://localhost:19125"],
  ["127.0.0.1:8080/page", "http://127.0.0.1:8080"],
  ["shop.localhost", "http://shop.localhost"],
  ["192.168.1.20:3000", "http://192.168.1.20:3000"],
  ["[::1]:5173", "http://[::1]:5173"],
  ["https://localhost:8443", "https://localhost:8443"],
  ["shop.example/chairs?id=1", "https://shop.example"],
  ["localhost.example", "https://localhost.example"],
  ["10.example.com", "https://10.example.com"],
  ["http://localhost:*", "http://localhost:*"],
])("what is typed as %s is the origin %s", (typed, origin) => {
  expect(originOf(typed)).toBe(origin);
});
