import { expect, test } from 'bun:test'
import { requesterOf } from '../../src/assets/unpaid-fetch.ts'
import cases from './requester.json' with { type: 'json' }

const context = { clientAddress: '192.0.2.1' }

test.each(cases.requesters as [string, Parameters<typeof requesterOf>[1], string, string][])(
  'a site is asked for %s on the right account',
  (_, grant, kind, id) => {
    expect(requesterOf(context, grant)).toMatchObject({ kind, id })
  },
)
