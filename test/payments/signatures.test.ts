import { expect, test } from 'bun:test'
import { privateKeyToAccount } from 'viem/accounts'
import { hashMessage } from 'viem/utils'
import { isSignedByKey } from '../../src/payments/chain/signatures.ts'
import { watchEventLoop } from '../support/event-loop-lag.ts'

test('signatures of many at once are checked in several turns, and a broken one holds up none', async () => {
  const signer = privateKeyToAccount(`0x${'45'.repeat(32)}`)
  const signature = await signer.signMessage({ message: 'a' })
  const broken = `0x${'00'.repeat(64)}1b` as const
  const { value, turns } = await watchEventLoop(() =>
    Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        isSignedByKey(signer.address, hashMessage('a'), index % 2 === 0 ? signature : broken),
      ),
    ),
  )
  expect(value).toEqual(Array.from({ length: 60 }, (_, index) => index % 2 === 0))
  expect(turns).toBeGreaterThan(3)
})
