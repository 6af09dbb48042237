import type { Store } from "../../service/store/store.ts";

/** Where the engines of entries are to run. */
export interface EngineMachine {
  environment: Readonly<Record<string, string | undefined>>;
  /** The folder of the files that the server serves itself (`characters/`, `backgrounds/`). */
  publicFolder: string;
  /** Where eSpeak NG and sherpa-onnx are installed; undefined: beside this program, if at all. */
  espeakFolder?: string | undefined;
  sherpaFolder?: string | undefined;
  /** Whether hooks, tool servers and interactive agents may be called by http and in private networks. */
  allowPrivateAddresses: boolean;
}

/** What an entry is checked against before it is kept. */
export interface CheckPlace {
  machine: EngineMachine;
  store: Pick<Store, "catalogue" | "contexts">;
  /** Whose the entry is to be; null: every organization's. */
  owner: string | null;
}
