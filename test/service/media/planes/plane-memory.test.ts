import fc from "fast-check";
import { expect, test } from "vitest";
import { PlaneMemory, sizeClass } from "../../../../src/service/media/planes/plane-memory.ts";

test("blocks have at least the asked size, at most a quarter more, or 64 bytes", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50_000_000 }), (bytes) => {
      const size = sizeClass(bytes);
      expect(size).toBeGreaterThanOrEqual(bytes);
      expect(size).toBeLessThanOrEqual(Math.max(bytes * 1.25, bytes + 64));
      expect(size % 64).toBe(0);
    }),
  );
});

test("blocks in use never overlap, and what is given back is used again", () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ bytes: fc.integer({ min: 1, max: 300_000 }), isKept: fc.boolean() })),
      (asked) => {
        const memory = new PlaneMemory();
        const used = [];
        for (const { bytes, isKept } of asked) {
          const block = memory.take(bytes);
          expect(memory.bytes(block)).toHaveLength(block.bytes);
          for (const other of used)
            expect(block.at >= other.at + other.bytes || other.at >= block.at + block.bytes).toBe(true);
          if (isKept) used.push(block);
          else {
            memory.give(block);
            expect(memory.take(bytes)).toEqual(block);
            memory.give(block);
          }
        }
      },
    ),
    { numRuns: 30 },
  );
});
