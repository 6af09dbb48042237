import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { tolerateGoneReaders } from "../../src/command-line/output-errors.ts";

function outputWith(): { output: EventEmitter; reasons: string[] } {
  const output = new EventEmitter();
  const reasons: string[] = [];
  tolerateGoneReaders([output], (reason) => reasons.push(reason));
  return { output, reasons };
}

test.each(["EPIPE", "ERR_STREAM_DESTROYED"])("a reader that has gone (%s) ends nothing", (code) => {
  const { output, reasons } = outputWith();
  output.emit("error", Object.assign(new Error("write"), { code }));
  expect(reasons).toEqual([]);
});

test("another failed write is told in one line", () => {
  const { output, reasons } = outputWith();
  output.emit(
    "error",
    Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" }),
  );
  expect(reasons).toEqual(["The output cannot be written: ENOSPC: no space left on device, write"]);
});
