/** In the order of the reference page. */
export const avatarShapes = ['circle', 'rounded', 'square'] as const

export type AvatarShape = (typeof avatarShapes)[number]

/** What an avatar shows, with every choice made: equal avatars give equal bytes. Colours are `#rrggbb`. */
export interface Avatar {
  readonly name: string
  /** Empty: a person's silhouette stands in. */
  readonly initials: string
  readonly sizePx: number
  readonly shape: AvatarShape
  readonly background: string
  readonly color: string
  readonly bold: boolean
  /** Height of the letters' em as a part of the size; chosen by their number when absent. */
  readonly fontScale?: number
  /** Letters as outlines, or as text in the fonts of whoever looks at it. */
  readonly drawing: 'path' | 'text'
  readonly lang?: string
  /** The accessible name; the name when absent. */
  readonly title?: string
}
