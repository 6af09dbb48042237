const methods = "open close start end send say interrupt mute unmute setVariables registerTool".split(" ");

/** The element, once its methods are real. */
type Contract = Record<string, unknown> & Record<string, (...given: unknown[]) => unknown>;

/**
 * Lets the element answer to its contract before the widget is there: a method called early loads the widget first,
 * then acts, in the order of the calls. The widget takes these properties off the element when it takes over.
 */
export function standIn(element: HTMLElement, load: () => Promise<unknown>): void {
  const contract = element as unknown as Contract;
  for (const name of methods) {
    contract[name] = (...given: unknown[]) => load().then(() => contract[name]!(...given));
  }
  // A volume that is set meanwhile is taken over by the widget.
  Object.assign(element, { state: "idle", activity: "idle", sessionId: null, transcript: [], volume: 1 });
}
