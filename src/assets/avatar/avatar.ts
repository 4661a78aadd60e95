export const avatarShapes = ['circle', 'rounded', 'square'] as const

export type AvatarShape = (typeof avatarShapes)[number]

export const avatarStyles = ['plain', 'gradient', 'shapes'] as const

export type AvatarStyle = (typeof avatarStyles)[number]

/** An avatar with every default filled in: equal avatars give equal bytes. Colours are `#rrggbb`. */
export interface Avatar {
  readonly name: string
  /** Empty for a name without letters: then a silhouette is drawn. */
  readonly initials: string
  readonly sizePx: number
  readonly shape: AvatarShape
  readonly style: AvatarStyle
  /** Chooses the figures of the style `shapes`, and ends ids. */
  readonly seed: string
  readonly background: string
  readonly color: string
  readonly bold: boolean
  readonly fontScale?: number
  /** Letters as outlines, or as text in the viewer's fonts. */
  readonly drawing: 'path' | 'text'
  readonly lang?: string
  readonly title?: string
}
