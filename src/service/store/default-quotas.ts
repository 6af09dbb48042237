import type { Quotas } from "./store.ts";

/** Quotas of a new organization. Minutes per month and credits are not limited. */
export const defaultQuotas: Quotas = {
  activeSessions: 200,
  minutesPerSession: 120,
  minutesPerMonth: null,
  credits: null,
};
