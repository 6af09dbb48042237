const storageKey = "visavis-visitor";

/** A random id that this browser keeps, for limits by visitor. A new one each time if nothing can be stored. */
export function visitorId(): string {
  try {
    const kept = localStorage.getItem(storageKey);
    if (kept && /^[A-Za-z0-9_-]{8,64}$/.test(kept)) return kept;
    const made = randomName();
    localStorage.setItem(storageKey, made);
    return made;
  } catch {
    return randomName();
  }
}

const randomName = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
