import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installed, type OtherBrowser } from "./other-browser.ts";
import { freePort } from "../../test/free-port.ts";

/** Firefox as the system has it; null where it is not installed. */
export const firefoxPath = installed("/usr/bin/firefox-esr", "/usr/bin/firefox");

/** What a connection of the library has. Its published types do not match the module. */
interface Remote {
  waitForConnection(): Promise<void>;
  send(command: object): Promise<unknown>;
  close(): Promise<void>;
}

const BidiConnection = createRequire(import.meta.url)("selenium-webdriver/bidi/index.js") as new (
  address: string,
) => Remote;

interface Response {
  readonly result?: unknown;
  readonly error?: string;
  readonly message?: string;
}

/** Starts Firefox without a window. It is driven by its own WebDriver BiDi, so no other program is needed. */
export async function startFirefox(): Promise<OtherBrowser> {
  const profile = mkdtempSync(join(tmpdir(), "visavis-firefox-"));
  const port = String(await freePort());
  const child = spawn(
    firefoxPath!,
    ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", port, "about:blank"],
    { stdio: ["ignore", "ignore", "pipe"] },
  );
  await new Promise<void>((resolve, reject) => {
    child.stderr.on("data", (chunk: Buffer) => {
      if (String(chunk).includes("BiDi listening")) resolve();
    });
    child.once("exit", () => reject(new Error("Firefox exited at its start.")));
  });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const remote = new BidiConnection(`ws://127.0.0.1:${port}/session`);
  await remote.waitForConnection();
  const send = async <T>(method: string, params: object): Promise<T> => {
    const { result, error, message } = (await remote.send({ method, params })) as Response;
    if (error) throw new Error(`${method}: ${error}: ${message ?? ""}`);
    return result as T;
  };
  await send("session.new", { capabilities: {} });
  const { contexts } = await send<{ contexts: { context: string }[] }>("browsingContext.getTree", {});
  const context = contexts[0]!.context;
  return {
    ...pageOf(context, send),
    close: async () => {
      await remote.close();
      child.kill();
      await exited;
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

type Send = <T>(method: string, params: object) => Promise<T>;

function pageOf(context: string, send: Send): Omit<OtherBrowser, "close"> {
  const act = (source: object): Promise<void> => send("input.performActions", { context, actions: [source] });
  return {
    goto: (url) => send("browsingContext.navigate", { context, url, wait: "complete" }),
    evaluate: async (expression) => {
      const { result, exceptionDetails } = await send<{
        result?: { value: string };
        exceptionDetails?: { text: string };
      }>("script.evaluate", {
        expression: `(async () => JSON.stringify((await (${expression})) ?? null))()`,
        target: { context },
        awaitPromise: true,
      });
      if (!result) throw new Error(exceptionDetails?.text);
      return JSON.parse(result.value) as unknown;
    },
    clickAt: (x, y) =>
      act({
        type: "pointer",
        id: "mouse",
        actions: [
          { type: "pointerMove", x, y },
          { type: "pointerDown", button: 0 },
          { type: "pointerUp", button: 0 },
        ],
      }),
    type: (text) =>
      act({
        type: "key",
        id: "keyboard",
        actions: Array.from(text).flatMap((value) => [
          { type: "keyDown", value },
          { type: "keyUp", value },
        ]),
      }),
  };
}
