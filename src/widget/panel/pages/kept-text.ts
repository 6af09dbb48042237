import { readRetentionDays } from "../../../protocol/settings/late-settings.ts";
import type { PublicContext } from "../../../protocol/session/relay-api.ts";
import type { Translate } from "../../texts/texts.ts";

/** How long the owner keeps what is said, in the visitor's language; null where nothing is kept. */
export function keptText(t: Translate, lang: string, context: PublicContext | null): string | null {
  const days = readRetentionDays(context?.["retention_days"]);
  if (days === 0) return null;
  // The language's own plural comes with the unit.
  const unit = new Intl.NumberFormat(lang, { style: "unit", unit: "day", unitDisplay: "long" });
  return t("kept", { days: unit.format(days) });
}
