import type { DataChannel } from "./wrtc.ts";

/**
 * Sends a text, if the channel takes it. Its state may say open when the other side has closed it already, and then the
 * library throws: nobody is there to read the text. Returns whether it was sent.
 */
export function sendText(channel: DataChannel, text: string): boolean {
  if (channel.readyState !== "open") return false;
  try {
    channel.send(text);
    return true;
  } catch {
    return false;
  }
}
