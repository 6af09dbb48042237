import { open } from "node:fs/promises";
import { errorMessage } from "../../error-message.ts";
import { AdministrationError } from "../administration-error.ts";
import { modelLimits, refused, UnpackBudget, type UnpackLimits } from "./unpack-budget.ts";
import { unpackTarBzip2 } from "./unpack-tar.ts";
import { unpackZip } from "./unpack-zip.ts";

/** The formats of model files, by their first bytes. A model that is a single file is not an archive. */
type FileFormat = "tar.bz2" | "zip" | "single file";

/** The format of a file. Its name does not matter. */
export async function formatOf(file: string): Promise<FileFormat> {
  const handle = await open(file, "r");
  try {
    const { buffer } = await handle.read(Buffer.alloc(4), 0, 4, 0);
    const start = buffer.toString("latin1");
    if (start.startsWith("BZh")) return "tar.bz2";
    return start === "PK\x03\x04" ? "zip" : "single file";
  } finally {
    await handle.close();
  }
}

/**
 * Unpacks an archive into a folder: files and folders only, none outside of it, and no more than the limits allow. Rejects with
 * AdministrationError `archive_refused`; the folder may then contain a part of the files.
 */
export async function unpackArchive(
  file: string,
  folder: string,
  format: Exclude<FileFormat, "single file">,
  limits: UnpackLimits = modelLimits,
): Promise<void> {
  const budget = new UnpackBudget(limits);
  try {
    await (format === "zip" ? unpackZip : unpackTarBzip2)(file, folder, budget);
  } catch (error) {
    if (error instanceof AdministrationError) throw error;
    const reason = errorMessage(error);
    throw refused(`${reason.replace(/\.$/, "")}. The file may be damaged; download it again.`, error);
  }
}
