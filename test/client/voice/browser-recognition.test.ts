import { expect, it } from "vitest";
import type { PublicContext } from "../../../src/protocol/session/relay-api.ts";
import { Conversation } from "../../../src/client/conversation/conversation.ts";
import { TypedEvents } from "../../../src/client/typed-events.ts";
import { chooseBrowserRecognition } from "../../../src/client/voice/browser-recognizer.ts";
import { chooseRecognizer } from "../../../src/client/voice/session-recognizer.ts";
import { installRecognition, ScriptedRecognition, told } from "./scripted-recognition.ts";

/** Who recognizes the speech of a visitor from Vienna, where the relay says this of the context's voice. */
async function chosen(voice: unknown): Promise<string | null> {
  const context = { voice } as PublicContext;
  const conversation = new Conversation(new TypedEvents());
  return (await chooseRecognizer(context, conversation, "de-AT"))?.kind ?? null;
}

const browser = { recognizer: false, browser: true };
const cloud = { ...browser, cloud_recognizer: true };

it("is the service's where the context names one, whatever the browser has", async () => {
  installRecognition();
  expect(await chosen({ recognizer: true })).toBe("service");
  expect(told).toEqual([]);
});

it("is the one on the device, where it speaks the visitor's language or can learn it", async () => {
  installRecognition();
  expect(await chosen(browser)).toBe("device");
  expect(told).toEqual(["available de-AT"]);
  ScriptedRecognition.availability = "downloadable";
  expect([await chosen(browser), await chosen(cloud)]).toEqual(["device", "device"]);
  ScriptedRecognition.availability = "unavailable";
  expect(await chosen(browser)).toBeNull();
});

it("is another one after the device's could not be installed, until it is there", async () => {
  ScriptedRecognition.availability = "downloadable";
  ScriptedRecognition.installs = false;
  installRecognition();
  const choose = () => chooseBrowserRecognition("de-CH", true);
  const promised = await choose();
  expect([promised?.kind, await promised?.install()]).toEqual(["device", false]);
  expect([(await choose())?.kind, await chooseBrowserRecognition("de-CH", false)]).toEqual(["cloud", null]);
  ScriptedRecognition.availability = "available";
  expect((await choose())?.kind).toBe("device");
});

it("is the one of the browser's maker only where the owner allows it", async () => {
  ScriptedRecognition.availability = "unavailable";
  installRecognition();
  expect([await chosen(browser), await chosen(cloud)]).toEqual([null, "cloud"]);
  // The page's policy forbids the one on the device.
  ScriptedRecognition.availability = new Error("not allowed");
  expect([await chosen(browser), await chosen(cloud)]).toEqual([null, "cloud"]);
});

it("is the one of the browser's maker in browsers that know no other", async () => {
  installRecognition("webkitSpeechRecognition", class extends EventTarget {});
  expect([await chosen(browser), await chosen(cloud)]).toEqual([null, "cloud"]);
});

it("is none in browsers without one, and where the relay says nothing", async () => {
  expect([await chosen(browser), await chosen(cloud)]).toEqual([null, null]);
  installRecognition();
  expect([await chosen(undefined), await chosen({ recognizer: false })]).toEqual([null, null]);
});
