import { type Account, encodeFunctionData, type Hex, slice } from 'viem'
import { type Chain, stranger, usdc } from './anvil.ts'
import artefacts from './contracts/artefacts.json' with { type: 'json' }
import type { Signed } from './sign.ts'

/** One call of the token, as a bundle carries it. */
export type TokenCall = Hex

interface SendOptions {
  readonly from?: Account
  /** Bytes after the calldata. */
  readonly dataSuffix?: Hex
}

/** Calls of the token that one transaction carries, in order, whoever wants them there. */
export async function openBundler(chain: Chain) {
  const address = await chain.deploy('Bundle')
  return {
    /** Payers approve it, so that it can move their money in plain transfers. */
    address,
    async run(calls: readonly TokenCall[], { from = stranger, dataSuffix }: SendOptions = {}): Promise<Hex> {
      const hash = await chain.client.writeContract({
        account: from,
        ...(dataSuffix && { dataSuffix }),
        address,
        abi: artefacts.Bundle.abi,
        functionName: 'run',
        args: [calls.map((data) => ({ target: usdc, data }))],
        gas: 120_000n * BigInt(calls.length) + 200_000n,
      } as never)
      const { status } = await chain.mined(hash)
      if (status !== 'success') throw new Error('the bundle reverted')
      return hash
    },
  }
}

/** The call of the token that carries out an authorization; anybody may send it. */
export function carrying({ authorization, signature }: Signed): TokenCall {
  const { from, to, value, validAfter, validBefore, nonce } = authorization
  const [v, r, s] = [Number(slice(signature, 64)), slice(signature, 0, 32), slice(signature, 32, 64)]
  return tokenCall('transferWithAuthorization', [
    from,
    to,
    BigInt(value),
    BigInt(validAfter),
    BigInt(validBefore),
    nonce,
    v,
    r,
    s,
  ])
}

/** Sends what carries out an authorization, as anybody may. It is in a block already, unless mining is paused. */
export async function carry(chain: Chain, signed: Signed): Promise<Hex> {
  const call = { account: stranger, to: usdc, data: carrying(signed), gas: 300_000n } as const
  const hash = await chain.client.sendTransaction(call)
  if (await chain.client.getAutomine()) await chain.mined(hash)
  return hash
}

export function movingFrom(from: Hex, to: Hex, value: bigint): TokenCall {
  return tokenCall('transferFrom', [from, to, value])
}

function tokenCall(functionName: string, args: readonly unknown[]): TokenCall {
  return encodeFunctionData({ abi: artefacts.Token.abi, functionName, args } as never)
}
