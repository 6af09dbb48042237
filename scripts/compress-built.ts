/** The last step of `npm run build`: compresses what browsers load, so that the first visitor after a start does not wait for that. */
import { readdirSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { compress, compressedExtensions } from "../src/relay/assets/folder-assets.ts";

const files = ["dist/public", "dist/console"].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => compressedExtensions.has(extname(file)))
    .map((file) => join(folder, file)),
);
await Promise.all(files.map(async (file) => writeFile(`${file}.br`, await compress(await readFile(file)))));
