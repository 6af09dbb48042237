import type { ReactiveController, ReactiveControllerHost } from "lit";
import type { AudioDevices, AvatarSession } from "../../client/index.ts";

/** The devices that the settings offer, as they are plugged in and out. */
export class DeviceList implements ReactiveController {
  devices: AudioDevices = { microphones: [], speakers: [] };
  readonly #host: ReactiveControllerHost;
  #session: AvatarSession | null = null;
  #watched: MediaDevices | null = null;

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  /** Shows the devices for this session. The first time, they are listed. */
  show(session: AvatarSession): AudioDevices {
    if (session !== this.#session) {
      this.#session = session;
      this.#watched = "mediaDevices" in navigator ? navigator.mediaDevices : null;
      this.#watched?.addEventListener("devicechange", this.#list);
      this.#list();
    }
    return this.devices;
  }

  hostDisconnected(): void {
    this.#watched?.removeEventListener("devicechange", this.#list);
    this.#session = null;
  }

  readonly #list = (): void => {
    void this.#session
      ?.voice()
      .then((voice) => voice.devices())
      .then((devices) => {
        this.devices = devices;
        this.#host.requestUpdate();
      })
      .catch(() => undefined);
  };
}
