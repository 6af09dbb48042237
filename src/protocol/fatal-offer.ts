/** Code of the answer to an offer that the service's media process died of. Its session has ended. */
export const fatalOfferCode = "media_process_died";

/** So many such offers of one address in `fatalOfferWindowMs`, and it is refused for the rest of that time. */
export const fatalOffersMax = 3;

export const fatalOfferWindowMs = 600_000;
