/** Corners of the colour space, where shades run out of room. */
export const extremeColors: readonly string[] = [
  '#000000',
  '#ffffff',
  '#808080',
  '#ffff00',
  '#0000ff',
  '#00ff00',
  '#ff0000',
  '#00ffff',
  '#ff00ff',
]
