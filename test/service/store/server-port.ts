import { connect } from "node:net";

/** Resolves when something listens at the port. Rejects when `isAlive` says that nothing will. */
export async function listening(port: number, isAlive: () => boolean): Promise<void> {
  for (;;) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => resolve(true));
      socket.on("error", () => resolve(false)).on("connect", () => socket.destroy());
    });
    if (isOpen) return;
    if (!isAlive()) throw new Error(`The server for port ${port} has ended.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
