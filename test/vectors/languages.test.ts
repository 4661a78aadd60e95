import { describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import { signedQueries } from '../../src/access/credentials.ts'
import { canonicalQuery } from '../../src/lib/query-pairs.ts'
import { isEmbed, type Vector, vectors, vectorsPath } from './vectors.ts'

describe('the published vectors are the same', () => {
  test('in TypeScript', () => {
    for (const vector of vectors) {
      const target = `${vector.method} ${vector.path}`
      const payload = isEmbed(vector)
        ? `${target}?${canonicalQuery(vector.parameters)}`
        : `${vector.t}.${target}`
      const sig = createHmac('sha256', vector.secret).update(payload).digest('hex')
      expect([vector.name, payload, sig]).toEqual([vector.name, vector.payload, vector.sig])
    }
  })

  test('in Python', () => {
    const answer: unknown = JSON.parse(run(['python3', join(import.meta.dir, 'sign.py'), vectorsPath]))
    expect(answer).toEqual(vectors.map(({ payload, sig }) => [payload, sig]))
  })

  test.each(vectors.map((vector) => [vector.name, vector] as const))(
    'in bash with openssl: %s',
    (_, vector) => {
      const values = isEmbed(vector)
        ? ['embed', ...valuesOf(vector), ...vector.parameters.flat()]
        : callValues(vector)
      const answer = run(['bash', join(import.meta.dir, 'sign.sh'), ...values])
      expect(answer).toBe(`${vector.payload}\n${vector.sig}\n`)
    },
  )
})

test('every published embed URL is written in the canonical form', () => {
  for (const vector of vectors.filter(isEmbed)) {
    const [path, query = ''] = vector.url.split('?')
    expect(`GET ${path}?${signedQueries(query)[0]}`).toBe(vector.payload)
  }
})

function valuesOf({ secret, method, path }: Vector): string[] {
  return [secret, method, path]
}

function callValues(vector: Vector): string[] {
  return isEmbed(vector) ? [] : ['t', ...valuesOf(vector), String(vector.t)]
}

function run(command: string[]): string {
  const { stdout, stderr, exitCode } = Bun.spawnSync(command)
  if (exitCode !== 0) throw new Error(stderr.toString())
  return stdout.toString()
}
