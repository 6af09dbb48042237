import { parentPort } from "node:worker_threads";
import { decodedText } from "../website/decoded-text.ts";
import { ReadingProblem } from "./reading-problem.ts";
import {
  readingBegins,
  type ReadingJob,
  type ReadingJobs,
  type ReadingKind,
  type ReadingOutcome,
} from "./reading-jobs.ts";

/** Entry of the worker thread that reads what strangers wrote, one text at a time. */

type Reader<Kind extends ReadingKind> = (
  given: ReadingJobs[Kind]["given"],
) => ReadingJobs[Kind]["read"] | Promise<ReadingJobs[Kind]["read"]>;

/** What reads each kind. Only the libraries of the kinds that come are loaded. */
const readers: { [Kind in ReadingKind]: () => Promise<Reader<Kind>> } = {
  pdf: async () => (await import("../files/pdf-text.ts")).pdfText,
  docx: async () => (await import("../files/docx-text.ts")).docxText,
  html: async () => {
    const { htmlText } = await import("../files/html-text.ts");
    return (bytes) => htmlText(decodedText({ bytes, charset: null })).text;
  },
  page: async () => (await import("../website/page-reading.ts")).readPage,
  sitemap: async () => (await import("../website/sitemap-reading.ts")).readSitemapFile,
  robots: async () => (await import("../website/robots-reading.ts")).readRobotsFile,
};

async function outcomeOf<Kind extends ReadingKind>({
  kind,
  given,
}: ReadingJob<Kind>): Promise<ReadingOutcome<Kind>> {
  try {
    const read = await readers[kind]();
    parentPort?.postMessage(readingBegins);
    return { read: await read(given) };
  } catch (error) {
    const problem =
      error instanceof ReadingProblem
        ? error.message
        : "The file cannot be read; open it in another program and save it again.";
    return { problem, isStopped: false };
  }
}

parentPort?.on("message", (job) => {
  // eslint-disable-next-line no-restricted-syntax -- only `createTextReader` starts this thread
  void outcomeOf(job as ReadingJob).then((outcome) => parentPort?.postMessage(outcome));
});
