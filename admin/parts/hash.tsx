/** @jsxImportSource #jsx */
import type { Markup } from '../../src/lib/jsx/markup.ts'
import { icon } from '../../src/site/parts/icons.tsx'

/** `0x8f3c…a91e`. */
export function shortHash(hash: string): string {
  return hash.length > 14 ? `${hash.slice(0, 6)}…${hash.slice(-4)}` : hash
}

/** Block explorers by chain id. */
const explorers: Readonly<Record<number, string>> = {
  1: 'https://etherscan.io/tx/',
  10: 'https://optimistic.etherscan.io/tx/',
  137: 'https://polygonscan.com/tx/',
  8453: 'https://basescan.org/tx/',
  42161: 'https://arbiscan.io/tx/',
  43114: 'https://snowtrace.io/tx/',
  84532: 'https://sepolia.basescan.org/tx/',
  11155111: 'https://sepolia.etherscan.io/tx/',
}

/** A link to the transaction in a block explorer; undefined for chains without a known one. */
export function explorerLink(chainId: number, txHash: string): Markup | undefined {
  const prefix = explorers[chainId]
  if (prefix === undefined) return undefined
  return (
    <a class="btn" href={`${prefix}${txHash}`} rel="noreferrer noopener">
      Explorer
      {icon('external')}
    </a>
  )
}
