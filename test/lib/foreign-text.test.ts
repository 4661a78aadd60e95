import { expect, test } from 'bun:test'
import { foreignTextOf } from '../../src/lib/system-reason.ts'

const url = 'https://user:p%40ssword-of-it@rpc.example/v3/0123456789abcdef?apikey=fedcba9876543210'
const headers = { authorization: 'Bearer token-of-the-account' }

test('a text of another service loses each secret that it was called with, wherever it repeats it', () => {
  const textOf = foreignTextOf(url, headers)
  const secrets = ['0123456789abcdef', 'fedcba9876543210', 'p@ssword-of-it', 'token-of-the-account']
  for (const secret of secrets) {
    const text = textOf(`no account ${secret}, see ${url}; ${headers.authorization}`, 1_000)
    for (const other of secrets) expect(text).not.toContain(other)
    expect(text).toStartWith('no account …, see ')
  }
})

test('a text without secrets is only shortened', () => {
  expect(foreignTextOf(url, headers)('execution reverted: v3', 18)).toBe('execution reverted')
})

test('a secret at the place where a text is cut leaves no part of itself', () => {
  expect(foreignTextOf(url)('limit of 0123456789abcdef', 13)).toBe('limit of …')
})
