import { and, type Column, type SQL, sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import { queriesOf } from './query.ts'
import { payments } from './schema.ts'

export type PaymentRow = Readonly<typeof payments.$inferSelect>

export type PaymentState = PaymentRow['state']

type NewPayment = Readonly<typeof payments.$inferInsert>

export type NewAuthorization = NewPayment & {
  readonly method: 'authorization'
  readonly nonce: string
  readonly state: 'reserved'
}

export type NewTransfer = NewPayment & {
  readonly method: 'transfer'
  readonly txHash: string
  readonly state: 'settled'
}

export type PaymentTransition = {
  [To in (typeof transitionTargets)[number]]: {
    readonly to: To
    readonly from: readonly (typeof statesBefore)[To][number][]
    readonly ifTxHash?: string | null
    readonly ifBlockHash?: string | null
    readonly changes?: SettlementDetails
    readonly nowMs: number
  }
}[(typeof transitionTargets)[number]]

/** States before each state. Settled money can only vanish, until the chain shows it again. */
export const statesBefore = {
  reserved: ['submitted', 'released', 'failed'],
  submitted: ['reserved', 'submitted', 'released'],
  settled: ['reserved', 'submitted', 'released', 'failed', 'reorged'],
  released: ['reserved', 'submitted'],
  failed: ['reserved', 'submitted', 'released'],
  reorged: ['settled'],
} as const satisfies Readonly<Record<PaymentState, readonly PaymentState[]>>

const settlementColumns = [
  'txHash',
  'reason',
  'binding',
  'settler',
  'settlerNonce',
  'rawTransaction',
] as const

/** The states that a transition leads to: money settles by a statement of its own. */
export const transitionTargets = ['reserved', 'submitted', 'released', 'failed', 'reorged'] as const

type SettlementDetails = Partial<Pick<PaymentRow, (typeof settlementColumns)[number]>>

/** Money as the chain shows it: the transaction, its block, and the logs that moved it. */
export interface ConfirmedTransfer {
  readonly txHash: string
  readonly blockNumber: number
  readonly blockHash: string
  /** Counted from the transaction's first log. None where only a facilitator's word stands for the transfer. */
  readonly logIndexes: readonly number[]
  readonly nowMs: number
}

/** Makes transitions. Queries of one form are made once. */
export function createTransitions(database: Database) {
  const { change } = queriesOf(database)
  const { id, txHash, blockHash, updatedAtMs } = payments
  type Update = ReturnType<typeof change<Record<string, Column>>>
  const updates = new Map<string, Update>()

  function updateFor(
    to: PaymentState,
    from: readonly PaymentState[],
    conditions: readonly string[],
    changed: readonly (keyof SettlementDetails)[],
  ): Update {
    const kinds: Record<string, Column> = { id, updatedAtMs, ifTxHash: txHash, ifBlockHash: blockHash }
    for (const name of changed) kinds[name] = payments[name]
    return change(kinds, (of, { update }) =>
      update(payments)
        .set({
          ...Object.fromEntries(changed.map((name) => [name, of[name]])),
          state: sql.raw(`'${to}'`),
          updatedAtMs: of['updatedAtMs'],
        })
        .where(
          and(
            sql`${id} = ${of['id']}`,
            hasState(...from),
            ...conditions.map((name) => sql`${kinds[name]} is not distinct from ${of[name]}`),
          ),
        ),
    )
  }

  // Forms are made when they are first called for. A test that prepares all queries sees the one that has every part.
  if (database.onQuery !== undefined)
    for (const to of transitionTargets)
      updateFor(to, statesBefore[to], ['ifTxHash', 'ifBlockHash'], settlementColumns)

  return (id: string, { to, from, changes = {}, nowMs, ...conditions }: PaymentTransition) => {
    const given = definedOnly(conditions)
    const changed = definedOnly(changes)
    const names = Object.keys(changed) as (keyof SettlementDetails)[]
    const form = JSON.stringify([to, from, Object.keys(given), names])
    const update = updates.get(form) ?? updateFor(to, from, Object.keys(given), names)
    updates.set(form, update)
    return update({ ...given, ...changed, id, updatedAtMs: nowMs })
  }
}

function definedOnly(properties: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== undefined))
}

/** The states as a part of a statement: a bound one would hide the partial indexes from SQLite. */
export function hasState(...states: readonly PaymentState[]): SQL {
  return sql`${payments.state} in (${sql.raw(states.map((state) => `'${state}'`).join(', '))})`
}
