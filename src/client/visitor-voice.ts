/**
 * The visitor's microphone. `off`: the device is released. `asking`: the browser asks the visitor for permission. `on`: open.
 * `muted`: open, and nothing is sent.
 */
export type MicrophoneState = "off" | "asking" | "on" | "muted";

/**
 * Why the visitor cannot be heard. `denied`: the visitor or the browser's settings; `policy`: the page's own policy; `frame`: the
 * page around this frame; `insecure`: the page is not served over https; `missing`: no device; `busy`: another program has it;
 * `lost`: it was unplugged and there is no other; `silent`: nothing has been heard for a while; `unclear`: nothing was understood;
 * `failed`: the recognizer does not work.
 */
export type MicrophoneFault =
  "denied" | "policy" | "frame" | "insecure" | "missing" | "busy" | "lost" | "silent" | "unclear" | "failed";

/**
 * Who recognizes the visitor's speech. `service`: an engine of the avatar service; `device`: the browser, with a model on the device;
 * `cloud`: a server of the browser's maker, which gets the sound of the visitor's voice.
 */
export type RecognizerKind = "service" | "device" | "cloud";

/** What is known of the visitor's voice. */
export interface VoiceStatus {
  readonly state: MicrophoneState;
  readonly fault: MicrophoneFault | null;
  /** `button`: push-to-talk; `voice`: hands-free, a voice is heard; `recognizing`: the speech becomes text. */
  readonly turn: "none" | "button" | "voice" | "recognizing";
  /** What has been understood of the present turn so far. */
  readonly words: string;
  /** The microphone stays open, and turns are found by the voice. */
  readonly handsFree: boolean;
  /** The last question that was spoken, while it can be corrected. */
  readonly questionId: string | null;
}

/** A device for sound, by the name that the system gives it. */
export interface AudioDevice {
  readonly id: string;
  readonly label: string;
}

/** The devices that a visitor may choose from. Empty where the browser names none. */
export interface AudioDevices {
  readonly microphones: readonly AudioDevice[];
  readonly speakers: readonly AudioDevice[];
}

/** The visitor's voice, for a user interface. */
export interface VisitorVoice {
  readonly status: VoiceStatus;
  /** How loud the visitor is now, 0 to 1. */
  readonly level: number;
  /** Who recognizes the visitor's speech; null where nobody does. */
  recognizer(): Promise<RecognizerKind | null>;
  /** Push-to-talk: the visitor's turn begins. Never rejects: `status` has what went wrong. */
  beginTurn(): Promise<void>;
  /** The turn is over: it is sent, or forgotten. */
  endTurn(how: "send" | "cancel"): void;
  /** The devices there are now. */
  devices(): Promise<AudioDevices>;
  /** Uses these devices from now on, "" for the system's own. Works while they are in use. */
  choose(devices: { microphone: string; speaker: string }): Promise<void>;
  /** Turns hands-free on or off. Never rejects: `status` has what went wrong. */
  setHandsFree(on: boolean): Promise<void>;
}
