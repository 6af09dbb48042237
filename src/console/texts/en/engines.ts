import { voices } from "./voices.ts";

/** Names of engines that every installation has, by their ids. */
const known: Readonly<Record<string, string>> = {
  "visavis-retrieval": "Quotes from your texts",
  "sherpa-onnx": "Runtime sherpa-onnx",
};

/** What the form calls providers that the server describes in English; others have their own names. */
const providers: Readonly<Record<string, string>> = {};

/** The texts of the engines, in English. */
export const engines = {
  title: "Engines",
  lead: "What thinks, speaks and listens. Those marked offline never leave this server.",
  add: "Add an engine",
  addKey: "Add the key",
  change: "Change",
  remove: "Remove",
  removed: (name: string) => `${name} was removed.`,
  more: (name: string) => `More about ${name}`,
  askRemove: (name: string) => `Remove ${name}?`,
  askRemoveText: "Its settings and its key are deleted. They cannot come back.",
  known,
  voices,
  sections: {
    model: "Language models",
    voice: "Voices",
    recognizer: "Recognizers",
    tools: "Tool servers",
    agent: "Agents",
    parts: "For offline voices and recognizers",
  },
  partsText: "Models for this server run in this library. Voice activity finds where speech begins and ends.",
  kinds: {
    model: "A language model",
    voice: "A voice",
    recognizer: "A recognizer",
    tools: "A tool server",
  },
  states: {
    working: "Working",
    ready: "Ready",
    keyMissing: "Key missing",
    unavailable: "Not available",
    failing: "Not answering",
    failingSince: (time: string) => `Not answering since: ${time}`,
  },
  describe: {
    builtIn: "Built in",
    offline: "Offline",
    whole: (parts: string, users: string) =>
      `${parts === "" ? "" : `${parts}. `}${users === "" ? "Not used yet." : `Used by ${users}.`}`,
    licensed: (parts: string, licence: string | null) =>
      licence === null ? `${parts}.` : `${parts}. Licence: ${licence}.`,
  },
  test: {
    start: "Test",
    again: "Test again",
    running: "Testing",
    after: (seconds: string) => `after ${seconds} s`,
    said: (said: string, after: string) => `“${said}” ${after}`.trim(),
    works: (after: string) => (after === "" ? "Works." : `Works, ${after}.`),
  },
  install: {
    start: "Install",
    again: "Try again",
    of: (name: string) => `Installation of ${name}`,
    offered: (count: number) => `${count} more to install`,
    missing: "Not installed",
    installed: "Installed",
    failed: "Not installed: it failed",
    downloading: "Installing",
    unpacking: "Unpacking",
    percent: (percent: number) => `Installing, ${percent} %`,
    received: (received: string, total: string, leftSec: number | null) =>
      `${received} of ${total}${leftSec === null ? "" : `, about ${leftSec < 90 ? `${leftSec} s` : `${Math.round(leftSec / 60)} min`} left`}`,
  },
  form: {
    titles: {
      model: "Add a language model",
      voice: "Add a voice",
      recognizer: "Add a recognizer",
      tools: "Add a tool server",
    },
    change: (name: string) => `Change ${name}`,
    kind: "What is it?",
    provider: "Where does it run?",
    providers,
    address: "Address",
    addressHelp: {
      model: "Up to and including the version, as https://llm.example/v1",
      voice: "Up to and including the version, as https://speech.example/v1",
      recognizer: "Up to and including the version, as https://speech.example/v1",
      tools: "Of a server of the Model Context Protocol. It begins with https://",
    },
    model: "Model",
    modelHelp: "What it is called at this address.",
    find: "Find models",
    found: (count: number) => `${count} found at this address. Type to choose.`,
    voice: "Voice",
    voiceHelp: "What it is called at this address.",
    name: "Name",
    nameHelp: {
      model: "As you choose it for an avatar.",
      voice: "Latin letters, digits, hyphens and underscores.",
      recognizer: "As you choose it for an avatar.",
      tools: "As you choose it for an avatar.",
    },
    key: "Where its key comes from",
    keys: {
      keep: "The key that it has",
      value: "Stored here, encrypted",
      variable: "Environment variable",
      none: "It needs no key",
    },
    keyValue: "Key",
    keyHelp: "Kept encrypted on this server. Nobody can read it back, you can only replace it.",
    variable: "Name of the variable",
    variableHelp: "The server reads it when it starts.",
    add: "Add and test",
    save: "Save and test",
    nameTaken: "There is an engine of this name already. Choose another name, or change that one.",
    conflict: "Changed in another window.",
    conflictText: (fields: string) => `Somebody saved other settings meanwhile: ${fields}.`,
    conflictSame: "Somebody saved meanwhile.",
    showTheirs: "Show theirs",
    keepMine: "Keep mine",
    leave: "What you typed is not saved.",
    stay: "Keep editing",
    discard: "Discard",
  },
};
