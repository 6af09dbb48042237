import { errorMessage } from "../service/error-message.ts";

/** The used part of `process.stdout` and `process.stderr`. */
interface Output {
  on(event: "error", listener: (error: Error) => void): unknown;
}

/** Codes of writes after the reader has gone. */
const goneCodes = new Set<unknown>(["EPIPE", "ERR_STREAM_DESTROYED"]);

/**
 * Goes on without a reader: `visavis model list | head -1` closes the pipe early, and a server must not end with the program that
 * read its log. Whoever cannot write for another reason, such as a full disk, ends with that reason.
 */
export function tolerateGoneReaders(outputs: readonly Output[], fail: (reason: string) => void): void {
  for (const output of outputs)
    output.on("error", (error) => {
      if (!("code" in error && goneCodes.has(error.code)))
        fail(`The output cannot be written: ${errorMessage(error)}`);
    });
}
