import { withoutLastSlashes } from "../../../protocol/last-slashes.ts";
import * as z from "zod";
import { isAzureAddress } from "../../engines/engine-address.ts";
import type { GuardedFetch } from "../../outbound/guarded-fetch.ts";
import { AdministrationError } from "../administration-error.ts";
import { faultOf } from "../trials/trial.ts";

const listSchema = z.object({ data: z.array(z.object({ id: z.string().max(500) })).max(5_000) });

const maxBytes = 2 * 1024 * 1024;
const timeoutMs = 10_000;

function refused(message: string, field = "base_url"): AdministrationError {
  return new AdministrationError("engine_refused", message, { field });
}

/**
 * The names of the models at an address of the OpenAI protocol. Throws AdministrationError `engine_refused` with what to do.
 */
export async function modelsAtAddress(
  fetch: GuardedFetch,
  { baseUrl, key }: { baseUrl: string; key: string | undefined },
): Promise<string[]> {
  if (!/^https?:\/\//.test(baseUrl) || !URL.canParse(baseUrl))
    throw refused("Set an http or https address up to and including the version.");
  const url = new URL(baseUrl);
  url.pathname = `${withoutLastSlashes(url.pathname)}/models`;
  const keyHeader = isAzureAddress(baseUrl) ? { "api-key": key ?? "" } : { Authorization: `Bearer ${key}` };
  const headers = key === undefined ? {} : keyHeader;
  const response = await fetch(url, { headers, timeoutMs, maxBytes }).catch((error: unknown) => {
    throw refused(`No answer can be had from this address: ${faultOf(error).reason}`);
  });
  if (response.status === 401 || response.status === 403)
    throw refused("The address answers, but refuses the key.", "key");
  const parsed = listSchema.safeParse(await response.json().catch(() => null));
  if (!response.ok || !parsed.success)
    throw refused(`The address answers with status ${response.status} and no list of models.`);
  return parsed.data.data.map(({ id }) => id).sort((one, other) => one.localeCompare(other));
}
