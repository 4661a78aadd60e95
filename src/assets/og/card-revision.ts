/**
 * Raised whenever a card's bytes change for the same parameters, as SVG or PNG: caches and ETags hold it.
 * The golden cards of each revision stay as they are.
 */
export const cardRevision = 1
