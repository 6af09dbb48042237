const loudnessStepMs = 20;

/**
 * Joins the parts of a speech that arrive on the data channel `speech`, in whatever order and how often they come. `handleTimeline` gets
 * all that is known so far, with the time at which the speech began on the clock of `performance.now()`.
 */
export function readSpeechParts(channel, handleTimeline) {
  /** The page's clock minus the service's, as the fastest part has shown it. */
  let differenceMs = Infinity;
  let current = 0;
  let parts = new Map();
  channel.addEventListener("message", ({ data }) => {
    const part = JSON.parse(data);
    differenceMs = Math.min(differenceMs, performance.now() - part.sent);
    // An empty part only tells the time.
    if (part.duration === 0 || part.speech < current) return;
    if (part.speech > current) parts = new Map();
    current = part.speech;
    if (parts.has(part.from)) return;
    parts.set(part.from, part);
    handleTimeline(timelineOf([...parts.values()]), part.began + differenceMs);
  });
}

function timelineOf(parts) {
  const loudness = [];
  for (const { from, loudness: digits } of parts)
    [...digits].forEach(
      (digit, i) => (loudness[Math.floor(from / loudnessStepMs) + i] = parseInt(digit, 36) / 35),
    );
  return {
    visemes: parts.flatMap(visemesOf),
    accents: parts.flatMap(({ accents }) =>
      accents.map(([start, end, strength]) => ({ start, end, strength })),
    ),
    loudness: Array.from(loudness, (level = 0) => level),
  };
}

/** The mouth shapes of a part, written as `sil40PP60aa95`. */
function visemesOf({ from, visemes }) {
  let start = from;
  return [...visemes.matchAll(/([a-zA-Z]+)(\d+)/g)].map(([, viseme, ms]) => {
    const shape = { viseme, start, end: start + Number(ms) };
    start = shape.end;
    return shape;
  });
}
