import type { Calibrations } from "./calibration.ts";
import trained from "./trained-calibration.json" with { type: "json" };

/** The calibrations that `scripts/answers/main.ts` has written. */
export const calibrations: Calibrations = trained;
