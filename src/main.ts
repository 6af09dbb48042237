#!/usr/bin/env node
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Command } from "commander";
import { Hono } from "hono";
import { alderHomeInstructions } from "./command-line/alder-home.ts";
import { createClientAddress, type ClientAddress } from "./command-line/client-address.ts";
import { demoPage } from "./command-line/demo-page.ts";
import { allowHeapGrowth } from "./command-line/heap-growth.ts";
import { listen, type Fetch } from "./command-line/http-server.ts";
import { keepLoader, withKeptLoaders } from "./command-line/kept-loaders.ts";
import { createLog, type Log } from "./command-line/log.ts";
import { ownRelayToken, sharedRelayToken } from "./command-line/relay-token.ts";
import { keptSecret, newApiKey, purposeSecret, type KeptSecret } from "./command-line/secrets.ts";
import { addOperatorCommands } from "./command-line/operator/operator-commands.ts";
import { operatorAccess, type OperatorAccess } from "./command-line/operator-access.ts";
import { storeSecretBox } from "./command-line/store-secret.ts";
import { readSettings, SettingsError, type Settings } from "./command-line/settings.ts";
import { folderAssets } from "./relay/folder-assets.ts";
import {
  BodyBudget,
  createRelay,
  MemoryCounter,
  serviceInProcess,
  serviceOverHttp,
  type Counter,
  type ServiceCall,
} from "./relay/index.ts";
import { createGuardedFetch, createOperatorFetch } from "./service/guarded-fetch.ts";
import { createLanguageModels } from "./service/language/create-language-models.ts";
import { createMediaEngine } from "./service/media/create-media-engine.ts";
import { systemClock } from "./service/clock.ts";
import { createService, type Service } from "./service/service.ts";
import { defaultServiceSettings, type ServiceSettings } from "./service/service-settings.ts";
import { createAudioDesk } from "./service/speech/create-audio-desk.ts";
import { createRecognizers } from "./service/speech/create-recognizers.ts";
import { createSynthesizers } from "./service/speech/create-synthesizers.ts";
import { createEspeakSynthesizer, findEspeak } from "./service/speech/espeak-synthesizer.ts";
import { findSherpa } from "./service/speech/find-sherpa.ts";
import { createFliteSynthesizer } from "./service/speech/flite-synthesizer.ts";
import { openStorage } from "./service/store/open-storage.ts";
import { seed } from "./service/store/seed.ts";

const publicFolder = fileURLToPath(new URL("../public", import.meta.url));

/** Paths that the service answers itself, with errors of its own shape. */
const servicePath = /^\/(?:api\/|openapi\.json$|healthz$|readyz$|metrics$)/;

/** Parts that run, and how they stop. */
interface Running {
  app: Hono;
  /** Takes leave of the clients, while requests are still answered. */
  drain(): Promise<void>;
  stop(): Promise<void>;
}

function apiKeyOf(settings: Settings): KeptSecret {
  if (settings.apiKey) return { value: settings.apiKey, isNew: false };
  return keptSecret(settings.dataFolder, "api-key", newApiKey);
}

/** The avatar service with its store in the data folder and its engines. */
async function runService(
  settings: Settings & Pick<ServiceSettings, "sessionAccess">,
  log: Log,
  apiKey: string,
  { counter, clientAddress, bodyBudget }: CallerCount,
): Promise<Running & { service: Service; operator: OperatorAccess }> {
  allowHeapGrowth();
  const operator = await operatorAccess(settings);
  const storage = await openStorage({ ...settings, box: storeSecretBox(settings) }, log);
  const { store, files, notices } = storage;
  await seed({ store, clock: systemClock, demoInstructions: alderHomeInstructions, apiKey });
  const flite = createFliteSynthesizer({ workerUrl: new URL("./flite-worker.js", import.meta.url) });
  const espeakPath = findEspeak(settings.espeakFolder);
  const espeak =
    espeakPath === null
      ? null
      : createEspeakSynthesizer({
          workerUrl: new URL("./espeak-worker.js", import.meta.url),
          modulePath: espeakPath,
        });
  const sherpaPath = findSherpa(settings.sherpaFolder);
  const audio = createAudioDesk({
    workerUrl: new URL("./audio-worker.js", import.meta.url),
    reference: flite,
    referenceVoice: "slt",
  });
  const guardedFetch = createGuardedFetch({ allowPrivate: settings.allowPrivateAddresses });
  const engines = {
    fetch: createOperatorFetch(),
    sherpa:
      sherpaPath === null
        ? null
        : { processUrl: new URL("./sherpa-process.js", import.meta.url), modulePath: sherpaPath },
    env: process.env,
  };
  const synthesizers = createSynthesizers({ ...engines, audio, flite, espeak });
  const recognizers = createRecognizers(engines);
  const languageModels = createLanguageModels({ log, guardedFetch });
  const service = createService({
    clock: systemClock,
    store,
    files,
    notices,
    media: (hooks) =>
      createMediaEngine({
        processUrl: new URL("./media-process.js", import.meta.url),
        processes: settings.media.processes,
        privateCandidates: settings.media.privateCandidates,
        hooks,
        log,
        settings: {
          portRange: settings.media.portRange,
          publicAddress: settings.media.publicAddress,
          preloadCharacters: ["mina", "tomas", "amara", "ingrid"].map((name) =>
            join(publicFolder, "characters", `${name}.json`),
          ),
        },
      }),
    synthesizer: (row) => synthesizers.of(row),
    recognizer: (row) => recognizers.of(row),
    audio,
    languageModel: (row) => languageModels.model(row),
    interactiveAgent: (row) => languageModels.agent(row),
    guardedFetch,
    counter,
    bodyBudget,
    clientAddress,
    log,
    settings: {
      ...defaultServiceSettings,
      rateLimits: settings.rateLimits,
      eventFiles: settings.eventFiles,
      sessionAccess: settings.sessionAccess,
      apiOrigins: settings.apiOrigins,
      relayToken: ownRelayToken(settings),
      engineBudgets: settings.engineBudgets,
      signingSecret: operator.signingSecret,
      operatorPasswordHash: operator.passwordHash,
      publicUrl: settings.publicUrl,
      publicFolder,
      ice: settings.ice,
      connectWithinSec: settings.lease.beforeConnectionSec,
      lostAfterSec: settings.lease.afterConnectionSec,
      sharesSessions: settings.databaseUrl !== undefined,
    },
  });
  service.start();
  flite
    .warm()
    .catch((error: unknown) => log.error("the speech engine did not start", { error: String(error) }));
  return {
    app: service.app,
    service,
    operator,
    drain: () => service.drain(),
    stop: async () => {
      await service.stop();
      await Promise.all([
        synthesizers.close(),
        recognizers.close(),
        audio.close(),
        flite.close(),
        espeak?.close(),
        languageModels.close(),
      ]);
      await storage.close();
    },
  };
}

/** How callers are told apart and counted, the same for relay and service. */
interface CallerCount {
  counter: Counter;
  clientAddress: ClientAddress;
  /** The memory for the bodies of their requests. */
  bodyBudget: BodyBudget;
}

async function openCallerCount(settings: Settings, log: Log): Promise<CallerCount> {
  const { trustedProxies: proxies, forwardedHeader: header } = settings;
  const clientAddress = createClientAddress({ proxies, header, log });
  const bodyBudget = new BodyBudget(settings.bodyLimits);
  return { counter: await openCounter(settings, log), clientAddress, bodyBudget };
}

/** What limits are counted with: in this process, or in Redis with others. */
async function openCounter(settings: Settings, log: Log): Promise<Counter> {
  const meanwhile = new MemoryCounter();
  if (!settings.redisUrl) return meanwhile;
  // The client takes 24 MB, which only those pay who use it.
  const { openRedisCounter } = await import("./service/store/redis-counter.ts");
  return openRedisCounter({ url: settings.redisUrl, meanwhile, log });
}

/** The token relay in front of a service. */
function runRelay(
  settings: Settings,
  log: Log,
  service: ServiceCall,
  { counter, clientAddress, bodyBudget }: CallerCount,
): Hono {
  const builtFiles = folderAssets(publicFolder);
  keepLoader(builtFiles, settings.dataFolder).catch((error: unknown) =>
    log.error("the loader was not kept for later builds", { error: String(error) }),
  );
  const guardedFetch = createGuardedFetch({ allowPrivate: settings.allowPrivateAddresses });
  return createRelay({
    service,
    counter,
    bodyBudget,
    limits: settings.relayLimits,
    tokenSecret: Buffer.from(purposeSecret(settings, "token"), "hex"),
    assets: withKeptLoaders(builtFiles, settings.dataFolder),
    publicUrl: settings.publicUrl,
    fetchPicture: (address, signal) => guardedFetch(address, { signal }),
    clientAddress,
    log,
  });
}

/** Listens, and on SIGTERM or SIGINT takes leave of the clients and stops, within 10 s. */
async function serveUntilStopped(
  settings: Settings,
  fetch: Fetch,
  { drain, stop }: Pick<Running, "drain" | "stop">,
): Promise<void> {
  const server = await listen(fetch, settings.port);
  const end = (): void => {
    setTimeout(() => process.exit(1), 9_500).unref();
    void drain()
      .catch((error: unknown) => process.stderr.write(`${String(error)}\n`))
      .then(() => Promise.all([server.close(1_500), stop()]))
      .then(() => process.exit(0));
  };
  process.once("SIGTERM", end);
  process.once("SIGINT", end);
}

const print = (line: string): boolean => process.stdout.write(`${line}\n`);

function printAddresses(settings: Settings, apiKey: KeptSecret, operator: OperatorAccess): void {
  print(`\n  Visavis is running.\n`);
  print(`  Demo page      ${settings.publicUrl}/`);
  print(`  Demo context   ctx_demo`);
  print(
    `  Snippet        <script async src="${settings.publicUrl}/embed.js" data-context="ctx_demo"></script>`,
  );
  print(`  Service        ${settings.publicUrl}/api/v1/`);
  if (apiKey.isNew)
    print(`  API key        ${apiKey.value}   (shown once; kept in ${settings.dataFolder}/api-key)`);
  if (operator.newPassword !== null)
    print(`  Password       ${operator.newPassword}   (of the console; shown once and kept nowhere)`);
  print("");
}

async function startAll(settings: Settings, log: Log): Promise<void> {
  const apiKey = apiKeyOf(settings);
  const callers = await openCallerCount(settings, log);
  // Browsers call the relay, so nobody else has to know the paths of a session.
  const sessionAccess = settings.sessionAccess ?? "key";
  const service = await runService({ ...settings, sessionAccess }, log, apiKey.value, callers);
  const call = serviceInProcess(service.app, apiKey.value, { relayToken: ownRelayToken(settings) });
  const app = new Hono({ strict: false });
  app.get("/", demoPage(folderAssets(publicFolder)));
  app.route("/", runRelay(settings, log, call, callers));
  const fetch: Fetch = (request, environment) =>
    servicePath.test(new URL(request.url).pathname)
      ? service.app.fetch(request, environment)
      : app.fetch(request, environment);
  await serveUntilStopped(settings, fetch, service);
  printAddresses(settings, apiKey, service.operator);
}

async function startService(settings: Settings, log: Log): Promise<void> {
  const apiKey = apiKeyOf(settings);
  const sessionAccess = settings.sessionAccess ?? "open";
  const callers = await openCallerCount(settings, log);
  const service = await runService({ ...settings, sessionAccess }, log, apiKey.value, callers);
  const fetch: Fetch = (request, environment) => service.app.fetch(request, environment);
  await serveUntilStopped(settings, fetch, service);
  print(`The service answers at ${settings.publicUrl}/api/v1/`);
  if (apiKey.isNew) print(`API key: ${apiKey.value} (shown once; kept in ${settings.dataFolder}/api-key)`);
  const { newPassword } = service.operator;
  if (newPassword !== null) print(`Password of the console: ${newPassword} (shown once and kept nowhere)`);
}

async function startRelay(settings: Settings, log: Log): Promise<void> {
  if (!settings.remoteService)
    throw new SettingsError(
      "SERVICE_BASE_URL is not set; set the address of the service the relay is to talk to.",
    );
  const callers = await openCallerCount(settings, log);
  const service = serviceOverHttp({ ...settings.remoteService, relayToken: sharedRelayToken(settings) });
  const relay = runRelay(settings, log, service, callers);
  const app = new Hono({ strict: false });
  app.get("/healthz", (context) => context.json({ status: "ok" }));
  app.get("/readyz", (context) => context.json({ status: "ok" }));
  app.route("/", relay);
  await serveUntilStopped(settings, (request, environment) => app.fetch(request, environment), {
    drain: () => Promise.resolve(),
    stop: () => Promise.resolve(),
  });
  print(`The relay answers at ${settings.publicUrl}/embed.js`);
}

function command(run: (settings: Settings, log: Log) => Promise<void>): () => Promise<void> {
  return async () => {
    const log = createLog((line) => process.stderr.write(line));
    try {
      await run(readSettings(process.env), log);
    } catch (error) {
      const taken = (error as NodeJS.ErrnoException).code === "EADDRINUSE";
      const reason = error instanceof Error ? error.message : String(error);
      process.stderr.write(taken ? `${reason}. Set PORT to a free port.\n` : `${reason}\n`);
      process.exit(1);
    }
  };
}

const program = new Command("visavis").description("A talking avatar for any web page");
program.command("start").description("relay, service and demo page in one").action(command(startAll));
program.command("service").description("the avatar service alone").action(command(startService));
program
  .command("relay")
  .description("the relay alone, in front of SERVICE_BASE_URL")
  .action(command(startRelay));
addOperatorCommands(program, publicFolder);
await program.parseAsync();
