export const fontFormats = ['woff2', 'ttf', 'otf']
export const fontFileBytesMax = 2 * 2 ** 20
/** Limit of a stored font: unpacked, and nothing in it but what drawing needs. An exported one may be brought again. */
export const fontBytesMax = 6 * 2 ** 20

export const fontLimits = {
  tables: 64,
  /** More than any font of 2 MiB has; the format itself ends at 65,535. */
  glyphs: 40_000,
  /** Limit of one glyph, parts included. Distressed faces have 6,000. */
  points: 10_000,
  componentDepth: 8,
  components: 256,
  axes: 16,
  nameBytes: 128 * 1024,
} as const

export const trialLimits = {
  /** CPU time of the process for the whole check. */
  cpuMsMax: 6_000,
  wallMsMax: 30_000,
  /** CPU time of shaping `runLength` characters. */
  runCpuMsMax: 40,
  runLength: 200,
  heapBytesMax: 96 * 2 ** 20,
  /** Ink may reach so far from the pen, in 1/1000 em. */
  reachMax: 5_000,
  /** Lines and curves of one glyph, and of a letter on average: what a card is made of must stay small. */
  segmentsMax: 10_000,
  letterSegmentsMax: 900,
} as const

/** A font may make so many glyphs of so many characters. */
export function glyphsMax(characters: number): number {
  return 8 * characters + 16
}

/** A font that cannot be used. The message ends a sentence that begins with the font's field, such as "`titleFont` …". */
export class FontRefused extends Error {
  override readonly name = 'FontRefused'
}

export function damaged(table: string): FontRefused {
  return new FontRefused(`is damaged: its table "${table.trim()}" is not as OpenType says`)
}

/** The process that checks a font has this word on the command line of an executable. */
export const fontProcessWord = 'check-font'

/** The first byte of what that process answers; the font, or the reason in UTF-8, follows. */
export const fontReply = { kept: 1, refused: 2 } as const

/** Before the font, in bytes: the kind of the answer, then the SHA-256 of what follows. */
export const fontReplyHeadBytes = 33
