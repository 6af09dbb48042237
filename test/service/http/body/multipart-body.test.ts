import { describe, expect, test } from "vitest";
import { multipartEntries } from "../../../../src/service/http/body/request-fields.ts";

interface Part {
  head: string;
  body: string | Uint8Array;
}

function body(boundary: string, parts: readonly Part[], preamble = ""): Uint8Array {
  const pieces = parts.flatMap(({ head, body: content }) => [
    Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from("\r\n"),
  ]);
  return Buffer.concat([Buffer.from(preamble), ...pieces, Buffer.from(`--${boundary}--\r\n`)]);
}

const text = (name: string, value: string): Part => ({
  head: `Content-Disposition: form-data; name="${name}"`,
  body: value,
});

describe("a multipart body", () => {
  test.each([
    ["of one character", "X", "X"],
    ["as curl's", "------------------------d74496d66958873e", "------------------------d74496d66958873e"],
    ["of 71 characters", "a".repeat(71), "a".repeat(71)],
    ["in quotes", "a (b) c", '"a (b) c"'],
  ])("is read with a boundary %s", (_, boundary, told) => {
    const bytes = body(boundary, [text("a", "1"), text("b", "two\r\nlines"), text("a", "3")]);
    expect(multipartEntries(bytes, `multipart/form-data; boundary=${told}`)).toEqual([
      { name: "a", value: "1" },
      { name: "b", value: "two\r\nlines" },
      { name: "a", value: "3" },
    ]);
  });

  test("has files as bytes, whatever their content and name", () => {
    const bytes = new Uint8Array(70_000).map((_, at) => at % 251);
    const head =
      "Content-Disposition: form-data; name=file; filename*=UTF-8''caf%C3%A9.wav\r\nContent-Type: audio/wav";
    const entries = multipartEntries(body("X", [{ head, body: bytes }]), "multipart/form-data;boundary=X");
    expect(entries).toEqual([{ name: "file", value: bytes }]);
    const empty = { head: 'content-disposition: form-data; name="file"; filename="empty.txt"', body: "" };
    expect(multipartEntries(body("X", [empty]), "multipart/form-data; boundary=X")[0]!.value).toHaveLength(0);
  });

  test("has no file where a browser's form says that none was chosen", () => {
    const head =
      'Content-Disposition: form-data; name="file"; filename=""\r\nContent-Type: application/octet-stream';
    const read = (content: string) =>
      multipartEntries(
        body("X", [{ head, body: content }, text("a", "1")]),
        "multipart/form-data; boundary=X",
      );
    expect(read("")).toEqual([{ name: "a", value: "1" }]);
    expect(read("content")).toHaveLength(2);
  });

  test("may begin with an empty line, and contain no part", () => {
    const header = "multipart/form-data; boundary=X";
    expect(multipartEntries(body("X", [text("a", "1")], "\r\n"), header)).toHaveLength(1);
    expect(multipartEntries(Buffer.from("--X--\r\n"), header)).toEqual([]);
  });

  test.each([
    ["without its boundary told", body("X", [text("a", "1")]), "multipart/form-data"],
    ["with another boundary", body("X", [text("a", "1")]), "multipart/form-data; boundary=Y"],
    ["that breaks off", body("X", [text("a", "1")]).subarray(0, -8), "multipart/form-data; boundary=X"],
    ["that is empty", new Uint8Array(), "multipart/form-data; boundary=X"],
    [
      "with a text that is not UTF-8",
      body("X", [{ ...text("a", ""), body: Uint8Array.of(255, 254) }]),
      "multipart/form-data; boundary=X",
    ],
  ])("%s is refused", (_, bytes, header) => {
    expect(() => multipartEntries(bytes, header)).toThrow(expect.objectContaining({ status: 400 }));
  });

  test("of thousands of parts is refused early, before it uses memory", () => {
    const parts = Array.from({ length: 5_000 }, (_, index) => text(`n${index}`, ""));
    expect(() => multipartEntries(body("X", parts), "multipart/form-data; boundary=X")).toThrow(
      expect.objectContaining({ status: 400 }),
    );
  });
});
