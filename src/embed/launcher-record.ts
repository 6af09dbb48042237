/** The relay's description of a launcher (GET /embed/v1/contexts/{context_id}/launcher). */
export interface LauncherRecord {
  title: string;
  subtitle: string;
  hide_label: string;
  variant: string;
  placement: string;
  theme: string;
  brand_color: string | null;
  still: string | null;
  widget: string;
}

/** The address of a context's public view. The widget asks for the same one, and gets it from the browser's cache. */
export function contextAddress(relay: string, contextId: string): string {
  return `${relay}/embed/v1/contexts/${contextId}`;
}

/** The launcher's record, or an error code: the relay's, or `network`. Never rejects. */
export async function fetchLauncher(relay: string, contextId: string): Promise<LauncherRecord | string> {
  try {
    const response = await fetch(`${contextAddress(relay, contextId)}/launcher`, { credentials: "omit" });
    const body = (await response.json()) as LauncherRecord & { errors: [{ code: string }] };
    return response.ok ? body : body.errors[0].code;
  } catch {
    return "network";
  }
}
