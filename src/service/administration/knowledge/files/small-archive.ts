import type { Buffer } from "node:buffer";
import { fromBuffer, type Entry } from "yauzl";
import { ReadingProblem } from "../reading/reading-problem.ts";

/** What an archive may contain. */
interface ArchiveLimits {
  /** Bytes of all files together. */
  bytes: number;
  entries: number;
}

/** More than any document needs that a knowledge base has. */
const documentLimits: ArchiveLimits = { bytes: 100 * 1024 * 1024, entries: 5_000 };

const damaged = (cause: unknown): ReadingProblem =>
  new ReadingProblem("The file is not a Word document (.docx), or it is damaged.", { cause });

/**
 * Checks that an archive (ZIP) does not become huge when it is unpacked. Each file is unpacked and dropped, because the sizes that an
 * archive states may be wrong. Rejects with ReadingProblem.
 */
export function requireSmallArchive(bytes: Buffer, limits: ArchiveLimits = documentLimits): Promise<void> {
  return new Promise((resolve, reject) => {
    fromBuffer(bytes, { lazyEntries: true }, (error, archive) => {
      if (error) {
        reject(damaged(error));
        return;
      }
      let unpacked = 0;
      let entries = 0;
      const refuse = (problem: ReadingProblem): void => {
        archive.close();
        reject(problem);
      };
      archive.on("error", (cause: unknown) => refuse(damaged(cause)));
      archive.on("end", () => resolve());
      archive.on("entry", (entry: Entry) => {
        entries += 1;
        if (entries > limits.entries) {
          refuse(new ReadingProblem("The document has too many parts."));
          return;
        }
        archive.openReadStream(entry, (failure, stream) => {
          if (failure) {
            refuse(damaged(failure));
            return;
          }
          stream.on("error", (cause: unknown) => refuse(damaged(cause)));
          stream.on("data", (piece: Buffer) => {
            unpacked += piece.length;
            if (unpacked <= limits.bytes) return;
            stream.destroy();
            refuse(new ReadingProblem("The document is too large when it is unpacked."));
          });
          stream.on("end", () => archive.readEntry());
        });
      });
      archive.readEntry();
    });
  });
}
