import type { PaymentReason } from '../payment-reasons.ts'

/**
 * What a facilitator's word of refusal means to us. Undefined for every other word: then nothing is known, for a
 * word that nobody agreed upon may stand for anything.
 */
export function readFacilitatorError(step: FacilitatorStep, word: unknown): PaymentReason | undefined {
  if (typeof word !== 'string') return undefined
  return beforeBroadcast.get(word) ?? (step === 'verify' ? whileVerifying.get(word) : undefined)
}

/** Whether the word says that the token has seen the authorization's nonce: then money may have moved. */
export function isUsedError(word: unknown): boolean {
  return typeof word === 'string' && usedWords.has(word)
}

export type FacilitatorStep = 'verify' | 'settle'

/** Failures that the standard names and that a facilitator finds before it broadcasts anything. */
const beforeBroadcast: ReadonlyMap<string, PaymentReason> = new Map<string, PaymentReason>([
  ['insufficient_funds', 'insufficient_funds'],
  ['invalid_exact_evm_insufficient_balance', 'insufficient_funds'],
  ['invalid_exact_evm_payload_signature', 'invalid_exact_evm_payload_signature'],
  ['invalid_exact_evm_signature', 'invalid_exact_evm_payload_signature'],
  ['invalid_exact_evm_failed_to_parse_signature', 'invalid_exact_evm_payload_signature'],
  ['invalid_exact_evm_payload_undeployed_smart_wallet', 'invalid_exact_evm_payload_undeployed_smart_wallet'],
  ['invalid_exact_evm_payload_recipient_mismatch', 'invalid_exact_evm_payload_recipient_mismatch'],
  ['invalid_exact_evm_recipient_mismatch', 'invalid_exact_evm_payload_recipient_mismatch'],
  ['invalid_exact_evm_payload_authorization_value', 'invalid_exact_evm_payload_authorization_value'],
  ['invalid_exact_evm_authorization_value', 'invalid_exact_evm_payload_authorization_value'],
  [
    'invalid_exact_evm_payload_authorization_value_mismatch',
    'invalid_exact_evm_payload_authorization_value_mismatch',
  ],
  [
    'invalid_exact_evm_payload_authorization_valid_after',
    'invalid_exact_evm_payload_authorization_valid_after',
  ],
  [
    'invalid_exact_evm_payload_authorization_valid_before',
    'invalid_exact_evm_payload_authorization_valid_before',
  ],
  ['invalid_network', 'invalid_network'],
  ['invalid_exact_evm_network_mismatch', 'invalid_network'],
  ['invalid_scheme', 'unsupported_scheme'],
  ['unsupported_scheme', 'unsupported_scheme'],
  ['invalid_exact_evm_scheme', 'unsupported_scheme'],
  ['invalid_payload', 'invalid_payload'],
  ['invalid_payment_requirements', 'invalid_payment_requirements'],
  ['invalid_x402_version', 'invalid_x402_version'],
])

const usedWords: ReadonlySet<string> = new Set([
  'invalid_exact_evm_nonce_already_used',
  'invalid_exact_evm_payload_authorization_used',
])

/** Words that are certain only where nothing is broadcast: at /settle they may follow a transaction. */
const whileVerifying: ReadonlyMap<string, PaymentReason> = new Map<string, PaymentReason>([
  ['invalid_transaction_state', 'invalid_transaction_state'],
  ['invalid_exact_evm_transaction_simulation_failed', 'invalid_transaction_state'],
  ...[...usedWords].map((word): [string, PaymentReason] => [
    word,
    'invalid_exact_evm_payload_authorization_used',
  ]),
])
