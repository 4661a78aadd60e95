import type { PixelType } from './read-pixels.ts'

/** Limits of the file of a logo. */
export interface LogoRules {
  readonly bytesMax: number
  readonly types: readonly (PixelType | 'svg')[]
}

/** A logo that a brand uploads. */
export const uploadedLogo: LogoRules = { bytesMax: 65_536, types: ['svg', 'png'] }
/** A logo in a URL. */
export const logoInUrl: LogoRules = { bytesMax: 8192, types: ['svg', 'png', 'jpeg', 'webp'] }

/** Whether the first character that is no white space is a `<`. */
export function isMarkup(bytes: Uint8Array): boolean {
  return new TextDecoder().decode(bytes.subarray(0, 1024)).trimStart().startsWith('<')
}
