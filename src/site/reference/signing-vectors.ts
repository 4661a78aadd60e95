import { hmacHex } from '../../lib/hmac-hex.ts'

const secret = 'a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f90'

const payloads = {
  'One call': '1795219371.GET /api/og',
  'Another path': '1795219371.GET /api/og.png',
  'An embed URL': 'GET /api/og?exp=1830000000&key=mk_2345678abcdefghj&title=Hello',
} as const

/** Signatures with a public secret, to test other implementations against. */
export const signingVectors = Object.entries(payloads).map(([name, payload]) => ({
  name,
  secret,
  payload,
  sig: hmacHex(secret, payload),
}))
