import * as z from "zod";
import { Fault } from "../faults/fault.ts";

/** The address of an operator's engine, up to and including the version of its protocol. */
export const engineAddressSchema = z
  .url({
    protocol: /^https?$/,
    error: "Set an http or https address up to and including the version, such as https://engine.example/v1.",
  })
  .refine((address) => new URL(address).username === "" && new URL(address).password === "", {
    error: "The address must not hold a user name or password; set api_key or api_key_env.",
    when: ({ value }) => typeof value === "string" && URL.canParse(value),
  });

/** Azure's own hosts, and gateways that take its version: they get a key in the header `api-key`. */
export function isAzureAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { hostname, searchParams } = new URL(address);
  return /\.(?:azure\.com|azure-api\.net)$/.test(hostname) || searchParams.has("api-version");
}

/** The name of an environment variable that holds an engine's key. Variables with the service's own secrets are not allowed. */
export const keyVariableSchema = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, {
    error: "Set the name of an environment variable, such as VOICES_API_KEY.",
  })
  .refine((name) => !/^(?:VISAVIS_|SERVICE_|DATABASE_URL$|REDIS_URL$)/.test(name), {
    error: "Secrets of the service are no keys of engines.",
  });

/** The error for an entry whose service has no known address and whose settings contain none. */
export function missingAddress(service: string): Fault {
  const detail = `This field is required: the service ${service} has no address that is known. Set the server's, up to and including the version.`;
  return Fault.invalid("required", detail, "engine.base_url");
}
