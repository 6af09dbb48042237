import { describe, expect, test } from "vitest";
import { multipartEntries } from "../../../../src/service/http/body/request-fields.ts";

interface Part {
  head: string;
  body: string | Uint8Array;
}

function body(parts: readonly Part[], { boundary = "X", preamble = "" } = {}): Uint8Array {
  const pieces = parts.flatMap(({ head, body: content }) => [
    Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from("\r\n"),
  ]);
  return Buffer.concat([Buffer.from(preamble), ...pieces, Buffer.from(`--${boundary}--\r\n`)]);
}

const text = (name: string, value: string | Uint8Array): Part => ({
  head: `Content-Disposition: form-data; name="${name}"`,
  body: value,
});

const type = "multipart/form-data; boundary=X";
const curls = "------------------------d74496d66958873e";

describe("a multipart body", () => {
  test.each([
    ["of one character", "X", "X"],
    ["as curl's", curls, curls],
    ["of 71 characters", "a".repeat(71), "a".repeat(71)],
    ["in quotes", "a (b) c", '"a (b) c"'],
  ])("is read with a boundary %s", (_, boundary, told) => {
    const bytes = body([text("a", "1"), text("b", "two\r\nlines"), text("a", "3")], { boundary });
    expect(multipartEntries(bytes, `multipart/form-data; boundary=${told}`)).toEqual([
      { name: "a", value: "1" },
      { name: "b", value: "two\r\nlines" },
      { name: "a", value: "3" },
    ]);
  });

  test("has files as bytes, whatever their content and name", () => {
    const bytes = new Uint8Array(70_000).map((_, at) => at % 251);
    const named = "Content-Disposition: form-data; name=file; filename*=UTF-8''caf%C3%A9.wav";
    const head = `${named}\r\nContent-Type: audio/wav`;
    const entries = multipartEntries(body([{ head, body: bytes }]), "multipart/form-data;boundary=X");
    expect(entries).toEqual([{ name: "file", value: bytes }]);
    const empty = { head: 'content-disposition: form-data; name="file"; filename="empty.txt"', body: "" };
    expect(multipartEntries(body([empty]), type)[0]!.value).toHaveLength(0);
  });

  test("has no file where a browser's form says that none was chosen", () => {
    const named = 'Content-Disposition: form-data; name="file"; filename=""';
    const head = `${named}\r\nContent-Type: application/octet-stream`;
    const read = (content: string) => multipartEntries(body([{ head, body: content }, text("a", "1")]), type);
    expect(read("")).toEqual([{ name: "a", value: "1" }]);
    expect(read("content")).toHaveLength(2);
  });

  test("may begin with an empty line, and contain no part", () => {
    expect(multipartEntries(body([text("a", "1")], { preamble: "\r\n" }), type)).toHaveLength(1);
    expect(multipartEntries(Buffer.from("--X--\r\n"), type)).toEqual([]);
  });

  const one = body([text("a", "1")]);

  test.each([
    ["without its boundary told", one, "multipart/form-data"],
    ["with another boundary", one, "multipart/form-data; boundary=Y"],
    ["that breaks off", one.subarray(0, -8), type],
    ["that is empty", new Uint8Array(), type],
    ["with a text that is not UTF-8", body([text("a", Uint8Array.of(255, 254))]), type],
    // Refused early, before it uses memory.
    ["of thousands of parts", body(Array.from({ length: 5_000 }, (_, at) => text(`n${at}`, ""))), type],
  ])("%s is refused", (_, bytes, header) => {
    expect(() => multipartEntries(bytes, header)).toThrow(expect.objectContaining({ status: 400 }));
  });
});
