import { getMultipartBoundary, parseMultipart } from "@remix-run/multipart-parser";
import { Fault } from "../../fault.ts";

/** One field of a multipart body: a text, or a file's bytes. */
export interface FormEntry {
  name: string;
  value: string | Uint8Array;
}

/** No form has more parts. Each part costs far more memory than its bytes. */
const maxParts = 1_000;

/** Some clients send an empty line first, as a preamble. */
function withoutEmptyLines(bytes: Uint8Array): Uint8Array {
  let start = 0;
  while (bytes[start] === 13 && bytes[start + 1] === 10) start += 2;
  return bytes.subarray(start);
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function* entries(bytes: Uint8Array, boundary: string): Generator<FormEntry> {
  const { length } = bytes;
  const limits = { boundary, maxFileSize: length, maxTotalSize: length, maxHeaderSize: length };
  let parts = 0;
  for (const part of parseMultipart(withoutEmptyLines(bytes), limits)) {
    if (++parts > maxParts) throw new Error("The body has too many parts.");
    if (part.name === undefined) continue;
    // What a browser's form sends for a file field in which no file was chosen.
    if (part.filename === "" && part.size === 0) continue;
    // A part that is in one piece is a view of the body, not a copy.
    const [only, more] = part.content;
    const bytes = only !== undefined && more === undefined ? viewOf(only) : part.bytes;
    yield { name: part.name, value: part.isFile ? bytes : part.text };
  }
}

/**
 * The fields of a multipart body in their order. `contentType` is the header, which names the boundary. Every boundary of
 * RFC 2046 is accepted, because clients differ (`Request.formData` accepts none under 27 characters). Throws a Fault,
 * `parse_error`.
 */
export function multipartEntries(bytes: Uint8Array, contentType: string): FormEntry[] {
  const boundary = getMultipartBoundary(contentType)?.trim();
  if (!boundary) throw Fault.parse("The Content-Type header of a multipart body must name its boundary.");
  try {
    if (bytes.length > 0) return [...entries(bytes, boundary)];
  } catch {
    // Reported below, like an empty body.
  }
  throw Fault.parse("The body is not valid multipart/form-data.");
}
