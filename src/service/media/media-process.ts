import { errorMessage } from "../faults/error-message.ts";
import { MediaSession } from "./session/media-session.ts";
import { Backdrops } from "./pictures/backdrops.ts";
import { isBusy } from "./processes/busy-process.ts";
import { CharacterPictures } from "./pictures/character-pictures.ts";
import { MediaClock } from "./media-clock.ts";
import type { PeerRequest } from "./media-engine.ts";
import { MediaError } from "./media-error.ts";
import type { MediaProcessSettings, MessageFromProcess, MessageToProcess } from "./processes/media-ipc.ts";
import { OrderBook } from "./processes/order-book.ts";
import { wrtc } from "./wrtc.ts";

/** Entry point of a media process. Messages from the parent process, the service, open and close its sessions. */

/**
 * How long a process that serves has to be without sessions before it loads the characters that no session has asked for: a start, and
 * its first visitor, need the processor for other things.
 */
const preloadAfterMs = 10_000;

/** The sessions of this process. */
class MediaProcess {
  readonly #settings: MediaProcessSettings;
  readonly #clock = new MediaClock();
  readonly #pictures: CharacterPictures;
  readonly #backdrops = new Backdrops(this.#clock);
  readonly #sessions = new Map<string, MediaSession>();
  readonly #orders = new OrderBook(tell);
  #lastPhase = 0;

  constructor(settings: MediaProcessSettings) {
    this.#settings = settings;
    const { photoWorkerUrl } = settings;
    this.#pictures = new CharacterPictures({
      photoWorkerUrl: photoWorkerUrl === undefined ? undefined : new URL(photoWorkerUrl),
      onFault: (message) => tell({ type: "warning", sessionId: "", message }),
    });
    const [first] = settings.preloadCharacters;
    if (first !== undefined) this.#preload(first);
    // The first peer connection starts the library's threads, so it is made before a client waits for one.
    new wrtc.RTCPeerConnection({ iceServers: [] }).close();
  }

  handle(message: Exclude<MessageToProcess, { type: "start" }>): void {
    switch (message.type) {
      case "exchange":
        return void this.#exchange(message.exchangeId, message.request);
      case "speech-part":
      case "delivery":
        this.#orders.take(message);
        return;
      case "close":
        this.#sessions.get(message.sessionId)?.close();
        this.#sessions.delete(message.sessionId);
        return;
      case "serve":
        this.#preloadWhenIdle(this.#settings.preloadCharacters.slice(1));
        return;
      case "restart":
        for (const session of this.#sessions.values()) session.announceRestart();
        return;
      case "stop":
        for (const session of this.#sessions.values()) session.close();
        // The library crashes if the process is left to end with its event loop.
        process.exit(0);
    }
  }

  async #exchange(exchangeId: number, request: PeerRequest): Promise<void> {
    const isNew = !this.#sessions.has(request.sessionId);
    try {
      const session = this.#sessions.get(request.sessionId) ?? this.#open(request);
      const answer = await session.exchange(request, (progress) =>
        tell({ type: "offer-progress", exchangeId, progress }),
      );
      tell({ type: "answer", exchangeId, answer });
    } catch (error) {
      if (isNew) this.handle({ type: "close", sessionId: request.sessionId });
      const code = error instanceof MediaError ? error.code : "process_died";
      const detail = errorMessage(error);
      tell({ type: "exchange-failed", exchangeId, code, detail });
    }
  }

  #open(request: PeerRequest): MediaSession {
    const { sessionId } = request;
    this.#lastPhase = (this.#lastPhase + 1) % 4;
    const session = new MediaSession(
      {
        request,
        settings: this.#settings,
        isBusy: () => isBusy(this.#sessions.values()),
        clock: this.#clock,
        pictures: this.#pictures,
        backdrops: this.#backdrops,
        order: this.#orders.place,
        report: tell,
        onEnded: (cause) => {
          this.#sessions.delete(sessionId);
          tell({ type: "closed", sessionId, cause });
        },
      },
      this.#lastPhase,
    );
    this.#sessions.set(sessionId, session);
    return session;
  }

  /** Loads these one by one while there are no sessions: each takes up to 100 ms, in which the audio of sessions would stop. */
  #preloadWhenIdle(files: readonly string[], afterMs = preloadAfterMs): void {
    setTimeout(() => {
      const [file, ...others] = files;
      if (file === undefined) return;
      const isIdle = this.#sessions.size === 0;
      if (isIdle) this.#preload(file);
      this.#preloadWhenIdle(isIdle ? others : files, isIdle ? 0 : preloadAfterMs);
    }, afterMs);
  }

  /** Draws once, so that the layers are ready for the first session of this character. */
  #preload(file: string): void {
    try {
      this.#pictures.warm(file, this.#settings.pictureSize, "packed-alpha");
    } catch (error) {
      const message = errorMessage(error);
      tell({ type: "warning", sessionId: "", message });
    }
  }
}

function tell(message: MessageFromProcess): void {
  if (process.connected) process.send?.(message);
}

let media: MediaProcess | undefined;

process.on("message", (message: MessageToProcess) => {
  if (message.type !== "start") {
    media?.handle(message);
    return;
  }
  media = new MediaProcess(message.settings);
  tell({ type: "ready" });
});

// Only the service ends sessions, also when the terminal sends a signal to the whole process group.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => undefined);
process.on("disconnect", () => process.exit(0));
