#!/usr/bin/env node
import { fileURLToPath } from "node:url";
import { Command } from "commander";
import { Hono } from "hono";
import { openCallerCount } from "./command-line/http/caller-count.ts";
import { consoleSite, isConsolePath } from "./command-line/console-site.ts";
import { demoPage } from "./command-line/demo-page.ts";
import type { Fetch } from "./command-line/http/http-server.ts";
import { addOperatorCommands } from "./command-line/operator/operator-commands.ts";
import {
  type OperatorAccess,
  ownRelayToken,
  printedSecret,
  type PrintedSecret,
  sharedRelayToken,
} from "./command-line/secrets/secrets.ts";
import { createProcessLogger } from "./command-line/process-logger.ts";
import { startFailure, tolerateGoneReaders } from "./command-line/output-errors.ts";
import { runRelay } from "./command-line/run-relay.ts";
import { runService } from "./command-line/run-service.ts";
import { serviceUrlOf } from "./command-line/settings/service-url.ts";
import { serveUntilStopped } from "./command-line/http/serve.ts";
import { readSettings, type Settings, SettingsError } from "./command-line/settings/settings.ts";
import type { Logger } from "./logging/logger.ts";
import { folderAssets } from "./relay/assets/folder-assets.ts";
import { serviceInProcess, serviceOverHttp } from "./relay/index.ts";
import packageJson from "../package.json" with { type: "json" };
import { newApiKey } from "./service/api-key.ts";

const publicFolder = fileURLToPath(new URL("../public", import.meta.url));
const consoleFolder = fileURLToPath(new URL("../console", import.meta.url));

/** Where the build's files are. */
const place = {
  publicFolder,
  scriptUrl: (name: string): URL => new URL(`./${name}.js`, import.meta.url),
};

/** Paths that the service answers itself, with errors of its own shape. */
const servicePath = /^\/(?:api(?:\/|$)|openapi\.json$|healthz$|readyz$|metrics$)/;

/** Public files and the viewer's pages, which addresses of pictures and snippets name. */
const pagePath =
  /^\/(?:(?:assets|characters|backgrounds|stills|viewer)\/|(?:embed|widget)\.js$|embed\/[^/]+\/embed\.js$)/;

/** Refusals that an address may get in 10 s where browsers call; backends and relays call the service alone. */
const refusalsOfBrowsers = 300;

function apiKeyOf(settings: Settings): PrintedSecret {
  if (settings.apiKey) return { value: settings.apiKey, isUnshown: false, markShown: () => undefined };
  return printedSecret(settings.dataFolder, "api-key", newApiKey);
}

/** Puts the console in front of what answers the other paths, unless the settings switch it off. */
function withConsole({ console: isOn }: Settings, fetch: Fetch): Fetch {
  if (!isOn) return fetch;
  const site = consoleSite(consoleFolder);
  return (request, environment) =>
    isConsolePath(new URL(request.url).pathname) ? site.fetch(request) : fetch(request, environment);
}

const print = (line: string): boolean => process.stdout.write(`${line}\n`);

/** Prints the addresses, and the key and the password the first time. The server listens already. */
function printAddresses(settings: Settings, apiKey: PrintedSecret, operator: OperatorAccess): void {
  print(`\n  Visavis is running.\n`);
  print(`  Demo page      ${settings.publicUrl}/`);
  print(`  Demo context   ctx_demo`);
  print(
    `  Snippet        <script async src="${settings.publicUrl}/embed.js" data-context="ctx_demo"></script>`,
  );
  if (settings.console) print(`  Console        ${settings.publicUrl}/console/`);
  print(`  Service        ${settings.publicUrl}/api/v1/`);
  if (apiKey.isUnshown)
    print(`  API key        ${apiKey.value}   (shown once; kept in ${settings.dataFolder}/api-key)`);
  if (operator.newPassword !== null)
    print(`  Password       ${operator.newPassword}   (the operator's; shown once and kept nowhere)`);
  print("");
  apiKey.markShown();
  operator.markShown();
}

async function startAll(settings: Settings, log: Logger): Promise<void> {
  const apiKey = apiKeyOf(settings);
  const callers = await openCallerCount(settings, log);
  // Browsers call the relay, so nobody else has to know the paths of a session.
  const sessionAccess = settings.sessionAccess ?? "key";
  const service = await runService(
    { ...settings, sessionAccess, serviceUrl: settings.serviceUrl ?? settings.publicUrl },
    { ...callers, ...place, log, apiKey: apiKey.value },
  );
  const call = serviceInProcess(service.app, apiKey.value, { relayToken: ownRelayToken(settings) });
  const app = new Hono({ strict: false });
  app.get("/", demoPage(folderAssets(publicFolder)));
  const relay = runRelay(settings, { ...callers, ...place, log, service: call });
  app.all("*", ({ req, env }) => relay.fetch(req.raw, env));
  const fetch = withConsole(settings, (request, environment) =>
    servicePath.test(new URL(request.url).pathname)
      ? service.app.fetch(request, environment)
      : app.fetch(request, environment),
  );
  await serveUntilStopped(settings, log, { ...callers, fetch, refusals: refusalsOfBrowsers }, service);
  printAddresses(settings, apiKey, service.operator);
}

async function startService(settings: Settings, log: Logger): Promise<void> {
  const apiKey = apiKeyOf(settings);
  const sessionAccess = settings.sessionAccess ?? "open";
  const serviceUrl = serviceUrlOf(settings);
  const callers = await openCallerCount(settings, log);
  const service = await runService(
    { ...settings, sessionAccess, serviceUrl },
    { ...callers, ...place, log, apiKey: apiKey.value },
  );
  // Without a relay's address, pictures and snippets name this one: what they name is here too, except for conversations of pages.
  const call = serviceInProcess(service.app, apiKey.value, { relayToken: ownRelayToken(settings) });
  const pages =
    settings.publicUrl === serviceUrl
      ? runRelay(settings, { ...callers, ...place, log, service: call })
      : null;
  const fetch = withConsole(settings, (request, environment) =>
    pages && pagePath.test(new URL(request.url).pathname)
      ? pages.fetch(request, environment)
      : service.app.fetch(request, environment),
  );
  await serveUntilStopped(settings, log, { ...callers, fetch, refusals: Infinity }, service);
  print(`The service answers at ${serviceUrl}/api/v1/`);
  if (pages) print("Pages need a relay: start one, and set VISAVIS_PUBLIC_URL to its address.");
  if (settings.console) print(`The console is at ${serviceUrl}/console/`);
  if (apiKey.isUnshown)
    print(`API key: ${apiKey.value} (shown once; kept in ${settings.dataFolder}/api-key)`);
  const { newPassword } = service.operator;
  if (newPassword !== null) print(`Password of the operator: ${newPassword} (shown once and kept nowhere)`);
  apiKey.markShown();
  service.operator.markShown();
}

async function startRelay(settings: Settings, log: Logger): Promise<void> {
  if (!settings.remoteService)
    throw new SettingsError(
      "SERVICE_BASE_URL is not set; set it to the address of the service that the relay calls.",
    );
  const callers = await openCallerCount(settings, log);
  const service = serviceOverHttp({ ...settings.remoteService, relayToken: sharedRelayToken(settings) });
  const relay = runRelay(settings, { ...callers, ...place, log, service });
  const app = new Hono({ strict: false });
  app.get("/healthz", (context) => context.json({ status: "ok" }));
  app.get("/readyz", (context) => context.json({ status: "ok" }));
  app.all("*", ({ req, env }) => relay.fetch(req.raw, env));
  const fetch: Fetch = (request, environment) => app.fetch(request, environment);
  await serveUntilStopped(
    settings,
    log,
    { ...callers, fetch, refusals: refusalsOfBrowsers },
    {
      drain: () => Promise.resolve(),
      stop: () => Promise.resolve(),
    },
  );
  print(`The relay answers at ${settings.publicUrl}/embed.js`);
}

function fail(reason: string): never {
  process.stderr.write(`${reason}\n`);
  process.exit(1);
}

function command(run: (settings: Settings, log: Logger) => Promise<void>): () => Promise<void> {
  return async () => {
    try {
      const settings = readSettings(process.env);
      await run(settings, createProcessLogger(settings.logLevel));
    } catch (error) {
      fail(startFailure(error));
    }
  };
}

const program = new Command("visavis")
  .description("A talking avatar for any web page")
  .version(packageJson.version, "-V, --version", "print the version")
  .showHelpAfterError("(add --help for what can be typed here)");
for (const [name, description, run] of [
  ["start", "relay, service and demo page in one", startAll],
  ["service", "the avatar service alone", startService],
  ["relay", "the relay alone, in front of SERVICE_BASE_URL", startRelay],
] as const)
  program
    .command(name)
    .description(description)
    .addHelpText(
      "after",
      "\nSettings are environment variables, such as PORT and VISAVIS_DATA: docs/settings.md",
    )
    .action(command(run));
tolerateGoneReaders([process.stdout, process.stderr], fail);
addOperatorCommands(program, place);
await program.parseAsync();
