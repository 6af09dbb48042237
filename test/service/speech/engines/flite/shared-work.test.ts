import { describe, expect, it } from "vitest";
import { SharedWork } from "../../../../../src/service/speech/engines/flite/shared-work.ts";

/** Work that ends when the test says so. */
function openWork() {
  const begun: AbortSignal[] = [];
  const ends: ((result: string) => void)[] = [];
  const begin = (signal: AbortSignal): Promise<string> => {
    begun.push(signal);
    return new Promise((resolve, reject) => {
      ends.push(resolve);
      signal.addEventListener("abort", () => reject(signal.reason as Error));
    });
  };
  return { begun, ends, begin };
}

describe("shared work", () => {
  it("runs once for callers that ask while it runs, and again for later callers", async () => {
    const { begun, ends, begin } = openWork();
    const shared = new SharedWork<string>();
    const [one, two] = [shared.run("a", begin), shared.run("a", begin)];
    expect(begun).toHaveLength(1);
    ends[0]!("done");
    expect(await Promise.all([one, two])).toEqual(["done", "done"]);
    void shared.run("a", begin);
    expect(begun).toHaveLength(2);
    ends[1]!("again");
  });

  it("continues when one of several callers leaves, and is aborted when the last one leaves", async () => {
    const { begun, begin } = openWork();
    const shared = new SharedWork<string>();
    const [first, second] = [new AbortController(), new AbortController()];
    const waits = [shared.run("a", begin, first.signal), shared.run("a", begin, second.signal)];
    first.abort(new Error("first left"));
    await expect(waits[0]).rejects.toThrow("first left");
    expect(begun[0]!.aborted).toBe(false);
    second.abort(new Error("second left"));
    await expect(waits[1]).rejects.toThrow("second left");
    expect(begun[0]!.aborted).toBe(true);
  });

  it("starts again for a caller that asks after it was aborted", async () => {
    const { begun, ends, begin } = openWork();
    const shared = new SharedWork<string>();
    const leaver = new AbortController();
    const left = shared.run("a", begin, leaver.signal);
    leaver.abort(new Error("left"));
    await expect(left).rejects.toThrow("left");
    const later = shared.run("a", begin);
    expect(begun).toHaveLength(2);
    ends[1]!("later");
    expect(await later).toBe("later");
  });

  it("rejects for every caller when it fails", async () => {
    const shared = new SharedWork<string>();
    const fail = (): Promise<string> => Promise.reject(new Error("broken"));
    await expect(shared.run("a", fail)).rejects.toThrow("broken");
    await expect(shared.run("a", fail, new AbortController().signal)).rejects.toThrow("broken");
  });
});
