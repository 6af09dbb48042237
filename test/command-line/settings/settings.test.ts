import { describe, expect, it } from "vitest";
import { defaultRelayLimits } from "../../../src/relay/index.ts";
import { readSettings } from "../../../src/command-line/settings/settings.ts";

describe("readSettings", () => {
  it("works with an empty environment", () => {
    const settings = readSettings({});
    expect(settings.port).toBe(8787);
    expect(settings.publicUrl).toBe("http://localhost:8787");
    expect(settings.remoteService).toBeUndefined();
    expect(settings.lease).toEqual({ beforeConnectionSec: 60, afterConnectionSec: 30 });
  });

  it("names the setting, its value and the allowed values in an error", () => {
    expect(() => readSettings({ PORT: "http" })).toThrow(
      'PORT is "http"; set a whole number from 1 to 65535.',
    );
    expect(() => readSettings({ VISAVIS_MEDIA_PORTS: "9-3" })).toThrow(/range such as 40000-40100/);
    expect(() => readSettings({ VISAVIS_PUBLIC_URL: "shop" })).toThrow(/http or https address/);
  });

  it("keeps visitors' sessions for a restart unless it is told to end them", () => {
    expect(readSettings({}).sessionsOnStop).toBe("resume");
    expect(readSettings({ VISAVIS_SESSIONS_ON_STOP: "end" }).sessionsOnStop).toBe("end");
    expect(() => readSettings({ VISAVIS_SESSIONS_ON_STOP: "never" })).toThrow(/resume, end/);
  });

  it("serves the console unless it is told not to", () => {
    expect(readSettings({}).console).toBe(true);
    expect(readSettings({ VISAVIS_CONSOLE: "off" }).console).toBe(false);
    expect(() => readSettings({ VISAVIS_CONSOLE: "perhaps" })).toThrow(/VISAVIS_CONSOLE.*true or false/);
  });

  it("names all invalid variables at once", () => {
    const invalid = {
      PORT: "abc",
      VISAVIS_PASSWORD: "short",
      LOG_LEVEL: "loud",
      VISAVIS_SECRET: "no",
      VISAVIS_CONSOLE: "on",
    };
    let reason = "";
    try {
      readSettings(invalid);
    } catch (error) {
      reason = String(error);
    }
    const names = reason.split("\n").map((line) => /[A-Z][A-Z_]+/.exec(line)?.[0]);
    expect(names.sort()).toEqual(["LOG_LEVEL", "PORT", "VISAVIS_PASSWORD", "VISAVIS_SECRET"]);
  });

  it("refuses an API key that could not be one, without repeating it", () => {
    expect(readSettings({ VISAVIS_API_KEY: "a-good-key" }).apiKey).toBe("a-good-key");
    for (const key of ["short", "with a space"])
      expect(() => readSettings({ VISAVIS_API_KEY: key })).toThrow(
        "VISAVIS_API_KEY is not a key; set 8 to 256 printable characters without spaces.",
      );
  });

  it("allows private addresses only when it is told to", () => {
    const allowed = (text: string) =>
      readSettings({ VISAVIS_ALLOW_PRIVATE_ADDRESSES: text }).allowPrivateAddresses;
    expect([allowed(""), allowed("false"), allowed("true"), allowed("1")]).toEqual([
      false,
      false,
      true,
      true,
    ]);
    expect(() => allowed("perhaps")).toThrow(/true or false/);
  });

  it("logs from level info, or from the level in LOG_LEVEL", () => {
    expect(readSettings({}).logLevel).toBe("info");
    expect(readSettings({ LOG_LEVEL: "debug" }).logLevel).toBe("debug");
    expect(() => readSettings({ LOG_LEVEL: "loud" })).toThrow(
      'LOG_LEVEL is "loud"; set one of debug, info, warn, error, silent.',
    );
  });

  it("accepts former secrets, and never prints one in an error", () => {
    const [one, two] = ["ab".repeat(32), "CD".repeat(40)];
    expect(readSettings({}).oldSecrets).toEqual([]);
    expect(readSettings({ VISAVIS_OLD_SECRETS: `${one}, ${two}` }).oldSecrets).toEqual([one, two]);
    expect(() => readSettings({ VISAVIS_OLD_SECRETS: `${one},short` })).toThrow(
      /^VISAVIS_OLD_SECRETS is not valid; set former values/,
    );
  });

  it("limits the memory for request bodies", () => {
    const megabyte = 1024 * 1024;
    expect(readSettings({}).bodyLimits).toEqual({ process: 128 * megabyte, address: 48 * megabyte });
    expect(readSettings({ VISAVIS_BODIES_MB: "2", VISAVIS_ADDRESS_BODIES_MB: "1" }).bodyLimits).toEqual({
      process: 2 * megabyte,
      address: megabyte,
    });
  });

  it("limits the files of events", () => {
    const megabyte = 1024 * 1024;
    expect(readSettings({}).eventFiles).toEqual({
      maxFiles: 20,
      maxBytes: 50 * megabyte,
      storeMaxBytes: 1_024 * megabyte,
      retentionDays: 30,
    });
    const { eventFiles } = readSettings({
      VISAVIS_EVENT_FILES: "0",
      VISAVIS_EVENT_FILES_MB: "1",
      VISAVIS_EVENT_STORE_MB: "2",
      VISAVIS_EVENT_FILE_DAYS: "3",
    });
    expect(eventFiles).toEqual({
      maxFiles: 0,
      maxBytes: megabyte,
      storeMaxBytes: 2 * megabyte,
      retentionDays: 3,
    });
    expect(() => readSettings({ VISAVIS_EVENT_FILE_DAYS: "0" })).toThrow(/whole number from 1/);
  });

  it("accepts the number of refusals that block an address, or none", () => {
    expect(readSettings({}).refusalsPerAddress).toBeUndefined();
    expect(readSettings({ VISAVIS_REFUSALS_PER_ADDRESS: "50" }).refusalsPerAddress).toBe(50);
    expect(readSettings({ VISAVIS_REFUSALS_PER_ADDRESS: "none" }).refusalsPerAddress).toBe(Infinity);
    expect(() => readSettings({ VISAVIS_REFUSALS_PER_ADDRESS: "0" })).toThrow(/whole number from 1/);
  });

  it("accepts only known values for who may call a session's paths", () => {
    expect(readSettings({}).sessionAccess).toBeUndefined();
    expect(readSettings({ VISAVIS_SESSION_ACCESS: "key" }).sessionAccess).toBe("key");
    expect(() => readSettings({ VISAVIS_SESSION_ACCESS: "all" })).toThrow(/set open or key/);
  });

  it("accepts a relay token that cannot be guessed, and never prints one in an error", () => {
    const token = "a".repeat(32);
    expect(readSettings({ VISAVIS_RELAY_TOKEN: token }).relayToken).toBe(token);
    expect(() => readSettings({ VISAVIS_RELAY_TOKEN: "short secret" })).toThrow(
      /^VISAVIS_RELAY_TOKEN is not valid; set 32/,
    );
  });

  it("requires the key of a remote service", () => {
    expect(() => readSettings({ SERVICE_BASE_URL: "https://service.example" })).toThrow(/SERVICE_API_KEY/);
    expect(
      readSettings({ SERVICE_BASE_URL: "https://service.example/", SERVICE_API_KEY: "k" }).remoteService,
    ).toEqual({
      baseUrl: "https://service.example",
      apiKey: "k",
      apiKeyHeader: "ServicePlatform-APIKey",
    });
  });

  it("accepts ICE servers as JSON, and STUN and TURN servers by their addresses", () => {
    expect(readSettings({}).ice).toEqual({ servers: [], turn: undefined });
    const { ice } = readSettings({
      VISAVIS_ICE_SERVERS: '[{"urls":["turn:a.example"],"username":"u","credential":"c"}]',
      VISAVIS_STUN_URLS: "stun:b.example:3478, stun:c.example",
      VISAVIS_TURN_URLS: "turn:d.example?transport=udp,turns:d.example:443?transport=tcp",
      VISAVIS_TURN_SECRET: "shared",
      VISAVIS_TURN_TTL_SEC: "600",
    });
    expect(ice).toEqual({
      servers: [
        { urls: ["turn:a.example"], username: "u", credential: "c" },
        { urls: ["stun:b.example:3478", "stun:c.example"] },
      ],
      turn: {
        urls: ["turn:d.example?transport=udp", "turns:d.example:443?transport=tcp"],
        secret: "shared",
        ttlSec: 600,
      },
    });
  });

  it("rejects ICE servers that cannot be used, without printing their credentials", () => {
    expect(() => readSettings({ VISAVIS_STUN_URLS: "stun.example" })).toThrow(/"stun.example"/);
    expect(() => readSettings({ VISAVIS_TURN_URLS: "turn:a.example" })).toThrow(/VISAVIS_TURN_SECRET/);
    for (const text of ["{", '[{"urls":"http://a.example","credential":"hidden"}]', '{"urls":"stun:a"}'])
      expect(() => readSettings({ VISAVIS_ICE_SERVERS: text })).toThrow(/^(?!.*hidden).*VISAVIS_ICE_SERVERS/);
  });

  it("requires an IP address for media", () => {
    expect(readSettings({ VISAVIS_MEDIA_ADDRESS: "198.51.100.7" }).media.publicAddress).toBe("198.51.100.7");
    expect(() => readSettings({ VISAVIS_MEDIA_ADDRESS: "media.example" })).toThrow(/IP address/);
    expect(readSettings({}).media.privateCandidates).toBe("auto");
    expect(readSettings({ VISAVIS_MEDIA_PRIVATE_CANDIDATES: "deny" }).media.privateCandidates).toBe("deny");
    expect(() => readSettings({ VISAVIS_MEDIA_PRIVATE_CANDIDATES: "lan" })).toThrow(/auto, allow, deny/);
  });

  it("has the interface's limits as defaults, and lets them be set", () => {
    expect(readSettings({}).rateLimits.key).toEqual({ reads: 6_000, writes: 1_800 });
    const { rateLimits } = readSettings({ VISAVIS_WRITES_PER_MINUTE: "50", VISAVIS_LOGINS_PER_MINUTE: "3" });
    expect(rateLimits).toMatchObject({ key: { writes: 50 }, loginsPerMinute: 3 });
    expect(() => readSettings({ VISAVIS_READS_PER_MINUTE: "0" })).toThrow(/VISAVIS_READS_PER_MINUTE/);
  });

  it("accepts origins only in the form that browsers send", () => {
    expect(readSettings({}).apiOrigins).toEqual([]);
    const origins = "https://shop.example, http://localhost:3000,";
    expect(readSettings({ VISAVIS_API_ORIGINS: origins }).apiOrigins).toEqual([
      "https://shop.example",
      "http://localhost:3000",
    ]);
    for (const text of ["*", "null", "shop.example", "https://shop.example/", "https://*.shop.example"])
      expect(() => readSettings({ VISAVIS_API_ORIGINS: text })).toThrow(/VISAVIS_API_ORIGINS/);
  });

  it("requires a password of at least 8 characters", () => {
    expect(readSettings({ VISAVIS_PASSWORD: "long enough" }).password).toBe("long enough");
    expect(() => readSettings({ VISAVIS_PASSWORD: "short" })).toThrow(/8 to 1024 characters/);
  });

  it("accepts a database, a counter and a secret that several processes share, and prints no password", () => {
    const shared = {
      DATABASE_URL: "postgres://visavis:word@db.example/visavis",
      REDIS_URL: "rediss://cache.example",
      VISAVIS_SECRET: "0a".repeat(32),
    };
    expect(readSettings(shared)).toMatchObject({
      databaseUrl: shared.DATABASE_URL,
      redisUrl: shared.REDIS_URL,
      redisTimeoutMs: 500,
      secret: shared.VISAVIS_SECRET,
    });
    expect(() => readSettings({ DATABASE_URL: "mysql://visavis:word@db.example/visavis" })).toThrow(
      "DATABASE_URL cannot be read; set an address such as postgres://host/name.",
    );
    expect(() => readSettings({ REDIS_URL: "cache.example:6379" })).toThrow(/^REDIS_URL cannot be read/);
    expect(() => readSettings({ VISAVIS_SECRET: "0a0a" })).toThrow(/64 hexadecimal digits/);
  });

  it("reads the relay's limits from the environment, each with its default", () => {
    expect(readSettings({}).relayLimits).toEqual(defaultRelayLimits);
    const { relayLimits } = readSettings({
      VISAVIS_RELAY_READS_PER_ADDRESS: "1",
      VISAVIS_RELAY_STARTS_PER_ADDRESS: "2",
      VISAVIS_RELAY_STARTS_PER_VISITOR: "3",
      VISAVIS_RELAY_STARTS_PER_CONTEXT: "4",
      VISAVIS_RELAY_LIVE_PER_ADDRESS: "5",
      VISAVIS_RELAY_LIVE_PER_VISITOR: "6",
      VISAVIS_RELAY_LIVE_PER_CONTEXT: "7",
      VISAVIS_RELAY_VISITORS_PER_ADDRESS: "none",
    });
    expect(relayLimits).toEqual({
      readsPerMinutePerAddress: 1,
      startsPerMinutePerAddress: 2,
      startsPerMinutePerVisitor: 3,
      startsPerMinutePerContext: 4,
      livePerAddress: 5,
      livePerVisitor: 6,
      livePerContext: 7,
      visitorsPerAddress: Infinity,
    });
    expect(() => readSettings({ VISAVIS_RELAY_LIVE_PER_CONTEXT: "0" })).toThrow(
      /from 1 to 99999999, or none/,
    );
  });

  it("accepts trusted proxies as addresses and networks", () => {
    expect(readSettings({}).trustedProxies.any).toBe(false);
    const { trustedProxies } = readSettings({
      VISAVIS_TRUSTED_PROXIES: "192.0.2.1, 10.0.0.0/8,2001:db8::/32",
    });
    const trusted = (address: string) => trustedProxies.has(address);
    expect(["192.0.2.1", "::ffff:10.2.3.4", "10.255.0.1", "2001:db8:1::7"].map(trusted)).toEqual(
      Array(4).fill(true),
    );
    expect(["192.0.2.2", "11.0.0.1", "2001:db9::1", "unknown"].map(trusted)).toEqual(Array(4).fill(false));
    for (const wrong of ["proxy.example", "10.0.0.0/33", "10.0.0.0/8/8", "10.0.0.0/", "::1/129"])
      expect(() => readSettings({ VISAVIS_TRUSTED_PROXIES: wrong })).toThrow(
        /^VISAVIS_TRUSTED_PROXIES has ".*"; set IP addresses or networks/,
      );
    expect(readSettings({ VISAVIS_FORWARDED_HEADER: "Forwarded" }).forwardedHeader).toBe("forwarded");
    expect(() => readSettings({ VISAVIS_FORWARDED_HEADER: "X-Real-IP" })).toThrow(
      /set X-Forwarded-For or Forwarded/,
    );
  });
});
