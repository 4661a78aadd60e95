import { readBigInt } from '../chain/hex-values.ts'
import { OutcomeUnknown } from '../outcome-unknown.ts'
import type { SettlerKey } from './settler-key.ts'

export type GasWatch = ReturnType<typeof createGasWatch>

/** Typical gas limit of a settlement. */
const settlementGas = 100_000n
const cachedMs = 2_000
const retryAfterSeconds = 30

/** The gas price, and whether the settler can afford it within `X402_MAX_FEE_GWEI`. */
export function createGasWatch({ rpc, settings, account }: SettlerKey) {
  const { gasPriceWeiMax } = settings
  const { address } = account
  let priceProblem: string | undefined
  let balanceProblem: string | undefined
  let checked: { readonly untilMs: number; readonly outcome: Promise<void> } | undefined

  /** Fees for a transaction sent now. Throws `OutcomeUnknown` while gas costs more than allowed. */
  async function fees() {
    const gasPrice = await rpc.first('eth_gasPrice', [], readBigInt)
    priceProblem =
      gasPrice > gasPriceWeiMax
        ? `Gas costs ${formatGwei(gasPrice)} gwei, X402_MAX_FEE_GWEI allows ${formatGwei(gasPriceWeiMax)}.`
        : undefined
    if (priceProblem !== undefined) {
      const words = 'Gas costs more at this moment than this server pays for a settlement.'
      throw new OutcomeUnknown('payments_unavailable', words, retryAfterSeconds)
    }
    const maxFeePerGas = lesser(gasPrice * 2n, gasPriceWeiMax)
    return { maxFeePerGas, maxPriorityFeePerGas: lesser(gasPrice / 10n, maxFeePerGas) }
  }

  async function balanceWei(): Promise<bigint> {
    return await rpc.first('eth_getBalance', [address, 'latest'], readBigInt)
  }

  async function checkNow(): Promise<void> {
    const [{ maxFeePerGas }, balance] = await Promise.all([fees(), balanceWei()])
    const needed = settlementGas * maxFeePerGas
    balanceProblem =
      balance < needed
        ? `The settler ${address} holds too little for gas: ${balance} wei, a settlement needs ${needed}.`
        : undefined
    if (balanceProblem === undefined) return
    throw new OutcomeUnknown('payments_unavailable', 'The settler is out of gas.', retryAfterSeconds)
  }

  return {
    fees,
    balanceWei,
    /** Why settlements cannot be paid for, as of the last check. */
    problem: () => priceProblem ?? balanceProblem,
    /** Throws `OutcomeUnknown` while gas costs too much or the balance is too low. The result is cached for 2 s. */
    async check(): Promise<void> {
      if (checked === undefined || checked.untilMs <= performance.now()) {
        checked = { untilMs: performance.now() + cachedMs, outcome: checkNow() }
      }
      const { outcome } = checked
      try {
        await outcome
      } catch (error) {
        // Failures are not cached.
        if (checked?.outcome === outcome) checked = undefined
        throw error
      }
    },
  }
}

export function lesser(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

function formatGwei(wei: bigint): string {
  return String(Number(wei) / 1e9)
}
