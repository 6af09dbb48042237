/** Audio as engines take it: one channel. */
export interface DecodedAudio {
  pcm: Int16Array;
  sampleRateHz: number;
}
