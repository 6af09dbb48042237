import { fork, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";

/** A child process that answers commands `{ id, command }` by `{ id, result }` or `{ id, error }`. */
export class AskedProcess<Command> {
  readonly #child: ChildProcess;
  readonly #pending = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  #lastId = 0;

  constructor(entry: URL, args: string[] = []) {
    this.#child = fork(fileURLToPath(entry), args, { serialization: "advanced", execArgv: [] });
    this.#child.on("message", (message) => {
      const { id, result, error } = message as { id: number; result?: unknown; error?: string };
      const pending = this.#pending.get(id);
      this.#pending.delete(id);
      if (error === undefined) pending?.resolve(result);
      else pending?.reject(new Error(error));
    });
    this.#child.on("exit", (code, signal) => {
      for (const { reject } of this.#pending.values())
        reject(new Error(`The client died: ${code} ${signal}.`));
      this.#pending.clear();
    });
  }

  get pid(): number {
    return this.#child.pid!;
  }

  /** Rejects with the command's error. */
  run(command: Command): Promise<unknown> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      if (!this.#child.connected) throw new Error("The client is gone.");
      this.#pending.set(id, { resolve, reject });
      this.#child.send({ id, command });
    });
  }

  /** Ends the process. */
  async end(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = new Promise((resolve) => this.#child.once("exit", resolve));
    this.#child.kill("SIGKILL");
    await ended;
  }
}

/** Answers the commands of an `AskedProcess`, in the process that it asks. */
export function answerCommands(run: (command: never) => unknown): void {
  process.on("message", ({ id, command }: { id: number; command: never }) => {
    new Promise((resolve) => resolve(run(command))).then(
      (result) => process.send?.({ id, result }),
      (error: unknown) => process.send?.({ id, error: String(error) }),
    );
  });
  process.on("disconnect", () => process.exit(0));
}
