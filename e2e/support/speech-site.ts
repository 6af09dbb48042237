import { useSite, type ServedSite } from "./served-site.ts";

/** A context whose visitors' speech PocketSphinx recognizes, with a short greeting, and a page with its widget. */
export const useSpeechSite = (): ServedSite =>
  useSite({
    change: (context) => {
      context["greeting"] = "Hello.";
      context.embed_config["stt_type"] = "pocketsphinx";
    },
  });
