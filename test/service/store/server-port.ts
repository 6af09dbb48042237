import { connect } from "node:net";
import { until } from "../../patience.ts";

/** Resolves when something listens at the port. Rejects when `isAlive` says that nothing will. */
export async function listening(port: number, isAlive: () => boolean): Promise<void> {
  await until(`the server for port ${port}`, async () => {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => resolve(true));
      socket.on("error", () => resolve(false)).on("connect", () => socket.destroy());
    });
    if (!isOpen && !isAlive()) throw new Error(`The server for port ${port} has ended.`);
    return isOpen;
  });
}
