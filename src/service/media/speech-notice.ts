import type { ServerMessage } from "../../protocol/data-channel.ts";
import type { SpeechTimeline } from "../../puppet/index.ts";
import { drawnSpeech, inWholeMs } from "../drawn-speech.ts";

type Notice = Extract<ServerMessage, { type: "stf" }>["data"];

/** A longer message may be refused by the client's end of the channel: browsers take 256 KiB. */
const longestMessage = 200_000;

/**
 * The notice that a text begins to be spoken. For a client that draws the avatar itself it has the speech's timeline too, times in
 * ms from the beginning. For speech of many minutes the timeline is left out: then the mouth follows the sound alone.
 */
export function speechNotice(notice: Notice, timeline: SpeechTimeline | false): Notice {
  const short = { ...notice, ...(notice.words && { words: notice.words.map(inWholeMs) }) };
  if (!timeline) return short;
  const whole = { ...short, ...drawnSpeech(timeline) };
  return JSON.stringify(whole).length > longestMessage ? short : whole;
}
