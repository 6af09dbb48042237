import regular from "@fontsource/inter/files/inter-latin-400-normal.woff2?no-inline";
import medium from "@fontsource/inter/files/inter-latin-500-normal.woff2?no-inline";
import semibold from "@fontsource/inter/files/inter-latin-600-normal.woff2?no-inline";

const latin =
  "U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD";

/** Fonts of the system whose letters take the same room as Inter's when they are this much larger. */
const stand = { src: 'local("Arial"),local("Liberation Sans"),local("Roboto")', size: "107.1%" };

let added = false;

/**
 * Adds the widget's font to the document, under a name of its own so that the page's text does not change, and loads it before
 * anything is drawn with it. Until it is there, a font of the system with the same measures is used, so that no line moves.
 */
export function addFonts(): void {
  if (added || !("FontFace" in globalThis)) return;
  added = true;
  const faces = { 400: regular, 500: medium, 600: semibold };
  for (const [weight, url] of Object.entries(faces)) {
    const source = `url("${url}") format("woff2")`;
    const face = new FontFace("Visavis Inter", source, { weight, display: "swap", unicodeRange: latin });
    document.fonts.add(face);
    // The page may forbid it; the fallback stays then.
    face.load().catch(() => undefined);
  }
  const measures = {
    ascentOverride: "90.4%",
    descentOverride: "22.5%",
    lineGapOverride: "0%",
    sizeAdjust: stand.size,
  };
  document.fonts.add(new FontFace("Visavis Fallback", stand.src, { weight: "100 900", ...measures }));
}
