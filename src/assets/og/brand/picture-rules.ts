import type { PixelType } from './read-pixels.ts'

interface PictureRules {
  readonly bytesMax: number
  readonly types: readonly PixelType[]
}

/** Limits of the file of a background picture. */
export const uploadedPicture: PictureRules = { bytesMax: 2 ** 20, types: ['jpeg', 'png', 'webp'] }
