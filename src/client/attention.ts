/** What the page knows of its visitor. */
export interface Attention {
  /** Whether the avatar can be seen. */
  inView: boolean;
  /** Called when that has changed, and with true for each sign that the visitor is there. */
  handle?: ((isSign?: boolean) => void) | undefined;
}
