import { describe, expect, test } from 'bun:test'
import { cpSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { assets } from '../../src/catalog.ts'
import { createRequestParser } from '../../src/http/request-parser.ts'
import { hmacHex } from '../../src/lib/password.ts'
import { addressText, canonicalQuery, payloadOf, type QueryPair } from '../../src/lib/query-pairs.ts'
import { randomFrom } from '../support/random.ts'
import { isQuick, slowTest } from '../support/test-size.ts'
import { createUserProject } from '../support/user-project.ts'
import { type AddressVector, addressesPath, addressVectors } from './addresses.ts'
import cases from './addresses-cases.json' with { type: 'json' }

const all = [...addressVectors.vectors, ...addressVectors.otherSpellings]

describe('the published addresses are the same', () => {
  test('in TypeScript', () => {
    for (const vector of all) {
      const { name, key, asset, ext, payload, text, sig } = vector
      expect([name, addressText({ asset, key, payload, extension: ext })]).toEqual([name, text])
      expect([name, hmacHex(vector.secret, text).slice(0, 32)]).toEqual([name, sig])
      expect([name, `/i/${asset}/${key}/${payload}/${sig}.${ext}`]).toEqual([name, vector.address])
      expect([name, pairsIn(payload)]).toEqual([name, vector.parameters])
    }
    for (const { name, parameters, payload } of addressVectors.vectors)
      expect([name, payloadOf(parameters)]).toEqual([name, payload])
  })

  for (const [language, command, script] of [
    ['Python', 'python3', 'address.py'],
    ['PHP', 'php', 'address.php'],
    ['Ruby', 'ruby', 'address.rb'],
  ] as const)
    test.skipIf(isQuick || Bun.which(command) === null)(`in ${language}`, async () => {
      expectAll(JSON.parse(await printedBy([command, join(import.meta.dir, script), addressesPath])))
    })

  slowTest('in bash with openssl', async () => {
    const addresses: string[][] = []
    for (const { secret, key, asset, ext, payload, parameters } of all) {
      const script = ['bash', join(import.meta.dir, 'address.sh')]
      const words = [secret, key, asset, ext]
      addresses.push(
        await Promise.all([
          printedBy([...script, 'payload', ...words, payload]),
          printedBy([...script, 'parameters', ...words, ...parameters.flat()]),
        ]),
      )
    }
    expectAll(addresses)
  })

  test.skipIf(isQuick || Bun.which('hugo') === null)('in a Hugo template', async () => {
    const site = createUserProject({
      'hugo.toml': 'disableKinds = ["taxonomy", "term", "section", "sitemap", "RSS", "404"]\n',
      'data/addresses.json': readFileSync(addressesPath, 'utf8'),
    })
    try {
      cpSync(join(import.meta.dir, 'address.html'), join(site.folder, 'layouts/index.html'))
      await site.run(['hugo'])
      expectAll(JSON.parse(readFileSync(join(site.folder, 'public/index.html'), 'utf8')))
    } finally {
      rmSync(site.folder, { recursive: true })
    }
  })
})

test('the server reads every published address as the query of its parameters', () => {
  const producer = { describe: never, produce: never }
  const parser = createRequestParser(assets.map((asset) => ({ asset, producer })))
  for (const { name, asset, ext, parameters, address } of all) {
    // The form of an asset to come.
    if (asset === 'card') continue
    const own: readonly QueryPair[] = parameters.filter(([each]) => each !== 'exp')
    const rawQuery = canonicalQuery([...own, ['format', ext.replace('jpg', 'jpeg')]])
    const asked = parser.read({ path: `/api/${asset}`, rawQuery, logFields: {} })
    const addressed = parser.read({ path: address, rawQuery: '', logFields: {} })
    expect([name, addressed.query, addressed.etag]).toEqual([name, asked.query, asked.etag])
  }
})

test('a payload says every text, whatever it holds', () => {
  const random = randomFrom(11)
  const parts = cases.parts
  function text() {
    return Array.from({ length: random.below(30) }, () => random.pick(parts)).join('')
  }
  for (let round = 0; round < 2_000; round += 1) {
    const pairs = Array.from({ length: 1 + random.below(3) }, (): [string, string] => [`n${text()}`, text()])
    const expected = pairs.map(([name, value]) => [name.toWellFormed(), value.toWellFormed()])
    expect(pairsIn(payloadOf(pairs))).toEqual(expected as [string, string][])
  }
})

function never(): never {
  throw new Error('Nothing is drawn here.')
}

/** Each language signs a published payload to the same address, and its own payload says the same parameters. */
function expectAll(addresses: readonly (readonly string[])[]): void {
  expect(addresses).toHaveLength(all.length)
  for (const [index, vector] of all.entries()) {
    const [ofPayload, ofParameters = ''] = addresses[index] ?? []
    expect([vector.name, ofPayload]).toEqual([vector.name, vector.address])
    expectSigned(ofParameters, vector)
  }
}

function expectSigned(address: string, { name, secret, key, asset, ext, parameters }: AddressVector): void {
  const [, , , , payload = ''] = address.split('/')
  const sig = hmacHex(secret, addressText({ asset, key, payload, extension: ext })).slice(0, 32)
  expect([name, address]).toEqual([name, `/i/${asset}/${key}/${payload}/${sig}.${ext}`])
  expect([name, pairsIn(payload)]).toEqual([name, parameters])
}

/** The parameters in a payload, as a parser of forms reads them. */
function pairsIn(payload: string): readonly (readonly [string, string])[] {
  expect(payload).toMatch(/^[\w-]+$/)
  return [...new URLSearchParams(Buffer.from(payload, 'base64url').toString())]
}

async function printedBy(command: string[]): Promise<string> {
  const child = Bun.spawn(command, { stdout: 'pipe', stderr: 'pipe' })
  const [text, said] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  if ((await child.exited) !== 0) throw new Error(said)
  return text
}

const guide = readFileSync(join(import.meta.dir, '../../docs/other-languages.md'), 'utf8')
const blocks = new Map(
  [...guide.matchAll(/^```([\w-]+)\n(.*?)^```$/gms)].map(([, language = '', code = '']) => [language, code]),
)
const vector = addressVectors.vectors.find(({ name }) => name === 'a plain title')
const url = 'https://mintmark.example'
const own = { MINTMARK_URL: url, MINTMARK_KEY: vector?.key ?? '', MINTMARK_SECRET: vector?.secret ?? '' }

describe('the lines of the guide sign the published address', () => {
  for (const [language, file, ...command] of cases.commands as [string, string, string, ...string[]][])
    test.skipIf(Bun.which(command[0]) === null)(`in ${language}`, async () => {
      const project = createUserProject({ [file]: blocks.get(language) ?? '' })
      try {
        expect((await project.run([...command, file], own)).trim()).toBe(`${url}${vector?.address}`)
      } finally {
        rmSync(project.folder, { recursive: true })
      }
    })

  test.skipIf(Bun.which('hugo') === null)('in a Hugo template', async () => {
    const project = createUserProject({
      'hugo.toml': 'disableKinds = ["taxonomy", "term", "home", "section"]\n',
      'layouts/_default/single.html': blocks.get('go-html-template') ?? '',
      'content/hello.md': '{ "title": "Hello" }\n',
    })
    try {
      const env = Object.entries(own).map(([name, value]) => [`HUGO_${name}`, value])
      await project.run(['hugo'], Object.fromEntries(env))
      const built = readFileSync(join(project.folder, 'public/hello/index.html'), 'utf8')
      expect(built.trim()).toBe(`${url}${vector?.address}`)
    } finally {
      rmSync(project.folder, { recursive: true })
    }
  })
})
