/** A hexadecimal quantity that fits a safe integer. */
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

/** Bytes in lower case. */
export function readHex(answer: unknown): `0x${string}` {
  if (typeof answer !== 'string' || !/^0x([0-9a-f]{2})*$/i.test(answer)) throw new Error('answers no bytes')
  return answer.toLowerCase() as `0x${string}`
}

/** Bytes of a known length. */
export function readBytes(answer: unknown, length: number): `0x${string}` {
  const bytes = readHex(answer)
  if (bytes.length !== 2 + 2 * length) throw new Error('answers bytes of another length')
  return bytes
}

export function toQuantity(number: number | bigint): `0x${string}` {
  return `0x${number.toString(16)}`
}
