import { rmSync } from "node:fs";
import { startBalancer } from "../../test/service/processes/balancer.ts";
import { hasPostgres, startPostgres } from "../../test/service/store/postgres-server.ts";
import { freePort } from "../../test/free-port.ts";
import { canaryKey, startServer, type Server } from "../support/stack.ts";
import { expect, test } from "../support/test.ts";

const password = "the password of the addresses";

/** An installation: where the service is called, and how it is ended. */
interface Installation {
  service: string;
  stop: () => Promise<void>;
}

const one = async (command: "start" | "service"): Promise<Installation> => {
  const server = await startServer(command, { VISAVIS_PASSWORD: password });
  return { service: server.origin, stop: server.stop };
};

async function serviceAndRelay(): Promise<Installation> {
  const port = await freePort();
  const publicUrl = `http://localhost:${port}`;
  const service = await startServer("service", { VISAVIS_PASSWORD: password, VISAVIS_PUBLIC_URL: publicUrl });
  const relay = await startServer("relay", {
    ...{ PORT: String(port), VISAVIS_PUBLIC_URL: publicUrl },
    ...{ SERVICE_BASE_URL: service.origin, SERVICE_API_KEY: canaryKey },
  });
  return {
    service: service.origin,
    stop: async () => {
      await Promise.all([relay.stop(), service.stop()]);
    },
  };
}

/** Two services behind one address, and a relay at another. */
async function severalServices(): Promise<Installation> {
  const [postgres, portOfRelay] = await Promise.all([startPostgres(), freePort()]);
  const ports = [await freePort(), await freePort()];
  const balancer = await startBalancer(ports.map((port) => `http://localhost:${port}`));
  const publicUrl = `http://localhost:${portOfRelay}`;
  const shared = {
    ...{ DATABASE_URL: await postgres.newDatabase(), VISAVIS_SECRET: "5e".repeat(32) },
    ...{ VISAVIS_PASSWORD: password, VISAVIS_PUBLIC_URL: publicUrl, VISAVIS_SERVICE_URL: balancer.url },
  };
  const services: Server[] = [];
  for (const port of ports) services.push(await startServer("service", { ...shared, PORT: String(port) }));
  const relay = await startServer("relay", {
    ...{ PORT: String(portOfRelay), VISAVIS_PUBLIC_URL: publicUrl, VISAVIS_SECRET: shared.VISAVIS_SECRET },
    ...{ SERVICE_BASE_URL: balancer.url, SERVICE_API_KEY: canaryKey },
  });
  return {
    service: balancer.url,
    stop: async () => {
      await Promise.all([relay, ...services].map((server) => server.stop()));
      await balancer.close();
      await postgres.remove();
      for (const { dataFolder } of [relay, ...services]) rmSync(dataFolder, { recursive: true, force: true });
    },
  };
}

type Headers = Record<string, string>;

const keyed: Headers = { "ServicePlatform-APIKey": canaryKey };

async function answer(response: Response): Promise<unknown> {
  const text = await response.text();
  expect(`${response.status} ${text}`).toMatch(/^20\d/);
  return JSON.parse(text) as unknown;
}

/** Where the objects of the interface are, after one of each kind was made that has an address of its own. */
async function filled(service: string): Promise<Record<string, string>> {
  const send = async (path: string, body: object): Promise<Record<string, string>> =>
    (await answer(
      await fetch(service + path, {
        method: "POST",
        headers: { ...keyed, "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    )) as Record<string, string>;
  const read = async (path: string): Promise<Record<string, string>[]> =>
    (await answer(await fetch(service + path, { headers: keyed }))) as Record<string, string>[];
  const image =
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const picture = await send("/api/v1/background_image/", { title: "Own", image });
  const [template] = await read("/api/v1/session_template/");
  const session = await send("/api/v1/session/", {
    ...template,
    capability: ["STF_WEBRTC"],
    background_image: picture["backgroundimage_id"],
  });
  const form = new FormData();
  form.set("event", "SESSION_LOG");
  form.set("file", new Blob(["log"]), "log.txt");
  const path = `${service}/api/v1/session/${session["session_id"]!}/event/create/`;
  const event = (await answer(await fetch(path, { method: "POST", body: form }))) as Record<string, string>;
  const [context] = await read("/api/console/b2c/contexts/");
  const [config] = await read("/api/v1/settings/text_normalization_config/");
  return {
    session: session["session_id"]!,
    event: event["sessionevent_id"]!,
    backgroundimage: picture["backgroundimage_id"]!,
    sessiontemplate: template!["sessiontemplate_id"]!,
    context: context!["id"]!,
    config: config!["textnormalizationconfig_id"]!,
  };
}

interface Described {
  paths: Record<string, { get?: { responses: Record<string, { content?: object }> } }>;
}

/** The paths of all operations that only read and answer JSON, as far as their parts are known. */
async function readingPaths(service: string, ids: Record<string, string>): Promise<string[]> {
  const { paths } = (await answer(await fetch(`${service}/openapi.json`))) as Described;
  const json = Object.entries(paths).filter(([, { get }]) =>
    Object.keys(get?.responses["200"]?.content ?? {}).includes("application/json"),
  );
  return json.flatMap(([path]) => {
    const known = path.replace(/\{(\w+)\}/g, (part, name: string) => ids[name] ?? part);
    return known.includes("{") ? [] : [known];
  });
}

/** The operator's cookie, with which the console's operations are read too. */
async function cookieOf(service: string): Promise<Headers> {
  const response = await fetch(`${service}/api/console/login/`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ password }),
  });
  expect(response.status).toBe(200);
  return { cookie: response.headers.getSetCookie()[0]!.split(";")[0]! };
}

/** Every address of this machine in an answer. Those of engines lead to other programs. */
function addressesIn(value: unknown, key = ""): string[] {
  if (typeof value === "string")
    return key === "base_url"
      ? []
      : [...value.matchAll(/https?:\/\/(?:localhost|127\.0\.0\.1):\d+[^\s"'<>]*/g)].map(
          ([address]) => address,
        );
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => addressesIn(inner, name));
}

/** What an address must answer with, by its path. */
const types: [path: RegExp, type: string][] = [
  [/\/event\/[^/]+\/file\/$/, "application/octet-stream"],
  [/\/document\/[^/]+\/file\/$/, "text/plain"],
  [/\/background_image\/[^/]+\/file\/$/, "image/png"],
  [/\/text_normalization_config\/[^/]+\/file\/$/, "text/csv"],
  [/\/metrics$/, "text/plain"],
  [/\.json$/, "application/json"],
  [/\.webp$/, "image/webp"],
  [/\.js$/, "text/javascript"],
  [/\/viewer\/\w+$/, "text/html"],
];

const ways: [string, boolean, () => Promise<Installation>][] = [
  ["start", true, () => one("start")],
  ["service alone", true, () => one("service")],
  ["service and relay", true, serviceAndRelay],
  ["two services behind one address, and a relay [needs PostgreSQL]", hasPostgres, severalServices],
];

test.describe("every address in every answer", () => {
  for (const [way, canRun, start] of ways)
    test(`answers with what it names: ${way}`, async () => {
      test.skip(!canRun, "PostgreSQL is missing");
      const installation = await start();
      try {
        const { service } = installation;
        const ids = await filled(service);
        const found = new Map<string, string>();
        for (const headers of [keyed, await cookieOf(service)])
          for (const path of await readingPaths(service, ids)) {
            const response = await fetch(service + path, { headers });
            if (!response.ok) continue;
            for (const address of addressesIn(await response.json())) found.set(address, path);
          }
        const addresses = [...found].filter(([address]) => new URL(address).pathname !== "/");
        for (const [pattern] of types)
          expect(
            addresses.some(([address]) => pattern.test(new URL(address).pathname)),
            String(pattern),
          ).toBe(true);
        const wrong: string[] = [];
        for (const [address, path] of addresses) {
          const wanted = types.find(([pattern]) => pattern.test(new URL(address).pathname))?.[1];
          const response = await fetch(address, { headers: keyed }).catch(() => null);
          const type = response?.headers.get("content-type")?.split(";")[0] ?? "none";
          if (response?.status !== 200 || wanted !== type)
            wrong.push(`${path}: ${address} ${response?.status ?? "refused"} ${type}`);
        }
        expect(wrong).toEqual([]);
      } finally {
        await installation.stop();
      }
    });
});
