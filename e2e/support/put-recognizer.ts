import { spawnSync } from "node:child_process";
import type { Server } from "./stack.ts";

/** Adds a recognizer to a server's catalogue, as an operator does. It is not tried. */
export function putRecognizer({ dataFolder }: Server, name: string, engine: object): void {
  const { status, stderr } = spawnSync(
    process.execPath,
    ["dist/server/main.js", "stt-type", "put", "--no-try"],
    {
      input: JSON.stringify({ name, service: "onpremise", engine }),
      env: { ...process.env, VISAVIS_DATA: dataFolder },
      encoding: "utf8",
    },
  );
  if (status !== 0) throw new Error(`The recognizer ${name} was not added: ${stderr}`);
}
