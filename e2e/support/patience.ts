/** How long a test waits for anything, in ms. It only ends a wait that hangs: no test says by it what is fast enough. */
export { patienceMs as patience } from "../../test/patience.ts";
