import type { SessionRequest } from "../store/store.ts";

/** The language of a session's conversation: of its normalization, else of the page that it was made for. BCP 47. */
export function sessionLocale({
  text_normalization_locale,
  extra_data,
}: Pick<SessionRequest, "text_normalization_locale" | "extra_data">): string | undefined {
  const page =
    typeof extra_data === "object" && extra_data !== null && "locale" in extra_data
      ? extra_data.locale
      : null;
  return text_normalization_locale ?? (typeof page === "string" ? page.slice(0, 35) : undefined);
}
