import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { Glob } from 'bun'
import { type Expression, parseSync, Visitor } from 'oxc-parser'

test('every expectation of a promise is awaited or handed on', () => {
  const files = [...new Glob('test/**/*.{ts,tsx}').scanSync('.')]
  const faults = files.flatMap((path) =>
    unawaited(path, readFileSync(path, 'utf8')).map((text) => `${path}: ${text}`),
  )
  expect(faults).toEqual([])
})

test('one that is not awaited is found', () => {
  const source =
    'expect(a()).rejects.toThrow(); await expect(b()).rejects.toThrow(); const c = expect(d()).resolves.toBe(1)'
  expect(unawaited('a.test.ts', source)).toEqual(['expect(a()).rejects.toThrow()'])
})

/** The expectations that are statements of their own. */
function unawaited(path: string, source: string): readonly string[] {
  const found: string[] = []
  if (!/\.(?:rejects|resolves)\b/.test(source)) return found
  new Visitor({
    ExpressionStatement({ expression }) {
      if (asksPromise(expression)) found.push(source.slice(expression.start, expression.end))
    },
  }).visit(parseSync(path, source).program)
  return found
}

function asksPromise(expression: Expression): boolean {
  if (expression.type === 'CallExpression') return asksPromise(expression.callee)
  if (expression.type !== 'MemberExpression') return false
  const { property, object } = expression
  const isAsked = property.type === 'Identifier' && ['rejects', 'resolves'].includes(property.name)
  return isAsked || asksPromise(object)
}
