import type { Language } from "./language.ts";

const english = {
  avatars: async () => (await import("./en/avatars.ts")).avatars,
  conversations: async () => (await import("./en/conversations.ts")).conversations,
  editor: async () => (await import("./en/editor.ts")).editor,
  engines: async () => (await import("./en/engines.ts")).engines,
  knowledge: async () => (await import("./en/knowledge.ts")).knowledge,
  more: async () => (await import("./en/more.ts")).more,
  overview: async () => (await import("./en/overview.ts")).overview,
  photo: async () => (await import("./en/photo.ts")).photo,
  settings: async () => (await import("./en/settings.ts")).settings,
  unanswered: async () => (await import("./en/unanswered.ts")).unanswered,
};

/** A part of the texts that is loaded with the pages that show it. */
export type TextPart = keyof typeof english;

/** The texts of all pages. */
export type PageTexts = { readonly [Part in TextPart]: Awaited<ReturnType<(typeof english)[Part]>> };

type Loaders = { readonly [Part in TextPart]: () => Promise<PageTexts[Part]> };

const korean: Loaders = {
  avatars: async () => (await import("./ko/avatars.ts")).avatars,
  conversations: async () => (await import("./ko/conversations.ts")).conversations,
  editor: async () => (await import("./ko/editor.ts")).editor,
  engines: async () => (await import("./ko/engines.ts")).engines,
  knowledge: async () => (await import("./ko/knowledge.ts")).knowledge,
  more: async () => (await import("./ko/more.ts")).more,
  overview: async () => (await import("./ko/overview.ts")).overview,
  photo: async () => (await import("./ko/photo.ts")).photo,
  settings: async () => (await import("./ko/settings.ts")).settings,
  unanswered: async () => (await import("./ko/unanswered.ts")).unanswered,
};

/** How each part is loaded: one file per page and language. */
export const pageTextLoaders: Readonly<Record<Language, Loaders>> = { en: english, ko: korean };
