import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { Glob } from 'bun'
import { type Node, parseSync, Visitor } from 'oxc-parser'

const linesMax = 75

/** The linter holds src and admin to 60 lines; it cannot tell the groups of `describe` from functions. */
test(`no function of bench and test is longer than ${linesMax} lines`, () => {
  const long = [...new Glob('{bench,test}/**/*.{ts,tsx}').scanSync('.')].flatMap((path) =>
    longFunctions(path, readFileSync(path, 'utf8')),
  )
  expect(long).toEqual([])
})

test('a long function is found, in a group of tests too, and the group is none', () => {
  const body = 'call()\n'.repeat(linesMax)
  const source = `describe('a group', () => {\n${body}test('a', () => {\n${body}})\n})\n`
  expect(longFunctions('a.ts', source)).toEqual([`a.ts:${linesMax + 2} has ${linesMax + 2} lines`])
})

/** Places and lengths of functions that are too long. Blank lines do not count. */
function longFunctions(path: string, source: string): readonly string[] {
  const groups = new Set<Node>()
  const found: string[] = []
  function check(node: Node): void {
    const lines = source
      .slice(node.start, node.end)
      .split('\n')
      .filter((line) => line.trim() !== '').length
    if (lines > linesMax && !groups.has(node))
      found.push(`${path}:${source.slice(0, node.start).split('\n').length} has ${lines} lines`)
  }
  const visitor = new Visitor({
    CallExpression(node) {
      const callee = source.slice(node.callee.start, node.callee.end)
      if (callee.startsWith('describe')) for (const argument of node.arguments) groups.add(argument)
    },
    ArrowFunctionExpression: check,
    FunctionDeclaration: check,
    FunctionExpression: check,
  })
  visitor.visit(parseSync(path, source).program)
  return found
}
