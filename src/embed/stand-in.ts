const methods =
  "stopListening mute send show start unmute setVariables askForPerson listen end say registerTool close open interrupt".split(
    " ",
  );

/** The element, once the widget is loaded. */
type Contract = Record<string, (...given: unknown[]) => unknown>;

/**
 * Gives an element the methods and properties of its contract before the widget is loaded. A method that is called loads
 * the widget first and runs then, in the order of the calls. The widget removes these properties when it takes over. The
 * names are written out for size, in the order that compresses best; a test compares them with the contract in `protocol/`.
 */
export function standIn(element: HTMLElement, load: () => Promise<unknown>): void {
  const contract = element as unknown as Contract;
  for (const name of methods) {
    contract[name] = (...given: unknown[]) =>
      // What has been removed meanwhile is not upgraded, and the stand-in would call itself for ever.
      load().then(() => element.isConnected && contract[name]?.(...given));
  }
  // The widget takes over a volume that is set meanwhile.
  Object.assign(element, {
    activity: "idle",
    transcript: [],
    state: "idle",
    volume: 1,
    sessionId: null,
    microphone: "off",
  });
}
