import sheet from "../styles/voice.css?inline";
import { addTexts } from "../texts/texts.ts";
import { voiceTexts } from "../texts/voice-texts.ts";

export { DeviceList } from "./voice-parts.ts";
export { TalkController } from "./talk-controller.ts";
export { voiceParts } from "./voice-parts.ts";

export const css: string = sheet;

addTexts(voiceTexts);
