import { connect, createServer, type AddressInfo } from "node:net";

/** A free port. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

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
