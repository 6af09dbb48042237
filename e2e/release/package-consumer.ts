import type { InstalledPackage } from "../support/installed-package.ts";
import { canaryKey } from "../support/stack.ts";

/** Pages and modules of a project that uses the package, as its README and docs/npm.md say. */

const page = (markup: string, script: string): string => `<!doctype html><html lang="en">
<head><meta charset="utf-8"><title>A project</title><link rel="icon" href="/icon.svg"><link rel="stylesheet" href="/page.css"></head>
<body><main><h1>A page of its own</h1>${markup}</main><script type="module" src="${script}"></script></body></html>`;

/** The background has a colour that no avatar has. */
const pageStyles = `body { margin: 0; background: rgb(255, 0, 255); }
#here, visavis-avatar[variant="inline"] { display: block; position: relative; overflow: hidden; width: 480px; height: 480px; }`;

const element = `import "visavis";

document.addEventListener("visavis-statechange", ({ detail }) => {
  document.title = detail.previous + " " + detail.state;
});
const avatar = document.querySelector("visavis-avatar")!;
if (avatar.variant === "inline") void avatar.start();`;

const client = (
  relay: string,
): string => `import { createAvatarSession, type AvatarSession } from "visavis/client";
import { createStage, type StageMatte } from "visavis/stage";

declare global {
  interface Window { session: AvatarSession; firstFrames: number }
}
window.firstFrames = 0;
window.session = createAvatarSession({ relay: "${relay}", contextId: "ctx_demo" });
const { model_style, background } = await window.session.loadContext();
const stage = createStage(document.querySelector<HTMLElement>("#here")!, {
  matte: model_style.matte as StageMatte,
  background,
  poster: null,
  transparent: false,
  paddingLeft: 0,
  paddingTop: 0,
  paddingHeight: 1,
});
stage.onFirstFrame(() => (window.firstFrames += 1));
window.session.on("media", ({ element }) => stage.attach(element));
await window.session.start();`;

const relay = (service: string): string => `import { createRelay, serviceOverHttp } from "visavis/relay";
import { packageAssets } from "visavis/relay/node";

export const relay = createRelay({
  service: serviceOverHttp({ baseUrl: "${service}", apiKey: "${canaryKey}" }),
  tokenSecret: new Uint8Array(32).fill(7),
  assets: packageAssets(),
});`;

/** Code that a type checker must accept, and code that it must reject. */
const typed = `import { setDefaultRelay, VisavisAvatar, type TranscriptEntry } from "visavis";
import { VisavisError } from "visavis/client";

const avatar: VisavisAvatar = document.createElement("visavis-avatar");
const found: VisavisAvatar | null = document.querySelector("visavis-avatar");
const said: TranscriptEntry[] = [];
found?.addEventListener("visavis-message", ({ detail }) => said.push(detail.message));
window.addEventListener("visavis-error", ({ detail }) => detail.code === "origin_not_allowed");
document.body.addEventListener("visavis-caption", ({ detail }) => detail.word.length + detail.index);
avatar.start().catch((error: unknown) => error instanceof VisavisError && error.code === "rate_limited");
avatar.registerTool({ name: "cart", description: "", parameters: {}, run: () => [] });
setDefaultRelay("https://relay.example");
// @ts-expect-error -- no such field
avatar.addEventListener("visavis-message", ({ detail }) => detail.nothing);
// @ts-expect-error -- no such state
avatar.state === "asleep";
// @ts-expect-error -- read only
avatar.sessionId = "ses_1";`;

/** Modules of the project that a type checker looks at. */
export const typedFiles = ["element.ts", "client.ts", "relay.ts", "typed.ts"];

/** Gives a project pages that reach the relay at `origin`, and a relay of its own in front of the service there. */
export function writeConsumer(project: InstalledPackage, origin: string): void {
  const avatar = (attributes: string): string =>
    `<visavis-avatar context-id="ctx_demo" relay="${origin}" ${attributes}></visavis-avatar>`;
  project.write("public/page.css", pageStyles);
  project.write("public/icon.svg", '<svg xmlns="http://www.w3.org/2000/svg"/>');
  project.write("index.html", page(avatar('variant="inline"'), "/element.ts"));
  project.write("bubble.html", page(avatar(""), "/element.ts"));
  project.write("client.html", page('<div id="here"></div>', "/client.ts"));
  project.write("element.ts", element);
  project.write("client.ts", client(origin));
  project.write("relay.ts", relay(origin));
  project.write("relay.mjs", relay(origin));
  project.write("typed.ts", typed);
}
