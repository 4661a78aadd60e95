/** What is to be drawn as PNG: a picture of a caller's, or an SVG of ours around what was drawn of one, which needs no budget. */
export type PictureJob = CallersPicture | { readonly kind: 'drawing'; readonly svg: string }

/** Drawn `widthPx` by `heightPx`, times `zoom`. */
export interface CallersPicture {
  readonly kind: 'picture'
  /** A `data:` URL. */
  readonly href: string
  readonly widthPx: number
  readonly heightPx: number
  readonly zoom: number
}

/** What the process that draws pictures says. After `overrun` and `stalled` it ends itself. */
export const pictureReply = {
  ready: 0,
  /** The content is the PNG. */
  drawn: 1,
  /** It cannot be decoded, or shows nothing. */
  unreadable: 2,
  /** Drawing it takes more CPU time or memory than is allowed. */
  overrun: 3,
  /** It took long while the machine had no time for it: nothing is known about the picture. */
  stalled: 4,
} as const

/** Added to a reply by a process that has grown so much that a new one should follow it. */
export const outgrown = 0x80

/** The longest frame in either direction, in bytes. */
export const pictureFrameBytesMax = 8 * 2 ** 20

export const pictureBudget = {
  /** CPU time of all threads of the process while it draws one picture. */
  cpuMsMax: 400,
  /** By how much the process may grow meanwhile, in bytes. */
  growthBytesMax: 64 * 2 ** 20,
  /** What the process may keep of all that it drew; a new one costs 40 ms. */
  keptBytesMax: 24 * 2 ** 20,
  /** By the clock on the wall. */
  wallMsMax: 1_200,
  /** A picture that used this much CPU time by then is at fault; with less, the machine was too busy to tell. */
  triedCpuMsMin: 200,
} as const

/** The word on the command line of an executable that makes it the process that draws callers' pictures. */
export const pictureProcessWord = 'draw-pictures'
