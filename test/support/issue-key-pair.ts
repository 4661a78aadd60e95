import type { KeyPair } from '../../src/client/types.ts'

/** A key that a running server issues to whoever asks. */
export async function issueKeyPair({ url }: { readonly url: string }, query = ''): Promise<KeyPair> {
  const { id, secret } = await (await fetch(`${url}/api/key${query}`)).json()
  return { key: id, secret }
}
