import { matching } from './setting-parsers.ts'

/** Checks the form only: a checksum needs Keccak, which viem brings where payments are on. */
export const ethereumAddress = matching(/^0x[0-9a-f]{40}$/i, 'an address: 0x and 40 hex digits')

/** The order of the group of secp256k1: private keys lie between zero and it. */
const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** Parses a private key of secp256k1. No error message quotes a digit of it. */
export function privateKey(text: string): `0x${string}` {
  const [, digits] = /^0x([0-9a-f]{64})$/i.exec(text) ?? []
  if (digits === undefined) throw new Error('must be 0x and 64 hex digits')
  const number = BigInt(`0x${digits}`)
  if (number > 0n && number < curveOrder) return `0x${digits}`
  throw new Error('must be a private key of secp256k1: above zero and below the order of the curve')
}
