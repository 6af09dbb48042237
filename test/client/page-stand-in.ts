/** What a session needs of a page, for tests in Node: events of window and document. */
export class PageStandIn {
  readonly window = new EventTarget();
  readonly document = Object.assign(new EventTarget(), { hidden: false });

  install(): void {
    Object.assign(globalThis, {
      addEventListener: this.window.addEventListener.bind(this.window),
      removeEventListener: this.window.removeEventListener.bind(this.window),
      document: this.document,
    });
  }

  remove(): void {
    for (const name of ["addEventListener", "removeEventListener", "document"])
      Reflect.deleteProperty(globalThis, name);
  }
}
