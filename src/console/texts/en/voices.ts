/** What the built-in voices are called, and how they sound. */
const known: Readonly<Record<string, { readonly name: string; readonly about: string } | undefined>> = {
  "visavis-slt": { name: "Sally", about: "A woman’s voice, US English" },
  "visavis-rms": { name: "Ray", about: "A man’s voice, US English" },
  "visavis-awb": { name: "Alan", about: "A man’s voice, Scottish English" },
  "visavis-kal": { name: "Kal", about: "A machine’s voice, US English" },
  "visavis-kal16": { name: "Kal 16", about: "A clearer machine’s voice, US English" },
};

/** The texts of voices that can be heard, in English. */
export const voices = {
  known,
  offline: "Works offline",
  hear: "Hear it",
  stopIt: "Stop",
  play: (name: string) => `Play ${name}`,
  stop: (name: string) => `Stop ${name}`,
  sample: (name: string) => `Hello, I’m ${name}. How can I help you?`,
  failed: "This voice can’t be heard now.",
};
