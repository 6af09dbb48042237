import { inject } from "vitest";
import { runFolders } from "./made-once.ts";

Object.assign(runFolders, { built: inject("builtFolder"), shared: inject("sharedFolder") });
