import { errorBodySchema } from "../../../protocol/schema/error-body.ts";
import { limitSignal } from "../../../timing/time-limit.ts";
import type { ContextRecord } from "../../store/store.ts";
import { failed, faultOf, pageTrialMs, succeeded, timeSince, type Trial, warned } from "./trial.ts";

/** How a page's address is asked. */
interface Pages {
  /** The address under which visitors reach the relay. */
  publicUrl: string;
  fetch: typeof fetch;
}

const ofThisMachine = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])([:/]|$)/;

/** Checks that the loader is answered under the public address, and that browsers allow a microphone there. */
export async function checkAddress({ publicUrl, fetch }: Pages): Promise<Trial> {
  const url = `${publicUrl}/embed.js`;
  const startedMs = performance.now();
  const remedy =
    "Check that the server runs, and that VISAVIS_PUBLIC_URL is the address under which visitors reach it.";
  try {
    const response = await fetch(url, { signal: limitSignal(pageTrialMs) });
    const isScript = /javascript/.test(response.headers.get("content-type") ?? "");
    await response.body?.cancel();
    if (!response.ok || !isScript)
      return failed(`${url} answered with status ${response.status}, and is no loader.`, remedy);
  } catch (error) {
    return failed(`${url} does not answer: ${faultOf(error).reason}.`, remedy);
  }
  if (!publicUrl.startsWith("https:") && !ofThisMachine.test(publicUrl))
    return warned(
      `${publicUrl} answers, without encryption.`,
      "Pages with https cannot use it, and browsers give no microphone: put it behind https.",
    );
  return succeeded(`${publicUrl} answered in ${timeSince(startedMs)}.`);
}

/** The reasons why the relay refuses a page's request, and what to do. */
const refusals: Readonly<Record<string, (context: ContextRecord, origin: string) => Trial>> = {
  origin_not_allowed: ({ contextId }, origin) =>
    failed(
      `Pages of ${origin} may not use it.`,
      `Add "${origin}" to embed_config.allowed_origins of ${contextId}.`,
    ),
  context_inactive: ({ contextId }) =>
    failed("The context is switched off.", `Set is_active of ${contextId} to true.`),
  context_not_found: () =>
    failed(
      "The relay at the public address does not know the context.",
      "It belongs to another installation: check VISAVIS_PUBLIC_URL and SERVICE_BASE_URL.",
    ),
};

async function askAs({ publicUrl, fetch }: Pages, context: ContextRecord, origin: string): Promise<Trial> {
  const url = `${publicUrl}/embed/v1/contexts/${context.contextId}`;
  try {
    const response = await fetch(url, {
      headers: { Origin: origin },
      signal: limitSignal(pageTrialMs),
    });
    if (response.ok) {
      await response.body?.cancel();
      return succeeded(`Pages of ${origin} may use it.`);
    }
    const parsed = errorBodySchema.safeParse(await response.json().catch(() => null));
    const code = parsed.success ? (parsed.data.errors[0]?.code ?? "") : "";
    const refusal = refusals[code];
    if (refusal) return refusal(context, origin);
    return failed(`The relay answered with status ${response.status}.`, "Read the server's log.");
  } catch (error) {
    return failed(`${url} does not answer: ${faultOf(error).reason}.`, "Check that the server runs.");
  }
}

/**
 * Checks which pages may use a context. With an `origin`, the relay is asked as a page of that origin would ask. `answers` says
 * whether the relay answers at all.
 */
export function checkOrigin(
  pages: Pages,
  context: ContextRecord,
  { origin, answers }: { origin?: string | undefined; answers: boolean },
): Promise<Trial> | Trial {
  const { contextId, config, is_active: isActive } = context;
  if (!isActive) return failed("The context is switched off.", `Set is_active of ${contextId} to true.`);
  if (origin !== undefined)
    return answers
      ? askAs(pages, context, origin)
      : failed("It was not asked, because the address does not answer.", "Mend the address first.");
  const listed = config.allowed_origins ?? [];
  if (listed.length > 0) return succeeded(`Pages of ${listed.join(", ")} may use it.`);
  return warned(
    `Only pages of ${pages.publicUrl} itself may use it.`,
    `Add the origin of your page to embed_config.allowed_origins of ${contextId}.`,
  );
}
