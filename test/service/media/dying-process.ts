import type {
  MessageFromProcess,
  MessageToProcess,
  OfferProgress,
} from "../../../src/service/media/processes/media-ipc.ts";

/**
 * Entry of a media process without media. The offer decides what happens: the process dies while applying it (`dies`) or
 * afterwards (`dies later`), or hangs (`hangs`). Other offers get no answer.
 */
function tell(message: MessageFromProcess): void {
  process.send?.(message, () => undefined);
}

function die(): void {
  process.kill(process.pid, "SIGSEGV");
}

process.on("message", (message: MessageToProcess) => {
  if (message.type === "start") tell({ type: "ready" });
  if (message.type === "stop") process.exit(0);
  if (message.type !== "exchange") return;
  const { exchangeId, request } = message;
  const progress = (to: OfferProgress): void => tell({ type: "offer-progress", exchangeId, progress: to });
  if (request.offerSdp.includes("a=mid:begun")) {
    progress("applying");
    progress("applied");
  }
  if (request.offerSdp.includes("a=mid:dies")) {
    progress("applying");
    setTimeout(die, 50);
  }
  if (request.offerSdp.includes("a=mid:hangs")) {
    progress("applying");
    // Without any use of the processor, which other tests need.
    setTimeout(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0), 50);
  }
  if (request.offerSdp.includes("a=mid:killed")) setTimeout(die, 50);
});
process.on("disconnect", () => process.exit(0));
