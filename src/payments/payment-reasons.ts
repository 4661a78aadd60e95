/** Why a payment is refused, as codes of ours or of x402, each with what happened and what to do. */
export const paymentReasons = {
  payment_required: 'This call costs money. Pay in one of the ways listed here, then repeat the request.',
  payments_off: 'This server takes no payments. Use a signed key or demo=1.',
  invalid_tx_hash:
    'X-Payment must be 0x and the 64 hex digits of a transaction hash, or a base64 x402 payload.',
  payment_not_found:
    'The chain does not know this transaction. Check the hash and the network, or repeat in some seconds.',
  payment_pending:
    'The transaction is not mined yet. Nothing was used: repeat the same request after Retry-After.',
  payment_unconfirmed:
    'The transaction needs more confirmations. Nothing was used: repeat after Retry-After.',
  payment_tx_failed: 'The transaction failed on chain, so no money moved. Send a new one.',
  payment_wrong_asset:
    'The transaction moved another token than the one asked for. Send the asset named here.',
  payment_wrong_recipient:
    'The transaction paid another address. Send the asset to the payTo address named here.',
  payment_no_transfer:
    'The transaction moved no such token to us. Send the asset named here with a plain transfer.',
  payment_insufficient:
    'The transaction, or what is left of it, is less than the price. Send a payment of the full amount.',
  payment_too_old: 'The transaction is older than this server accepts. Send a new one.',
  payment_already_used:
    'This payment has bought its call. Send a new one, or draw on what is left of it with a proof.',
  payment_made_by_authorization:
    'This transaction settled a signed authorization, which pays where it was signed. It cannot be offered as a transfer.',
  payment_bound_to_other_request:
    'This payment is bound to another request. Repeat exactly that one, or pay anew.',
  proof_required:
    'This needs a proof that you made the transfer, because anybody can see its hash and the price is high or several wallets paid in the transaction. Repeat with X-Payment-Proof, signed by the wallet that paid; or pay with the dataSuffix at the end of the calldata, or with a signed authorization.',
  invalid_proof: 'The proof was not signed by the payer for this request. Sign the six lines again.',
  proof_expired: 'The proof is older than five minutes. Sign a new one.',
  payment_reorged: 'The chain dropped the block with this transaction. Send it again.',
  invalid_x402_version: 'The payload names an x402 version that is not 1 or 2.',
  invalid_payload: 'The payload cannot be read. Send the base64 JSON that the x402 specification describes.',
  unsupported_scheme: 'Only the scheme "exact" is taken here.',
  invalid_network: 'The payload names another network than the one asked for.',
  invalid_payment_requirements:
    'The payload accepts other terms than the ones asked for. Read them again and sign anew.',
  insufficient_funds:
    'The wallet holds less of the asset than the price, counting what it has promised already.',
  invalid_transaction_state: 'The token refuses to carry this authorization out. Nothing moved.',
  invalid_exact_evm_payload_signature:
    'The authorization was not signed by its payer for this token and network. A wallet with code, by EIP-7702 as well, is asked by the token and must accept the signature itself: sign as its code wants it, take the delegation back, or send a transfer instead.',
  invalid_exact_evm_payload_undeployed_smart_wallet:
    'The smart wallet is not deployed yet. Deploy it, then sign anew.',
  invalid_exact_evm_payload_recipient_mismatch: 'The authorization pays another address.',
  invalid_exact_evm_payload_authorization_value: 'The authorization is for less than the price.',
  invalid_exact_evm_payload_authorization_value_mismatch: 'The authorization is not for exactly the price.',
  invalid_exact_evm_payload_authorization_valid_after: 'The authorization is not valid yet.',
  invalid_exact_evm_payload_authorization_valid_before: 'The authorization has expired, or is about to.',
  invalid_exact_evm_payload_authorization_used:
    'The authorization was used or cancelled on chain. Sign a new one.',
  settlement_gas_too_high:
    'The wallet’s own check of its signature needs more gas than this server pays for. Send a transfer instead.',
  payer_settlements_failed:
    'Several settlements of this payer failed. Wait for Retry-After, or send a transfer instead.',
  settlement_failed: 'The payment could not be settled and no money moved. Sign a new authorization.',
} as const satisfies Record<string, string>

export type PaymentReason = keyof typeof paymentReasons

export function isReason(word: string): word is PaymentReason {
  return Object.hasOwn(paymentReasons, word)
}

/** The payment is refused as far as this request goes: 402. */
export interface PaymentRefusal {
  readonly kind: 'refused'
  readonly reason: PaymentReason
  /** After this time the same payment may be accepted. */
  readonly retryAfterSeconds?: number
}

export function refuse(reason: PaymentReason, retryAfterSeconds?: number): PaymentRefusal {
  return { kind: 'refused', reason, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) }
}

/** Nobody can know now whether a payment is valid or has settled: 503, and it stays usable. */
export class OutcomeUnknown extends Error {
  readonly code: 'payments_unavailable' | 'settlement_pending' | 'busy'
  readonly retryAfterSeconds: number

  constructor(code: OutcomeUnknown['code'], message: string, retryAfterSeconds = 2, cause?: unknown) {
    super(message, { cause })
    this.code = code
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** The headers that tell a client that it may repeat the request with the same payment. */
export const notCharged = { 'x-payment-status': 'not-charged' } as const
