import { Buffer } from "node:buffer";

/** The maps from the bytes of a PDF to letters that PDFs name and do not contain, as `data:` URLs by the path of their file. */
const maps = import.meta.glob<string>("/node_modules/pdfjs-dist/cmaps/*.bcmap", {
  query: "?url&inline",
  import: "default",
  eager: true,
  exhaustive: true,
});

/** One of these maps by the name of its file; undefined: there is none. */
export function characterMap(fileName: string): Uint8Array | undefined {
  const url = maps[`/node_modules/pdfjs-dist/cmaps/${fileName}`];
  return url === undefined
    ? undefined
    : Uint8Array.from(Buffer.from(url.slice(url.indexOf(",") + 1), "base64"));
}
