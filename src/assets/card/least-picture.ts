/** Smaller pictures are no background for a card. */
export const widthPxMin = 400
export const heightPxMin = 200
