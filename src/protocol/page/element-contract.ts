import { drawers } from "../settings/drawing-settings.ts";
import { variants } from "../settings/variant.ts";

/** An attribute of the element. */
export interface AttributeContract {
  /** The type of its value, as TypeScript: a union of strings, `string`, `number` or `boolean` (present or not). */
  readonly type: string;
  readonly description: string;
  /** The behaviour without the attribute, in words. */
  readonly default?: string;
  /** `embed.js` reads it from its script tag as `data-…`. */
  readonly loader?: boolean;
  /** Only `embed.js` reads it, before the element is defined. */
  readonly early?: boolean;
  /** It can be set as a query parameter of the viewer page. */
  readonly viewer?: boolean;
}

/** A method of the element. */
export interface MethodContract {
  /** Names of its parameters. */
  readonly parameters: readonly string[];
  readonly description: string;
  /** A page around the viewer's iframe may call it. */
  readonly viewer?: boolean;
}

/** A property of the element. */
export interface PropertyContract {
  readonly description: string;
  readonly readonly: boolean;
}

/** An event of the element. */
export interface EventContract {
  /** The fields of `event.detail`; a name with `?` may be missing. Empty: the detail is null. */
  readonly detail: readonly string[];
  readonly description: string;
}

/** The shape of the whole contract. */
interface ElementContract {
  readonly tagName: string;
  readonly description: string;
  readonly attributes: Readonly<Record<string, AttributeContract>>;
  readonly properties: Readonly<Record<string, PropertyContract>>;
  readonly methods: Readonly<Record<string, MethodContract>>;
  /** By name, without the prefix `visavis-`. */
  readonly events: Readonly<Record<string, EventContract>>;
  readonly slots: Readonly<Record<string, string>>;
  readonly cssParts: Readonly<Record<string, string>>;
  readonly cssProperties: Readonly<Record<string, string>>;
}

const oneOf = (values: readonly string[]): string => values.map((value) => `"${value}"`).join(" | ");

/**
 * The contract of `<visavis-avatar>` with the page around it. Loader, viewer, docs, the custom-elements manifest and the
 * framework types are generated from it, or a test compares them with it (test/protocol/page/element-contract.test.ts).
 */
export const elementContract = {
  tagName: "visavis-avatar",
  description: "A talking avatar.",
  attributes: {
    "context-id": { type: "string", description: "The public key of the embed context. Required." },
    relay: {
      type: "string",
      description: "Base URL of the relay.",
      default: "where `embed.js` came from, else the page's origin",
      loader: true,
    },
    variant: {
      type: oneOf(Object.keys(variants)),
      description: "How it sits in the page.",
      default: "the owner's setting, then `bubble`",
      loader: true,
    },
    placement: {
      type: '"bottom-right" | "bottom-left" | "top-right" | "top-left" | "bottom-center" | "center-right"',
      description: "Corner or edge of the page for a bubble.",
      default: "the owner's setting, then `bottom-right`",
      loader: true,
    },
    prefetch: {
      type: '"intent" | "idle"',
      description:
        "When `embed.js` loads the widget: when the visitor reaches for the launcher, or when the page is idle (not with save-data).",
      default: "the owner's setting, then `intent`",
      loader: true,
      early: true,
    },
    lang: {
      type: "string",
      description: "Language of the conversation and of the labels.",
      default: "the page's",
      loader: true,
      viewer: true,
    },
    theme: {
      type: '"auto" | "light" | "dark"',
      description: "Light or dark colours.",
      default: "the owner's setting, then `auto`",
      loader: true,
      viewer: true,
    },
    mode: {
      type: '"avatar" | "voice" | "text"',
      description: "Picture and sound, sound only, or the transcript only.",
      default: "`avatar`",
      loader: true,
      viewer: true,
    },
    render: {
      type: oneOf(drawers),
      description:
        "Who draws the avatar: the visitor's browser, the service (as video), or what suits the browser.",
      default: "the owner's setting, then `auto`",
      loader: true,
      viewer: true,
    },
    transparent: {
      type: "boolean",
      description: "No background: the avatar stands on the page.",
      loader: true,
      viewer: true,
    },
    captions: {
      type: '"true" | "false"',
      description: "Whether captions are on at the start.",
      default: "the owner's setting, then on",
      loader: true,
      viewer: true,
    },
    "padding-left": {
      type: "number",
      description: "Offset of the avatar's centre from the middle, −1 to 1 frame widths.",
      default: "the owner's setting",
      loader: true,
    },
    "padding-top": {
      type: "number",
      description: "Distance of the avatar's top edge from the frame's, 0 to 1 frame heights.",
      default: "the owner's setting",
      loader: true,
    },
    "padding-height": {
      type: "number",
      description: "Height of the avatar, 0 to 5 frame heights.",
      default: "the owner's setting",
      loader: true,
    },
    open: { type: "boolean", description: "Whether the panel of a bubble is open.", loader: true },
  },
  properties: {
    state: { readonly: true, description: "State of the session." },
    activity: { readonly: true, description: "What the avatar does while the session is live." },
    sessionId: { readonly: true, description: "Id of the session, or null." },
    transcript: { readonly: true, description: "What was said, oldest first." },
    microphone: {
      readonly: true,
      description: "The visitor's microphone: `off`, `asking`, `on` or `muted`.",
    },
    volume: { readonly: false, description: "Loudness of the avatar, 0 to 1." },
  },
  methods: {
    open: {
      parameters: [],
      description: "Opens the panel of a bubble. Starts no conversation.",
      viewer: true,
    },
    close: { parameters: [], description: "Minimises the panel. A conversation goes on.", viewer: true },
    start: {
      parameters: [],
      description:
        "Starts a conversation and opens the panel. Resolves when it is live, rejects with `{code, message}`.",
      viewer: true,
    },
    end: { parameters: [], description: "Ends the conversation.", viewer: true },
    send: {
      parameters: ["text"],
      description: "Sends a message of the visitor. Starts a conversation if there is none.",
      viewer: true,
    },
    say: { parameters: ["text"], description: "Lets the avatar say exactly this.", viewer: true },
    show: {
      parameters: ["content"],
      description:
        "Shows suggestions, buttons, cards or a form ([rich-answers.md](rich-answers.md)). Rejects with `invalid_content` if a field is wrong.",
      viewer: true,
    },
    askForPerson: {
      parameters: [],
      description:
        "Asks for a person, as the visitor's button does. Resolves with whether somebody is there ([live.md](live.md)).",
      viewer: true,
    },
    interrupt: { parameters: [], description: "Stops what the avatar is saying.", viewer: true },
    listen: {
      parameters: [],
      description:
        "Turns the visitor's microphone on, for one turn or hands-free. Rejects with `{code, message}` where that is not possible.",
      viewer: true,
    },
    stopListening: {
      parameters: [],
      description: "Ends the visitor's turn and sends it, or turns a hands-free microphone off.",
      viewer: true,
    },
    mute: { parameters: [], description: "Silences the visitor's microphone.", viewer: true },
    unmute: { parameters: [], description: "Turns the visitor's microphone on again.", viewer: true },
    setVariables: {
      parameters: ["variables"],
      description: "Facts about this visit for the language model.",
      viewer: true,
    },
    registerTool: {
      parameters: ["tool"],
      description:
        "Offers a function of the page, `{name, description, parameters, run}`, to the language model.",
    },
  },
  events: {
    statechange: { detail: ["state", "previous", "reason?"], description: "The session has another state." },
    activitychange: { detail: ["activity"], description: "The avatar does something else." },
    message: { detail: ["message"], description: "A new or changed entry of the transcript." },
    caption: { detail: ["text", "word", "index"], description: "The word that is being spoken." },
    interrupted: { detail: ["message"], description: "An answer was interrupted." },
    speechstart: { detail: [], description: "The visitor has begun to speak." },
    speechend: { detail: [], description: "The visitor has finished speaking." },
    transcript: {
      detail: ["text", "final"],
      description:
        "What was understood of the visitor's voice: while they speak, where the recognizer can, and at the end of the turn.",
    },
    toolcall: { detail: ["name", "arguments"], description: "The language model calls a tool of the page." },
    rating: {
      detail: ["of", "value", "message?", "why?"],
      description:
        'The visitor has rated an answer or the conversation: `of` is "answer" or "conversation", `value` "up" or "down".',
    },
    link: {
      detail: ["href"],
      description:
        "The visitor follows a link in an answer. `preventDefault()` leaves it to the page, which may open it itself.",
    },
    action: {
      detail: ["action", "label", "values?"],
      description:
        "The visitor has pressed a button or sent a form with an `action`. `values` are those of the form, by the names of its fields.",
    },
    handover: {
      detail: ["reason", "via", "sessionId"],
      description:
        'The visitor wants a person: `via` is "page", "phone", "url" or "message"; `reason` is "asked", "not_found", "offered" or "menu". `preventDefault()` keeps the number, the address or the form of a message from being opened.',
    },
    person: {
      detail: ["state", "name"],
      description:
        'A person of the owner\'s is waited for, has joined or has left: `state` is "waiting", "joined" or "left" ([live.md](live.md)).',
    },
    open: { detail: [], description: "The panel has opened." },
    close: { detail: [], description: "The panel was minimised." },
    error: {
      detail: ["code", "message", "limit?"],
      description: "Something failed. `limit` says which limit was reached, with the code `quota_exceeded`.",
    },
  },
  slots: { header: "Replaces the name over the picture." },
  cssParts: {
    launcher: "The launcher with its label",
    "launcher-button": "The round button of the launcher",
    "launcher-hide": "The button that hides the launcher",
    "launcher-teaser": "The last unread answer beside the launcher",
    panel: "The panel",
    window: "The picture",
    ring: "The ring around the picture",
    top: "Name and tools over the picture",
    name: "The name",
    nameplate: "The badge: the state in words",
    words: "The caption bar",
    dock: "The controls",
    transcript: "The transcript",
    composer: "The field to write in, with its buttons",
    page: "The pages below the picture",
    "error-code": "The code on the error page",
  },
  cssProperties: {
    "--visavis-brand": "The owner's colour. Accent, ring and chips follow, with enough contrast.",
    "--visavis-radius-panel": "Corner radius of the panel",
    "--visavis-mat-width": "Width of the border around the picture",
    "--visavis-font": "Font family",
    "--visavis-z": "Stacking order of launcher and panel",
  },
} as const satisfies ElementContract;

type Methods = (typeof elementContract)["methods"];

/** The methods that a page around the viewer's iframe may call. */
export type ViewerMethod = {
  [Name in keyof Methods]: Methods[Name] extends { viewer: true } ? Name : never;
}[keyof Methods];

/** The keys of the entries for which `passes` is true, in the contract's order. */
export function namesWhere<Name extends string, Entry>(
  entries: Readonly<Record<Name, Entry>>,
  passes: (entry: Entry) => boolean,
): Name[] {
  return (Object.keys(entries) as Name[]).filter((name) => passes(entries[name]));
}
