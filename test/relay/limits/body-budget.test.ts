import { describe, expect, onTestFinished, test, vi } from "vitest";
import { BodyBudget } from "../../../src/relay/index.ts";

const kilobyte = 1024;

describe("the memory for bodies", () => {
  test("is limited for the process and for each address, and free again when bodies are done", () => {
    const budget = new BodyBudget({ process: 1_000 * kilobyte, address: 400 * kilobyte });
    const [one, two, other] = [budget.open("192.0.2.1"), budget.open("192.0.2.1"), budget.open("192.0.2.2")];
    expect(one.take(300 * kilobyte)).toBeNull();
    expect(two.take(200 * kilobyte)).toBe("address");
    expect(two.take(100 * kilobyte)).toBeNull();
    expect(other.take(400 * kilobyte)).toBeNull();
    expect(budget.open("192.0.2.3").take(100 * kilobyte)).toBe("process");
    one.release();
    one.release();
    expect(budget.total).toBe(500 * kilobyte);
    expect(two.take(300 * kilobyte)).toBeNull();
  });

  test("keeps a part for small bodies, so that uploads do not stop conversations", () => {
    const budget = new BodyBudget({ process: 1_000 * kilobyte, address: 1_000 * kilobyte });
    for (let body = 0; body < 20; body += 1) budget.open(null).take(100 * kilobyte);
    expect(budget.total).toBe(800 * kilobyte);
    expect(budget.open(null).take(75 * kilobyte)).toBeNull();
    expect(budget.open(null).take(65 * kilobyte)).toBe("process");
    const small = budget.open(null);
    expect([small.take(32 * kilobyte), small.take(32 * kilobyte), small.take(1)]).toEqual([
      null,
      null,
      "process",
    ]);
    expect(budget.open(null).take(61 * kilobyte)).toBeNull();
    expect(budget.open(null).take(1)).toBe("process");
  });

  test("counts a refused large body until its bytes can be collected", () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const budget = new BodyBudget({ process: 1_000 * kilobyte, address: 1_000 * kilobyte });
    const [refused, done] = [budget.open(null), budget.open(null)];
    expect([done.take(200 * kilobyte), refused.take(600 * kilobyte), refused.take(500 * kilobyte)]).toEqual([
      null,
      null,
      "process",
    ]);
    done.release();
    refused.release();
    expect(budget.total).toBe(600 * kilobyte);
    vi.advanceTimersByTime(2_000);
    expect(budget.total).toBe(0);
  });

  test("counts IPv6 by its /64", () => {
    const budget = new BodyBudget({ process: 1_000, address: 10 });
    expect(budget.open("2001:db8::1").take(10)).toBeNull();
    expect(budget.open("2001:db8::ffff:2").take(1)).toBe("address");
    expect(budget.open("2001:db8:0:1::1").take(1)).toBeNull();
  });

  test("counts a small refused body no longer than it is there, and a large one that was taken neither", () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const budget = new BodyBudget({ process: 1_000 * kilobyte, address: 300 * kilobyte });
    const [small, large] = [budget.open("192.0.2.1"), budget.open("192.0.2.2")];
    expect([small.take(64 * kilobyte), small.take(300 * kilobyte)]).toEqual([null, "address"]);
    expect(large.take(200 * kilobyte)).toBeNull();
    small.release();
    large.release();
    expect(budget.total).toBe(0);
    const refused = budget.open("192.0.2.1");
    expect([refused.take(65 * kilobyte), refused.take(300 * kilobyte)]).toEqual([null, "address"]);
    refused.release();
    vi.advanceTimersByTime(1_999);
    expect([budget.total, budget.open("192.0.2.1").take(236 * kilobyte)]).toEqual([65 * kilobyte, "address"]);
    vi.advanceTimersByTime(1);
    expect(budget.open("192.0.2.1").take(300 * kilobyte)).toBeNull();
  });

  test("is 128 MB for a process and 48 MB for an address unless it is set", () => {
    const budget = new BodyBudget();
    const megabyte = 1024 * kilobyte;
    const one = budget.open("192.0.2.1");
    expect([one.take(48 * megabyte), one.take(1)]).toEqual([null, "address"]);
    const unknown = budget.open(null);
    expect([unknown.take(64 * megabyte + 1), unknown.take(64 * megabyte), unknown.take(1)]).toEqual([
      "process",
      null,
      "process",
    ]);
  });
});
