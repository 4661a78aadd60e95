import { signUrl } from '../../../src/client/sign-url.ts'

interface IssuedKey {
  readonly key: string
  readonly secret: string
}

export async function issueKey(serverUrl: string): Promise<IssuedKey> {
  const response = await fetch(`${serverUrl}/api/key`)
  if (response.status !== 200) throw new Error(`No key was issued: ${response.status}`)
  const { id, secret } = (await response.json()) as { readonly id: string; readonly secret: string }
  return { key: id, secret }
}

/** Calls once, signed, so that it counts against the key's quota. */
export async function callSigned(serverUrl: string, key: IssuedKey): Promise<number> {
  return statusOf(await signUrl(`${serverUrl}/api/badge?label=servers&value=many`, key))
}

/** Calls again until it is decided: a server that has too much to do says 503, and counts nothing. */
export async function callSignedUntilDecided(serverUrl: string, key: IssuedKey): Promise<number> {
  for (;;) {
    const status = await callSigned(serverUrl, key)
    if (status !== 503) return status
  }
}

export function callDemo(serverUrl: string): Promise<number> {
  return statusOf(`${serverUrl}/api/badge?label=servers&value=demo&demo=1`)
}

/** The status of a whole answer; 0 where the connection broke before. */
async function statusOf(url: string): Promise<number> {
  try {
    const response = await fetch(url)
    await response.arrayBuffer()
    return response.status
  } catch {
    return 0
  }
}
