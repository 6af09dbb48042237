/** How an operator who looks elsewhere hears of a visitor who needs a person. */
export type Alert = "sound" | "notice";

/** No visitor's wish is worth more noise, in ms. */
const quietMs = 20_000;

const storageKey = (alert: Alert): string => `visavis-live-${alert}`;

/** Chosen in this browser. A notification also needs the browser's permission, which can be withdrawn at any time. */
export function hasAlert(alert: Alert): boolean {
  if (localStorage.getItem(storageKey(alert)) === null) return false;
  return alert === "sound" || (canNotify() && Notification.permission === "granted");
}

/** Whether the browser has notifications for pages: on phones only installed pages do. */
export function canNotify(): boolean {
  return "Notification" in window;
}

/** Turns an alert on or off, at the operator's click: browsers ask for permission only then. Resolves with whether it is on. */
export async function chooseAlert(alert: Alert, isWanted: boolean): Promise<boolean> {
  localStorage.removeItem(storageKey(alert));
  if (!isWanted) return false;
  if (alert === "notice" && (await Notification.requestPermission()) !== "granted") return false;
  localStorage.setItem(storageKey(alert), "1");
  if (alert === "sound") await playTone();
  return true;
}

/** One soft tone of half a second. Silent where the page has not been clicked yet: browsers do not let it sound. */
async function playTone(): Promise<void> {
  const context = new AudioContext();
  const tone = context.createOscillator();
  const volume = context.createGain();
  tone.frequency.value = 660;
  volume.gain.setValueAtTime(0, context.currentTime);
  volume.gain.linearRampToValueAtTime(0.12, context.currentTime + 0.03);
  volume.gain.exponentialRampToValueAtTime(0.001, context.currentTime + 0.5);
  tone.connect(volume).connect(context.destination);
  tone.onended = () => void context.close();
  tone.start();
  tone.stop(context.currentTime + 0.5);
  await context.resume();
}

/** Tells of conversations that have begun to need somebody. */
export class LiveAlerts {
  #known = new Set<string>();
  #soundedAtMs = -Infinity;

  /** `needs`: the conversations that need somebody; `title` is what is said; while the operator is `answering`, nothing sounds. */
  tell(needs: readonly string[], title: string, isAnswering: boolean): void {
    const isNew = needs.some((id) => !this.#known.has(id));
    this.#known = new Set(needs);
    if (!isNew) return;
    if (hasAlert("sound") && !isAnswering && performance.now() - this.#soundedAtMs > quietMs) {
      this.#soundedAtMs = performance.now();
      void playTone();
    }
    if (!hasAlert("notice") || document.visibilityState === "visible") return;
    // One for the page: the newest takes the place of the one before.
    const notice = new Notification(title, { tag: "visavis-live" });
    notice.onclick = () => {
      window.focus();
      notice.close();
    };
  }
}
