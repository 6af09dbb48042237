import { useSite, type ServedSite } from "./served-site.ts";

/** A context whose visitors' speech PocketSphinx recognizes, and a page with its widget. */
export const useSpeechSite = (): ServedSite =>
  useSite({ change: ({ embed_config }) => (embed_config["stt_type"] = "pocketsphinx") });
