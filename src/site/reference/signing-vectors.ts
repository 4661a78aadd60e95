import { hmacHex } from '../../lib/password.ts'
import { addressText, payloadOf } from '../../lib/query-pairs.ts'

const secret = 'a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f90'
const key = 'mk_2345678abcdefghj'
const address = { asset: 'og', key, payload: payloadOf([['title', 'Hello']]), extension: 'png' }

const addressVector = vector('A signed URL', addressText(address), 32)

export const exampleAddress = {
  asset: address.asset,
  key,
  payload: address.payload,
  sig: addressVector.sig,
  ext: address.extension,
}

/** Signatures with a public secret, to test other implementations against. */
export const signingVectors = [
  vector('One call', '1795219371.GET /api/og'),
  vector('Another path', '1795219371.GET /api/og.png'),
  addressVector,
  vector('A URL signed in the query', `GET /api/og?exp=1830000000&key=${key}&title=Hello`),
]

function vector(name: string, payload: string, digits = 64) {
  return { name, secret, payload, sig: hmacHex(secret, payload).slice(0, digits) }
}
