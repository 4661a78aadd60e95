import type { Rpc } from '../chain/rpc.ts'
import { readBigInt } from '../chain/rpc-values.ts'
import { OutcomeUnknown } from '../outcome-unknown.ts'
import type { Hex, PaymentSettings } from '../payment-settings.ts'

/** What gas costs, and whether the settler can and may pay it. */
export interface GasWatch {
  /** The fees of a transaction that is sent now. Throws `OutcomeUnknown` while gas is dearer than it may be. */
  fees(): Promise<{ readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint }>
  balanceWei(): Promise<bigint>
  /** Throws `OutcomeUnknown` while a settlement cannot or may not be paid for. What it asks is shared for a while. */
  check(): Promise<void>
  /** What keeps settlements from being paid for, as it was last seen. */
  problem(): string | undefined
}

interface Deps {
  readonly rpc: Rpc
  readonly settings: Pick<PaymentSettings, 'gasPriceWeiMax'>
  readonly address: Hex
}

/** About what an honest settlement is sent with. */
const settlementGas = 100_000n
const sharedMs = 2_000
const retryAfterSeconds = 30

export function createGasWatch({ rpc, settings, address }: Deps): GasWatch {
  const { gasPriceWeiMax } = settings
  let dearness: string | undefined
  let poverty: string | undefined
  let checked: { readonly untilMs: number; readonly outcome: Promise<void> } | undefined

  async function fees() {
    const gasPrice = await rpc.first('eth_gasPrice', [], readBigInt)
    dearness =
      gasPrice > gasPriceWeiMax
        ? `Gas costs ${formatGwei(gasPrice)} gwei, X402_MAX_FEE_GWEI allows ${formatGwei(gasPriceWeiMax)}.`
        : undefined
    if (dearness !== undefined) throw tooDear()
    const maxFeePerGas = lesser(gasPrice * 2n, gasPriceWeiMax)
    return { maxFeePerGas, maxPriorityFeePerGas: lesser(gasPrice / 10n, maxFeePerGas) }
  }

  async function balanceWei(): Promise<bigint> {
    return await rpc.first('eth_getBalance', [address, 'latest'], readBigInt)
  }

  async function look(): Promise<void> {
    const [{ maxFeePerGas }, balance] = await Promise.all([fees(), balanceWei()])
    const needed = settlementGas * maxFeePerGas
    poverty =
      balance < needed
        ? `The settler ${address} holds too little for gas: ${balance} wei, a settlement needs ${needed}.`
        : undefined
    if (poverty === undefined) return
    throw new OutcomeUnknown('payments_unavailable', 'The settler is out of gas.', retryAfterSeconds)
  }

  return {
    fees,
    balanceWei,
    problem: () => dearness ?? poverty,
    async check() {
      if (checked === undefined || checked.untilMs <= performance.now()) {
        checked = { untilMs: performance.now() + sharedMs, outcome: look() }
      }
      const { outcome } = checked
      try {
        await outcome
      } catch (error) {
        // Only what is well is believed for a while.
        if (checked?.outcome === outcome) checked = undefined
        throw error
      }
    },
  }
}

export function lesser(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

function tooDear(): OutcomeUnknown {
  const words = 'Gas costs more at this moment than this server pays for a settlement.'
  return new OutcomeUnknown('payments_unavailable', words, retryAfterSeconds)
}

function formatGwei(wei: bigint): string {
  return String(Number(wei) / 1e9)
}
