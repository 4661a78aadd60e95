/** `0x8f3c…a91e`. */
export function shortHash(hash: string): string {
  return hash.length > 14 ? `${hash.slice(0, 6)}…${hash.slice(-4)}` : hash
}

/** Gwei as the coin that pays for gas: `0.000012 ETH`. */
export function formatGas(gwei: number): string {
  return `${new Intl.NumberFormat('en', { maximumFractionDigits: 9 }).format(gwei / 1e9)} ETH`
}
