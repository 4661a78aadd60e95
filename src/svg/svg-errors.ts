/** An SVG that needs more than filled shapes of one colour each: it is drawn as pixels. */
export class NeedsPixels extends Error {
  override readonly name = 'NeedsPixels'
}

/** An SVG that cannot be drawn at all; the message ends a sentence about it. */
export class UnreadableSvg extends Error {
  override readonly name = 'UnreadableSvg'
}
