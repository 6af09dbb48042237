import { parentPort, workerData } from "node:worker_threads";
import type { OfficeFile, OfficeFileOutcome } from "./file-worker-messages.ts";
import { FileProblem } from "./file-problem.ts";

/** Entry of the worker thread that reads one PDF or Word document, answers with its text and ends. */

/** Only the library of the file's kind is loaded. */
async function textOf({ kind, bytes }: OfficeFile): Promise<string> {
  if (kind === "pdf") return (await import("./pdf-text.ts")).pdfText(bytes);
  return (await import("./docx-text.ts")).docxText(bytes);
}

async function outcomeOf(file: OfficeFile): Promise<OfficeFileOutcome> {
  try {
    return { text: await textOf(file) };
  } catch (error) {
    if (error instanceof FileProblem) return { problem: error.message };
    return { problem: "The file cannot be read; open it in another program and save it again." };
  }
}

// eslint-disable-next-line no-restricted-syntax -- only `createFileReader` starts this thread
parentPort?.postMessage(await outcomeOf(workerData as OfficeFile));
