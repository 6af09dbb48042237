import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Command } from "commander";
import { Hono } from "hono";
import { alderHomeInstructions } from "./command-line/alder-home.ts";
import { clientAddress } from "./command-line/client-address.ts";
import { demoPage } from "./command-line/demo-page.ts";
import { listen, type Fetch } from "./command-line/http-server.ts";
import { createLog, type Log } from "./command-line/log.ts";
import { keptSecret, newApiKey, newTokenSecret, type KeptSecret } from "./command-line/secrets.ts";
import { readSettings, SettingsError, type Settings } from "./command-line/settings.ts";
import { folderAssets } from "./relay/folder-assets.ts";
import { createRelay, serviceInProcess, serviceOverHttp, type ServiceCall } from "./relay/index.ts";
import { createGuardedFetch } from "./service/guarded-fetch.ts";
import { createRetrievalResponder } from "./service/language/retrieval-responder.ts";
import { createMediaEngine } from "./service/media/create-media-engine.ts";
import { systemClock } from "./service/clock.ts";
import { createService, type Service } from "./service/service.ts";
import { defaultServiceSettings } from "./service/service-settings.ts";
import { createAudioDesk } from "./service/speech/create-audio-desk.ts";
import { createRecognizers } from "./service/speech/create-recognizers.ts";
import { createSynthesizers } from "./service/speech/create-synthesizers.ts";
import { createEspeakSynthesizer, findEspeak } from "./service/speech/espeak-synthesizer.ts";
import { createFliteSynthesizer } from "./service/speech/flite-synthesizer.ts";
import { loadSherpa } from "./service/speech/sherpa-module.ts";
import { openFolderFiles } from "./service/store/folder-files.ts";
import { seed } from "./service/store/seed.ts";
import { openSqliteStore } from "./service/store/sqlite-store.ts";

const publicFolder = fileURLToPath(new URL("../public", import.meta.url));

/** Paths that the service answers itself, with errors of its own shape. */
const servicePath = /^\/(?:api\/|healthz$|readyz$)/;

/** Parts that run, and how they stop. */
interface Running {
  app: Hono;
  stop(): Promise<void>;
}

function apiKeyOf(settings: Settings): KeptSecret {
  if (settings.apiKey) return { value: settings.apiKey, isNew: false };
  return keptSecret(settings.dataFolder, "api-key", newApiKey);
}

/** The avatar service with its store in the data folder and its engines. */
async function runService(
  settings: Settings,
  log: Log,
  apiKey: string,
): Promise<Running & { service: Service }> {
  const store = openSqliteStore(settings.dataFolder);
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
  const audio = createAudioDesk({
    workerUrl: new URL("./audio-worker.js", import.meta.url),
    reference: flite,
    referenceVoice: "slt",
  });
  const guardedFetch = createGuardedFetch({ allowPrivate: settings.allowPrivateAddresses });
  const engines = { fetch: guardedFetch, sherpa: loadSherpa(settings.sherpaFolder), env: process.env };
  const synthesizers = createSynthesizers({ ...engines, audio, flite, espeak });
  const recognizers = createRecognizers(engines);
  const retrieval = createRetrievalResponder();
  const service = createService({
    clock: systemClock,
    store,
    files: openFolderFiles(join(settings.dataFolder, "files")),
    media: (hooks) =>
      createMediaEngine({
        processUrl: new URL("./media-process.js", import.meta.url),
        processes: settings.media.processes,
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
    languageModel: ({ body }) => (body.service === "visavis" ? retrieval : null),
    guardedFetch,
    log,
    settings: {
      ...defaultServiceSettings,
      publicUrl: settings.publicUrl,
      publicFolder,
      connectWithinSec: settings.lease.beforeConnectionSec,
      lostAfterSec: settings.lease.afterConnectionSec,
    },
  });
  service.start();
  void flite.warm();
  return {
    app: service.app,
    service,
    stop: async () => {
      await service.stop();
      await Promise.all([
        synthesizers.close(),
        recognizers.close(),
        audio.close(),
        flite.close(),
        espeak?.close(),
      ]);
      await store.close();
    },
  };
}

/** The token relay in front of a service. */
function runRelay(settings: Settings, log: Log, service: ServiceCall): Hono {
  const secret = keptSecret(settings.dataFolder, "token-secret", newTokenSecret);
  return createRelay({
    service,
    tokenSecret: Buffer.from(secret.value, "hex"),
    assets: folderAssets(publicFolder),
    publicUrl: settings.publicUrl,
    clientAddress,
    log,
  });
}

/** Listens, prints where, and stops on SIGTERM or SIGINT within 10 s. */
async function serveUntilStopped(settings: Settings, fetch: Fetch, stop: () => Promise<void>): Promise<void> {
  const server = await listen(fetch, settings.port);
  const end = (): void => {
    setTimeout(() => process.exit(1), 9_500).unref();
    void Promise.all([server.close(3_000), stop()]).then(() => process.exit(0));
  };
  process.once("SIGTERM", end);
  process.once("SIGINT", end);
}

const print = (line: string): boolean => process.stdout.write(`${line}\n`);

function printAddresses(settings: Settings, apiKey: KeptSecret): void {
  print(`\n  Visavis is running.\n`);
  print(`  Demo page      ${settings.publicUrl}/`);
  print(`  Demo context   ctx_demo`);
  print(
    `  Snippet        <script async src="${settings.publicUrl}/embed.js" data-context="ctx_demo"></script>`,
  );
  print(`  Service        ${settings.publicUrl}/api/v1/`);
  if (apiKey.isNew)
    print(`  API key        ${apiKey.value}   (shown once; kept in ${settings.dataFolder}/api-key)`);
  print("");
}

async function startAll(settings: Settings, log: Log): Promise<void> {
  const apiKey = apiKeyOf(settings);
  const service = await runService(settings, log, apiKey.value);
  const app = new Hono({ strict: false });
  app.get("/", demoPage(folderAssets(publicFolder)));
  app.route("/", runRelay(settings, log, serviceInProcess(service.app, apiKey.value)));
  const fetch: Fetch = (request, environment) =>
    servicePath.test(new URL(request.url).pathname)
      ? service.app.fetch(request)
      : app.fetch(request, environment);
  await serveUntilStopped(settings, fetch, service.stop);
  printAddresses(settings, apiKey);
}

async function startService(settings: Settings, log: Log): Promise<void> {
  const apiKey = apiKeyOf(settings);
  const service = await runService(settings, log, apiKey.value);
  await serveUntilStopped(settings, (request) => service.app.fetch(request), service.stop);
  print(`The service answers at ${settings.publicUrl}/api/v1/`);
  if (apiKey.isNew) print(`API key: ${apiKey.value} (shown once; kept in ${settings.dataFolder}/api-key)`);
}

async function startRelay(settings: Settings, log: Log): Promise<void> {
  if (!settings.remoteService)
    throw new SettingsError(
      "SERVICE_BASE_URL is not set; set the address of the service the relay is to talk to.",
    );
  const relay = runRelay(settings, log, serviceOverHttp(settings.remoteService));
  const app = new Hono({ strict: false });
  app.get("/healthz", (context) => context.json({ status: "ok" }));
  app.get("/readyz", (context) => context.json({ status: "ok" }));
  app.route("/", relay);
  await serveUntilStopped(
    settings,
    (request, environment) => app.fetch(request, environment),
    () => Promise.resolve(),
  );
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
await program.parseAsync();
