import type { Hex } from 'viem'
import type { LocalAccount } from 'viem/accounts'
import { proofText } from '../../../src/payments/wire/request-binding.ts'
import { chainId, shopkeeper } from './anvil.ts'

let serial = 0

/** A path that nobody asked for before. */
export function freshPath(title = 'Card'): string {
  serial += 1
  return `/api/og?title=${title}&subtitle=${process.pid}-${serial}`
}

export function freshUrl({ url }: { readonly url: string }, title?: string): string {
  return url + freshPath(title)
}

export function payWith(
  url: string,
  txHash: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(url, { headers: { 'x-payment': txHash, ...more } })
}

/** The word that says why a call was not answered. */
export async function errorOf(response: Response): Promise<string> {
  const body = (await response.json()) as { error?: string; code?: string }
  return body.error ?? body.code ?? ''
}

/** Status and word in one, to compare with. */
export async function verdictOf(response: Response): Promise<string> {
  if (response.status === 200) {
    await response.arrayBuffer()
    return '200'
  }
  return `${response.status} ${await errorOf(response)}`
}

/** Repeats a call while its outcome is unknown, and returns the final verdict. */
export async function laterVerdictOf(send: () => Promise<Response>): Promise<string> {
  for (;;) {
    const verdict = await verdictOf(await send())
    if (!verdict.startsWith('503')) return verdict
    await Bun.sleep(100)
  }
}

export interface ProofOptions {
  readonly url: string
  readonly txHash: string
  readonly signer: LocalAccount
  readonly issuedSeconds?: number
  readonly method?: string
  /** The URL that the proof is signed for, if it differs from the URL asked for. */
  readonly signedUrl?: string
}

/** The header by which a payer draws on a transfer. */
export async function proofHeader({
  url,
  txHash,
  signer,
  method = 'GET',
  signedUrl = url,
  issuedSeconds,
}: ProofOptions): Promise<string> {
  const issued = issuedSeconds ?? Math.floor(Date.now() / 1000)
  const message = proofText({
    txHash: txHash as Hex,
    chainId,
    payTo: shopkeeper.address,
    request: { method, url: signedUrl },
    issuedSeconds: issued,
  })
  return `t=${issued},sig=${await signer.signMessage({ message })}`
}
