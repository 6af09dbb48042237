import {
  colorPattern,
  contactPattern,
  fontPattern,
  linkPattern,
  originPattern,
  serverToolPattern,
} from "../../../protocol/embed-config.ts";
import { dataLayerPattern, personPattern, phonePattern } from "../../../protocol/late-settings.ts";
import { toolNamePattern } from "../../../protocol/llm-request.ts";
import { pictureDataPattern } from "../../../protocol/photo-character.ts";
import { mattePattern } from "../../../protocol/stage-settings.ts";

const words = new Map<RegExp, string>([
  [colorPattern, "A colour is # and three or six hexadecimal digits: #0d6660."],
  [
    originPattern,
    "An origin is http:// or https://, a host, and a port where there is one, without a path: https://shop.example. " +
      "Every port of this machine is http://localhost:*.",
  ],
  [
    linkPattern,
    "A link begins with https:// and has no spaces, quotes or angle brackets: https://shop.example/privacy.",
  ],
  [
    contactPattern,
    "An address of contact begins with https://, http://, mailto: or tel: and has no spaces, quotes or angle brackets: " +
      "mailto:help@shop.example.",
  ],
  [
    personPattern,
    "A person's address begins with https:// or mailto: and has no spaces, quotes or angle brackets: mailto:help@shop.example.",
  ],
  [phonePattern, "A phone number has digits, spaces and ( ) . / - and may begin with +: +44 20 7946 0000."],
  [
    dataLayerPattern,
    "data_layer is true, or the name of the page's array: letters, digits, _ and $, not beginning with a digit.",
  ],
  [
    fontPattern,
    "A font is a list of family names with commas, at most 200 characters, as in CSS: Georgia, 'Times New Roman', serif.",
  ],
  [serverToolPattern, "A tool is named by its server, a slash and its own name: orders/cancel."],
  [
    mattePattern,
    "Allowed here: none, packed-alpha, and chroma: with a colour of six digits (chroma:#00ff00).",
  ],
  [
    pictureDataPattern,
    "A layer is a WebP or PNG picture as a data: address in base64: data:image/webp;base64,…",
  ],
  [toolNamePattern, "A tool's name has 1 to 64 Latin letters, digits, hyphens and underscores."],
]);

const wordsBySource: ReadonlyMap<string, string> = new Map(
  [...words].map(([pattern, rule]) => [String(pattern), rule]),
);

/** The rule of a pattern in words, or undefined if it has none. `pattern` is the expression's own text, with its slashes. */
export function formatWords(pattern: string | undefined): string | undefined {
  return pattern === undefined ? undefined : wordsBySource.get(pattern);
}
