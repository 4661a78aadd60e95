/** `0x8f3c…a91e`. */
export function shortHash(hash: string): string {
  return hash.length > 14 ? `${hash.slice(0, 6)}…${hash.slice(-4)}` : hash
}

/** Micros as money: `6.41`. */
export function formatMoney(micros: number): string {
  return new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 6 }).format(
    micros / 1_000_000,
  )
}

/** Gwei as the coin that pays for gas: `0.000012 ETH`. */
export function formatGas(gwei: number): string {
  return `${new Intl.NumberFormat('en', { maximumFractionDigits: 9 }).format(gwei / 1e9)} ETH`
}
