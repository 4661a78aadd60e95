import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { DatabaseSync } from 'node:sqlite'
import { privateKeyToAccount } from 'viem/accounts'
import { systemClock } from '../../src/lib/clock.ts'
import { createLog } from '../../src/lib/log.ts'
import type { SettledTransfer } from '../../src/payments/chain/chain.ts'
import { type AuthorizationEntry, paymentSlot } from '../../src/payments/ledger/claims.ts'
import { createLedger, type ReservationOffer } from '../../src/payments/ledger/ledger.ts'
import type { PaymentRefusal } from '../../src/payments/payment-reasons.ts'
import { createReconciler } from '../../src/payments/settle/maintenance.ts'
import { createSettlementResolver } from '../../src/payments/settle/settlement-resolver.ts'
import { type SettlerKey, signWithNextNonce } from '../../src/payments/settle/settler-account.ts'
import { openDatabase } from '../../src/store/open-database.ts'
import type { PaymentRow, PaymentTransition } from '../../src/store/payment-states.ts'
import { retryWhileLocked } from '../../src/store/store-error.ts'
import { temporaryDirectory } from '../store/temporary-directory.ts'
import { hasPostgres, startPostgres } from '../support/postgres.ts'
import { started } from '../support/started.ts'
import { isQuick } from '../support/test-size.ts'
import { keyOf, settler } from './support/anvil.ts'

const silentLog = createLog({ level: 'error', write: () => {}, now: Date.now, delayMs: 0 })

type Process = Awaited<ReturnType<typeof openProcess>>

async function openProcess(databaseUrl: string, name?: string) {
  const store = await openDatabase({
    settings: { DATABASE_URL: databaseUrl, DATA_DIR: '', MASTER_KEY: '09'.repeat(32) },
    clock: systemClock,
    readFile: () => '',
    onError: () => {},
    onAway: () => {},
  })
  const ledger = createLedger({
    unheardMs: 86_400_000,
    store,
    clock: systemClock,
    leaseOwner: name ?? store.peers.ownName,
    replayWindowMs: 1_000,
  })
  const context = { store, clock: systemClock, log: silentLog }
  const resolver = createSettlementResolver(context, 1, undefined)
  return { store, ledger, resolver }
}

const settings = { chainId: 1, maxAgeMs: 60_000 }
const path = `${temporaryDirectory()}/ledger.sqlite`

let serial = 0
function hex(digits: number) {
  return `0x${String(++serial).padStart(digits, '0')}` as const
}

function promise(nonce = hex(64)) {
  return {
    method: 'authorization',
    via: 'x402-v1',
    chainId: 1,
    asset: '0xa',
    payTo: '0xb',
    payer: '0xc',
    nonce,
    amountMicros: 10_000,
    state: 'reserved',
  } as const
}

function transfer(txHash: string, chainId = 1) {
  const { nonce: _, ...common } = promise()
  return { ...common, method: 'transfer', via: 'transfer', chainId, txHash, state: 'settled' } as const
}

function shown(txHash: `0x${string}`, logIndexes: readonly number[]): SettledTransfer {
  return { txHash, blockNumber: 7, blockHash: '0x77', logIndexes }
}

function wish(slot = '') {
  return { slot, isWithoutProof: true, request: hex(8), endpoint: 'og', amountMicros: 10_000 }
}

/** Read while nothing was settled. */
function balance(balanceMicros: number): ReservationOffer {
  return { balanceMicros, settledBefore: new Set() }
}

async function reserve(process: Process, entry: AuthorizationEntry = promise()) {
  const claim = await process.ledger.reserve(entry, wish(), balance(1_000_000_000))
  if (claim.kind !== 'claimed') throw new Error(`it is ${claim.kind}`)
  return claim
}

type Processes = ReturnType<typeof useProcesses>

/** Three processes on one database, as far as the ledger can tell them apart. */
function useProcesses(openDatabaseUrl: () => string) {
  let opened: readonly Process[] = []
  beforeAll(async () => {
    const url = openDatabaseUrl()
    const here = await openProcess(url, 'here')
    const there = await openProcess(url, 'there')
    opened = [here, there, await openProcess(url, 'elsewhere')]
  })
  afterAll(async () => {
    for (const { store } of opened) await store.close()
  })
  function at(index: number): Process {
    const found = opened[index % opened.length]
    if (found === undefined) throw new Error('No process is open.')
    return found
  }
  return {
    at,
    get here() {
      return at(0)
    },
    get there() {
      return at(1)
    },
  }
}

function testLedger(openDatabaseUrl: () => string): void {
  const processes = useProcesses(openDatabaseUrl)
  testTransfers(processes)
  testAuthorizations(processes)
  testCharges(processes)
  testSettlements(processes)
}

async function stateOf({ store }: Process, id: string) {
  return (await store.payments.byId(id))?.state
}

function testTransfers(processes: Processes): void {
  test('a log pays once, whichever process sees it first and however it is offered', async () => {
    const { here, there } = processes
    const txHash = hex(64)
    expect(await here.ledger.adopt(promise(), shown(txHash, [3]))).toMatchObject({ state: 'settled' })
    expect(await there.ledger.adopt(promise(), shown(txHash, [3]))).toMatchObject({
      reason: 'payment_already_used',
    })
    expect(await there.ledger.record(transfer(txHash), [1, 3])).toMatchObject({
      reason: 'payment_already_used',
    })
    expect(await there.store.payments.byTransaction(1, txHash)).toHaveLength(1)
    // Its neighbour in the same transaction is other money, and so is the same place on another chain.
    expect(await there.ledger.adopt(promise(), shown(txHash, [5]))).toMatchObject({ state: 'settled' })
    expect(await here.ledger.record(transfer(txHash, 2), [3])).toMatchObject({ state: 'settled' })
  })

  test('the same money shown twice is one payment', async () => {
    const { here, there } = processes
    const txHash = hex(64)
    const entry = promise()
    const first = await here.ledger.adopt(entry, shown(txHash, [0]))
    expect(await there.ledger.adopt(entry, shown(txHash, [0]))).toEqual(first)
    const [one, two] = [hex(64), [4, 6]] as const
    expect(await here.ledger.record(transfer(one), two)).toEqual(
      await there.ledger.record(transfer(one), two),
    )
  })

  test('a settlement whose transfer has paid for something else is not answered as paid', async () => {
    const { here, there } = processes
    const txHash = hex(64)
    await here.ledger.record(transfer(txHash), [0])
    const { payment } = await reserve(there)
    expect(await there.resolver.markSettled(payment, shown(txHash, [0]))).toBe(false)
    expect(await there.store.payments.byId(payment.id)).toMatchObject({
      state: 'failed',
      reason: 'payment_already_used',
    })
  })

  test('one transfer that both see at once is one payment, and its log pays once', async () => {
    const txHash = hex(64)
    const seen = await Promise.all(
      Array.from({ length: 12 }, (_, index) => {
        const { ledger } = processes.at(index)
        return retryWhileLocked<PaymentRow | PaymentRefusal>(() =>
          index % 4 === 0
            ? ledger.adopt({ ...promise(), payer: hex(40) }, shown(txHash, [0]))
            : ledger.record(transfer(txHash), [0]),
        )
      }),
    )
    expect(new Set(seen.flatMap((payment) => ('kind' in payment ? [] : [payment.id]))).size).toBe(1)
  })
}

function testAuthorizations(processes: Processes): void {
  test('authorizations that cannot be settled leave so many traces of a payer and no more', async () => {
    const { here, there } = processes
    const payer = hex(40)
    for (let shown = 0; shown < 110; shown += 1) await here.ledger.show({ ...promise(), payer, binding: 'a' })
    const found = await there.store.paymentList.ofPayer(payer, 200)
    expect(found).toHaveLength(100)
    expect(found.every(({ state, binding }) => state === 'released' && binding === 'a')).toBe(true)
  })

  test('showing an authorization leaves alone the request that it is reserved for', async () => {
    const { here, there } = processes
    const entry = { ...promise(), binding: 'a' }
    const { payment } = await reserve(here, entry)
    await there.ledger.show({ ...entry, binding: 'b' })
    expect(await here.store.payments.byId(payment.id)).toMatchObject({ state: 'reserved', binding: 'a' })
    await here.ledger.release((await here.store.charges.bySlot(paymentSlot(payment.id)))?.id ?? '', payment)
    await there.ledger.show({ ...entry, binding: 'b' })
    expect(await here.store.payments.byId(payment.id)).toMatchObject({ state: 'released', binding: 'b' })
  })

  test('of two authorizations of a payer for one request one is reserved, whichever process they reach', async () => {
    const { here, there } = processes
    const [first, second] = [promise(), promise()].map((entry) => ({ ...entry, binding: hex(32) }))
    if (first === undefined || second === undefined) throw new Error('there are two')
    const entries = [first, { ...second, binding: first.binding }]
    const claims = await Promise.all(
      entries.map((entry, index) =>
        (index === 0 ? here : there).ledger.reserve(entry, wish(), balance(1_000_000)),
      ),
    )
    expect(claims.map(({ kind }) => kind).toSorted()).toEqual(['claimed', 'earlier'])
    // A released payment holds up no other.
    const other = { ...promise(), binding: hex(32) }
    const { payment, chargeId } = await reserve(here, other)
    await here.ledger.release(chargeId, payment)
    expect(await reserve(there, { ...promise(), binding: other.binding })).toMatchObject({ kind: 'claimed' })
  })

  test('a wallet that holds money for seven is promised seven times, by three servers at once', async () => {
    const payer = hex(40)
    const claims = await Promise.all(
      Array.from({ length: 21 }, (_, index) => {
        const { ledger } = processes.at(index)
        return retryWhileLocked(() => ledger.reserve({ ...promise(), payer }, wish(), balance(70_000)))
      }),
    )
    expect(claims.filter(({ kind }) => kind === 'claimed')).toHaveLength(7)
    expect(claims.filter(({ kind }) => kind === 'refused')).toHaveLength(14)
  })

  test('servers with one settler take each nonce once', async () => {
    const { here } = processes
    const account = privateKeyToAccount(keyOf(settler))
    const reserved = await Promise.all(
      Array.from({ length: 12 }, () => reserve(here, { ...promise(), payer: hex(40) })),
    )
    const unsigned = { type: 'eip1559', chainId: 1, maxFeePerGas: 1n, maxPriorityFeePerGas: 1n } as const
    const signed = await Promise.all(
      reserved.map(({ payment }, index) => {
        const { store } = processes.at(index)
        const key = { store, clock: systemClock, settings: { chainId: 1 }, account }
        return retryWhileLocked(
          () => signWithNextNonce(key as unknown as SettlerKey, payment, unsigned, 0),
          20_000,
        )
      }),
    )
    expect(signed.map(({ nonce }) => nonce).toSorted((one, other) => one - other)).toEqual(
      reserved.map((_, index) => index),
    )
    const stored = await Promise.all(reserved.map(({ payment }) => here.store.payments.byId(payment.id)))
    expect(stored.map((row) => row?.settlerNonce)).toEqual(signed.map(({ nonce }) => nonce))
  })
}

const stored = { status: 200, headers: [], body: new Uint8Array() }

async function recordTransfer({ ledger }: Process) {
  const payment = await ledger.record(transfer(hex(64)), [0])
  if ('kind' in payment) throw new Error(payment.reason)
  return payment
}

async function claim(process: Process, payment: PaymentRow) {
  const claimed = await process.ledger.claim(payment, wish(paymentSlot(payment.id)))
  if (claimed.kind !== 'claimed') throw new Error(`it is ${claimed.kind}`)
  return claimed
}

function complete(process: Process, chargeId: string) {
  return process.store.transaction(() => process.ledger.steps.complete(chargeId, stored))
}

function testCharges(processes: Processes): void {
  test('a process that was only slow completes the charge that others took for orphaned', async () => {
    const { here, there } = processes
    const payment = await recordTransfer(here)
    const { chargeId } = await claim(here, payment)
    await there.ledger.release(chargeId, payment)
    expect(await complete(here, chargeId)).toBe(true)
    const [charge] = await here.store.charges.byPayment(payment.id)
    expect(charge?.state).toBe('done')
    expect((await here.store.payments.byId(payment.id))?.spentMicros).toBe(10_000)
    expect(await there.ledger.claim(payment, wish(paymentSlot(payment.id)))).toMatchObject({
      reason: 'payment_already_used',
    })
  })

  test.each([true, false])(
    'a process that was only slow completes nothing if the payment was given to another request, ended: %p',
    async (isEnded) => {
      const { here, there } = processes
      const payment = await recordTransfer(here)
      const slow = await claim(here, payment)
      await there.ledger.release(slow.chargeId, payment)
      const other = await claim(there, payment)
      if (isEnded) expect(await complete(there, other.chargeId)).toBe(true)
      expect(await complete(here, slow.chargeId)).toBe(false)
      if (!isEnded) expect(await complete(there, other.chargeId)).toBe(true)
      const states = (await here.store.charges.byPayment(payment.id)).map(({ state }) => state)
      expect(states.toSorted()).toEqual(['done', 'released'])
      expect((await here.store.payments.byId(payment.id))?.spentMicros).toBe(10_000)
    },
  )

  test('of twenty requests at once for what is left of one transfer, one gets it', async () => {
    const { here } = processes
    const payment = await here.ledger.record(transfer(hex(64)), [0])
    if ('kind' in payment) throw new Error('it is refused')
    const claims = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        retryWhileLocked(() => processes.at(index).ledger.claim(payment, wish(paymentSlot(payment.id)))),
      ),
    )
    expect(claims.filter((claim) => claim?.kind === 'claimed')).toHaveLength(1)
    expect(claims.filter((claim) => claim?.kind === 'refused')).toHaveLength(19)
  })
}

function testSettlements(processes: Processes): void {
  test('a promise that a call of another process holds is not abandoned', async () => {
    const { here, there } = processes
    const { payment } = await reserve(here)
    await there.ledger.abandon(payment, 'reserved')
    expect(await stateOf(here, payment.id)).toBe('reserved')
    expect((await there.store.charges.bySlot(paymentSlot(payment.id)))?.state).toBe('reserved')
  })

  test('what has settled stays settled, whatever another process decided on an older row', async () => {
    const { here, there } = processes
    const { payment, chargeId } = await reserve(here)
    const stale = (await there.store.payments.open()).find(({ id }) => id === payment.id)
    expect(stale?.state).toBe('reserved')
    expect(await here.resolver.markSettled(payment, shown(hex(64), [0]))).toBe(true)
    await here.ledger.release(chargeId, payment)
    await there.ledger.abandon(payment, 'reserved')
    await there.ledger.abandon(payment, 'submitted')
    await there.resolver.markFailed(payment, 'settlement_failed')
    if (stale !== undefined) await there.ledger.freeNonce(stale)
    const nowMs = Date.now()
    const steps: readonly PaymentTransition[] = [
      { from: ['reserved', 'submitted'], to: 'submitted', nowMs },
      { from: ['reserved', 'submitted'], to: 'released', nowMs },
      { from: ['submitted', 'released', 'failed'], to: 'reserved', nowMs },
    ]
    for (const step of steps) expect(await there.store.payments.transition(payment.id, step)).toBe(false)
    expect(await stateOf(here, payment.id)).toBe('settled')
  })

  test('reconciling with rows from before a settlement leaves it settled', async () => {
    const { here, there } = processes
    const first = await reserve(here)
    const second = await reserve(here)
    for (const { chargeId, payment } of [first, second]) await here.ledger.release(chargeId, payment)
    // Released by hand above; a call takes the second up again while the list of open payments is being walked.
    const rows = [first, second].map(({ payment }) => ({ ...payment, state: 'reserved' as const }))
    const payments = { ...there.store.payments, open: () => there.store.payments.open().as(() => rows) }
    const store = { ...there.store, payments }
    const nonce = (second.payment.nonce ?? '0x') as `0x${string}`
    const again = await reserve(here, { ...promise(), nonce })
    await here.resolver.markSettled(again.payment, shown(hex(64), [0]))
    const answer = { status: 200, headers: [], body: new Uint8Array() }
    await here.store.transaction(() => here.ledger.steps.complete(again.chargeId, answer))
    const context = { store, clock: systemClock, log: silentLog }
    await createReconciler({ ...there, ...context, checkReorg: undefined }, settings).reconcile()
    expect(await stateOf(here, second.payment.id)).toBe('settled')
  })

  test('a transaction that another process replaced is not failed for the one before it', async () => {
    const { here, there } = processes
    const { payment } = await reserve(here)
    const [old, young] = [hex(64), hex(64)]
    function submit(txHash: string) {
      return here.store.payments.transition(payment.id, {
        from: ['reserved', 'submitted'],
        to: 'submitted',
        changes: { txHash },
        nowMs: 1,
      })
    }
    await submit(old)
    await submit(young)
    await there.resolver.markFailed(payment, 'settlement_failed', old)
    expect(await stateOf(here, payment.id)).toBe('submitted')
    await there.resolver.markFailed(payment, 'settlement_failed', young)
    expect(await stateOf(here, payment.id)).toBe('failed')
  })
}

describe('the ledger over SQLite', () => testLedger(() => `sqlite:${path}`))

describe.skipIf(isQuick || !hasPostgres)('the ledger over PostgreSQL', () => {
  const postgres = started(startPostgres)
  testLedger(() => postgres.makeDatabase('ledger'))

  test('charges of a server that ended are released, and those of one that lives are not', async () => {
    const url = postgres.makeDatabase('orphans')
    const [alive, ended, third] = await Promise.all([openProcess(url), openProcess(url), openProcess(url)])
    const held = await reserve(alive)
    const orphan = await reserve(ended)
    await ended.store.close()
    const context = { store: third.store, clock: systemClock, log: silentLog }
    await createReconciler({ ...third, ...context, checkReorg: undefined }, settings).reconcile()
    const states = [held, orphan].map(
      async ({ chargeId }) => (await third.store.charges.byId(chargeId))?.state,
    )
    expect(await Promise.all(states)).toEqual(['reserved', 'released'])
    for (const { store } of [alive, third]) await store.close()
  })
})

test('the file itself refuses to undo a settlement or to spend a log again', async () => {
  const txHash = hex(64)
  const { ledger, store } = await openProcess(`sqlite:${path}`, 'one')
  const settled = await ledger.record(transfer(txHash), [0])
  if ('kind' in settled) throw new Error('it is refused')
  const file = new DatabaseSync(path)
  const undo = file.prepare(`update payments set state = 'released' where id = ?`)
  expect(() => undo.run(settled.id)).toThrow('cannot be undone')
  const spend = file.prepare(
    'insert into transfer_logs (chain_id, tx_hash, log_index, payment_id) values (1, ?, 0, ?)',
  )
  expect(() => spend.run(txHash, settled.id)).toThrow('UNIQUE')
  file.close()
  await store.close()
})
