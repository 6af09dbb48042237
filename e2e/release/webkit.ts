import { spawn, type ChildProcess } from "node:child_process";
import { setTimeout as wait } from "node:timers/promises";
import { Builder, Capabilities, Origin, type WebDriver } from "selenium-webdriver";
import { installed, type OtherBrowser } from "./other-browser.ts";
import { freePort } from "../../test/free-port.ts";

const driverPath = installed("/usr/bin/WebKitWebDriver");
const screenPath = installed("/usr/bin/Xvfb");
const browserPath = installed(
  "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser",
  "/usr/lib/aarch64-linux-gnu/webkit2gtk-4.1/MiniBrowser",
  "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.0/MiniBrowser",
);

/** Whether the system has WebKit, its driver, and a screen for it. */
export const hasWebKit = Boolean(driverPath && screenPath && browserPath);

/** A screen that nobody sees. Returns its name. */
async function startScreen(): Promise<{ screen: ChildProcess; display: string }> {
  const screen = spawn(screenPath!, ["-displayfd", "1", "-screen", "0", "1280x800x24", "-nolisten", "tcp"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const number = await new Promise<string>((resolve, reject) => {
    screen.stdout.once("data", (chunk: Buffer) => resolve(String(chunk).trim()));
    screen.once("exit", () => reject(new Error("Xvfb exited at its start.")));
  });
  return { screen, display: `:${number}` };
}

async function untilListening(address: string): Promise<void> {
  for (let attempt = 0; attempt < 2_400; attempt++) {
    const ready = await fetch(`${address}/status`).then(
      (response) => response.ok,
      () => false,
    );
    if (ready) return;
    await wait(50);
  }
  throw new Error("WebKitWebDriver did not become ready.");
}

/** Starts WebKit's own small browser, driven by WebDriver. */
export async function startWebKit(): Promise<OtherBrowser> {
  const { screen, display } = await startScreen();
  const port = await freePort();
  const service = spawn(driverPath!, [`--port=${port}`], {
    env: { ...process.env, DISPLAY: display },
    stdio: "ignore",
  });
  const address = `http://127.0.0.1:${port}`;
  await untilListening(address);
  const capabilities = new Capabilities({
    browserName: "MiniBrowser",
    "webkitgtk:browserOptions": { binary: browserPath, args: ["--automation"] },
  });
  const driver = await new Builder().usingServer(address).withCapabilities(capabilities).build();
  // A busy machine draws few frames, and scripts wait for some.
  await driver.manage().setTimeouts({ script: 300_000, pageLoad: 300_000 });
  return {
    ...pageOf(driver),
    close: async () => {
      await driver.quit();
      service.kill();
      screen.kill();
    },
  };
}

function pageOf(driver: WebDriver): Omit<OtherBrowser, "close"> {
  return {
    goto: (address) => driver.get(address),
    evaluate: async (expression) =>
      JSON.parse(
        await driver.executeScript<string>(
          `return (async () => JSON.stringify((await (${expression})) ?? null))()`,
        ),
      ) as unknown,
    clickAt: (x, y) => driver.actions().move({ x, y, origin: Origin.VIEWPORT }).click().perform(),
    type: (text) =>
      driver
        .actions()
        .sendKeys(...Array.from(text))
        .perform(),
  };
}
