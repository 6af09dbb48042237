/** The texts of the settings, by key. They are loaded with them. */
export const settingsTexts = {
  language: "Language",
  captions: "Captions",
  caption_size: "Caption size",
  size_small: "small",
  size_medium: "medium",
  size_large: "large",
  sound: "Sound",
  voice_rate: "Voice speed",
  microphone: "Microphone",
  speaker: "Speaker",
  device_default: "System default",
  show: "Show",
  show_avatar: "Avatar",
  show_text: "Text only",
  reduce_motion: "Reduce motion",
} as const;
