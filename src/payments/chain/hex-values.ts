import type { Hex } from '../payment-settings.ts'

/** Whether a value is bytes in hexadecimal, as JSON-RPC and wallets write them. */
export function isHex(value: unknown, bytesMin: number, bytesMax = bytesMin): value is Hex {
  if (typeof value !== 'string' || !/^0x(?:[0-9a-f]{2})*$/i.test(value)) return false
  const bytes = value.length / 2 - 1
  return bytes >= bytesMin && bytes <= bytesMax
}

export function toLowerCase(hex: Hex): Hex {
  return hex.toLowerCase() as Hex
}

/** Reads bytes from a JSON-RPC answer, in lower case. Throws if there are none. */
export function readHex(answer: unknown): Hex {
  if (!isHex(answer, 0, Number.POSITIVE_INFINITY)) throw new Error('answers no bytes')
  return toLowerCase(answer)
}

/** Like `readHex`, for bytes of a known length. */
export function readBytes(answer: unknown, length: number): Hex {
  const bytes = readHex(answer)
  if (bytes.length !== 2 + 2 * length) throw new Error('answers bytes of another length')
  return bytes
}

/** Reads a hexadecimal quantity that fits a safe integer. */
export function readQuantity(answer: unknown): number {
  const value = Number(readBigInt(answer))
  if (!Number.isSafeInteger(value)) throw new Error('answers a quantity out of range')
  return value
}

export function readBigInt(answer: unknown): bigint {
  if (typeof answer !== 'string' || !/^0x[0-9a-f]{1,64}$/i.test(answer))
    throw new Error('answers no quantity')
  return BigInt(answer)
}

export function toQuantity(number: number | bigint): Hex {
  return `0x${number.toString(16)}`
}
