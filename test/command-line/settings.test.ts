import { describe, expect, it } from "vitest";
import { readSettings } from "../../src/command-line/settings.ts";

describe("readSettings", () => {
  it("works with an empty environment", () => {
    const settings = readSettings({});
    expect(settings.port).toBe(8787);
    expect(settings.publicUrl).toBe("http://localhost:8787");
    expect(settings.remoteService).toBeUndefined();
    expect(settings.lease).toEqual({ beforeConnectionSec: 60, afterConnectionSec: 30 });
  });

  it("names the setting, its value and what would do", () => {
    expect(() => readSettings({ PORT: "http" })).toThrow(
      'PORT is "http"; set a whole number from 1 to 65535.',
    );
    expect(() => readSettings({ VISAVIS_MEDIA_PORTS: "9-3" })).toThrow(/range such as 40000-40100/);
    expect(() => readSettings({ VISAVIS_PUBLIC_URL: "shop" })).toThrow(/http or https address/);
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

  it("wants the key of a remote service", () => {
    expect(() => readSettings({ SERVICE_BASE_URL: "https://service.example" })).toThrow(/SERVICE_API_KEY/);
    expect(
      readSettings({ SERVICE_BASE_URL: "https://service.example/", SERVICE_API_KEY: "k" }).remoteService,
    ).toEqual({
      baseUrl: "https://service.example",
      apiKey: "k",
      apiKeyHeader: "ServicePlatform-APIKey",
    });
  });

  it("takes the limits of the interface and lets them be set", () => {
    expect(readSettings({}).rateLimits.key).toEqual({ reads: 6_000, writes: 1_800 });
    const { rateLimits } = readSettings({ VISAVIS_WRITES_PER_MINUTE: "50", VISAVIS_LOGINS_PER_MINUTE: "3" });
    expect(rateLimits).toMatchObject({ key: { writes: 50 }, loginsPerMinute: 3 });
    expect(() => readSettings({ VISAVIS_READS_PER_MINUTE: "0" })).toThrow(/VISAVIS_READS_PER_MINUTE/);
  });

  it("wants a password of 8 characters", () => {
    expect(readSettings({ VISAVIS_PASSWORD: "long enough" }).password).toBe("long enough");
    expect(() => readSettings({ VISAVIS_PASSWORD: "short" })).toThrow(/8 to 1024 characters/);
  });
});
