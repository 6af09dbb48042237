import { expect, test } from "vitest";
import type { Website } from "../../../src/protocol/console/websites.ts";
import { isUnderWay, websiteProgress } from "../../../src/console/knowledge/website-progress.ts";

const nowMs = Date.UTC(2027, 0, 15, 12, 1);

function website(pages: number, waiting: number, fields: Partial<Website> = {}): Website {
  return {
    id: "w",
    address: "https://alder.example/",
    every: "never",
    include: [],
    exclude: [],
    state: "reading",
    problem: null,
    report: {
      pages: Array.from({ length: pages }, (_, index) => ({
        path: `/${index}`,
        left_out: null,
        passages: 1,
      })),
      reading: "/now",
      waiting,
      beyond: 0,
    },
    has_document: false,
    started_at: new Date(nowMs - 60_000).toISOString(),
    finished_at: null,
    next_at: null,
    created_at: new Date(nowMs - 60_000).toISOString(),
    ...fields,
  };
}

test("the time that is left follows from the pages of before, once there are some", () => {
  expect(websiteProgress(website(30, 29), nowMs)).toEqual({ done: 30, all: 60, percent: 50, leftSec: 60 });
  expect(websiteProgress(website(2, 50), nowMs).leftSec).toBeNull();
});

test("a website that waits or is read is under way", () => {
  expect(isUnderWay(website(0, 0, { state: "waiting" }))).toBe(true);
  expect(isUnderWay(website(0, 0, { state: "ready" }))).toBe(false);
});
