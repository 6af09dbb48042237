/** The parts of a page that a session needs, for tests in Node: its address, and events of window and document. */
export class PageStandIn {
  readonly window = new EventTarget();
  readonly document = Object.assign(new EventTarget(), { hidden: false });

  install(): void {
    Object.assign(globalThis, {
      addEventListener: this.window.addEventListener.bind(this.window),
      removeEventListener: this.window.removeEventListener.bind(this.window),
      document: this.document,
      location: new URL("https://shop.example/"),
    });
  }

  remove(): void {
    for (const name of ["addEventListener", "removeEventListener", "document", "location"])
      Reflect.deleteProperty(globalThis, name);
  }
}
