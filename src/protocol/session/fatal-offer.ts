/** Code of the answer to an offer that crashed the service's media process. Its session has ended. */
export const fatalOfferCode = "media_process_died";

/** After this many such offers within `fatalOfferWindowMs`, an address is refused for the rest of that window. */
export const fatalOffersMax = 3;

export const fatalOfferWindowMs = 600_000;
