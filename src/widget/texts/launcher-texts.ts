/** Texts of the launcher, by key. They come with it, or when the visitor reaches for the loader's. */
export const launcherTexts = {
  launcher_write: "Write to {name}",
  launcher_hint: "AI assistant, voice or text",
  launcher_hint_written: "AI assistant, by text",
  launcher_hide: "Hide",
  launcher_live: "Back to {name}",
  launcher_continue: "Continue with {name}",
  launcher_unread: "New answers: {count}",
  launcher_over: "The conversation has ended",
  // Also a text of the controls, which are loaded after the first frame.
  connecting: "Connecting",
  launcher_move: "Move with the arrow keys",
} as const;
