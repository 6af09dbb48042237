import type { Socket } from "node:net";

/** How long a connection is held, in ms. A sender that waits for its answer sends less. */
const heldMs = 1_000;

/**
 * The maximum number of held connections. Further ones are closed at once, so that the process does not run out of file
 * descriptors.
 */
const maxHeld = 256;

/** Closes connections without an answer, after a delay. Reads nothing more from them. */
export class HeldConnections {
  #held = 0;

  close(socket: Socket): void {
    if (this.#held >= maxHeld) {
      socket.destroy();
      return;
    }
    this.#held += 1;
    const timer = setTimeout(() => socket.destroy(), heldMs);
    socket.once("close", () => {
      clearTimeout(timer);
      this.#held -= 1;
    });
  }
}
