import type { MicrophoneFault, SessionNotice } from "../../../src/client/index.ts";
import { visavisErrorCodes, type VisavisErrorCode } from "../../../src/protocol/visavis-error-code.ts";
import { scriptedContext, type ScriptedSession } from "../scripted-session.ts";

/** A state of the widget in the gallery. */
export interface GalleryState {
  /** Brings a session into this state. */
  readonly script: (session: ScriptedSession) => void;
  /** The owner's settings, besides those of `scriptedContext`. */
  readonly ui?: typeof scriptedContext.ui;
  /** Visitors can attach files. */
  readonly attachments?: true;
  /** Visitors can speak. `cloud`: the maker of their browser recognizes it. */
  readonly voice?: true | "cloud";
  /** Attributes of the element. */
  readonly attributes?: Readonly<Record<string, string>>;
  /** True when the panel is closed. */
  readonly closed?: true;
  /** The controls that are pressed then, as a visitor would. */
  readonly press?: readonly string[];
  /** Stops the opening animation after this many ms. */
  readonly stopAfterMs?: number;
}

const answer = "Yes. The Alder chair is only 68 centimetres wide, so it fits beside most bookcases.";
const question = "Do you have a reading chair that fits a small room?";

const formattedAnswer = `Yes, **two of them**. See [all chairs](https://alder.example/chairs) or ask for \`A-12\`.

1. The *Alder* chair
2. The *Birch* chair
   - lighter
   - without arms

| Chair | Width | Price |
|-------|-------|-------|
| Alder | 68 cm | 480 € |
| Birch | 61 cm | 390 € |`;

function live(session: ScriptedSession): void {
  session.become("connecting");
  session.become("live");
}

function greet(session: ScriptedSession): void {
  live(session);
  session.write("avatar", scriptedContext.greeting);
}

function converse(session: ScriptedSession): void {
  live(session);
  session.write("visitor", question);
  session.write("avatar", `${answer} It comes in three wools.`);
  session.write("visitor", "Can I send it back if it doesn’t suit?");
  session.write(
    "avatar",
    "You can, within 60 days. We collect it from your home and the collection is free.",
  );
}

/** A picture that needs no file: two colours, 40 pixels wide. */
function drawnPicture(): File {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 40;
  const context = canvas.getContext("2d");
  if (context) {
    context.fillStyle = "#b5651d";
    context.fillRect(0, 0, 40, 40);
    context.fillStyle = "#f2e6d0";
    context.fillRect(8, 14, 24, 20);
  }
  const data = canvas.toDataURL("image/png").split(",", 2)[1] ?? "";
  return new File([Uint8Array.from(atob(data), (text) => text.charCodeAt(0))], "my-old-chair.png");
}

const pdfFile = (name: string): File => new File([new Uint8Array(1_400_000)], name);

/** Files in each status, and one that was not taken. */
function chooseFiles(session: ScriptedSession): void {
  const picture = { file: drawnPicture(), type: "image/png", fault: null, progress: 1 };
  const paper = { file: pdfFile("order-2041-confirmation-and-terms.pdf"), type: "application/pdf" };
  session.chosen = [
    { ...picture, id: "a1", status: "uploaded" },
    { ...paper, id: "a2", status: "uploading", progress: 0.4, fault: null },
    { ...paper, id: "a3", status: "failed", progress: 0, fault: "network" },
  ];
  session.refusedFiles = [{ name: "notes.docx", fault: "type" }];
  converse(session);
}

/** A question with a picture that is still there, and a PDF. */
function askWithFiles(session: ScriptedSession): void {
  const file = drawnPicture();
  session.chosen = [];
  session.sentFiles = [["a1", file]];
  live(session);
  session.write("visitor", "Which wool matches my old chair?", "final", {
    attachments: [
      { id: "a1", name: file.name, type: "image/png", bytes: 2_412_000 },
      { id: "a2", name: "order-2041.pdf", type: "application/pdf", bytes: 148_000 },
    ],
  });
  session.write("avatar", "The rust-coloured one. It is close to the cover in your picture.");
}

function connect(session: ScriptedSession): void {
  session.onStart = () => new Promise<void>(() => undefined);
  session.become("connecting");
  session.emit("progress", { step: "avatar" });
}

function speak(session: ScriptedSession): void {
  live(session);
  session.write("visitor", question);
  session.write("avatar", answer, "streaming");
  session.act("speaking");
  session.emit("caption", { text: answer, word: "wide,", index: 8 });
}

function reconnect(session: ScriptedSession): void {
  converse(session);
  session.become("reconnecting");
  session.emit("reconnectattempt", { attempt: 2, of: 5 });
}

/** Sets the captions' size in the visitor's settings, whose page has a button for each. */
const captionsOf = (size: "small" | "large", variant: string): GalleryState => ({
  script: speak,
  attributes: { variant },
  press: [
    ...(variant === "compact" ? [".vv-overlay .r .vv-btn:first-child"] : [".vv-tools button:first-child"]),
    ".vv-more .vv-item",
    `.vv-seg button:has(.size-${size})`,
    ".vv-x",
  ],
});

function answerHalf(session: ScriptedSession): void {
  converse(session);
  session.write("visitor", "Which wool is easiest to clean?");
  session.write("avatar", "The grey melange hides marks best, and all three can be", "interrupted");
  session.write("visitor", "And is there one in green?");
  session.write("avatar", "There is. Moss green comes", "streaming");
  session.act("speaking");
  session.emit("caption", { text: "There is. Moss green comes with oak legs.", word: "Moss", index: 2 });
}

const failQuestion =
  (fault: VisavisErrorCode) =>
  (session: ScriptedSession): void => {
    live(session);
    session.write("visitor", question, "failed", { fault });
  };

/** In a browser that cannot show the avatar. */
const writing =
  (script: (session: ScriptedSession) => void) =>
  (session: ScriptedSession): void => {
    session.mode = "text";
    script(session);
  };

/** While sound and picture arrive badly. */
const onLink =
  (quality: "poor" | "lost", script: (session: ScriptedSession) => void) =>
  (session: ScriptedSession): void => {
    script(session);
    session.emit("quality", { quality });
  };

function cutAnswer(session: ScriptedSession): void {
  live(session);
  session.write("visitor", question);
  session.write("avatar", answer, "cut", { fault: "engine_failed" });
}

function writeOnly(session: ScriptedSession): void {
  live(session);
  session.write("visitor", "작은 방에 맞는 의자가 있나요?");
  session.write("avatar", "네, 올더 의자는 폭이 68센티미터입니다.", "final", { unspoken: true });
}

function answerFormatted(session: ScriptedSession): void {
  live(session);
  session.write("visitor", question);
  session.write("avatar", formattedAnswer);
  session.write("visitor", "And which one is the lightest?");
  session.write("avatar", "The **Birch chair** is lighter. It weighs only 4 kilograms. It is made of birch.");
  session.act("speaking");
  session.emit("voice", { place: { entryId: "3", from: 32, to: 59 } });
  session.emit("caption", { text: "It weighs only 4 kilograms.", word: "only", index: 2 });
}

function showCard(session: ScriptedSession): void {
  live(session);
  session.write("visitor", "Show me the green one");
  session.write("avatar", "Here it is. It’s in stock.");
  session.write("avatar", "Alder reading chair, 480 €", "final", {
    content: {
      cards: [
        {
          title: "Alder reading chair",
          price: "480 €",
          text: "Moss green wool, oak legs, 68 cm wide",
          picture: { src: `${location.origin}/characters/mina-poster.webp`, alt: "The Alder chair" },
          href: "https://alder.example/chairs/alder",
          buttons: [{ label: "Add to basket", action: "add" }, { label: "See details" }],
        },
      ],
      suggestions: ["Which wools are there?", "How soon can it be here?"],
    },
  });
}

function showForm(session: ScriptedSession): void {
  live(session);
  session.write("visitor", "I would like to see it in the shop");
  session.write("avatar", "Gladly. When does it suit you?");
  session.write("avatar", "Visit the shop", "final", {
    content: {
      form: {
        title: "Visit the shop",
        submit: "Ask for an appointment",
        fields: [
          { name: "name", label: "Name", required: true },
          { name: "day", label: "Day", type: "date", required: true },
          { name: "shop", label: "Shop", type: "choice", options: ["Harbour", "Old Town"] },
        ],
      },
    },
  });
}

function showButtons(session: ScriptedSession): void {
  live(session);
  session.write("visitor", "What can I do about my order?");
  session.write("avatar", "You can change it until tonight.");
  session.write("avatar", "Change the address, Cancel the order", "final", {
    content: { buttons: [{ label: "Change the address" }, { label: "Cancel the order" }] },
  });
}

function suggest(session: ScriptedSession): void {
  live(session);
  session.write("visitor", question);
  session.write("avatar", answer);
  session.write("avatar", "", "final", {
    content: { suggestions: ["Which wools are there?", "Is it in stock?"] },
  });
}

function wantPerson(session: ScriptedSession): void {
  live(session);
  session.write("visitor", "Can I talk to a person?");
  session.write("avatar", "I'm an AI assistant, not a person.");
}

const end =
  (reason?: string) =>
  (session: ScriptedSession): void => {
    const { now } = Date;
    Date.now = () => now() - 240_000;
    converse(session);
    Date.now = now;
    session.become("ended", reason);
  };

/** What the visitor is told of the end that is near. */
const endingSoon =
  (kind: SessionNotice["kind"], leftSec: number, script = converse) =>
  (session: ScriptedSession): void => {
    script(session);
    session.emit("endnotice", { notice: { kind, leftSec } });
  };

/** Ends that are not the visitor's, one for each text. */
const forcedEnds: Readonly<Record<string, string>> = {
  "after a long silence": "idle",
  "by the owner": "SESSION_EVENT_GRACEFUL_TERMINATION",
  "before it began": "SESSION_EVENT_SESSION_EXPIRED_BEFORE_CONNECTION",
  "by another session": "SESSION_EVENT_MAX_ACTIVE_SESSION_QUOTA_EXCEEDED",
  "by its time limit": "SESSION_EVENT_MAX_MIN_PER_SESSION_QUOTA_EXCEEDED",
  "by the month's limit": "SESSION_EVENT_TOTAL_MIN_PER_MONTH_QUOTA_EXCEEDED",
  "by the day's limit": "SESSION_EVENT_DAY_LIMIT_REACHED",
};

const failWith =
  (code: VisavisErrorCode) =>
  (session: ScriptedSession): void => {
    session.emit("error", { code, message: "The gallery's error" });
    session.become("error");
  };

const microphoneFaults: readonly MicrophoneFault[] = [
  "denied",
  "policy",
  "frame",
  "insecure",
  "missing",
  "busy",
  "lost",
  "unclear",
  "failed",
];

/** The visitor's voice in a conversation that has just begun. */
const listenTo =
  (status: Parameters<ScriptedSession["hear"]>[0]) =>
  (session: ScriptedSession): void => {
    greet(session);
    session.emit("captionend", { text: "What are you looking for today?" });
    session.write("visitor", question);
    session.write("avatar", answer);
    session.emit("captionend", { text: answer });
    session.hear(status);
  };

const rest = (): void => undefined;
const withoutSuggestions = { suggestions: [] };
const showText = [".vv-btn.main"];
const consent = { consent_text: "Mara works with what you write. Nothing is kept after you leave." };
const person = {
  handover_url: "mailto:help@alder.example",
  handover_phone: "+44 20 7946 0000",
  handover_event: true,
};
const contact = { contact_url: "https://alder.example/contact" };

/** Every state of the widget, by name, in the order in which a visitor may meet them. */
export const galleryStates: Readonly<Record<string, GalleryState>> = {
  launcher: { script: rest, closed: true },
  "launcher of a live conversation": {
    script: (session) => {
      live(session);
      session.act("thinking");
    },
    closed: true,
  },
  "launcher of an avatar that speaks": { script: speak, closed: true },
  "launcher of a conversation that ends soon": {
    script: (session) => {
      speak(session);
      session.emit("endnotice", { notice: { kind: "time", leftSec: 15 } });
    },
    closed: true,
  },
  "launcher with unread answers": { script: converse, closed: true },
  "launcher at the left, with unread answers": {
    script: converse,
    closed: true,
    attributes: { placement: "bottom-left" },
  },
  opening: { script: connect, stopAfterMs: 120 },
  start: { script: rest, ui: { privacy_url: "https://alder.example/privacy" } },
  consent: { script: rest, ui: { ...consent, privacy_url: "https://alder.example/privacy" } },
  connecting: { script: connect },
  suggestions: { script: greet },
  ready: {
    ui: withoutSuggestions,
    script: (session) => {
      greet(session);
      session.emit("captionend", { text: "What are you looking for today?" });
    },
  },
  thinking: {
    script: (session) => {
      live(session);
      session.write("visitor", question);
      session.act("thinking");
    },
  },
  "a tool of the page runs": {
    script: (session) => {
      live(session);
      session.write("visitor", question);
      session.act("thinking");
      session.emit("toolcall", { name: "stock", arguments: {} });
    },
  },
  speaking: { script: speak },
  "captions off": { script: speak, attributes: { captions: "false" } },
  "tap to hear": {
    script: (session) => {
      speak(session);
      session.emit("soundblocked", { blocked: true });
    },
  },
  "question without an answer": { script: failQuestion("engine_failed"), ui: contact },
  "question that could not be sent": { script: failQuestion("network") },
  "question that waits": {
    script: (session) => {
      live(session);
      session.write("visitor", question, "waiting");
    },
  },
  "answer that was cut off": { script: cutAnswer, ui: contact },
  "answer in writing only": { script: writeOnly },
  "weak connection": { script: onLink("poor", converse) },
  "weak connection while speaking": { script: onLink("poor", speak) },
  "weak connection inline": { script: onLink("poor", converse), attributes: { variant: "inline" } },
  "no connection": { script: onLink("lost", converse) },
  "still there": { script: endingSoon("idle", 14) },
  "still there, in the transcript": { script: endingSoon("idle", 5), press: showText },
  "still there, with a microphone": { script: endingSoon("idle", 14, listenTo({})), voice: true },
  "still there, inline": { script: endingSoon("idle", 14), attributes: { variant: "inline" } },
  "a minute is left": { script: endingSoon("time", 60) },
  "15 seconds are left while speaking": { script: endingSoon("time", 15, speak) },
  "15 seconds are left in the transcript": { script: endingSoon("time", 15), press: showText },
  reconnecting: { script: reconnect },
  transcript: { script: converse, press: showText },
  "transcript of an answer under way": { script: answerHalf, press: showText },
  "transcript of formatted answers": {
    script: answerFormatted,
    ui: { links_allowed: ["alder.example"] },
    press: showText,
  },
  "transcript with files for a question": { script: chooseFiles, attachments: true, press: showText },
  "transcript of a question with files": { script: askWithFiles, attachments: true, press: showText },
  "transcript of a new conversation": { script: greet, press: showText },
  "transcript of a question without an answer": {
    script: failQuestion("engine_failed"),
    ui: contact,
    press: showText,
  },
  "transcript of an answer that was cut off": { script: cutAnswer, ui: contact, press: showText },
  "suggestions after an answer": { script: suggest },
  "transcript with a card": {
    script: showCard,
    ui: { links_allowed: ["alder.example"], images_allowed: ["*"] },
  },
  "transcript with buttons": { script: showButtons },
  "transcript with a form": { script: showForm },
  "a person is offered": { script: wantPerson, ui: person },
  "transcript that offers a person": { script: wantPerson, ui: person, press: showText },
  "menu with a person": { script: converse, ui: person, press: [".vv-tools button:first-child"] },
  more: { script: converse, press: [".vv-tools button:first-child"] },
  settings: {
    script: converse,
    ui: { privacy_url: "https://alder.example/privacy" },
    press: [".vv-tools button:first-child", ".vv-more .vv-item"],
  },
  "settings of text only": {
    script: converse,
    press: [".vv-tools button:first-child", ".vv-more .vv-item", ".vv-seg [aria-checked=false]"],
  },
  "settings without sound": {
    script: converse,
    press: [".vv-tools button:first-child", ".vv-more .vv-item", ".vv-switch"],
  },
  "push-to-talk at rest": { script: listenTo({}), voice: true },
  "asking for the microphone": { script: listenTo({ state: "asking", turn: "button" }), voice: true },
  "push-to-talk, held": {
    script: listenTo({ state: "on", turn: "button", words: "And how soon could it be" }),
    voice: true,
  },
  "hands-free": {
    script: (session) => {
      listenTo({ state: "on", handsFree: true })(session);
      session.act("listening");
    },
    voice: true,
  },
  "hands-free, hearing": {
    script: (session) => {
      listenTo({ state: "on", handsFree: true, turn: "voice", words: "And how soon could it be" })(session);
      session.act("listening");
    },
    voice: true,
  },
  "speech is being recognized": {
    script: (session) => {
      listenTo({ state: "on", turn: "recognizing", words: question })(session);
      session.act("thinking");
    },
    voice: true,
  },
  "microphone gives nothing": {
    script: listenTo({ state: "on", turn: "button", fault: "silent" }),
    voice: true,
  },
  "told where the voice goes": {
    script: listenTo({}),
    voice: "cloud",
    press: [".vv-mic"],
  },
  "start by talking": { script: rest, voice: true, ui: consent },
  "transcript with a microphone": { script: converse, voice: true, press: [".vv-btn[aria-expanded]"] },
  "speaking to someone who can speak": { script: speak, voice: true },
  muted: { script: listenTo({ state: "muted" }), voice: true },
  ...Object.fromEntries(
    microphoneFaults.map((fault) => [`microphone ${fault}`, { script: listenTo({ fault }), voice: true }]),
  ),
  "inline push-to-talk, held": {
    script: listenTo({ state: "on", turn: "button", words: "And how soon could it be" }),
    voice: true,
    attributes: { variant: "inline" },
  },
  "full screen push-to-talk": { script: listenTo({}), voice: true, attributes: { variant: "fullscreen" } },
  "reconnecting with a microphone": {
    script: (session) => {
      listenTo({})(session);
      session.become("reconnecting");
      session.emit("reconnectattempt", { attempt: 2, of: 5 });
    },
    voice: true,
  },
  ...Object.fromEntries(
    ["bubble", "inline", "fullscreen", "compact"].flatMap((variant) => [
      [`small captions, ${variant}`, captionsOf("small", variant)],
      [`large captions, ${variant}`, captionsOf("large", variant)],
    ]),
  ),
  "settings with devices": {
    script: listenTo({}),
    voice: true,
    press: [".vv-tools button:first-child", ".vv-more .vv-item"],
  },
  "rating that asks why": {
    script: converse,
    press: [...showText, ".vv-answer-tools .vv-tool:last-of-type"],
  },
  "settings inline": {
    script: speak,
    attributes: { variant: "inline" },
    press: [".vv-tools button:first-child", ".vv-more .vv-item"],
  },
  "settings in full screen": {
    script: speak,
    attributes: { variant: "fullscreen" },
    press: [".vv-tools button:first-child", ".vv-more .vv-item"],
  },
  "without text input": { script: greet, ui: { ...withoutSuggestions, text_input: false } },
  "own colour, radius and font": {
    script: converse,
    ui: { brand_color: "#1a6b4f", radius: 6, font: "Georgia, serif" },
    press: showText,
  },
  transparent: { script: speak, attributes: { transparent: "" } },
  inline: { script: speak, attributes: { variant: "inline" } },
  "transcript inline": { script: converse, attributes: { variant: "inline" }, press: showText },
  "inline before the start": { script: rest, attributes: { variant: "inline" } },
  compact: { script: speak, attributes: { variant: "compact" } },
  "compact, with a microphone": { script: speak, voice: true, attributes: { variant: "compact" } },
  "compact, with suggestions": { script: greet, attributes: { variant: "compact" } },
  "compact, reconnecting": {
    script: reconnect,
    attributes: { variant: "compact", placement: "bottom-left" },
  },
  "compact, still there": { script: endingSoon("idle", 14), attributes: { variant: "compact" } },
  "compact, question without an answer": {
    script: failQuestion("engine_failed"),
    ui: contact,
    attributes: { variant: "compact" },
  },
  "transcript of compact": {
    script: converse,
    attributes: { variant: "compact" },
    press: [".vv-btn[aria-expanded]"],
  },
  "full screen": { script: speak, attributes: { variant: "fullscreen" } },
  "full screen, with suggestions": { script: greet, attributes: { variant: "fullscreen" } },
  "full screen, reconnecting": { script: reconnect, attributes: { variant: "fullscreen" } },
  "full screen, still there": { script: endingSoon("idle", 14), attributes: { variant: "fullscreen" } },
  "full screen, a minute is left": {
    script: endingSoon("time", 60, speak),
    attributes: { variant: "fullscreen" },
  },
  "full screen, question without an answer": {
    script: failQuestion("engine_failed"),
    ui: contact,
    attributes: { variant: "fullscreen" },
  },
  "full screen, microphone denied": {
    script: listenTo({ fault: "denied" }),
    voice: true,
    attributes: { variant: "fullscreen" },
  },
  "interrupted answer": {
    script: (session) => {
      live(session);
      session.write("visitor", question);
      session.write("avatar", "Yes. The Alder chair is only", "interrupted", {
        rest: " 68 centimetres wide, so it fits beside most bookcases.",
      });
    },
    press: showText,
  },
  "browser without video": { script: writing(greet) },
  "conversation in a browser without video": { script: writing(converse) },
  "mode text": { script: converse, attributes: { mode: "text" } },
  ended: { script: end() },
  ...Object.fromEntries(
    Object.entries(forcedEnds).map(([name, reason]) => [`ended ${name}`, { script: end(reason) }]),
  ),
  "ended with a rating": { script: end(), press: [".vv-conversation-rating .vv-chip:last-child"] },
  ...Object.fromEntries(
    visavisErrorCodes.map((code) => [`error ${code}`, { script: failWith(code), ui: contact }]),
  ),
};

/** A look of the gallery: its frame's size in CSS pixels, and the query of its page. */
export interface GalleryLook {
  readonly width: number;
  readonly height: number;
  readonly query: Readonly<Record<string, string>>;
}

/** The looks in which each state is shown, by name. */
export const galleryLooks: Readonly<Record<string, GalleryLook>> = {
  light: { width: 560, height: 720, query: { theme: "light" } },
  dark: { width: 560, height: 720, query: { theme: "dark" } },
  "forced colours": { width: 560, height: 720, query: { theme: "light", forced: "" } },
  "phone 390": { width: 390, height: 720, query: { theme: "light" } },
  "phone 320": { width: 320, height: 568, query: { theme: "light" } },
  "right to left": { width: 560, height: 720, query: { theme: "light", dir: "rtl", lang: "ar" } },
};

/** What the gallery's page shows besides: views may scroll there, which the browser test does not expect. */
export const pageLooks: typeof galleryLooks = {
  ...galleryLooks,
  "text at 200 %": { width: 560, height: 720, query: { theme: "light", text: "200%" } },
};
