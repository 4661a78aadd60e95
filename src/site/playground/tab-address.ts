/** The address of the playground's tab for an asset. */
export function tabAddress(assetId: string): string {
  return `/?kind=${assetId}#play`
}
