import { getMultipartBoundary, parseMultipart } from "@remix-run/multipart-parser";
import { Fault } from "../fault.ts";

/** One field of a multipart body: a text, or a file's bytes. */
export interface FormEntry {
  name: string;
  value: string | Uint8Array;
}

/** Some clients begin with an empty line, as a preamble. */
function withoutEmptyLines(bytes: Uint8Array): Uint8Array {
  let start = 0;
  while (bytes[start] === 13 && bytes[start + 1] === 10) start += 2;
  return bytes.subarray(start);
}

function* entries(bytes: Uint8Array, boundary: string): Generator<FormEntry> {
  const { length } = bytes;
  const limits = { boundary, maxFileSize: length, maxTotalSize: length, maxHeaderSize: length };
  for (const part of parseMultipart(withoutEmptyLines(bytes), limits))
    if (part.name !== undefined) yield { name: part.name, value: part.isFile ? part.bytes : part.text };
}

/**
 * The fields of a multipart body in their order. `contentType` is the header, which tells the boundary: any that RFC 2046
 * allows, since clients differ (`Request.formData` takes none shorter than 27 characters). Throws a Fault, `parse_error`.
 */
export function multipartEntries(bytes: Uint8Array, contentType: string): FormEntry[] {
  const boundary = getMultipartBoundary(contentType)?.trim();
  if (!boundary) throw Fault.parse("The Content-Type header of a multipart body must tell its boundary.");
  try {
    if (bytes.length > 0) return [...entries(bytes, boundary)];
  } catch {
    // Told below, as an empty body is.
  }
  throw Fault.parse("The body is not valid multipart/form-data.");
}
