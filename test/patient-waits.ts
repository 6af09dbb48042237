import { vi } from "vitest";
import { patienceMs } from "./patience.ts";

/** `vi.waitFor` and `vi.waitUntil` give up after 1 s by default, and have no setting for it. That fails on a busy machine. */
interface Patient {
  isPatient?: true;
}

const { waitFor, waitUntil } = vi;
const patient = (options?: number | object) =>
  typeof options === "number" ? options : { timeout: patienceMs, ...options };
const patientFor: typeof waitFor & Patient = (callback, options) => waitFor(callback, patient(options));
const patientUntil: typeof waitUntil = (callback, options) => waitUntil(callback, patient(options));
patientFor.isPatient = true;
// Files of one process share `vi`.
if (!(waitFor as Patient).isPatient) Object.assign(vi, { waitFor: patientFor, waitUntil: patientUntil });
