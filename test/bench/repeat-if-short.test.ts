import { describe, expect, test } from 'bun:test'
import { repeatIfShort, repeatShortOnes } from '../../bench/support/repeat-if-short.ts'
import type { Row } from '../../bench/support/row.ts'

function row(what: string, passed: boolean | undefined): Row {
  return { what, ours: '', peer: '', ratio: '', target: '', ...(passed !== undefined && { passed }) }
}

/** Gives the answers one after another, and counts how many were taken. */
function measuring(...answers: readonly (readonly Row[])[]) {
  let taken = 0
  return { measure: async () => answers[taken++] ?? [], taken: () => taken }
}

describe('a row that fell short is measured again before the bench says so', () => {
  test('rows that met their bounds, or have none, are measured once', async () => {
    const first = [row('a', true), row('b', undefined)]
    const { measure, taken } = measuring(first)
    expect(await repeatIfShort(measure)).toEqual(first)
    expect(taken()).toBe(1)
  })

  test('a miss that did not show again is none, and its tries are told', async () => {
    const { measure } = measuring([row('a', true), row('b', false)], [row('a', false), row('b', true)])
    expect(await repeatIfShort(measure)).toEqual([row('a', true), { ...row('b', true), tries: 2 }])
  })

  test('a miss that shows each time is one, after as many tries as are allowed', async () => {
    const short = [row('a', false)]
    const { measure, taken } = measuring(short, short, short, short)
    expect(await repeatIfShort(measure, 3)).toEqual([{ ...row('a', false), tries: 3 }])
    expect(taken()).toBe(3)
  })

  test('of rows that take long, only the one that fell short is, after all were measured once', async () => {
    const order: string[] = []
    function measuringOne(what: string, ...passes: readonly boolean[]) {
      let taken = 0
      return async () => {
        order.push(what)
        return row(what, passes[taken++])
      }
    }
    const rows = await repeatShortOnes([
      measuringOne('a', false, true),
      measuringOne('b', true),
      measuringOne('c', false, false),
    ])
    expect(order).toEqual(['a', 'b', 'c', 'a', 'c'])
    expect(rows).toEqual([{ ...row('a', true), tries: 2 }, row('b', true), { ...row('c', false), tries: 2 }])
  })
})
