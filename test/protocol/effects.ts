/** A test that shows what a setting does: its file and its title. */
export type Shown = readonly [file: string, title: string];

const owner = "test/widget/owner-settings.test.ts";
const relay = "test/relay/owner-settings.test.ts";
const element = "test/widget/visavis-avatar.test.ts";
const budgets = "test/service/http/engine-budgets.test.ts";

const ownLimits: Shown = [
  budgets,
  "all sessions of a context share its daily limit, which its owner may set",
];
const languageSettings: Shown = [
  relay,
  "set the prompt, language model, document and tool servers of each session",
];
const ownerPaddings: Shown = [relay, "place the avatar alike in the session's picture and in the widget"];
const look: Shown = [owner, "colour, radius and font become rules of the element's own style sheet"];
const voice = "test/widget/voice/microphone.test.ts";
const spoken: Shown = [
  "e2e/voice/push-to-talk.spec.ts",
  "a question that is spoken is understood, answered and shown, and a microphone that is muted or switched off sends nothing",
];
const captions: Shown = [owner, "captions %j with the attribute %j are shown: %s"];
const transparency: Shown = [owner, "a transparent stage %j or the attribute %j leaves the background out"];
const paddingAttributes: Shown = [
  "test/widget/stage/framing.test.ts",
  "reads the page's paddings from attributes, by name",
];
const methods: Shown = [
  element,
  "passes method calls on to the session, and applies what was set before the session existed",
];
const events: Shown = [element, "shows the session's state in its properties, and dispatches its events"];
const opening: Shown = [owner, "open opens and closes the panel, and the page gets the events"];
const variant: Shown = [
  owner,
  "variant decides whether the avatar has a launcher, unless the attribute names another",
];
const placement: Shown = [owner, "placement says where launcher and panel stand, unless the attribute does"];
const theme: Shown = [owner, "theme makes the element dark, unless the attribute makes it light"];
const texts: Shown = [owner, "texts replace the widget's own, in the language of the lang attribute first"];
const voiceManner: Shown = [
  "test/service/http/session-speech.test.ts",
  "the owner of a context sets how fast and how high its voice speaks",
];
const pauses: Shown = ["test/client/voice/endpointing.test.ts", "waits as long as the owner says"];
const filler: Shown = [
  "test/client/voice/filler.test.ts",
  "says one of the owner's texts when an answer takes longer than the owner says",
];
const formatted: Shown = [
  "e2e/transcript/formatted-answers.spec.ts",
  "Markdown becomes paragraphs, lists, tables, and the allowed pictures and links, which the page may open itself, without ever showing its marks, on a page that allows no markup",
];
const ratings: Shown = [
  "e2e/transcript/rating.spec.ts",
  "an answer and a conversation can be rated, as events of the session, of the page and of its data layer, which gets no text",
];
const shown: Shown = [
  "e2e/rich/rich-answers.spec.ts",
  "the page shows cards, buttons and a form, on a page that allows no markup, and is told of its own actions",
];
const ways: Shown = [
  "e2e/rich/handover.spec.ts",
  "a person is offered when the visitor asks for one, by phone, address or the page; chosen from the menu; and offered by the page",
];
const people: Shown = [
  "e2e/live/live.spec.ts",
  "a person is offered, waited for, joins, writes, and hands back",
];
const messages: Shown = [
  "e2e/live/inbox.spec.ts",
  "nobody is there: a visitor leaves a message, and its owner answers it",
];
const session: Shown = [owner, "mode, lang and context-id are passed to the new session"];

/** Each setting, attribute, property, method and event that has an effect, with the test that shows it. */
export const effects: Readonly<Record<string, Shown>> = {
  "embed_config.allowed_origins": [
    "test/relay/contexts.test.ts",
    "is refused to other origins in an answer that they can read",
  ],
  "embed_config.prompt": languageSettings,
  "embed_config.llm_type": languageSettings,
  "embed_config.stt_type": [
    relay,
    "name the recognizer of each session that can be heard, and tell the widget that there is one",
  ],
  "embed_config.document": languageSettings,
  "embed_config.documents": [
    "test/service/http/console/unanswered.test.ts",
    "the answer goes into a document of the avatar, and the same question then finds it",
  ],
  "embed_config.quick_answers": [
    "test/console/live/live-page.test.ts",
    "a quick answer is found by a word, comes into the field, and is sent when the person wants it",
  ],
  "embed_config.sources": [
    "test/service/http/documents.test.ts",
    "an answer says which document it is from, unless its owner does not want that",
  ],
  "embed_config.time_zone": [
    "test/service/http/documents.test.ts",
    "today is the day in the time zone of the context's site, for answers and in the knowledge test",
  ],
  "embed_config.mcp_servers": languageSettings,
  "embed_config.mcp_tools": [
    "test/service/http/model-tools.test.ts",
    "a visitor's conversation has the read-only tools, and only those others that its context names",
  ],
  "embed_config.expressions": [
    "test/service/http/model-tools.test.ts",
    "the owner of a context may keep the model from setting the face",
  ],
  "embed_config.voice.rate": voiceManner,
  "embed_config.voice.pitch": voiceManner,
  "embed_config.voice.cloud_recognizer": [
    "test/client/voice/browser-recognition.test.ts",
    "is the one of the browser's maker only where the owner allows it",
  ],
  "embed_config.voice.pause_ms": pauses,
  "embed_config.voice.open_pause_ms": pauses,
  "embed_config.voice.begin_early": [
    "test/client/early-answer.test.ts",
    "no answer begins early where the owner does not want it",
  ],
  "embed_config.voice.filler_texts": filler,
  "embed_config.voice.filler_after_ms": filler,
  "embed_config.stage.padding_left": ownerPaddings,
  "embed_config.stage.padding_top": ownerPaddings,
  "embed_config.stage.padding_height": ownerPaddings,
  "embed_config.stage.transparent": transparency,
  "embed_config.stage.matte": [relay, "replace the matte of a model style"],
  "embed_config.ui.avatar_name": [relay, "name the avatar in the public view and on the launcher"],
  "embed_config.ui.owner_name": [owner, "the owner's name is shown as the reader of the messages"],
  "embed_config.ui.variant": variant,
  "embed_config.ui.placement": placement,
  "embed_config.ui.theme": theme,
  "embed_config.ui.brand_color": look,
  "embed_config.ui.radius": look,
  "embed_config.ui.font": look,
  "embed_config.ui.texts": texts,
  "embed_config.ui.languages": [
    "test/widget/texts/languages.test.ts",
    "speaks a language that the owner allows",
  ],
  "embed_config.ui.suggestions": [owner, "suggestions are offered as buttons that send them"],
  "embed_config.ui.consent_text": [
    element,
    "shows the owner's consent first, and sends nothing until the visitor chooses",
  ],
  "embed_config.ui.consent_remember": [owner, "consent_remember %j keeps the visitor's consent in %s"],
  "embed_config.ui.privacy_url": [owner, "the page before the start links the privacy page"],
  "embed_config.ui.contact_url": [owner, "the error page links the owner's other contact"],
  "embed_config.ui.links_allowed": formatted,
  "embed_config.ui.images_allowed": formatted,
  "embed_config.ui.feedback": [owner, "feedback decides whether answers can be rated"],
  "embed_config.ui.handover_url": ways,
  "embed_config.ui.handover_phone": ways,
  "embed_config.ui.handover_event": ways,
  "embed_config.ui.handover_message": messages,
  "embed_config.ui.handover_consent": messages,
  "embed_config.analytics.data_layer": [owner, "data_layer names the array of the page that gets the events"],
  "embed_config.ui.captions": captions,
  "embed_config.ui.voice_mode": [voice, "voice_mode %j %s the microphone"],
  "embed_config.ui.text_input": [element, "hides the composer when text input is not allowed"],
  "embed_config.attachments": [owner, "attachments of the owner decide whether files can be attached"],
  "embed_config.render": [
    "e2e/drawing/local.spec.ts",
    "render local of the owner: a character that cannot be loaded is replaced by the video",
  ],
  "embed_config.prefetch": [
    "e2e/prefetch.spec.ts",
    "prefetch idle loads the widget on an idle page and prepares nothing, unless attribute or browser say otherwise",
  ],
  "embed_config.persist": [
    "test/client/kept-session.test.ts",
    "where the owner does not want it kept, leaving the page ends the session at once, and nothing is stored",
  ],
  "embed_config.retention_days": [
    "test/service/http/console/conversations.test.ts",
    "words are kept for as many days as the avatar says, then they are gone and the figures stay",
  ],
  "embed_config.limits.sessions_per_visitor": [
    "test/relay/sessions/live-places.test.ts",
    "counts by address too, so that new visitor names cannot avoid it",
  ],
  "embed_config.limits.minutes_per_day": [
    "test/relay/talk-minutes.test.ts",
    "heartbeats say how much of the day is left, and end the session when it is used up",
  ],
  "embed_config.limits.idle_timeout_sec": [
    "test/client/session.test.ts",
    "ends a session in which nobody is there after the owner's idle time, and says so before",
  ],
  "embed_config.limits.turns_per_day": ownLimits,
  "embed_config.limits.characters_per_day": ownLimits,
  "embed_config.limits.model_cost_per_day": [
    "test/service/http/model-cost.test.ts",
    "beyond the day's cost answers quote the documents, until midnight",
  ],
  "embed_config.limits.at_model_limit": [
    "test/service/http/model-cost.test.ts",
    "where the owner wants no answers beyond the day's cost, there are none",
  ],

  "attribute context-id": session,
  "attribute relay": [
    element,
    "uses the relay of its attribute, otherwise the default relay, otherwise the page's own origin",
  ],
  "attribute variant": variant,
  "attribute placement": placement,
  "attribute lang": texts,
  "attribute theme": theme,
  "attribute mode": [owner, "mode text shows the transcript from the start"],
  "attribute render": [
    "e2e/drawing/local.spec.ts",
    "set-template changes the character that the browser and the service draw, and the attribute render who draws in a running session",
  ],
  "attribute prefetch": [
    "e2e/prefetch.spec.ts",
    "prefetch idle loads the widget on an idle page and prepares nothing, unless attribute or browser say otherwise",
  ],
  "attribute transparent": transparency,
  "attribute captions": captions,
  "attribute padding-left": paddingAttributes,
  "attribute padding-top": paddingAttributes,
  "attribute padding-height": paddingAttributes,
  "attribute open": opening,

  "property state": events,
  "property activity": events,
  "property transcript": events,
  "property sessionId": [
    "e2e/conversation.spec.ts",
    "a conversation on a page of another origin, from the click to the normal end",
  ],
  "property microphone": spoken,
  "property volume": methods,

  "method open": opening,
  "method close": opening,
  "method start": [element, "rejects start() with the session's error and opens the panel that shows it"],
  "method end": methods,
  "method send": methods,
  "method say": methods,
  "method show": shown,
  "method askForPerson": people,
  "method interrupt": methods,
  "method listen": spoken,
  "method stopListening": spoken,
  "method mute": spoken,
  "method unmute": spoken,
  "method setVariables": methods,
  "method registerTool": methods,

  "event statechange": events,
  "event activitychange": events,
  "event message": events,
  "event caption": events,
  "event interrupted": events,
  "event speechstart": spoken,
  "event speechend": spoken,
  "event transcript": spoken,
  "event toolcall": events,
  "event error": events,
  "event rating": ratings,
  "event link": formatted,
  "event action": shown,
  "event handover": ways,
  "event person": people,
  "event open": opening,
  "event close": opening,
};

/**
 * What is accepted and has no effect yet, with what will give it one. Nothing else may be inert: the change that gives a name
 * its effect moves it from this list to `effects`.
 */
export const withoutEffectYet: Readonly<Record<string, string>> = {};
