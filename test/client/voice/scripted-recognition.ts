import { onTestFinished } from "vitest";

/** What happened to the browser's recognizers, in order. */
export const told: string[] = [];

/**
 * A stand-in for the browser's `SpeechRecognition`, which tests let understand words. Chromium without a window has no recognizer on
 * the device, so the tests of what depends on one use this.
 */
export class ScriptedRecognition extends EventTarget {
  static availability: string | Error = "available";
  static installs = true;
  static made: ScriptedRecognition[] = [];
  lang = "";
  continuous = false;
  interimResults = false;
  processLocally = false;

  static available({ langs }: { langs: string[] }): Promise<string> {
    told.push(`available ${langs.join()}`);
    const { availability } = ScriptedRecognition;
    return availability instanceof Error ? Promise.reject(availability) : Promise.resolve(availability);
  }

  static install({ langs }: { langs: string[] }): Promise<boolean> {
    told.push(`install ${langs.join()}`);
    return Promise.resolve(ScriptedRecognition.installs);
  }

  constructor() {
    super();
    ScriptedRecognition.made.push(this);
  }

  start(track?: MediaStreamTrack): void {
    told.push(`start ${this.lang}${this.processLocally ? " on the device" : ""} ${track?.id ?? "no track"}`);
  }

  stop(): void {
    told.push("stop");
  }

  abort(): void {
    told.push("abort");
  }

  /** All that is understood since the start: sentences that are sure, and one that may change. */
  understand(sure: string[], unsure?: string): void {
    const results = [...sure, ...(unsure === undefined ? [] : [unsure])].map((transcript, index) =>
      Object.assign([{ transcript, confidence: 1 }], { isFinal: index < sure.length }),
    );
    this.dispatchEvent(Object.assign(new Event("result"), { results, resultIndex: 0 }));
  }

  fail(error: string): void {
    this.dispatchEvent(Object.assign(new Event("error"), { error }));
  }

  finish(): void {
    this.dispatchEvent(new Event("end"));
  }
}

/** Gives the global scope the recognizer, or only its older name. Other tests have none. */
export function installRecognition(name = "SpeechRecognition", value: unknown = ScriptedRecognition): void {
  Reflect.set(globalThis, name, value);
  onTestFinished(() => {
    Reflect.deleteProperty(globalThis, name);
    Object.assign(ScriptedRecognition, { availability: "available", installs: true, made: [] });
    told.length = 0;
  });
}
