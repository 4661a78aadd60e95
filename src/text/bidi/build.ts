/**
 * Writes `classes.generated.ts` from files of the Unicode Character Database, which Debian's package `unicode-data` has:
 * `bun src/text/bidi/build.ts`.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { classNames } from './classes.ts'

const folder = '/usr/share/unicode'
const pointMax = 0x10ffff
/** Defaults of unassigned code points have long names. */
const longNames: Readonly<Record<string, string>> = {
  Left_To_Right: 'L',
  Right_To_Left: 'R',
  Arabic_Letter: 'AL',
  European_Terminator: 'ET',
}

const classes = new Uint8Array(pointMax + 1)
const data = await readFile(`${folder}/extracted/DerivedBidiClass.txt`, 'utf8')
const defaults = data.matchAll(/^# @missing: (\w+)\.\.(\w+); (\w+)/gm)
const assigned = data.matchAll(/^(\w+)(?:\.\.(\w+))? *; (\w+)/gm)
for (const [, first = '', last = first, name = ''] of [...defaults, ...assigned]) {
  const index = classNames.indexOf(longNames[name] ?? name)
  if (index < 0) throw new Error(`No bidi class is called ${name}`)
  classes.fill(index, Number.parseInt(first, 16), Number.parseInt(last, 16) + 1)
}

let packed = ''
for (let start = 0; start <= pointMax; ) {
  let end = start
  while (end <= pointMax && classes[end] === classes[start]) end++
  packed += `${end - start === 1 ? '' : (end - start).toString(36)}${String.fromCharCode(65 + (classes[start] ?? 0))}`
  start = end
}

const brackets = await readFile(`${folder}/BidiBrackets.txt`, 'utf8')
const pairs = [...brackets.matchAll(/^(\w+); (\w+); o/gm)].map(
  ([, open = '', close = '']) => `\\u${open}\\u${close}`,
)
const version = /DerivedBidiClass-([\d.]+)\.txt/.exec(data)?.[1]
await writeFile(
  new URL('classes.generated.ts', import.meta.url),
  `/**
 * Written by build.ts from Unicode ${version}: the bidi classes of all code points from 0 on as runs, each its length to the
 * base of 36, where it is not 1, and the letter of its class; the bracket pairs, each its opening and its closing one.
 */
export const packedClasses =
  '${packed}'
export const bracketPairs =
  '${pairs.join('')}'
`,
)
console.log(`${packed.length} characters of classes, ${pairs.length} pairs of brackets`)
