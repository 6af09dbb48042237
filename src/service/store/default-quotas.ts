import type { Quotas } from "./store.ts";

/** What an organization may use until its operator says otherwise. Months and credits are not limited. */
export const defaultQuotas: Quotas = {
  activeSessions: 200,
  minutesPerSession: 120,
  minutesPerMonth: null,
  credits: null,
};
