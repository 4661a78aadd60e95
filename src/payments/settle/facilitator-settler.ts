import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import { readJson } from '../../lib/read-json.ts'
import type { Store } from '../../store/open.ts'
import type { PaymentRow } from '../../store/payments.ts'
import type { AuthorizationReference, SettledTransfer, SettlementFinder } from '../chain/settlement-finder.ts'
import { OutcomeUnknown } from '../outcome-unknown.ts'
import { type PaymentRefusal, refuse } from '../payment-refusal.ts'
import type { Hex, PaymentSettings } from '../payment-settings.ts'
import { toMicros } from '../token-amount.ts'
import { asObject } from '../wire/base64-json.ts'
import type { OfferedAuthorization } from '../wire/parse-payment.ts'
import { acceptV1, exactTerms, headerUrl, type Offer } from '../wire/payment-terms.ts'
import { authorizationReferenceOf } from './authorization-reference.ts'
import { type FacilitatorStep, isUsedError, readFacilitatorError } from './facilitator-errors.ts'
import type { CheckedAuthorization, Settlement, Settler } from './settler.ts'

interface Deps {
  readonly facilitator: { readonly url: string; readonly headers: Readonly<Record<string, string>> }
  readonly settings: PaymentSettings
  readonly store: Pick<Store, 'transaction' | 'payments'>
  readonly clock: Clock
  readonly log: Log
  /** Where there is a chain to check the facilitator's word on. */
  readonly finder: SettlementFinder | undefined
}

/** Stands in a payment's row, so that it is known for ever that a facilitator was asked to settle it. */
const facilitatorName = 'facilitator'

const verifyTimeoutMs = 5_000
const lookAgainMs = 250
const answerBytesMax = 65_536

/** A 2xx or 4xx with a verdict. Everything else is no answer. */
interface Verdict {
  readonly isGood: boolean
  readonly word: unknown
  readonly txHash: Hex | undefined
}

/** The member that carries the verdict of each step, and the one that carries the word of a refusal. */
const members = {
  verify: { verdict: 'isValid', word: 'invalidReason' },
  settle: { verdict: 'success', word: 'errorReason' },
} as const

/** Settles through a facilitator that speaks the standard /verify and /settle. */
export function createFacilitatorSettler({
  facilitator,
  settings,
  store,
  clock,
  log,
  finder,
}: Deps): Settler {
  /** Throws an Error where the answer is no verdict. */
  async function ask(
    step: FacilitatorStep,
    offered: OfferedAuthorization,
    offer: Offer,
    timeoutMs: number,
  ): Promise<Verdict> {
    // biome-ignore lint/style/noRestrictedGlobals: the operator names this URL, no caller can
    const response = await fetch(`${facilitator.url}/${step}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...facilitator.headers },
      body: JSON.stringify(questionFor(offered, offer, settings)),
      signal: AbortSignal.timeout(timeoutMs),
      redirect: 'error',
    })
    const answer = asObject(await readJson(response, answerBytesMax))
    const verdict = answer?.[members[step].verdict]
    // A refusal may come with 4xx. Who answers 5xx does not know what became of the question.
    if (answer === undefined || typeof verdict !== 'boolean' || response.status >= 500) {
      throw new Error(`it answers ${response.status} without a verdict`)
    }
    const { transaction } = answer
    return { isGood: verdict, word: answer[members[step].word], txHash: readHash(transaction) }
  }

  /** For the operator only: a foreign word is no answer of ours. */
  function note(step: FacilitatorStep, word: unknown): void {
    log.warn('the facilitator gives no verdict', { step, words: quote(word) })
  }

  /** Nothing is broadcast by /verify, so that what is unknown here has cost nobody anything. */
  async function check(
    offered: OfferedAuthorization,
    offer: Offer,
  ): Promise<CheckedAuthorization | PaymentRefusal> {
    const { isGood, word } = await ask('verify', offered, offer, verifyTimeoutMs).catch((error) => {
      note('verify', wordsOf(error))
      throw new OutcomeUnknown('payments_unavailable', 'The facilitator cannot be asked.')
    })
    const balanceMicros = Number.POSITIVE_INFINITY
    if (isGood) return { kind: 'good', balanceMicros }
    const carried = await findMoney(offered)
    if (carried !== undefined) return { kind: 'good', balanceMicros, carried }
    // The facilitator may see a block that our endpoint does not see yet.
    if (finder !== undefined && isUsedError(word) && !(await finder.isUsed(promisedOf(offered)))) {
      throw new OutcomeUnknown('settlement_pending', 'The facilitator says that it was settled already.', 5)
    }
    const reason = readFacilitatorError('verify', word)
    if (reason !== undefined) return refuse(reason)
    note('verify', word)
    throw new OutcomeUnknown('payments_unavailable', 'The facilitator does not say what is wrong.', 5)
  }

  function promisedOf({ authorization }: OfferedAuthorization): AuthorizationReference {
    const { from: payer, nonce, value } = authorization
    return { payer, nonce, amountMicros: toMicros(value, settings.asset) }
  }

  async function findMoney(offered: OfferedAuthorization): Promise<SettledTransfer | undefined> {
    const reference = promisedOf(offered)
    if (finder === undefined || !(await finder.isUsed(reference))) return undefined
    return await finder.find(reference)
  }

  async function settle(
    payment: PaymentRow,
    offered: OfferedAuthorization,
    offer: Offer,
  ): Promise<Settlement | PaymentRefusal> {
    const deadlineMs = performance.now() + settings.settleTimeoutMs
    function submit() {
      return noteSettler(payment, ['reserved', 'submitted'], facilitatorName)
    }
    if (!store.transaction(submit, { durable: true }))
      throw new OutcomeUnknown('settlement_pending', 'Another call has taken this payment over.')
    const verdict = await ask('settle', offered, offer, settings.settleTimeoutMs).catch((error: unknown) => ({
      isGood: undefined,
      word: wordsOf(error),
      txHash: undefined,
    }))
    const { isGood, word, txHash } = verdict
    if (isGood === true) {
      if (finder !== undefined && settings.verifyFacilitator) return await confirm(payment, deadlineMs)
      if (txHash !== undefined)
        return { kind: 'settled', txHash, blockNumber: 0, blockHash: '0x', logIndexes: [] }
      throw new OutcomeUnknown('settlement_pending', 'The facilitator names no transaction.')
    }
    const found = await lookFor(payment)
    if (found !== undefined) return { kind: 'settled', ...found }
    // An earlier try may have reached the chain, where without an endpoint of our own nobody can look.
    const isFirstTry = finder !== undefined || payment.settler === null
    const reason =
      isGood === false && txHash === undefined && isFirstTry && readFacilitatorError('settle', word)
    if (reason) {
      noteSettler(payment, ['submitted'], null)
      return refuse(reason)
    }
    note('settle', word)
    throw new OutcomeUnknown('settlement_pending', 'The facilitator does not say whether it settled.', 5)
  }

  function noteSettler(
    { id }: PaymentRow,
    from: readonly ('reserved' | 'submitted')[],
    settler: string | null,
  ): boolean {
    return store.payments.transition(id, { from, to: 'submitted', changes: { settler }, nowMs: clock.now() })
  }

  /** The facilitator says that the money moved. The chain has the last word. */
  async function confirm(payment: PaymentRow, deadlineMs: number): Promise<Settlement> {
    for (;;) {
      const found = await lookFor(payment).catch(undefinedWhileYoung)
      if (found !== undefined) return { kind: 'settled', ...found }
      if (performance.now() + lookAgainMs > deadlineMs) {
        const words = 'The facilitator says that it settled, and the chain knows nothing of it yet.'
        throw new OutcomeUnknown('settlement_pending', words, 5)
      }
      await new Promise((resolve) => setTimeout(resolve, lookAgainMs))
    }
  }

  async function lookFor(payment: PaymentRow): Promise<SettledTransfer | undefined> {
    return (await finder?.isUsed(authorizationReferenceOf(payment)))
      ? await finder?.find(authorizationReferenceOf(payment))
      : undefined
  }

  return { check, settle }
}

/** What needs more confirmations is waited for. */
function undefinedWhileYoung(error: unknown): undefined {
  if (!(error instanceof OutcomeUnknown)) throw error
}

function questionFor(
  offered: OfferedAuthorization,
  offer: Offer,
  settings: PaymentSettings,
): Record<string, unknown> {
  if (offered.via === 'x402-v1') {
    const paymentRequirements = acceptV1(offer, settings)
    return { x402Version: 1, paymentPayload: offered.payload, paymentRequirements }
  }
  const paymentRequirements = exactTerms(offer.priceMicros, settings)
  const paymentPayload = offered.via === 'mpp' ? toV2(offered, offer, paymentRequirements) : offered.payload
  return { x402Version: 2, paymentPayload, paymentRequirements }
}

/** An MPP credential in the words that facilitators know. */
function toV2({ authorization, signature }: OfferedAuthorization, offer: Offer, accepted: object): object {
  const { from, to, nonce, value, validAfter, validBefore } = authorization
  const numbers = { value: String(value), validAfter: String(validAfter), validBefore: String(validBefore) }
  const resource = { url: headerUrl(offer.url), description: offer.description, mimeType: offer.mimeType }
  return {
    x402Version: 2,
    resource,
    accepted,
    payload: { signature, authorization: { from, to, nonce, ...numbers } },
  }
}

/** A foreign word as a log may carry it: short, printable ASCII. */
function quote(word: unknown): string {
  return String(typeof word === 'string' ? word : 'no reason given')
    .replace(/[^\x20-\x7e]/g, '')
    .slice(0, 100)
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function readHash(value: unknown): Hex | undefined {
  return typeof value === 'string' && /^0x[0-9a-f]{64}$/i.test(value)
    ? (value.toLowerCase() as Hex)
    : undefined
}
