import { execFileSync } from "node:child_process";
import { crc32, deflateRawSync } from "node:zlib";
import { packTar, type TarHeader } from "modern-tar";

/** An entry of an archive. Without content it is a folder. */
export interface ArchiveEntry {
  name: string;
  content?: string | Buffer;
  /** Makes the entry a link to this name. */
  linkTo?: string;
  /** Makes the link a hard link. */
  isHard?: boolean;
}

function header({ name, content, linkTo, isHard }: ArchiveEntry): TarHeader {
  if (linkTo !== undefined) return { name, size: 0, type: isHard ? "link" : "symlink", linkname: linkTo };
  if (content === undefined) return { name, size: 0, type: "directory" };
  return { name, size: Buffer.from(content).length, type: "file" };
}

/** Whether this machine can compress with bzip2. */
export const hasBzip2 = (() => {
  try {
    execFileSync("bzip2", ["--help"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

/** Compresses with the program bzip2. */
export function bzip2(bytes: Uint8Array): Buffer {
  return execFileSync("bzip2", ["-c"], {
    input: bytes,
    maxBuffer: 1024 ** 3,
    stdio: ["pipe", "pipe", "ignore"],
  });
}

/** A tar.bz2. */
export async function tarBzip2(entries: readonly ArchiveEntry[]): Promise<Buffer> {
  const packed = entries.map((entry) => ({
    header: header(entry),
    ...(entry.content !== undefined && { body: new Uint8Array(Buffer.from(entry.content)) }),
  }));
  return bzip2(await packTar(packed));
}

interface ZipEntry extends ArchiveEntry {
  /** The size that the archive claims, if it lies. */
  claimedSize?: number;
}

const zipNumbers = (...fields: [value: number, bytes: 2 | 4][]): Buffer =>
  Buffer.concat(
    fields.map(([value, bytes]) => {
      const field = Buffer.alloc(bytes);
      field.writeUIntLE(value, 0, bytes);
      return field;
    }),
  );

/** A zip (APPNOTE.TXT 6.3.10, sections 4.3.7, 4.3.12 and 4.3.16). */
export function zip(entries: readonly ZipEntry[]): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, linkTo, claimedSize } of entries) {
    const bytes = Buffer.from(linkTo ?? content ?? "");
    const packed = deflateRawSync(bytes);
    const path = Buffer.from(name);
    const mode = linkTo === undefined ? (content === undefined ? 0o040755 : 0o100644) : 0o120777;
    const common = zipNumbers([20, 2], [0x800, 2], [8, 2], [0, 4], [crc32(bytes), 4], [packed.length, 4]);
    const sizes = zipNumbers([claimedSize ?? bytes.length, 4], [path.length, 2], [0, 2]);
    const local = Buffer.concat([zipNumbers([0x04034b50, 4]), common, sizes, path, packed]);
    directory.push(
      zipNumbers([0x02014b50, 4], [0x0314, 2]),
      common,
      sizes,
      zipNumbers([0, 2], [0, 2], [0, 2], [mode * 0x10000, 4], [offset, 4]),
      path,
    );
    locals.push(local);
    offset += local.length;
  }
  const index = Buffer.concat(directory);
  const end = zipNumbers(
    ...([
      [0x06054b50, 4],
      [0, 2],
      [0, 2],
    ] as [number, 2 | 4][]),
    ...([
      [entries.length, 2],
      [entries.length, 2],
      [index.length, 4],
      [offset, 4],
      [0, 2],
    ] as [number, 2 | 4][]),
  );
  return Buffer.concat([...locals, index, end]);
}
