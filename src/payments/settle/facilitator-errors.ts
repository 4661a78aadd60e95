import { foreignTextOf } from '../../lib/foreign-text.ts'
import type { Log } from '../../lib/log.ts'
import type { PaymentReason } from '../payment-reasons.ts'
import type { PaymentSettings } from '../payment-settings.ts'

/** Our reason for a facilitator's error code; undefined for every other code, which tells nothing. */
export function readFacilitatorError(step: FacilitatorStep, code: unknown): PaymentReason | undefined {
  if (typeof code !== 'string') return undefined
  return beforeBroadcast.get(code) ?? (step === 'verify' ? whileVerifying.get(code) : undefined)
}

/** Whether the code means that the token has seen the authorization's nonce: then money may have moved. */
export function isUsedError(code: unknown): boolean {
  return usedCodes.includes(code)
}

interface NoVerdictDeps {
  readonly log: Log
  readonly facilitator: NonNullable<PaymentSettings['facilitator']>
}

/** Log only: the facilitator's text never reaches a client. `cause` is its error code, or why it gave none. */
export function logNoVerdict(
  { log, facilitator: { url, headers } }: NoVerdictDeps,
  step: FacilitatorStep,
  cause: unknown,
): void {
  const text = cause instanceof Error ? cause.message : cause
  const words =
    typeof text === 'string'
      ? foreignTextOf(url, headers)(text, 100).replace(/[^\x20-\x7e…]/g, '')
      : 'no reason given'
  log.warn('the facilitator gives no verdict', { step, words })
}

export type FacilitatorStep = 'verify' | 'settle'

/** Our reasons that facilitators answer by the same code, before they broadcast anything. */
const ourCodes: readonly PaymentReason[] = [
  'insufficient_funds',
  'invalid_exact_evm_payload_signature',
  'invalid_exact_evm_payload_undeployed_smart_wallet',
  'invalid_exact_evm_payload_recipient_mismatch',
  'invalid_exact_evm_payload_authorization_value',
  'invalid_exact_evm_payload_authorization_value_mismatch',
  'invalid_exact_evm_payload_authorization_valid_after',
  'invalid_exact_evm_payload_authorization_valid_before',
  'invalid_network',
  'unsupported_scheme',
  'invalid_payload',
  'invalid_payment_requirements',
  'invalid_x402_version',
]

/** Maps each x402 error code to our reason. */
const beforeBroadcast: ReadonlyMap<string, PaymentReason> = new Map<string, PaymentReason>([
  ...ourCodes.map((code) => [code, code] as const),
  ['invalid_exact_evm_insufficient_balance', 'insufficient_funds'],
  ['invalid_exact_evm_signature', 'invalid_exact_evm_payload_signature'],
  ['invalid_exact_evm_failed_to_parse_signature', 'invalid_exact_evm_payload_signature'],
  ['invalid_exact_evm_recipient_mismatch', 'invalid_exact_evm_payload_recipient_mismatch'],
  ['invalid_exact_evm_authorization_value', 'invalid_exact_evm_payload_authorization_value'],
  ['invalid_exact_evm_network_mismatch', 'invalid_network'],
  ['invalid_scheme', 'unsupported_scheme'],
  ['invalid_exact_evm_scheme', 'unsupported_scheme'],
])

const alreadyUsed = 'invalid_exact_evm_payload_authorization_used'
const usedCodes: readonly unknown[] = ['invalid_exact_evm_nonce_already_used', alreadyUsed]

/** Codes that are certain only where nothing is broadcast: at /settle they may follow a transaction. */
const whileVerifying: ReadonlyMap<string, PaymentReason> = new Map<string, PaymentReason>([
  ['invalid_transaction_state', 'invalid_transaction_state'],
  ['invalid_exact_evm_transaction_simulation_failed', 'invalid_transaction_state'],
  ['invalid_exact_evm_nonce_already_used', alreadyUsed],
  [alreadyUsed, alreadyUsed],
])
