/** A frame of 10 ms counts as speech onset when so many of the last ones were voiced: 40 ms of the last 60. */
const onsetFrames = 6;
const onsetVoiced = 4;
/** Speech is sustained when so many ms of it were voiced since its onset; a cough or a click is shorter. */
const sustainedMs = 160;
/** Speech has vowels: so many ms of it have a pitch before it counts. The noise that a browser's noise suppression lets through has none. */
const vowelMs = 40;
/** Without them a sound is forgotten after so long, in ms. */
const vowellessMs = 1_000;
/** After a pause so long, speech that was not sustained is forgotten. In ms. */
const forgetMs = 180;
const frameMs = 10;

/** What the frames tell. `onset`: somebody may be speaking; `speech`: it is speech; `false-onset`: it was not. */
export type SpeechNews = "onset" | "speech" | "false-onset" | null;

/** Finds speech in frames of 10 ms, each voiced or not. Its result depends only on the frames so far. */
export class SpeechFrames {
  #last: boolean[] = [];
  #state: "quiet" | "onset" | "speech" = "quiet";
  #voicedMs = 0;
  #vowelMs = 0;
  #pauseMs = 0;
  #sinceOnsetMs = 0;

  /** How long nothing was voiced, in ms. */
  get pauseMs(): number {
    return this.#pauseMs;
  }

  get isSpeech(): boolean {
    return this.#state === "speech";
  }

  /**
   * Takes the next frame. `sustainMs`: how long speech must last at least to count, from its onset; `isVowel`: the frame has the
   * pitch of a voice.
   */
  take(isVoiced: boolean, sustainMs: number, isVowel = isVoiced): SpeechNews {
    this.#last = [...this.#last.slice(1 - onsetFrames), isVoiced];
    this.#pauseMs = isVoiced ? 0 : this.#pauseMs + frameMs;
    this.#sinceOnsetMs += frameMs;
    if (isVoiced) this.#voicedMs += frameMs;
    if (isVowel) this.#vowelMs += frameMs;
    if (this.#state === "quiet") return this.#lookForOnset();
    if (this.#state === "speech") return null;
    const isNoise = this.#vowelMs < vowelMs;
    if (this.#pauseMs >= forgetMs || (isNoise && this.#sinceOnsetMs >= vowellessMs)) {
      this.reset();
      return "false-onset";
    }
    if (isNoise || this.#sinceOnsetMs < sustainMs) return null;
    if (this.#voicedMs < Math.min(sustainedMs, sustainMs)) return null;
    this.#state = "speech";
    return "speech";
  }

  /** The turn is over. */
  reset(): void {
    this.#state = "quiet";
    this.#last = [];
    this.#vowelMs = 0;
  }

  #lookForOnset(): SpeechNews {
    const voiced = this.#last.filter(Boolean).length;
    if (voiced < onsetVoiced) {
      if (voiced === 0) this.#vowelMs = 0;
      return null;
    }
    this.#state = "onset";
    this.#voicedMs = voiced * frameMs;
    this.#sinceOnsetMs = this.#last.length * frameMs;
    return "onset";
  }
}
