import { describe, expect, test } from "vitest";
import { requireJsonAccepted } from "../../../../src/service/http/operations/operation.ts";

describe("an Accept header", () => {
  test.each([
    null,
    "",
    "  ",
    "*/*",
    "application/json",
    "Application/JSON",
    "text/html, application/json",
    "text/html,*/*;q=0.8",
    "application/*",
    "application/json;q=0.001",
    "application/json;q=0.0001",
    "application/json; charset=utf-8",
    "application/json;q=0, application/json",
    "application/json, application/json;q=0",
    "application/json, */*;q=0",
    "application/json, application/*;q=0",
    "application/*, */*;q=0",
    "application/json;xq=0",
    "application/json;q=0x",
    "application/json;q=0.0x",
  ])("%j lets JSON through", (accept) => {
    expect(() => requireJsonAccepted(accept)).not.toThrow();
  });

  test.each([
    "text/html",
    "application/xml, text/*",
    "application/json;q=0",
    "application/json; Q=0",
    "application/json;q=0.000",
    "application/json;q=0.",
    "application/json;v=1;q=0",
    "*/*, application/json;q=0",
    "application/*, application/json;q=0",
    "*/*, application/*;q=0",
    "*/*;q=0",
    ";,;",
    "application/jsonp",
  ])("%j excludes it", (accept) => {
    expect(() => requireJsonAccepted(accept)).toThrow(
      expect.objectContaining({
        status: 406,
        body: {
          type: "client_error",
          errors: [expect.objectContaining({ code: "not_acceptable", attr: null })],
        },
      }),
    );
  });
});
