/**
 * Request header with which a relay proves to our service that it belongs to the same installation. It is valid only for the
 * paths of one session. Browsers never see its value.
 */
export const relayTokenHeader = "Visavis-Relay-Token";
