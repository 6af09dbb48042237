/**
 * Request header with which a relay shows our service that it is the relay of the same installation. Counts for paths of one
 * session only; browsers never see its value.
 */
export const relayTokenHeader = "Visavis-Relay-Token";
