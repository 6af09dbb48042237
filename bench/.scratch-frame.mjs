// bench/.scratch-frame.ts
import { readFileSync } from "node:fs";
import { createCanvas, Path2D } from "@napi-rs/canvas";

// src/puppet/math.ts
function clamp(value, low = 0, high = 1) {
  return value < low ? low : value > high ? high : value;
}
function smooth(from, to, value) {
  const t = clamp((value - from) / (to - from));
  return t * t * (3 - 2 * t);
}

// src/puppet/behaviour/accents.ts
var leastApartMs = 650;
var nodMs = 420;
var browLeadMs = 90;
var browFallMs = 260;
var Accents = class {
  constructor(random) {
    this.random = random;
  }
  random;
  #accents = [];
  /** Chooses the words to stress of an utterance begun at `startMs`, in place of any that were to come later. */
  speak(words, startMs) {
    this.#accents = this.#accents.filter((accent) => accent.startMs < startMs);
    let last = -Infinity;
    words.forEach((word, i) => {
      const weight = wordWeight(word);
      const chosen = i === 0 || this.random() < weight;
      if (!chosen || word.start - last < leastApartMs) return;
      last = word.start;
      this.#accents.push({
        startMs: startMs + word.start,
        endMs: startMs + word.end,
        strength: 0.4 + 0.6 * weight
      });
    });
  }
  /** Takes back what has not begun by `nowMs`. */
  stop(nowMs) {
    this.#accents = this.#accents.filter((accent) => accent.startMs <= nowMs);
  }
  /** The stress at this moment. */
  at(nowMs) {
    this.#accents = this.#accents.filter((accent) => accent.endMs + nodMs > nowMs);
    let [browRaise, headNod] = [0, 0];
    for (const { startMs, endMs, strength: strength2 } of this.#accents) {
      const brow = smooth(startMs - browLeadMs, startMs + 60, nowMs) * (1 - smooth(endMs, endMs + browFallMs, nowMs));
      browRaise = Math.max(browRaise, 0.42 * strength2 * brow);
      const nod = smooth(startMs - 40, startMs + 120, nowMs) * (1 - smooth(startMs + 120, startMs + nodMs, nowMs));
      headNod = Math.max(headNod, 0.16 * strength2 * nod);
    }
    return { browRaise, headNod };
  }
};
function wordWeight({ text, start, end }) {
  const letters = text.match(/\p{L}|\p{N}/gu)?.length ?? 0;
  return Math.max(smooth(3, 8, letters), smooth(260, 560, end - start));
}

// src/puppet/behaviour/blinking.ts
var closingMs = 70;
var closedMs = 30;
var openingMs = 140;
var blinkMs = closingMs + closedMs + openingMs;
var lostMs = 1e3;
var Blinking = class {
  constructor(random) {
    this.random = random;
  }
  random;
  #startMs;
  /** How far the lids are closed, 0…1. `rare` spaces the blinks out. */
  at(nowMs, rare) {
    this.#startMs ??= nowMs + this.#pauseMs(rare);
    if (nowMs >= this.#startMs + blinkMs) {
      const from = nowMs - this.#startMs > lostMs ? nowMs : this.#startMs + blinkMs;
      this.#startMs = from + this.#pauseMs(rare);
    }
    const t = nowMs - this.#startMs;
    if (t <= 0 || t >= blinkMs) return 0;
    return smooth(0, closingMs, t) * (1 - smooth(closingMs + closedMs, blinkMs, t));
  }
  #pauseMs(rare) {
    const pause = this.random();
    if (rare) return 8e3 + 5e3 * pause;
    return this.random() < 0.12 ? 120 : 2200 + 3800 * pause;
  }
};

// src/puppet/behaviour/gaze.ts
var saccadeMs = 50;
var calmMs = 300;
var steadyShare = 0.6;
var Gaze = class {
  constructor(random) {
    this.random = random;
  }
  random;
  #from = { x: 0, y: 0 };
  #to = { x: 0, y: 0 };
  #startMs = -Infinity;
  #nextMs = -Infinity;
  #pose;
  /** Where the eyes look now. `calm` keeps them at the pose's place and lets them move there slowly. */
  at(nowMs, pose2, calm) {
    const durationMs = calm ? calmMs : saccadeMs;
    if (pose2 !== this.#pose || !calm && nowMs >= this.#nextMs) {
      this.#from = this.#look(nowMs, durationMs);
      this.#to = this.#choose(pose2, calm || pose2 !== this.#pose);
      this.#startMs = this.#pose ? nowMs : -Infinity;
      this.#nextMs = nowMs + 700 + 1900 * this.random();
      this.#pose = pose2;
    }
    return this.#look(nowMs, durationMs);
  }
  #choose(pose2, steady) {
    if (steady || this.random() < steadyShare) return { x: pose2.gazeX, y: pose2.gazeY };
    const aside = () => (this.random() * 2 - 1) * pose2.gazeReach;
    return { x: pose2.gazeX + aside(), y: pose2.gazeY + aside() * 0.6 };
  }
  #look(nowMs, durationMs) {
    const t = smooth(0, durationMs, nowMs - this.#startMs);
    return {
      x: this.#from.x + (this.#to.x - this.#from.x) * t,
      y: this.#from.y + (this.#to.y - this.#from.y) * t
    };
  }
};

// src/puppet/behaviour/glide.ts
var Glide = class {
  /** `timeMs` is about how long it takes to cover two thirds of the way. */
  constructor(timeMs) {
    this.timeMs = timeMs;
  }
  timeMs;
  #lead;
  #value = 0;
  /** Moves towards `target` for `elapsedMs`; the first call starts there. */
  step(target, elapsedMs) {
    if (this.#lead === void 0) {
      this.#value = target;
      return this.#lead = target;
    }
    const rate = elapsedMs / (this.timeMs / 2);
    const decay = Math.exp(-rate);
    const lead = this.#lead - target;
    this.#value = target + (this.#value - target + lead * rate) * decay;
    this.#lead = target + lead * decay;
    return this.#value;
  }
};

// src/puppet/behaviour/random.ts
function createRandom(seed) {
  let counter = seed | 0;
  return () => {
    counter = counter + 2654435769 | 0;
    return mix(counter) / 4294967296;
  };
}
function wander(seed, nowMs, periodMs) {
  const place = nowMs / periodMs;
  const cell = Math.floor(place);
  const t = place - cell;
  const from = height(seed, cell);
  return from + (height(seed, cell + 1) - from) * t * t * (3 - 2 * t);
}
function height(seed, cell) {
  return mix(Math.imul(seed, 668265263) ^ Math.imul(cell, 374761393)) / 2147483648 - 1;
}
function mix(value) {
  let bits = value;
  bits = Math.imul(bits ^ bits >>> 16, 2246822507);
  bits = Math.imul(bits ^ bits >>> 13, 3266489909);
  return (bits ^ bits >>> 16) >>> 0;
}

// src/puppet/behaviour/head-motion.ts
var farthest = 0.7;
var HeadMotion = class {
  constructor(seed) {
    this.seed = seed;
  }
  seed;
  #turn = new Glide(420);
  #tilt = new Glide(520);
  #nod = new Glide(360);
  #drift = new Glide(800);
  /** The head's pose after `elapsedMs`; `nod` is added at once. `calm` holds the head still, with its pose halved. */
  step(nowMs, elapsedMs, pose2, nod, calm) {
    const drift = this.#drift.step(calm ? 0 : pose2.drift, elapsedMs);
    const part = calm ? 0.5 : 1;
    const held = (value) => clamp(value, -farthest, farthest);
    return {
      headTurn: held(
        this.#turn.step(pose2.headTurn * part, elapsedMs) + drift * 0.06 * wander(this.seed, nowMs, 3100)
      ),
      headTilt: held(
        this.#tilt.step(pose2.headTilt * part, elapsedMs) + drift * 0.05 * wander(this.seed + 1, nowMs, 3700)
      ),
      headNod: held(
        this.#nod.step(pose2.headNod * part, elapsedMs) + drift * 0.035 * wander(this.seed + 2, nowMs, 2900) + (calm ? 0 : nod)
      )
    };
  }
};

// src/puppet/behaviour/poses.ts
var poses = {
  idle: pose({ smile: 0.26, gazeReach: 0.3 }),
  listening: pose({
    smile: 0.24,
    browRaise: 0.22,
    headTilt: 0.16,
    headNod: 0.04,
    gazeReach: 0.1,
    drift: 0.7
  }),
  thinking: pose({
    smile: 0.2,
    browRaise: 0.12,
    browConcern: 0.12,
    headTurn: 0.16,
    headTilt: -0.16,
    headNod: -0.1,
    gazeX: 0.7,
    gazeY: -0.7,
    gazeReach: 0.15,
    drift: 0.7
  }),
  speaking: pose({ smile: 0.25, browRaise: 0.06, gazeReach: 0.2, drift: 1.8 })
};
function pose(given) {
  return {
    smile: 0.25,
    browRaise: 0,
    browConcern: 0,
    headTurn: 0,
    headTilt: 0,
    headNod: 0,
    gazeX: 0,
    gazeY: 0,
    gazeReach: 0.2,
    drift: 1,
    ...given
  };
}

// src/puppet/behaviour/mouth-gestures.ts
var leastTouchMs = 50;
var anticipationMs = 80;
var arrivalMs = 35;
var shortestRestMs = 30;
var strengths = {
  sil: 0,
  PP: 1,
  FF: 1,
  TH: 0.85,
  DD: 0.75,
  kk: 0.7,
  CH: 0.9,
  SS: 0.85,
  nn: 0.75,
  RR: 0.8,
  aa: 0.9,
  E: 0.85,
  ih: 0.8,
  oh: 0.95,
  ou: 0.95
};
var vowels = /* @__PURE__ */ new Set(["aa", "E", "ih", "oh", "ou"]);
function touches(viseme) {
  return viseme === "PP" || viseme === "FF";
}
function mouthGestures(visemes3, startMs) {
  const spans = continuous(visemes3);
  const gestures = [];
  spans.forEach((span, i) => {
    const before = spans[i - 1];
    const next = spans[i + 1];
    const { fadeIn, start } = arrival(span, before);
    gestures.push({
      viseme: span.viseme,
      fadeInMs: startMs + fadeIn,
      startMs: startMs + start,
      endMs: startMs + span.end,
      strength: strength(span),
      rounding: next && rounds(next.viseme) && isLoose(span.viseme) ? next.viseme : void 0
    });
  });
  return gestures;
}
function arrival(span, before) {
  const ownMs = span.end - span.start;
  const beforeMs = before ? before.end - before.start : anticipationMs * 2;
  const early = before && touches(before.viseme) ? 0 : Math.min(anticipationMs, beforeMs / 2);
  const late = touches(span.viseme) && early > 0 ? 0 : Math.min(arrivalMs, ownMs * 0.4);
  return { fadeIn: span.start - early, start: span.start + late };
}
function strength({ viseme, start, end }) {
  const reached = vowels.has(viseme) ? Math.min(1, 0.5 + (end - start) / 200) : 1;
  return strengths[viseme] * reached;
}
function rounds(viseme) {
  return viseme === "oh" || viseme === "ou";
}
function isLoose(viseme) {
  return viseme !== "sil" && !touches(viseme) && !vowels.has(viseme);
}
function continuous(visemes3) {
  const spans = [];
  for (const given of [...visemes3].sort((a, b) => a.start - b.start)) {
    const last2 = spans.at(-1);
    const start = Math.max(given.start, last2?.end ?? -Infinity);
    const end = Math.max(given.end, start + (touches(given.viseme) ? leastTouchMs : 0));
    if (end <= start) continue;
    if (last2 && start - last2.end > shortestRestMs) spans.push({ viseme: "sil", start: last2.end, end: start });
    const neighbour = spans.at(-1);
    if (neighbour && neighbour.viseme === given.viseme) neighbour.end = end;
    else {
      if (neighbour) neighbour.end = start;
      spans.push({ viseme: given.viseme, start, end });
    }
  }
  const last = spans.at(-1);
  if (last && last.viseme !== "sil")
    spans.push({ viseme: "sil", start: last.end, end: last.end + anticipationMs * 2 });
  return spans;
}

// src/puppet/behaviour/speaking-mouth.ts
var widestJawUnits = 14.4;
var roundingShare = 0.3;
var stopMs = 90;
var SpeakingMouth = class {
  #gestures = [];
  #stoppedMs = Infinity;
  #limits;
  constructor({ mouth }) {
    this.#limits = new Map(
      [...mouth.keys].map(([name2, key]) => [
        name2,
        Math.min(1, widestJawUnits / Math.max(1, key.jaw + mouth.restJaw))
      ])
    );
  }
  /** Says these visemes from `startMs` on, in place of anything that was to come after that. */
  speak(visemes3, startMs) {
    const added = mouthGestures(visemes3, startMs);
    const kept = this.#stoppedMs < startMs ? [] : this.#gestures.filter((gesture) => gesture.startMs < startMs);
    this.#gestures = [...kept, ...added];
    this.#stoppedMs = Infinity;
  }
  /** Comes to rest from `nowMs` on. */
  stop(nowMs) {
    this.#stoppedMs = Math.min(this.#stoppedMs, nowMs);
  }
  /** Whether something is being said, up to its closing rest. */
  isSpeaking(nowMs) {
    const first = this.#gestures[0];
    const last = this.#gestures.at(-1);
    return first !== void 0 && last !== void 0 && nowMs < this.#stoppedMs && nowMs >= first.fadeInMs && nowMs < last.endMs;
  }
  /** The weights of the mouth shapes now; they sum to at most 1. */
  at(nowMs) {
    this.#forget(nowMs);
    const weights = {};
    const fade = 1 - smooth(0, stopMs, nowMs - this.#stoppedMs);
    if (fade === 0) return weights;
    let open = fade;
    for (let i = this.#gestures.length - 1; i >= 0 && open > 0; i--) {
      const gesture = this.#gestures[i];
      if (gesture.fadeInMs > nowMs) continue;
      const share = open * smooth(gesture.fadeInMs, gesture.startMs, nowMs);
      this.#add(weights, gesture, share);
      open -= share;
    }
    return weights;
  }
  #add(weights, gesture, share) {
    const { viseme, rounding, strength: strength2 } = gesture;
    if (viseme === "sil" || share === 0) return;
    const rounded = rounding ? roundingShare : 0;
    const limit = this.#limits.get(viseme) ?? 1;
    weights[viseme] = (weights[viseme] ?? 0) + share * (1 - rounded) * Math.min(strength2, limit);
    if (rounding) weights[rounding] = (weights[rounding] ?? 0) + share * rounded;
  }
  /** Drops what is over; the last gesture stays, its rest is what the mouth comes from. */
  #forget(nowMs) {
    const current = this.#gestures.findLastIndex((gesture) => gesture.startMs <= nowMs);
    if (current > 16) this.#gestures = this.#gestures.slice(current);
  }
};

// src/puppet/behaviour/sway-spring.ts
var stepMs = 1e3 / 120;
var longestMs = 250;
var SwaySpring = class {
  constructor(settings) {
    this.settings = settings;
    const omega = 2 * Math.PI * settings.hz;
    this.#stiffness = omega * omega;
    this.#friction = 2 * settings.damping * omega;
  }
  settings;
  #stiffness;
  #friction;
  #place;
  #speedX = 0;
  #speedY = 0;
  #pendingMs = 0;
  /** Lets `elapsedMs` pass under this pose and returns the sway, −1…1 each. */
  step(pose2, elapsedMs) {
    const { turn, tilt, nod, gain, limit } = this.settings;
    const targetX = turn * pose2.headTurn + tilt * pose2.headTilt;
    const targetY = nod * pose2.headNod;
    const place = this.#place ??= { x: targetX, y: targetY };
    const seconds = stepMs / 1e3;
    this.#pendingMs += Math.min(elapsedMs, longestMs);
    for (; this.#pendingMs >= stepMs; this.#pendingMs -= stepMs) {
      this.#speedX += (this.#stiffness * (targetX - place.x) - this.#friction * this.#speedX) * seconds;
      place.x += this.#speedX * seconds;
      this.#speedY += (this.#stiffness * (targetY - place.y) - this.#friction * this.#speedY) * seconds;
      place.y += this.#speedY * seconds;
    }
    return {
      swayX: clamp(gain * (place.x - targetX), -limit, limit),
      swayY: clamp(gain * (place.y - targetY), -limit, limit)
    };
  }
};

// src/puppet/behaviour/behaviour.ts
var breathMs = 4200;
var speakingBreathMs = 3300;
var heldBreath = 0.3;
var counterGaze = 0.5;
function createPuppetBehaviour(character2, { seed = 1, reducedMotion = false } = {}) {
  return new PuppetBehaviour(character2, seed, reducedMotion);
}
var PuppetBehaviour = class {
  #mouth;
  #accents;
  #blinking;
  #gaze;
  #head;
  #sway;
  #smile = new Glide(500);
  #browRaise = new Glide(260);
  #browConcern = new Glide(400);
  #activity = "idle";
  #reduced;
  #lastMs;
  #breathPhase = 0;
  constructor(character2, seed, reduced) {
    this.#mouth = new SpeakingMouth(character2);
    this.#accents = new Accents(createRandom(seed));
    this.#blinking = new Blinking(createRandom(seed + 1));
    this.#gaze = new Gaze(createRandom(seed + 2));
    this.#head = new HeadMotion(seed);
    this.#sway = new SwaySpring(character2.rig.sway);
    this.#reduced = reduced;
  }
  setActivity(activity) {
    this.#activity = activity;
  }
  setReducedMotion(reduced) {
    this.#reduced = reduced;
  }
  speak({ visemes: visemes3, words }, startMs) {
    this.#mouth.speak(visemes3, startMs);
    this.#accents.speak(words, startMs);
  }
  stopSpeaking(nowMs) {
    this.#mouth.stop(nowMs);
    this.#accents.stop(nowMs);
  }
  step(nowMs) {
    const elapsedMs = Math.max(0, nowMs - (this.#lastMs ?? nowMs));
    this.#lastMs = nowMs;
    const speaking = this.#mouth.isSpeaking(nowMs);
    const pose2 = poses[speaking ? "speaking" : this.#activity];
    const stress = this.#accents.at(nowMs);
    const head = this.#head.step(nowMs, elapsedMs, pose2, stress.headNod, this.#reduced);
    const sway = this.#sway.step(head, elapsedMs);
    const look = this.#gaze.at(nowMs, pose2, this.#reduced);
    return {
      visemeWeights: this.#mouth.at(nowMs),
      ...this.#expression(pose2, elapsedMs, stress.browRaise),
      ...head,
      ...this.#reduced ? {} : sway,
      gazeX: clamp(look.x - head.headTurn * counterGaze, -1, 1),
      gazeY: clamp(look.y - head.headNod * counterGaze, -1, 1),
      blink: this.#blinking.at(nowMs, this.#reduced),
      breath: this.#breath(elapsedMs, speaking)
    };
  }
  #expression(pose2, elapsedMs, stress) {
    const part = this.#reduced ? 0.5 : 1;
    return {
      smile: this.#smile.step(pose2.smile, elapsedMs),
      browRaise: clamp(this.#browRaise.step(pose2.browRaise, elapsedMs) + stress * part),
      browConcern: this.#browConcern.step(pose2.browConcern, elapsedMs)
    };
  }
  #breath(elapsedMs, speaking) {
    if (this.#reduced) return heldBreath;
    this.#breathPhase += elapsedMs / (speaking ? speakingBreathMs : breathMs);
    return 0.5 - 0.5 * Math.cos(2 * Math.PI * this.#breathPhase);
  }
};

// src/puppet/puppet-error.ts
var PuppetError = class _PuppetError extends Error {
  constructor(code, path, message) {
    super(path === "" ? message : `${path}: ${message}`);
    this.code = code;
    this.path = path;
  }
  code;
  path;
  name = "PuppetError";
  /** The file breaks the character format at `path`. */
  static invalid(path, message) {
    return new _PuppetError("INVALID_CHARACTER", path, message);
  }
};

// src/puppet/format/outline.ts
var Verb = { move: 0, line: 1, curve: 2, close: 3 };
function parseOutline(text, at) {
  return new OutlineReader(text, at).read();
}
function sameStructure(a, b) {
  return a.verbs.length === b.verbs.length && a.verbs.every((verb, i) => verb === b.verbs[i]);
}
var [minus, point, zero, nine] = [45, 46, 48, 57];
var OutlineReader = class {
  constructor(text, at) {
    this.text = text;
    this.at = at;
  }
  text;
  at;
  #verbs = [];
  #points = [];
  #next = 0;
  #letter = "";
  /** How many numbers the segment takes, and how many of them are there. */
  #needed = 0;
  #count = 0;
  /** What relative numbers start from. */
  #fromX = 0;
  #fromY = 0;
  read() {
    const { text } = this;
    while (this.#next < text.length) {
      const code = text.charCodeAt(this.#next);
      if (code === 32 || code === 44) this.#next++;
      else if (code <= nine) this.#takeNumber();
      else this.#takeLetter(text[this.#next++]);
    }
    if (this.#count > 0 || this.#verbs.length === 0) throw this.#invalid("the path ends too early");
    return { verbs: Uint8Array.from(this.#verbs), points: Float32Array.from(this.#points) };
  }
  #takeLetter(letter) {
    if (!"MLCZlc".includes(letter)) throw this.#invalid(`"${letter}" is not expected in a path`);
    if (this.#count > 0) throw this.#invalid(`"${letter}" comes in the middle of a segment`);
    const starts = this.#letter === "" || this.#letter === "Z";
    if (starts && letter !== "M") throw this.#invalid(`"M" is needed before "${letter}"`);
    this.#letter = letter;
    this.#needed = letter === "Z" ? 0 : letter === "C" || letter === "c" ? 6 : 2;
    if (letter === "Z") this.#verbs.push(Verb.close);
  }
  #takeNumber() {
    if (this.#needed === 0) throw this.#invalid("a number stands where a letter is expected");
    const relative = this.#letter === "l" || this.#letter === "c";
    const from = relative ? this.#count % 2 === 0 ? this.#fromX : this.#fromY : 0;
    this.#points.push(from + this.#number());
    this.#count++;
    if (this.#count === this.#needed) this.#endSegment();
  }
  #endSegment() {
    this.#count = 0;
    this.#fromX = this.#points.at(-2);
    this.#fromY = this.#points.at(-1);
    this.#verbs.push(this.#letter === "M" ? Verb.move : this.#needed === 2 ? Verb.line : Verb.curve);
    if (this.#letter === "M") this.#letter = "L";
  }
  /** The number here: `-1`, `.5`, `2.25`. */
  #number() {
    const { text } = this;
    const negative = text.charCodeAt(this.#next) === minus;
    if (negative) this.#next++;
    let [digits, value, divisor] = [0, 0, 0];
    for (; this.#next < text.length; this.#next++) {
      const code = text.charCodeAt(this.#next);
      if (code === point && divisor === 0) divisor = 1;
      else if (code >= zero && code <= nine) {
        value = value * 10 + (code - zero);
        divisor *= 10;
        digits++;
      } else break;
    }
    if (digits === 0) throw this.#invalid(`"${text[this.#next] ?? "-"}" is not expected in a path`);
    const size2 = divisor > 1 ? value / divisor : value;
    return negative ? -size2 : size2;
  }
  #invalid(message) {
    return PuppetError.invalid(this.at, message);
  }
};

// src/puppet/format/colour.ts
var colourText = /^(?:(#[0-9a-f]{6})|([a-z][\w-]*))(?:@(\d*\.?\d+|\d+\.))?$/i;
function resolveColour(text, palette, at) {
  const [, literal, name2, alpha = "1"] = colourText.exec(text) ?? [];
  const hex = literal ?? (name2 !== void 0 && Object.hasOwn(palette, name2) ? palette[name2] : void 0);
  if (hex === void 0) throw PuppetError.invalid(at, `"${text}" is not a colour of this character`);
  const rgb = Number.parseInt(hex.slice(1), 16);
  return `rgba(${rgb >> 16},${rgb >> 8 & 255},${rgb & 255},${Number(alpha)})`;
}

// src/puppet/format/read-json.ts
var readFields = (value, at) => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw PuppetError.invalid(at, "an object is expected");
  }
  return value;
};
var readNumber = (value, at) => {
  if (typeof value !== "number" || !Number.isFinite(value))
    throw PuppetError.invalid(at, "a number is expected");
  return value;
};
var readPositive = (value, at) => {
  const number = readNumber(value, at);
  if (number <= 0) throw PuppetError.invalid(at, "a number above 0 is expected");
  return number;
};
var readText = (value, at) => {
  if (typeof value !== "string" || value === "") throw PuppetError.invalid(at, "a text is expected");
  return value;
};
var readBoolean = (value, at) => {
  if (typeof value !== "boolean") throw PuppetError.invalid(at, "true or false is expected");
  return value;
};
var readList = (read) => (value, at) => {
  if (!Array.isArray(value)) throw PuppetError.invalid(at, "a list is expected");
  return value.map((element, i) => read(element, `${at}[${i}]`));
};
var readNumbers = (count) => (value, at) => {
  const numbers = readList(readNumber)(value, at);
  if (numbers.length !== count) throw PuppetError.invalid(at, `${count} numbers are expected`);
  return numbers;
};
var readRecord = (read) => (value, at) => Object.fromEntries(
  Object.entries(readFields(value, at)).map(([key, field]) => [key, read(field, `${at}.${key}`)])
);
var readOneOf = (...names) => (value, at) => {
  const name2 = names.find((candidate) => candidate === value);
  if (name2 === void 0) throw PuppetError.invalid(at, `one of ${names.join(", ")} is expected`);
  return name2;
};
function optional(fields, key, at, read, fallback) {
  const value = fields[key];
  return value === void 0 ? fallback : read(value, `${at}.${key}`);
}

// src/puppet/format/parse-fill.ts
function parseFill(value, palette, at) {
  if (typeof value === "string") return resolveColour(value, palette, at);
  const fields = readFields(value, at);
  const number = (key) => readNumber(fields[key], `${at}.${key}`);
  const kind = readOneOf("linear", "radial")(fields["type"], `${at}.type`);
  const stops = parseStops(fields["stops"], palette, `${at}.stops`);
  if (kind === "linear") {
    return { kind, from: [number("x1"), number("y1")], to: [number("x2"), number("y2")], stops };
  }
  const orZero = (key) => optional(fields, key, at, readNumber, 0);
  return {
    kind,
    centre: [number("cx"), number("cy")],
    radii: [readPositive(fields["rx"], `${at}.rx`), readPositive(fields["ry"], `${at}.ry`)],
    rotation: orZero("rot") * Math.PI / 180,
    focus: [orZero("fx"), orZero("fy")],
    stops
  };
}
function parseStops(value, palette, at) {
  let last = 0;
  return readList((stop, place) => {
    const [offset, colour] = readList((part) => part)(stop, place);
    const position = readNumber(offset, `${place}[0]`);
    if (position < last || position > 1) throw PuppetError.invalid(place, "stops must ascend from 0 to 1");
    last = position;
    return [position, resolveColour(readText(colour, `${place}[1]`), palette, place)];
  })(value, at);
}
function parseStroke(path, palette, at) {
  const colour = optional(path, "stroke", at, readText, void 0);
  if (colour === void 0) return void 0;
  return {
    colour: resolveColour(colour, palette, `${at}.stroke`),
    width: optional(path, "width", at, readNumber, 1),
    cap: optional(path, "cap", at, readOneOf("round", "butt"), "round")
  };
}

// src/puppet/format/parse-layer.ts
var readDriver = readOneOf("smile", "concern", "browRaise", "turnL", "turnR");
function parseLayer(value, context, at) {
  const fields = readFields(value, at);
  const links = [];
  const offset = optional(fields, "off", at, readNumbers(2), [0, 0]);
  const shapes = readList((path, place) => parseShape(path, context, offset, links, place))(
    fields["paths"],
    `${at}.paths`
  );
  const surfaceName = optional(fields, "surface", at, readText, "face");
  const surface = context.rig.surfaces[surfaceName];
  if (surface === void 0) throw PuppetError.invalid(`${at}.surface`, `no surface "${surfaceName}"`);
  const layer = {
    id: readText(fields["id"], `${at}.id`),
    followsHead: optional(fields, "space", at, readOneOf("head", "body"), "head") === "head",
    surface,
    depthUnits: optional(fields, "depth", at, readNumber, 0) * context.rig.head.depthUnits,
    ...parseMotion(fields, at),
    side: optional(fields, "side", at, readOneOf("l", "r"), void 0),
    optional: optional(fields, "optional", at, readText, void 0),
    clips: parseClips(fields, links, at),
    shapes
  };
  return {
    z: readNumber(fields["z"], `${at}.z`),
    layer,
    link: (find) => links.forEach((resolve) => resolve(find))
  };
}
function parseMotion(fields, at) {
  const follow = optional(fields, "follow", at, readNumbers(4), void 0);
  const brow = optional(fields, "brow", at, readNumbers(3), void 0);
  const sway = optional(fields, "sway", at, readNumbers(4), void 0);
  return {
    follow: follow && { y0: follow[0], y1: follow[1], from: follow[2], to: follow[3] },
    jaw: optional(fields, "jaw", at, readBoolean, false),
    cheek: optional(fields, "cheek", at, readNumber, 0),
    lip: optional(fields, "lip", at, readBoolean, false),
    brow: brow && { innerX: brow[0], length: brow[1], direction: brow[2] },
    sway: sway && { y0: sway[0], y1: sway[1], x: sway[2], y: sway[3] }
  };
}
function parseShape(value, context, layerOffset, links, at) {
  const fields = readFields(value, at);
  const fill = fields["fill"];
  const drivers = optional(fields, "opacityBy", at, readRecord(readNumber), {});
  const hidden = optional(fields, "hidden", at, readBoolean, false);
  return {
    id: optional(fields, "id", at, readText, void 0),
    ...parseGeometry(fields, context, at),
    fill: fill === void 0 || hidden ? void 0 : parseFill(fill, context.palette, `${at}.fill`),
    stroke: hidden ? void 0 : parseStroke(fields, context.palette, at),
    opacity: optional(fields, "opacity", at, readNumber, 1),
    opacityBy: Object.entries(drivers).map(([name2, gain]) => [readDriver(name2, `${at}.opacityBy`), gain]),
    visibleBy: optional(fields, "vis", at, readDriver, void 0),
    blurUnits: typeof fill === "string" ? optional(fields, "blur", at, readNumber, 0) : 0,
    gazeTravel: optional(fields, "off", at, readNumbers(2), layerOffset),
    clips: parseClips(fields, links, at)
  };
}
function parseGeometry(fields, context, at) {
  const given = ["d", "keys", "mouth"].filter((key) => fields[key] !== void 0);
  if (given.length !== 1) throw PuppetError.invalid(at, "exactly one of d, keys and mouth is expected");
  if (fields["keys"] !== void 0) return { ...parseBlink(fields["keys"], `${at}.keys`), mouth: void 0 };
  if (fields["mouth"] !== void 0) {
    const mouth = readText(fields["mouth"], `${at}.mouth`);
    const outline = context.mouthOutlines[mouth];
    if (outline === void 0) throw PuppetError.invalid(`${at}.mouth`, `no mouth path "${mouth}"`);
    return { outline, blink: void 0, mouth };
  }
  return {
    outline: parseOutline(readText(fields["d"], `${at}.d`), `${at}.d`),
    blink: void 0,
    mouth: void 0
  };
}
function parseBlink(value, at) {
  const fields = readFields(value, at);
  const outline = parseOutline(readText(fields["open"], `${at}.open`), `${at}.open`);
  const difference2 = (text, place) => {
    const key = parseOutline(readText(text, place), place);
    if (!sameStructure(key, outline))
      throw PuppetError.invalid(place, "the key must have the structure of open");
    return key.points.map((coordinate, i) => coordinate - outline.points[i]);
  };
  const blink = {
    half: difference2(fields["half"], `${at}.half`),
    closed: difference2(fields["closed"], `${at}.closed`),
    smile: optional(fields, "smile", at, difference2, void 0)
  };
  return { outline, blink };
}
function parseClips(fields, links, at) {
  const value = fields["clip"];
  if (value === void 0) return [];
  const place = `${at}.clip`;
  const refs = typeof value === "string" ? [value] : readList(readText)(value, place);
  const clips = [];
  links.push((find) => clips.push(...refs.map((ref) => find(ref, place))));
  return clips;
}

// src/puppet/viseme.ts
var visemes = [
  "sil",
  "PP",
  "FF",
  "TH",
  "DD",
  "kk",
  "CH",
  "SS",
  "nn",
  "RR",
  "aa",
  "E",
  "ih",
  "oh",
  "ou"
];

// src/puppet/format/parse-mouth.ts
var neededKeys = [...visemes, "smile", "concern"];
function parseMouth(value, at) {
  const raw = readRecord(parseKey)(readFields(value, at)["keys"], `${at}.keys`);
  const missing = neededKeys.find((name2) => raw[name2] === void 0);
  if (missing !== void 0)
    throw PuppetError.invalid(`${at}.keys`, `the mouth shape "${missing}" is missing`);
  const rest = raw["sil"];
  const keys = new Map(
    Object.entries(raw).filter(([name2]) => name2 !== "sil").map(([name2, key]) => [name2, difference(key, rest, `${at}.keys.${name2}`)])
  );
  return {
    mouth: { restJaw: rest.jaw, restLipY: rest.lip[0], restLipScale: rest.lip[1], keys },
    outlines: rest.outlines
  };
}
function parseKey(value, at) {
  const fields = readFields(value, at);
  return {
    jaw: optional(fields, "jaw", at, readNumber, 0),
    lip: optional(fields, "lip", at, readNumbers(2), [0, 1]),
    outlines: readRecord((text, place) => parseOutline(readText(text, place), place))(fields["d"], `${at}.d`)
  };
}
function difference(key, rest, at) {
  const deltas = Object.entries(rest.outlines).map(([id, base]) => {
    const outline = key.outlines[id];
    if (outline === void 0 || !sameStructure(outline, base)) {
      throw PuppetError.invalid(`${at}.d.${id}`, "the outline must have the structure it has in sil");
    }
    return [id, outline.points.map((coordinate, i) => coordinate - base.points[i])];
  });
  return {
    jaw: key.jaw - rest.jaw,
    lipY: key.lip[0] - rest.lip[0],
    lipScale: key.lip[1] - rest.lip[1],
    deltas: Object.fromEntries(deltas)
  };
}

// src/puppet/format/rig-settings.ts
var surfaceDefaults = {
  z0: 0,
  z: 0,
  rx: 88,
  p: 0.5,
  min: 0,
  top: 190,
  bottom: Infinity,
  ry: 0,
  vk: 1,
  vmin: 0,
  side: void 0
};
var builtInSurfaces = {
  face: { ...surfaceDefaults, z: 60, min: 0.02, ry: 128, vmin: 0.25 },
  hair: { ...surfaceDefaults, z: 72, rx: 110, p: 1.15, ry: 128, vmin: 0.25 },
  back: { ...surfaceDefaults, z: -8, rx: 124, min: 0.01 },
  flat: surfaceDefaults
};
var jawDefaults = {
  y0: 286,
  y1: 326,
  w: 80,
  bow: 0,
  side: 0.25,
  narrow: 16e-4,
  ny0: 262,
  ny1: 300,
  neck: 0.4,
  neckY0: 320,
  neckY1: 400
};
var browDefaults = { raise: 6, outer: 0, concern: 6, rest: 1.5, pinch: 2.5, smile: 0 };
var lidDefaults = { down: 0.22, up: 0.1 };
var lipDefaults = { w: 34, y0: 276, y1: 292, base: 0.35, smile: 3.6 };
var swayDefaults = { hz: 1.5, damping: 0.35, turn: 1, tilt: 0.6, nod: 1, gain: 5, limit: 1 };

// src/puppet/format/parse-rig.ts
var radians = Math.PI / 180;
function parseRig(value, at) {
  const fields = readFields(value, at);
  const head = parseHead(fields["head"], `${at}.head`);
  const surfaces = optional(fields, "surfaces", at, readRecord(parseSurface), {});
  return {
    head,
    surfaces: { ...builtInSurfaces, ...surfaces },
    jaw: parseBlock(fields, "jaw", at, { ...jawDefaults, x: head.cx }),
    brow: parseBlock(fields, "brow", at, browDefaults),
    lid: parseBlock(fields, "lid", at, lidDefaults),
    lip: parseBlock(fields, "lip", at, { ...lipDefaults, x: head.cx }),
    cheek: optional(fields, "cheek", at, parseCheek, void 0),
    sway: parseBlock(fields, "sway", at, swayDefaults)
  };
}
function parseHead(value, at) {
  const fields = readFields(value, at);
  const number = (key) => readNumber(fields[key], `${at}.${key}`);
  const [pivotX, pivotY] = readNumbers(2)(fields["pivot"], `${at}.pivot`);
  return {
    cx: number("cx"),
    cy: number("cyc"),
    pivotX,
    pivotY,
    depthUnits: number("depthPx"),
    maxYaw: number("maxYaw") * radians,
    maxPitch: number("maxPitch") * radians,
    maxRoll: number("maxRoll") * radians,
    perspective: optional(fields, "perspective", at, readNumber, 6e-4),
    rollShift: optional(fields, "rollShift", at, readNumber, 10)
  };
}
function parseSurface(value, at) {
  const fields = readFields(value, at);
  const number = (key) => optional(fields, key, at, readNumber, surfaceDefaults[key]);
  return {
    z0: number("z0"),
    z: number("z"),
    rx: optional(fields, "rx", at, readPositive, surfaceDefaults.rx),
    p: number("p"),
    min: number("min"),
    top: number("top"),
    bottom: number("bottom"),
    ry: number("ry"),
    vk: number("vk"),
    vmin: number("vmin"),
    side: optional(fields, "side", at, readNumbers(3), void 0)
  };
}
function parseCheek(value, at) {
  const fields = readFields(value, at);
  return {
    x: readPositive(fields["x"], `${at}.x`),
    y: readNumber(fields["y"], `${at}.y`),
    ry: readPositive(fields["ry"], `${at}.ry`),
    sharp: readNumber(fields["sharp"], `${at}.sharp`)
  };
}
function parseBlock(rig, name2, at, defaults) {
  const block = optional(rig, name2, at, readFields, {});
  const entries = Object.entries(defaults).map(([key, fallback]) => [
    key,
    optional(block, key, `${at}.${name2}`, readNumber, fallback)
  ]);
  return Object.fromEntries(entries);
}

// src/puppet/format/parse-character.ts
var hexColour = /^#[0-9a-f]{6}$/i;
function parseCharacter(json) {
  const fields = readFields(json, "character");
  if (fields["format"] !== void 0 && fields["format"] !== 1) {
    throw PuppetError.invalid("format", "only format 1 can be drawn");
  }
  const viewBox = readNumbers(4)(fields["viewBox"], "viewBox");
  if (viewBox.join() !== "0,0,512,512") throw PuppetError.invalid("viewBox", "[0, 0, 512, 512] is expected");
  const rig = parseRig(fields["rig"], "rig");
  const { mouth, outlines } = parseMouth(fields["mouth"], "mouth");
  const context = {
    palette: readRecord(readHex)(fields["palette"], "palette"),
    rig,
    mouthOutlines: outlines
  };
  const unlinked = readList((value, at) => parseLayer(value, context, at))(fields["layers"], "layers");
  const find = layerFinder(unlinked.map(({ layer }) => layer));
  for (const { link } of unlinked) link(find);
  return {
    name: readText(fields["name"], "name"),
    sizeUnits: 512,
    options: optional(fields, "options", "character", readRecord(readBoolean), {}),
    rig,
    layers: unlinked.toSorted((a, b) => a.z - b.z).map(({ layer }) => layer),
    mouth
  };
}
function readHex(value, at) {
  const text = readText(value, at);
  if (!hexColour.test(text)) throw PuppetError.invalid(at, "a colour as #rrggbb is expected");
  return text;
}
function layerFinder(layers) {
  const byId = new Map(layers.map((layer) => [layer.id, layer]));
  if (byId.size !== layers.length) throw PuppetError.invalid("layers", "two layers have the same id");
  return (ref, at) => {
    const found = findShape((id) => byId.get(id), ref);
    if (found === void 0) throw PuppetError.invalid(at, `no path "${ref}"`);
    return found;
  };
}
function findShape(layerById, ref) {
  const [layerId = "", shapeId = ""] = ref.split("#");
  const layer = layerById(layerId);
  const byIndex = /^\d+$/.test(shapeId) ? layer?.shapes[Number(shapeId)] : void 0;
  const shape = layer?.shapes.find(({ id }) => id === shapeId) ?? byIndex;
  return layer && shape && { layer, shape };
}

// src/puppet/pictures/pixel-box.ts
var emptyBox = { x: 0, y: 0, width: 0, height: 0 };
function isEmpty({ width, height: height2 }) {
  return width === 0 || height2 === 0;
}
function around(a, b) {
  if (isEmpty(a)) return b;
  if (isEmpty(b)) return a;
  const x = Math.min(a.x, b.x);
  const y = Math.min(a.y, b.y);
  const right = Math.max(a.x + a.width, b.x + b.width);
  const bottom = Math.max(a.y + a.height, b.y + b.height);
  return { x, y, width: right - x, height: bottom - y };
}
function overlap(a, b) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}
function boxAround(points, sizePx) {
  const within = (value) => Math.max(0, Math.min(sizePx, value));
  const across = points.map(([x2]) => x2);
  const down = points.map(([, y2]) => y2);
  const x = within(Math.floor(Math.min(...across)) - 1);
  const y = within(Math.floor(Math.min(...down)) - 1);
  const right = within(Math.ceil(Math.max(...across)) + 1);
  const bottom = within(Math.ceil(Math.max(...down)) + 1);
  return { x, y, width: right - x, height: bottom - y };
}

// src/puppet/canvas.ts
function contextOf(canvas) {
  const ctx = canvas.getContext("2d");
  if (!ctx) throw new PuppetError("NO_CANVAS", "", "the canvas has no 2D context");
  return ctx;
}

// src/puppet/params.ts
var neutral = {
  visemeWeights: {},
  smile: 0,
  concern: 0,
  blink: 0,
  blinkL: 0,
  blinkR: 0,
  browRaise: 0,
  browConcern: 0,
  gazeX: 0,
  gazeY: 0,
  headTurn: 0,
  headNod: 0,
  headTilt: 0,
  breath: 0,
  swayX: 0,
  swayY: 0,
  options: {}
};
function completeParams(params) {
  return { ...neutral, ...params };
}

// src/puppet/rig/frame-state.ts
function frameState({ mouth, rig }, given) {
  const params = completeParams(given);
  const weights = mouthWeights(params, mouth.keys);
  const mix2 = [];
  let [jaw, lipY, lipScale] = [mouth.restJaw, mouth.restLipY, mouth.restLipScale];
  for (const [name2, weight] of weights) {
    const key = mouth.keys.get(name2);
    if (key === void 0 || weight === 0) continue;
    mix2.push({ name: name2, weight, key });
    jaw += weight * key.jaw;
    lipY += weight * key.lipY;
    lipScale += weight * key.lipScale;
  }
  const mouthSmile = clamp((weights.get("smile") ?? 0) + (weights.get("smileClosed") ?? 0));
  const yaw = params.headTurn * rig.head.maxYaw;
  const pitch = params.headNod * rig.head.maxPitch;
  const roll = params.headTilt * rig.head.maxRoll;
  return {
    params,
    mouth: mix2,
    jaw,
    lipY,
    lipScale,
    mouthSmile,
    smile: clamp(Math.max(params.smile * 0.9, mouthSmile)),
    concern: clamp((weights.get("concern") ?? 0) + params.browConcern),
    cosYaw: Math.cos(yaw),
    sinYaw: Math.sin(yaw),
    cosPitch: Math.cos(pitch),
    sinPitch: Math.sin(pitch),
    cosRoll: Math.cos(roll),
    sinRoll: Math.sin(roll),
    perspective: rig.head.perspective * Math.min(1, Math.abs(yaw) * 3 + Math.abs(pitch) * 3)
  };
}
function mouthWeights(params, keys) {
  const weights = /* @__PURE__ */ new Map();
  let sum = 0;
  for (const [name2, given] of Object.entries(params.visemeWeights)) {
    if (!keys.has(name2)) continue;
    const weight = Math.max(0, given);
    weights.set(name2, weight);
    sum += weight;
  }
  if (sum > 1) for (const [name2, weight] of weights) weights.set(name2, weight / sum);
  const shut = Math.min(1, (weights.get("PP") ?? 0) + 0.6 * (weights.get("FF") ?? 0));
  const exposed = 1 - 0.55 * Math.min(1, sum);
  const add = (name2, weight) => {
    if (keys.has(name2)) weights.set(name2, (weights.get(name2) ?? 0) + weight);
  };
  add("smileClosed", params.smile * shut * 0.75);
  add("smile", params.smile * exposed * (1 - shut));
  add("concern", params.concern * exposed);
  return weights;
}
function driverValue(driver, state) {
  switch (driver) {
    case "smile":
      return state.smile;
    case "concern":
      return state.concern;
    case "browRaise":
      return state.params.browRaise;
    case "turnL":
      return clamp(-state.params.headTurn);
    case "turnR":
      return clamp(state.params.headTurn);
  }
}

// src/puppet/pictures/affine.ts
var AffineReference = class {
  #points;
  #meanX;
  #meanY;
  /** The inverse of the (symmetric) matrix of second moments. */
  #inverse;
  constructor(points) {
    this.#points = points.slice();
    const count = points.length / 2;
    let [sumX, sumY] = [0, 0];
    for (let i = 0; i < points.length; i += 2) {
      sumX += points[i];
      sumY += points[i + 1];
    }
    this.#meanX = sumX / count;
    this.#meanY = sumY / count;
    let [xx, xy, yy] = [count, 0, count];
    for (let i = 0; i < points.length; i += 2) {
      const dx = points[i] - this.#meanX;
      const dy = points[i + 1] - this.#meanY;
      xx += dx * dx;
      xy += dx * dy;
      yy += dy * dy;
    }
    const determinant = xx * yy - xy * xy;
    this.#inverse = [yy / determinant, -xy / determinant, xx / determinant];
  }
  /** The affine map that brings the reference points closest (least squares) to `current`. */
  fit(current) {
    const points = this.#points;
    const count = points.length / 2;
    let [shiftX, shiftY, xByX, xByY, yByX, yByY] = [0, 0, 0, 0, 0, 0];
    for (let i = 0; i < points.length; i += 2) {
      const dx = points[i] - this.#meanX;
      const dy = points[i + 1] - this.#meanY;
      const moveX = current[i] - points[i];
      const moveY = current[i + 1] - points[i + 1];
      shiftX += moveX;
      shiftY += moveY;
      xByX += moveX * dx;
      xByY += moveX * dy;
      yByX += moveY * dx;
      yByY += moveY * dy;
    }
    const [ixx, ixy, iyy] = this.#inverse;
    const a = 1 + xByX * ixx + xByY * ixy;
    const c = xByX * ixy + xByY * iyy;
    const b = yByX * ixx + yByY * ixy;
    const d = 1 + yByX * ixy + yByY * iyy;
    const e = this.#meanX + shiftX / count - a * this.#meanX - c * this.#meanY;
    const f = this.#meanY + shiftY / count - b * this.#meanX - d * this.#meanY;
    const matrix = [a, b, c, d, e, f];
    return { matrix, residual: this.#residual(matrix, current) };
  }
  #residual([a, b, c, d, e, f], current) {
    const points = this.#points;
    let worst = 0;
    for (let i = 0; i < points.length; i += 2) {
      const x = points[i];
      const y = points[i + 1];
      const dx = a * x + c * y + e - current[i];
      const dy = b * x + d * y + f - current[i + 1];
      worst = Math.max(worst, dx * dx + dy * dy);
    }
    return Math.sqrt(worst);
  }
};

// src/puppet/pictures/motion-samples.ts
var pointsPerChangingShape = 8;
var pointsPerLayer = 20;
var MotionSamples = class {
  #samples;
  #places;
  constructor(layers) {
    this.#samples = layers.flatMap(samplesOf);
    this.#places = new Float32Array(this.#samples.length * 2);
  }
  /** The points in device pixels, x, y, x, y…; valid until the next call. */
  at(state, scale) {
    let i = 0;
    for (const { part, index } of this.#samples) {
      const { x, y } = part.geometry.pointAt(index, state);
      this.#places[i++] = x * scale;
      this.#places[i++] = y * scale;
    }
    return this.#places;
  }
};
var known = /* @__PURE__ */ new WeakMap();
function samplesOf(layer) {
  const found = known.get(layer) ?? chooseSamples(layer);
  known.set(layer, found);
  return found;
}
function chooseSamples({ clips, parts }) {
  const own = new Set(parts);
  const cutters = [.../* @__PURE__ */ new Set([...clips, ...parts.flatMap((part) => part.clips)])].filter(
    (part) => !own.has(part)
  );
  const area2 = restingBox(parts);
  return [
    ...parts.filter(changesByItself).flatMap((part) => spread([part], pointsPerChangingShape)),
    ...spread(
      parts.filter((part) => !changesByItself(part)),
      pointsPerLayer
    ),
    // Where a clip's edge is far from what it cuts, it cuts nothing.
    ...cutters.flatMap((part) => spread([part], pointsPerChangingShape, area2))
  ];
}
function changesByItself({ shape }) {
  return shape.blink !== void 0 || shape.mouth !== void 0 || shape.gazeTravel.some((reach) => reach !== 0);
}
var nearUnits = 12;
function restingBox(parts) {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { shape } of parts) {
    const { points } = shape.outline;
    for (let i = 0; i < points.length; i += 2) {
      left = Math.min(left, points[i]);
      right = Math.max(right, points[i]);
      top = Math.min(top, points[i + 1]);
      bottom = Math.max(bottom, points[i + 1]);
    }
  }
  return (x, y) => x > left - nearUnits && x < right + nearUnits && y > top - nearUnits && y < bottom + nearUnits;
}
function spread(parts, count, area2 = () => true) {
  const total = parts.reduce((sum, { shape }) => sum + shape.outline.points.length / 2, 0);
  const stride = Math.max(1, total / (count - 4));
  const even = [];
  const outermost = [];
  let place = 0;
  for (const part of parts) {
    const { points } = part.shape.outline;
    for (let index = 0; index < points.length / 2; index++, place++) {
      const x = points[index * 2];
      const y = points[index * 2 + 1];
      if (!area2(x, y)) continue;
      if (place >= even.length * stride) even.push({ part, index });
      [x, -x, y, -y].forEach((reach, side) => {
        const farthest2 = outermost[side];
        if (!farthest2 || reach > farthest2.reach) outermost[side] = { reach, sample: { part, index } };
      });
    }
  }
  return [...even, ...outermost.map(({ sample }) => sample)];
}

// src/puppet/pictures/layer-runs.ts
var apartUnits = 0.3;
var mostPoints = 6e3;
var smallPose = { headTurn: 0.12, headNod: 0.12, headTilt: 0.12 };
function layerRuns(scene) {
  const { layers } = scene;
  const runs = [];
  layers.forEach((layer, i) => {
    const kind = kindOf(layer);
    const next = layers[i + 1];
    const last = runs.at(-1);
    const within = last?.kind === "jaw" && kind === "head" && next && kindOf(next) === "jaw";
    if (last && (last.kind === kind || within) && joins(scene, last.kind, last.layers, layer)) {
      last.layers.push(layer);
    } else {
      runs.push({ kind, layers: [layer] });
    }
  });
  return runs.map((run2) => ({ layers: run2.layers, isLively: run2.kind === "eyes" || run2.kind === "mouth" }));
}
function kindOf({ layer, parts }) {
  if (!layer.followsHead) return "body";
  if (parts.some(({ shape }) => shape.mouth !== void 0)) return "mouth";
  if (layer.side !== void 0 || parts.some(({ shape }) => shape.blink !== void 0)) return "eyes";
  if (layer.brow) return "brow";
  return layer.jaw || layer.lip || layer.cheek !== 0 ? "jaw" : "head";
}
function joins(scene, kind, run2, layer) {
  if (kind === "brow") return false;
  if (kind !== "head" && kind !== "jaw") return true;
  if (pointCount([...run2, layer]) > mostPoints) return false;
  const apart = Math.max(bending(scene, run2), bending(scene, [layer]));
  return bending(scene, [...run2, layer]) <= apart + apartUnits;
}
function pointCount(layers) {
  return layers.reduce(
    (sum, { layer }) => sum + layer.shapes.reduce((points, { outline }) => points + outline.points.length / 2, 0),
    0
  );
}
function bending(scene, layers) {
  const samples = new MotionSamples(layers);
  const rest = new AffineReference(samples.at(frameState(scene.character, {}), 1));
  return rest.fit(samples.at(frameState(scene.character, smallPose), 1)).residual;
}

// src/puppet/pictures/placement.ts
var stillPx = 0.06;
var Placement = class {
  constructor(picture, matrix, sizePx) {
    this.picture = picture;
    const resting = cornersOf(picture.box, void 0);
    const corners = cornersOf(picture.box, matrix);
    this.#matrix = areNear(resting, corners) ? void 0 : matrix;
    this.#corners = this.#matrix ? corners : resting;
    this.area = boxAround(this.#corners, sizePx);
  }
  picture;
  /** What it can mark of a picture of this size. */
  area;
  #corners;
  #matrix;
  /** Whether nobody could tell it from another. */
  isLike(other) {
    return this.picture === other.picture && areNear(this.#corners, other.#corners);
  }
  /** Draws it; leaves `ctx` with any transform. */
  paste(ctx) {
    const { canvas, box } = this.picture;
    ctx.setTransform(...this.#matrix ?? identity);
    ctx.drawImage(canvas, box.x, box.y);
  }
};
var identity = [1, 0, 0, 1, 0, 0];
function cornersOf({ x, y, width, height: height2 }, matrix) {
  const corners = [
    [x, y],
    [x + width, y],
    [x, y + height2],
    [x + width, y + height2]
  ];
  if (!matrix) return corners;
  const [a, b, c, d, e, f] = matrix;
  return corners.map(([x2, y2]) => [a * x2 + c * y2 + e, b * x2 + d * y2 + f]);
}
function areNear(some, others) {
  return some.every(([x, y], i) => {
    const [otherX, otherY] = others[i];
    return Math.abs(x - otherX) <= stillPx && Math.abs(y - otherY) <= stillPx;
  });
}

// src/puppet/rig/opacity.ts
function shapeOpacity({ opacity, opacityBy, visibleBy }, state) {
  let sum = opacity;
  for (const [driver, gain] of opacityBy) sum += gain * driverValue(driver, state);
  if (visibleBy) sum *= driverValue(visibleBy, state);
  return sum <= 3e-3 ? 0 : clamp(sum);
}

// src/puppet/pictures/layer-bounds.ts
var marginPx = 8;
function layerBounds(scene, layers, state, scale, sizePx) {
  const all = nothing();
  for (const layer of layers) {
    if (scene.isShown(layer, state)) include(all, layerExtent(layer, state));
  }
  const left = Math.max(-marginPx, Math.floor(all.left * scale) - 1);
  const top = Math.max(-marginPx, Math.floor(all.top * scale) - 1);
  const right = Math.min(sizePx + marginPx, Math.ceil(all.right * scale) + 1);
  const bottom = Math.min(sizePx + marginPx, Math.ceil(all.bottom * scale) + 1);
  return { x: left, y: top, width: Math.max(0, right - left), height: Math.max(0, bottom - top) };
}
function layerExtent({ clips, parts }, state) {
  const extent = nothing();
  for (const part of parts) {
    const { shape } = part;
    if (!shape.fill && !shape.stroke || shapeOpacity(shape, state) === 0) continue;
    const own = outlineExtent(part, state, 3 * shape.blurUnits + (shape.stroke?.width ?? 0) / 2);
    for (const clip of part.clips) cut(own, outlineExtent(clip, state, 0));
    include(extent, own);
  }
  for (const clip of clips) cut(extent, outlineExtent(clip, state, 0));
  return extent;
}
function outlineExtent({ geometry }, state, growUnits) {
  const points = geometry.points(state);
  const extent = nothing();
  for (let i = 0; i < points.length; i += 2) {
    const x = points[i];
    const y = points[i + 1];
    if (x < extent.left) extent.left = x;
    if (x > extent.right) extent.right = x;
    if (y < extent.top) extent.top = y;
    if (y > extent.bottom) extent.bottom = y;
  }
  extent.left -= growUnits;
  extent.top -= growUnits;
  extent.right += growUnits;
  extent.bottom += growUnits;
  return extent;
}
function nothing() {
  return { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
}
function include(extent, other) {
  if (other.left > other.right || other.top > other.bottom) return;
  extent.left = Math.min(extent.left, other.left);
  extent.top = Math.min(extent.top, other.top);
  extent.right = Math.max(extent.right, other.right);
  extent.bottom = Math.max(extent.bottom, other.bottom);
}
function cut(extent, to) {
  extent.left = Math.max(extent.left, to.left);
  extent.top = Math.max(extent.top, to.top);
  extent.right = Math.min(extent.right, to.right);
  extent.bottom = Math.min(extent.bottom, to.bottom);
}

// src/puppet/rig/depth.ts
function depthAt({ surface, depthUnits }, { head }, x, y) {
  const dx = x - head.cx;
  let depth = surface.z0;
  if (surface.z !== 0) {
    const u = dx / surface.rx;
    const bulge = Math.pow(Math.max(surface.min, 1 - u * u), surface.p);
    depth += surface.z * bulge * verticalShare(surface, y);
  }
  depth += depthUnits;
  if (surface.side) {
    const [from, to, sideDepth] = surface.side;
    depth += (sideDepth - depth) * clamp((Math.abs(dx) - from) / (to - from));
  }
  return depth;
}
function verticalShare({ ry, top, bottom, vk, vmin }, y) {
  if (ry === 0) return 1;
  const t = y < top ? (top - y) / ry : y > bottom ? (y - bottom) / ry : 0;
  return Math.max(vmin, Math.sqrt(1 - vk * Math.min(1, t * t)));
}

// src/puppet/rig/deformation.ts
function deform(mover, state, point2, knownDepth) {
  const { rig, layer, gazeTravel } = mover;
  point2.x += gazeTravel[0] * state.params.gazeX;
  point2.y += gazeTravel[1] * state.params.gazeY;
  if (layer.brow) moveBrow(rig, layer.brow, state, point2);
  if (layer.lip) moveLip(rig, state, point2);
  if (layer.sway) {
    const share2 = smooth(layer.sway.y0, layer.sway.y1, point2.y);
    point2.x += state.params.swayX * layer.sway.x * share2;
    point2.y += state.params.swayY * layer.sway.y * share2;
  }
  if (!layer.followsHead) {
    point2.y -= 2 * state.params.breath * (1 - smooth(420, 520, point2.y));
    return;
  }
  const depth = knownDepth ?? depthAt(layer, rig, point2.x, point2.y);
  const share = layer.follow ? rampAt(layer.follow, point2.y) : 1;
  if (share >= 0.999) moveWithHead(rig, layer, state, depth, point2);
  else followHead(rig, layer, state, depth, share, point2);
}
function entersHeadAtRest({ layer, gazeTravel }) {
  return gazeTravel[0] === 0 && gazeTravel[1] === 0 && !layer.brow && !layer.lip && !layer.sway;
}
function rampAt({ y0, y1, from, to }, y) {
  return from + (to - from) * smooth(y0, y1, y);
}
function moveBrow({ brow }, reach, state, point2) {
  const inner = 1 - clamp(Math.abs(point2.x - reach.innerX) / reach.length);
  point2.y -= state.params.browRaise * (brow.raise + brow.outer * (1 - inner)) + state.concern * (brow.concern * inner - brow.rest) - state.mouthSmile * brow.smile;
  point2.x += state.concern * inner * reach.direction * brow.pinch;
}
function moveLip({ lip }, state, point2) {
  const dx = point2.x - lip.x;
  const end = Math.min(1, Math.abs(dx) / lip.w);
  point2.x += dx * (state.lipScale - 1) * end;
  point2.y += state.lipY * (lip.base + (1 - lip.base) * clamp((point2.y - lip.y0) / (lip.y1 - lip.y0))) - state.mouthSmile * lip.smile * end * end;
}
function followHead(rig, layer, state, depth, share, point2) {
  const { x, y } = point2;
  const { neck, neckY0, neckY1 } = rig.jaw;
  const restY = layer.jaw ? y + state.jaw * neck * (1 - smooth(neckY0, neckY1, y)) : y;
  moveWithHead(rig, layer, state, depth, point2);
  point2.x = x + (point2.x - x) * share;
  point2.y = restY + (point2.y - restY) * share;
}
function moveWithHead(rig, layer, state, depth, point2) {
  if (layer.jaw) moveJaw(rig, state, point2);
  if (layer.cheek !== 0) point2.y -= state.smile * layer.cheek * cheekShare(rig, point2);
  const { head } = rig;
  const dx = point2.x - head.cx;
  const dy = point2.y - head.cy;
  const near = -dx * state.sinYaw + depth * state.cosYaw;
  const scale = 1 + (near - 30 * state.cosYaw) * state.perspective;
  const px = (dx * state.cosYaw + depth * state.sinYaw) * scale + head.cx - head.pivotX;
  const py = (dy * state.cosPitch + near * state.sinPitch) * scale + head.cy - head.pivotY;
  point2.x = head.pivotX + px * state.cosRoll - py * state.sinRoll + state.sinRoll * head.rollShift;
  point2.y = head.pivotY + px * state.sinRoll + py * state.cosRoll;
}
function moveJaw({ jaw }, state, point2) {
  const dx = point2.x - jaw.x;
  const t = Math.abs(dx) / jaw.w;
  const share = smooth(jaw.y0, jaw.y1 + jaw.bow * Math.min(1, t * t), point2.y) * (1 - jaw.side * Math.min(1, t));
  point2.y += state.jaw * share;
  point2.x -= dx * state.jaw * jaw.narrow * smooth(jaw.ny0, jaw.ny1, point2.y);
}
function cheekShare({ cheek, head }, { x, y }) {
  if (!cheek) return 1;
  const across = (x - head.cx) / cheek.x;
  const down = (y - cheek.y) / cheek.ry;
  return Math.exp(-cheek.sharp * (across * across - 1) ** 2 - down * down);
}

// src/puppet/rig/gradient.ts
var radialUnit = 100;
function linearGradient(ctx, mover, state, { from, to, stops }) {
  const start = moved(mover, state, from[0], from[1]);
  const end = moved(mover, state, to[0], to[1]);
  return withStops(ctx.createLinearGradient(start.x, start.y, end.x, end.y), stops);
}
function radialGradient(ctx, { focus, stops }) {
  const gradient = ctx.createRadialGradient(
    focus[0] * radialUnit,
    focus[1] * radialUnit,
    0,
    0,
    0,
    radialUnit
  );
  return withStops(gradient, stops);
}
function radialMatrix(mover, state, gradient) {
  const [cx, cy] = gradient.centre;
  const centre = moved(mover, state, cx, cy);
  const right = moved(mover, state, cx + 2, cy);
  const below = moved(mover, state, cx, cy + 2);
  const jx = [(right.x - centre.x) / 2, (right.y - centre.y) / 2];
  const jy = [(below.x - centre.x) / 2, (below.y - centre.y) / 2];
  const cos = Math.cos(gradient.rotation);
  const sin = Math.sin(gradient.rotation);
  const [rx, ry] = gradient.radii;
  const a = rx * (cos * jx[0] + sin * jy[0]);
  const b = rx * (cos * jx[1] + sin * jy[1]);
  const c = ry * (cos * jy[0] - sin * jx[0]);
  const d = ry * (cos * jy[1] - sin * jx[1]);
  if (Math.abs(a * d - b * c) < 1e-6) return void 0;
  const unit = 1 / radialUnit;
  return [a * unit, b * unit, c * unit, d * unit, centre.x, centre.y];
}
function unmapPoints([a, b, c, d, e, f], points) {
  const scale = 1 / (a * d - b * c);
  const mapped = new Float32Array(points.length);
  for (let i = 0; i < points.length; i += 2) {
    const x = points[i] - e;
    const y = points[i + 1] - f;
    mapped[i] = (d * x - c * y) * scale;
    mapped[i + 1] = (a * y - b * x) * scale;
  }
  return mapped;
}
function moved(mover, state, x, y) {
  const point2 = { x, y };
  deform(mover, state, point2);
  return point2;
}
function withStops(gradient, stops) {
  for (const [offset, colour] of stops) gradient.addColorStop(offset, colour);
  return gradient;
}

// src/puppet/rig/path-builder.ts
function buildPath(env2, { verbs }, points, offsetX = 0) {
  const path = new env2.Path2D();
  let i = 0;
  for (const verb of verbs) {
    const x = points[i] + offsetX;
    const y = points[i + 1];
    if (verb === Verb.curve) {
      path.bezierCurveTo(
        x,
        y,
        points[i + 2] + offsetX,
        points[i + 3],
        points[i + 4] + offsetX,
        points[i + 5]
      );
      i += 6;
    } else if (verb === Verb.close) {
      path.closePath();
    } else {
      if (verb === Verb.move) path.moveTo(x, y);
      else path.lineTo(x, y);
      i += 2;
    }
  }
  return path;
}

// src/puppet/rig/painter.ts
var farAwayUnits = 4e3;
var leastBlurPx = 0.45;
function paintLayers(ctx, scene, layers, state, scale) {
  for (const layer of layers) {
    if (!scene.isShown(layer, state)) continue;
    withClips(ctx, scene, layer.clips, state, () => {
      for (const part of layer.parts) paintPart(ctx, scene, part, state, scale);
    });
  }
  ctx.globalAlpha = 1;
}
function paintPart(ctx, scene, part, state, scale) {
  const { shape, geometry } = part;
  if (!shape.fill && !shape.stroke) return;
  const opacity = shapeOpacity(shape, state);
  if (opacity === 0) return;
  withClips(ctx, scene, part.clips, state, () => {
    const points = geometry.points(state);
    ctx.globalAlpha = opacity;
    fillPart(ctx, scene, part, points, state, scale);
    if (shape.stroke) {
      ctx.strokeStyle = shape.stroke.colour;
      ctx.lineWidth = shape.stroke.width;
      ctx.lineCap = shape.stroke.cap;
      ctx.lineJoin = "round";
      ctx.stroke(buildPath(scene.env, shape.outline, points));
    }
  });
}
function withClips(ctx, scene, clips, state, paint) {
  if (clips.length === 0) {
    paint();
    return;
  }
  ctx.save();
  for (const clip of clips) ctx.clip(scene.clipPath(clip, state));
  paint();
  ctx.restore();
}
function fillPart(ctx, scene, part, points, state, scale) {
  const { shape, geometry } = part;
  const { fill } = shape;
  if (fill === void 0) return;
  if (typeof fill === "string") {
    if (shape.blurUnits * scale >= leastBlurPx) {
      fillSoft(ctx, scene, part, points, fill, scale);
      return;
    }
    ctx.fillStyle = fill;
  } else if (fill.kind === "linear") {
    ctx.fillStyle = linearGradient(ctx, geometry.mover, state, fill);
  } else {
    fillRadial(ctx, scene, part, points, state, fill);
    return;
  }
  ctx.fill(buildPath(scene.env, shape.outline, points));
}
function fillSoft(ctx, scene, { shape }, points, colour, scale) {
  ctx.save();
  ctx.shadowColor = colour;
  ctx.shadowBlur = shape.blurUnits * 2 * scale;
  ctx.shadowOffsetX = farAwayUnits * scale;
  ctx.shadowOffsetY = 0;
  ctx.fillStyle = "#000";
  ctx.fill(buildPath(scene.env, shape.outline, points, -farAwayUnits));
  ctx.restore();
}
function fillRadial(ctx, scene, { shape, geometry }, points, state, fill) {
  const matrix = radialMatrix(geometry.mover, state, fill);
  if (!matrix) return;
  ctx.save();
  ctx.transform(...matrix);
  ctx.fillStyle = radialGradient(ctx, fill);
  ctx.fill(buildPath(scene.env, shape.outline, unmapPoints(matrix, points)));
  ctx.restore();
}

// src/puppet/pictures/run-pictures.ts
var snugPx = 0.2;
var tolerancePx = 0.5;
var limitPx = 1.1;
var opacityTolerance = 0.02;
var runBudget = 4;
var RunPictures = class {
  constructor(scene, env2, run2, frame) {
    this.scene = scene;
    this.env = env2;
    this.run = run2;
    this.frame = frame;
    this.#samples = new MotionSamples(run2.layers);
    this.#pointCount = pointCount(run2.layers);
    this.#fading = run2.layers.flatMap(({ layer }) => layer.shapes).filter(({ opacityBy, visibleBy }) => opacityBy.length > 0 || visibleBy !== void 0);
  }
  scene;
  env;
  run;
  frame;
  #samples;
  #fading;
  #pictures = [];
  #pointCount;
  #recent;
  #clock = 0;
  /** The picture that shows the run in this frame and the map to draw it with (none: where it lay); undefined when hidden. */
  place(state, allowance) {
    const shown = this.run.layers.map((layer) => this.scene.isShown(layer, state) ? "1" : "0").join("");
    if (!shown.includes("1")) return void 0;
    const opacities = this.#fading.map((shape) => shapeOpacity(shape, state));
    const places = this.#samples.at(state, this.frame.scale);
    const closest = this.#closest(places, opacities, shown);
    const found = closest && this.#serves(closest.fit.residual, allowance) ? closest : void 0;
    const picture = found?.picture ?? this.#drawAnew(places, opacities, shown, state);
    picture.lastUse = ++this.#clock;
    this.#recent = picture;
    return { picture, matrix: found?.fit.matrix };
  }
  #closest(places, opacities, shown) {
    const usable = (picture) => picture.shown === shown && picture.opacities.every((opacity, i) => Math.abs(opacity - opacities[i]) <= opacityTolerance);
    let best;
    if (this.#recent && usable(this.#recent)) {
      const fit = this.#recent.reference.fit(places);
      if (fit.residual <= snugPx) return { picture: this.#recent, fit };
      best = { picture: this.#recent, fit };
    }
    for (const picture of this.#pictures) {
      if (picture === this.#recent || !usable(picture)) continue;
      const fit = picture.reference.fit(places);
      if (!best || fit.residual < best.fit.residual) best = { picture, fit };
    }
    return best;
  }
  /** Whether a picture that is this far off is used; if not, what drawing it anew costs is taken off the allowance. */
  #serves(residualPx, allowance) {
    if (residualPx <= tolerancePx) return true;
    if (this.run.isLively) return false;
    if (residualPx <= limitPx && allowance.points <= 0) return true;
    allowance.points -= this.#pointCount;
    return false;
  }
  #drawAnew(places, opacities, shown, state) {
    const { scale, sizePx } = this.frame;
    const box = layerBounds(this.scene, this.run.layers, state, scale, sizePx);
    const canvas = this.#freeCanvas(box);
    const ctx = contextOf(canvas);
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.clearRect(0, 0, canvas.width, canvas.height);
    ctx.translate(-box.x, -box.y);
    ctx.scale(scale, scale);
    paintLayers(ctx, this.scene, this.run.layers, state, scale);
    const picture = { canvas, box, reference: new AffineReference(places), opacities, shown, lastUse: 0 };
    this.#pictures.push(picture);
    return picture;
  }
  /** A canvas for a box: that of the picture that was not used for the longest time, once there are enough. */
  #freeCanvas(box) {
    const width = roundUp(box.width);
    const height2 = roundUp(box.height);
    const capacity = clamp(Math.floor(runBudget * this.frame.sizePx ** 2 / (width * height2)), 2, 48);
    if (this.#pictures.length < capacity) return this.env.createCanvas(width, height2);
    const oldest = this.#pictures.reduce((a, b) => b.lastUse < a.lastUse ? b : a);
    this.#pictures.splice(this.#pictures.indexOf(oldest), 1);
    const { canvas } = oldest;
    return canvas.width === width && canvas.height === height2 ? canvas : this.env.createCanvas(width, height2);
  }
};
function roundUp(lengthPx) {
  return Math.max(16, Math.ceil(lengthPx / 16) * 16);
}

// src/puppet/rig/shape-geometry.ts
var ShapeGeometry = class {
  constructor(character2, layer, shape) {
    this.character = character2;
    this.layer = layer;
    this.shape = shape;
    this.mover = { rig: character2.rig, layer, gazeTravel: shape.gazeTravel };
    const { length } = shape.outline.points;
    this.#moved = new Float32Array(length);
    this.#mixed = shape.blink || shape.mouth !== void 0 ? new Float32Array(length) : shape.outline.points;
  }
  character;
  layer;
  shape;
  mover;
  #mixed;
  #moved;
  #point = { x: 0, y: 0 };
  #depths;
  #movedFor;
  #blended;
  /** All points of this frame, x, y, x, y… in units. */
  points(state) {
    if (this.#movedFor === state) return this.#moved;
    this.#movedFor = state;
    const { length } = this.#moved;
    const source = this.#mix(state);
    const depths = this.#restingDepths();
    for (let i = 0; i < length; i += 2) {
      this.#point.x = source[i];
      this.#point.y = source[i + 1];
      deform(this.mover, state, this.#point, depths?.[i >> 1]);
      this.#moved[i] = this.#point.x;
      this.#moved[i + 1] = this.#point.y;
    }
    return this.#moved;
  }
  /** Where one point of the outline is now, without computing the others; `index` counts points. */
  pointAt(index, state) {
    this.#point.x = this.#mixAt(index * 2, state);
    this.#point.y = this.#mixAt(index * 2 + 1, state);
    deform(this.mover, state, this.#point, this.#restingDepths()?.[index]);
    return this.#point;
  }
  #mix(state) {
    const rest = this.shape.outline.points;
    if (this.#mixed === rest) return rest;
    this.#mixed.set(rest);
    for (const { weight, delta } of this.#blend(state)) {
      for (let i = 0; i < delta.length; i++) this.#mixed[i] += weight * delta[i];
    }
    return this.#mixed;
  }
  #mixAt(i, state) {
    let sum = this.shape.outline.points[i];
    for (const { weight, delta } of this.#blend(state)) sum += weight * delta[i];
    return sum;
  }
  /** What is added to the resting outline in this frame. */
  #blend(state) {
    if (this.#mixed === this.shape.outline.points) return [];
    if (this.#blended?.state !== state) {
      const { blink, mouth } = this.shape;
      const blends = blink ? blinkBlend(blink, lidClosure(this.character, this.layer, state), state.smile) : state.mouth.map(({ weight, key }) => ({ weight, delta: key.deltas[mouth ?? ""] }));
      this.#blended = { state, blends };
    }
    return this.#blended.blends;
  }
  /** Depth depends on the resting point alone for most shapes; it is the costly part, so it is kept. */
  #restingDepths() {
    if (this.#depths) return this.#depths;
    const { points } = this.shape.outline;
    const moves = this.shape.blink !== void 0 || this.shape.mouth !== void 0;
    if (moves || !this.layer.followsHead || !entersHeadAtRest(this.mover)) return void 0;
    this.#depths = new Float32Array(points.length / 2);
    for (let i = 0; i < this.#depths.length; i++) {
      this.#depths[i] = depthAt(this.layer, this.character.rig, points[i * 2], points[i * 2 + 1]);
    }
    return this.#depths;
  }
};
function blinkBlend({ half, closed, smile }, lid, smiling) {
  const blends = lid <= 0.5 ? [{ weight: 2 * lid, delta: half }] : [
    { weight: 2 - 2 * lid, delta: half },
    { weight: 2 * lid - 1, delta: closed }
  ];
  if (smile) blends.push({ weight: smiling * (1 - clamp(lid)), delta: smile });
  return blends;
}
function lidClosure({ rig }, { side }, { params }) {
  const own = side === "l" ? params.blinkL : side === "r" ? params.blinkR : 0;
  const gaze = Math.max(0, params.gazeY) * rig.lid.down - Math.max(0, -params.gazeY) * rig.lid.up;
  return clamp(Math.max(params.blink, own) + gaze, -0.12, 1);
}

// src/puppet/rig/scene.ts
var Scene = class {
  constructor(character2, env2) {
    this.character = character2;
    this.env = env2;
    this.layers = character2.layers.map((layer) => ({
      layer,
      clips: layer.clips.map((clip) => this.#part(clip.layer, clip.shape)),
      parts: layer.shapes.map((shape) => this.#part(layer, shape))
    }));
  }
  character;
  env;
  layers;
  #parts = /* @__PURE__ */ new Map();
  #clipPaths = /* @__PURE__ */ new WeakMap();
  /** The part that `layerId#pathId` or `layerId#index` names. */
  find(ref) {
    const found = findShape((id) => this.character.layers.find((layer) => layer.id === id), ref);
    if (!found) throw new PuppetError("UNKNOWN_REFERENCE", "", `the character has no path "${ref}"`);
    return this.#part(found.layer, found.shape);
  }
  /** The path of a part to clip with, made once a frame. */
  clipPath(part, state) {
    const made = this.#clipPaths.get(part);
    if (made?.state === state) return made.path;
    const path = buildPath(this.env, part.shape.outline, part.geometry.points(state));
    this.#clipPaths.set(part, { state, path });
    return path;
  }
  /** Whether a layer is drawn: an optional one only while its option is on. */
  isShown({ layer }, { params }) {
    if (layer.optional === void 0) return true;
    return params.options[layer.optional] ?? this.character.options[layer.optional] ?? true;
  }
  #part(layer, shape) {
    const known2 = this.#parts.get(shape);
    if (known2) return known2;
    const clips = [];
    const part = { shape, geometry: new ShapeGeometry(this.character, layer, shape), clips };
    this.#parts.set(shape, part);
    clips.push(...shape.clips.map((clip) => this.#part(clip.layer, clip.shape)));
    return part;
  }
};

// src/puppet/pictures/renderer.ts
var pointsPerFrame = 500;
function createPuppetRenderer(character2, env2, { size: size2, canvas = env2.createCanvas(size2, size2) }) {
  const scene = new Scene(character2, env2);
  const frame = { scale: size2 / character2.sizeUnits, sizePx: size2 };
  const runs = layerRuns(scene).map((run2) => new RunPictures(scene, env2, run2, frame));
  return new FrameRenderer(character2, env2, runs, size2, canvas);
}
var FrameRenderer = class _FrameRenderer {
  constructor(character2, env2, runs, size2, canvas) {
    this.character = character2;
    this.env = env2;
    this.runs = runs;
    this.size = size2;
    this.canvas = canvas;
    canvas.width = size2;
    canvas.height = size2;
    this.#ctx = contextOf(canvas);
  }
  character;
  env;
  runs;
  size;
  canvas;
  #changed = emptyBox;
  #ctx;
  /** Where the latest frame shows each run. */
  #placements = [];
  get changed() {
    return this.#changed;
  }
  draw(params = {}) {
    const state = frameState(this.character, params);
    const allowance = { points: pointsPerFrame };
    this.#changed = emptyBox;
    this.runs.forEach((run2, i) => {
      const placed = run2.place(state, allowance);
      this.#place(i, placed && new Placement(placed.picture, placed.matrix, this.size));
    });
    if (!isEmpty(this.#changed)) this.#paint(this.#changed);
    return this.canvas;
  }
  sibling() {
    const { character: character2, env: env2, runs, size: size2 } = this;
    return new _FrameRenderer(character2, env2, runs, size2, env2.createCanvas(size2, size2));
  }
  #place(i, placement) {
    const last = this.#placements[i];
    if (last === placement || last && placement?.isLike(last)) return;
    this.#changed = around(this.#changed, around(last?.area ?? emptyBox, placement?.area ?? emptyBox));
    this.#placements[i] = placement;
  }
  #paint(box) {
    const ctx = this.#ctx;
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.save();
    ctx.clip(this.#outline(box));
    ctx.clearRect(box.x, box.y, box.width, box.height);
    for (const placement of this.#placements) {
      if (placement && overlap(placement.area, box)) placement.paste(ctx);
    }
    ctx.restore();
  }
  #outline({ x, y, width, height: height2 }) {
    const path = new this.env.Path2D();
    path.moveTo(x, y);
    path.lineTo(x + width, y);
    path.lineTo(x + width, y + height2);
    path.lineTo(x, y + height2);
    path.closePath();
    return path;
  }
};

// src/service/media/wrtc.ts
import wrtcModule from "@roamhq/wrtc";
var wrtc = wrtcModule;

// src/service/media/packed-frame.ts
var lumaOfAlpha = Uint8Array.from({ length: 256 }, (_, alpha) => Math.round(16 + alpha * 219 / 255));
var blackLuma = 16;
var neutralChroma = 128;
var PackedFrame = class {
  video;
  #size;
  #colour;
  constructor(size2) {
    const pixels = size2 * size2;
    this.#size = size2;
    this.#colour = new Uint8ClampedArray(pixels * 1.5);
    const data = new Uint8Array(pixels * 3).fill(blackLuma, 0, pixels * 2).fill(neutralChroma, pixels * 2);
    this.video = { width: size2, height: size2 * 2, data };
  }
  /**
   * Packs a whole picture of premultiplied RGBA, of which only `changed` differs from the one before: premultiplied is
   * what lies on black. The picture must have an ArrayBuffer of its own, of little-endian words, as on every machine
   * that the WebRTC library is built for.
   */
  pack(rgba, changed) {
    this.#packColour(rgba, changed);
    this.#packMatte(rgba, changed);
  }
  /** The library converts whole buffers only, at little cost; rows that did not change are not copied further. */
  #packColour(rgba, { y, height: height2 }) {
    const size2 = this.#size;
    const pixels = size2 * size2;
    const picture = new Uint8ClampedArray(rgba.buffer, rgba.byteOffset, rgba.byteLength);
    wrtc.nonstandard.rgbaToI420(
      { width: size2, height: size2, data: picture },
      { width: size2, height: size2, data: this.#colour }
    );
    const start = (y & ~1) * size2;
    const end = (y + height2 + 1 & ~1) * size2;
    const { data } = this.video;
    data.set(this.#colour.subarray(start, end), start);
    for (const plane of [1, 1.25]) {
      const from = pixels * plane + start / 4;
      data.set(this.#colour.subarray(from, from + (end - start) / 4), pixels * 2 * plane + start / 4);
    }
  }
  #packMatte(rgba, { x, y, width, height: height2 }) {
    const size2 = this.#size;
    const pixels = size2 * size2;
    const matte = this.video.data.subarray(pixels, pixels * 2);
    const words = new Uint32Array(rgba.buffer, rgba.byteOffset, pixels);
    for (let row = y; row < y + height2; row++) {
      const end = row * size2 + x + width;
      for (let index = row * size2 + x; index < end; index++) {
        matte[index] = lumaOfAlpha[words[index] >>> 24];
      }
    }
  }
};

// bench/.scratch-frame.ts
var name = process.argv[2] ?? "mina";
var sessions = Number(process.argv[3] ?? 1);
var frames = 250;
var character = parseCharacter(JSON.parse(readFileSync(`/work/wt/media/public/characters/${name}.json`, "utf8")));
var visemes2 = readFileSync("/work/wt/media/src/puppet/viseme.ts", "utf8").match(/"(\w+)"/g).map((s) => s.slice(1, -1));
var size = 512;
var env = { Path2D, createCanvas: (w, h) => createCanvas(w, h) };
var renderer = createPuppetRenderer(character, env, { size });
var bs = Array.from({ length: sessions }, (_, s) => {
  const b = createPuppetBehaviour(character, { seed: 100 + s * 17 });
  const vs = [], ws = [];
  let t = 0;
  let r = s + 1;
  const rnd = () => (r = r * 16807 % 2147483647) / 2147483647;
  while (t < 2e4) {
    const w0 = t;
    const n = 2 + Math.floor(rnd() * 6);
    for (let i = 0; i < n; i++) {
      const d = 50 + rnd() * 90;
      vs.push({ viseme: visemes2[Math.floor(rnd() * visemes2.length)], start: t, end: t + d });
      t += d;
    }
    ws.push({ text: "x".repeat(n), start: w0, end: t });
    t += rnd() < 0.2 ? 200 : 10;
  }
  b.speak({ visemes: vs, words: ws }, 0);
  return b;
});
var rs = bs.map(() => renderer.sibling());
var area = 0;
var same = 0;
var packed = bs.map(() => new PackedFrame(size));
var acc = {};
var cpu = () => {
  const u = process.cpuUsage();
  return (u.user + u.system) / 1e3;
};
var mark = 0;
var lap = (k) => {
  const n = performance.now();
  acc[k] = (acc[k] ?? 0) + n - mark;
  mark = n;
};
async function run(from, to) {
  for (let i = from; i < to; i++) for (let s = 0; s < sessions; s++) {
    mark = performance.now();
    const p = bs[s].step(i * 40);
    lap("step");
    const c = rs[s].draw(p);
    lap("draw");
    const ch = rs[s].changed;
    area += ch.width * ch.height;
    if (!ch.width) {
      same++;
      continue;
    }
    const d = c.data();
    lap("data");
    packed[s].pack(d, ch);
    lap("pack");
    await new Promise((r) => setImmediate(r));
  }
}
await run(0, 50);
area = 0;
same = 0;
for (const k in acc) acc[k] = 0;
var c0 = cpu();
await run(50, 50 + frames);
var c1 = cpu();
var per = frames * sessions;
console.log("area", (area / per / size / size).toFixed(2), "same", same, name, sessions, "cpu/frame", ((c1 - c0) / per).toFixed(2), Object.entries(acc).map(([k, v]) => `${k} ${(v / per).toFixed(2)}`).join(" "));
process.exit(0);
