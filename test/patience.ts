import { vi } from "vitest";

/** `vi.waitFor` gives up after 1 s by default, and has no setting for it. That fails on a busy machine. */
const patienceMs = 15_000;

interface Patient {
  isPatient?: true;
}

const { waitFor } = vi;
const patient: typeof vi.waitFor & Patient = (callback, options) =>
  waitFor(callback, typeof options === "number" ? options : { timeout: patienceMs, ...options });
patient.isPatient = true;
// Files of one process share `vi`.
if (!(waitFor as Patient).isPatient) vi.waitFor = patient;
