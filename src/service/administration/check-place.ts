import type { EngineMachine as ServiceMachine } from "../engines/engine.ts";
import type { Store } from "../store/store.ts";

/** The machine that the engines of entries run on. */
export interface EngineMachine extends ServiceMachine {
  /** The folder of the files that the server serves (`characters/`, `backgrounds/`). */
  publicFolder: string;
}

/** The context in which an entry is checked before it is saved. */
export interface CheckPlace {
  machine: EngineMachine;
  store: Pick<Store, "catalogue" | "contexts">;
  /** The organization that will own the entry; null for every organization. */
  owner: string | null;
}
