import { expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { settings } from '../../src/config.ts'
import { hashPassword, passwordMistake, verifyPassword } from '../../src/lib/password.ts'
import { runtimes } from '../store/runtimes.ts'

const module = new URL('../../src/lib/password.ts', import.meta.url).href

test('a password is accepted and every other one refused', async () => {
  const hash = await hashPassword('correct horse')
  expect(hash).toStartWith('$argon2id$')
  expect(await verifyPassword('correct horse', hash)).toBe(true)
  expect(await verifyPassword('correct horse ', hash)).toBe(false)
})

test('a password has 10 to 1000 characters, wherever it is set', () => {
  const message = 'must have 10 to 1000 characters'
  for (const length of [0, 9, 1001]) {
    expect(passwordMistake('x'.repeat(length))).toBe(message)
    expect(() => settings.ADMIN_PASSWORD.parse('x'.repeat(length))).toThrow(message)
  }
  for (const length of [10, 1000]) {
    expect(passwordMistake('x'.repeat(length))).toBeUndefined()
    expect(settings.ADMIN_PASSWORD.parse('x'.repeat(length))).toHaveLength(length)
  }
})

test('equal passwords have different hashes', async () => {
  expect(await hashPassword('a')).not.toBe(await hashPassword('a'))
})

test('what Deno hashes is verified by Deno and by Bun', async () => {
  const script = `
    const { hashPassword, verifyPassword } = await import(${JSON.stringify(module)})
    const hash = await hashPassword('correct horse')
    console.log(JSON.stringify([hash, await verifyPassword('correct horse', hash), await verifyPassword('x', hash)]))`
  const { stdout, stderr } = spawnSync(runtimes.deno[0], ['eval', script], { encoding: 'utf8' })
  expect(stderr).toBe('')
  const [hash, right, wrong] = JSON.parse(stdout)
  expect([right, wrong, await verifyPassword('correct horse', hash)]).toEqual([true, false, true])
  expect(await verifyPassword('wrong', hash)).toBe(false)
})
