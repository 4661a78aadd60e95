/**
 * The format of a share card that nobody chose. A brand may stand on a photograph, and a PNG of that is too large for some
 * networks.
 */
export function usualCardFormat(brand: string | null | undefined): string {
  return brand ? 'jpeg' : 'png'
}
