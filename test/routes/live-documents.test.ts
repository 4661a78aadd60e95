import { afterAll, describe, expect, test } from 'bun:test'
import { gzipSync } from 'node:zlib'
import { signUrl } from '../../src/client/sign-url.ts'
import { stallMsMax, watchEventLoop } from '../support/event-loop-lag.ts'
import { issueKeyPair } from '../support/issue-key-pair.ts'
import { startServer } from '../support/server.ts'
import { startService } from '../support/service.ts'
import { started } from '../support/started.ts'
import { runtimes } from '../support/test-size.ts'
import cases from './live-documents.json' with { type: 'json' }

const yaml = `python: 3.10
next: '3.10'
mode: 0755
on: True
x: &a {image: node:22, tag: 1.10}
job: {<<: *a, tag: 2.0}
jobs: {<<: [*a, {only: here}]}
`
const toml = `version = 3.10
big = 12345678901234567890
hex = 0xFF
at = 1979-05-27 07:32:00Z
day = 1979-05-27
list = [
  1.10, # 2.20
  { v = 1_000, "in = [" = '1.0' },
]
text = """
1.10 = 2"""
[package."a.b"]
version = 1e3
`
const json = `{"v":3.10,"big":12345678901234567890,"e":1.50E+2,"list":[1.0,{"n":-0.0}],"twice":1,"twice":2.50,"s":"3.10","\\u0061b":1.20}`
const pom = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE project [<!ELEMENT version (#PCDATA)>]>
<!-- <version>0</version> -->
<project xmlns="http://maven.apache.org/POM/4.0.0" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="a b">
  <parent><version>0.9</version></parent>
  <version>1.10</version>
  <name>A &amp; <![CDATA[<B>]]> &#67;</name>
  <dependencies>
    <dependency scope="test"><artifactId>junit</artifactId><version>4.13</version></dependency>
    <dependency><artifactId>guava</artifactId><version>33.0</version></dependency>
  </dependencies>
  <empty/>
</project>`
const csproj = `<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><Version x="y">2.1.0</Version><TargetFramework>net8.0</TargetFramework></PropertyGroup><ItemGroup><PackageReference Include="Serilog" Version="3.1.1" /></ItemGroup></Project>`

const locked = Array.from(
  { length: 3_500 },
  (_, index) =>
    `[[package]]\nname = "p${index}"\nversion = "1.${index}"\nsize = 1.10\nsource = { registry = "https://pypi.org/simple" }\n`,
).join('\n')
const packument = JSON.stringify({
  name: 'large',
  versions: Object.fromEntries(
    Array.from({ length: 40_000 }, (_, index) => [
      `1.0.${index}`,
      { dist: { shasum: 'x'.repeat(40), tags: [index, null, true] }, text: 'é "\\ \u2028' },
    ]),
  ),
  'dist-tags': { latest: '1.0.39999', 'a.b': ['x', 'y'] },
}).replace('"latest"', '"score":4.50,"\\u006catest"')

const texts: Readonly<Record<string, string>> = {
  '/yaml': yaml,
  '/toml': toml,
  '/json': json,
  '/pom.xml': pom,
  '/app.csproj': csproj,
  '/uv.lock': locked,
  '/packument': packument,
  '/filters': JSON.stringify({ list: Array.from({ length: 9_000 }, (_, n) => ({ n, name: `n${n}` })) }),
  '/empty': '{"a":""}',
  '/cut': packument.slice(0, -1),
  '/longest': `{"a":1.0,"b":"${'x'.repeat(10 * 2 ** 20 - 16)}"}`,
  '/too-long': `{"a":1.0,"b":"${'x'.repeat(10 * 2 ** 20 - 15)}"}`,
  '/misspelt': '{"schemaVersion":1,"label":"a","mesage":"b"}',
  '/Message': '{"schemaVersion":1,"label":"a","Message":"b"}',
  '/number': '{"schemaVersion":1,"label":"a","message":3.10}',
  '/entities.xml': '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
  '/laughs.xml': `<!DOCTYPE a [<!ENTITY b "c">${Array.from({ length: 9 }, (_, n) => `<!ENTITY b${n} "${'&b;'.repeat(10)}">`).join('')}]><a>&b8;</a>`,
  '/outside.xml': '<!DOCTYPE a SYSTEM "file:///etc/passwd"><a>text</a>',
  '/open.xml': '<a><b></a>',
  '/deep.xml': '<a>'.repeat(100_000),
  '/wide.xml': `<a>${'<b/>'.repeat(250_000)}</a>`,
  '/attributes.xml': `<a ${Array.from({ length: 80_000 }, (_, n) => `b${n}="c"`).join(' ')}>text</a>`,
  '/elements.yaml': `a: [${'[],'.repeat(340_000)}1]`,
  '/merges.yaml': `a: &a {${Array.from({ length: 9_000 }, (_, n) => `k${n}: 1`).join(',')}}\nb: [${Array(90).fill('{<<: *a}').join(',')}]`,
  '/numbers.toml': `a = [${'1,'.repeat(500_000)}1]`,
  '/numbers.json': `{"a":[${'1,'.repeat(500_000)}1.0]}`,
  '/deep.json': `${'['.repeat(2_000_000)}${']'.repeat(2_000_000)}`,
  '/name.json': `{"${'n'.repeat(3_000_000)}":1}`,
  '/token.json': `{"a":${'1'.repeat(3_000_000)}}`,
  '/escapes.json': `{"a":"${'\\u0041'.repeat(500_000)}"}`,
}

const titleOf = /<title>([^<]*)<\/title>/

for (const runtime of runtimes) {
  describe(`documents of live badges on ${runtime}`, () => {
    let fetches: string[] = []
    const site = startSite((path) => fetches.push(path))
    const origin = `http://127.0.0.1:${site.port}`

    const env = {
      FETCH_ALLOW_CIDRS: '127.0.0.0/8',
      FETCH_ALLOW_PORTS: `${site.port},80`,
      DEMO_DAILY_QUOTA: '100000',
      FETCH_UNPAID_PER_MINUTE: '10000',
      FETCH_TARGET_PER_MINUTE: '100000',
    }
    const server = started(() => startServer({ runtime, env }))
    const pair = started(() => issueKeyPair(server))
    afterAll(() => site.stop(true))

    type Parameters = Readonly<Record<string, string>>

    async function ask(given: Parameters, isSigned = false) {
      const [[name = '', path = ''] = []] = Object.entries(given)
      const query = new URLSearchParams({ ...given, [name]: origin + path })
      const url = `${server.url}/api/badge?${query}`
      const response = await fetch(isSigned ? await signUrl(url, pair) : `${url}&demo=1`)
      const text = await response.text()
      const problem = response.status === 200 ? {} : JSON.parse(text)
      return { status: response.status, words: titleOf.exec(text)?.[1], problem }
    }

    test.each(cases.written as [string, string, string, string | null][])(
      '%s of %s at %s is shown as it is written: %s',
      async (format, path, query, words) => {
        const answer = await ask({ [format]: path, query })
        expect(answer).toMatchObject(words === null ? { status: 502 } : { status: 200, words })
      },
    )

    test('a number that an endpoint says is shown as it is written', async () => {
      expect(await ask({ endpoint: '/number' })).toMatchObject({ words: 'a: 3.10' })
    })

    test.each(['mesage', 'Message'])('an endpoint with %s in place of message is told so', async (name) => {
      const { status, problem } = await ask({ endpoint: name === 'Message' ? '/Message' : '/misspelt' })
      expect([status, problem.reason]).toEqual([502, 'no_value'])
      expect(problem.detail).toContain(`"${name}"`)
    })

    test.each(cases.xml)('XML of %s at %s says %s', async (xml, query, words) => {
      expect(await ask({ xml, query })).toMatchObject({ status: 200, words })
    })

    test.each(cases.failures)('XML of %s at %s is a 502 with %s', async (xml, query, reason) => {
      expect(await ask({ xml, query })).toMatchObject({ status: 502, problem: { reason } })
    })

    test('a path of XML that is none is a mistake of the query', async () => {
      for (const query of ['/', '//', '/a[', '/a]', '/a[b=]', '/a b', 'count(//a)', '/a/following::b', '$.a'])
        expect(await ask({ xml: '/pom.xml', query })).toMatchObject({
          status: 400,
          problem: { errors: [{ parameter: 'query' }] },
        })
      expect(await ask({ xml: '/pom.xml', query: 'count(//a)', fallback: 'badge' })).toMatchObject({
        words: 'no result',
      })
    })

    test('the URLs of shields.io for XML work here', async () => {
      const url = encodeURIComponent(`${origin}/pom.xml`)
      const badge = await fetch(`${server.url}/badge/dynamic/xml?url=${url}&query=//project/version&label=v`)
      expect(titleOf.exec(await badge.text())?.[1]).toBe('v: 1.10')
    })

    test.each(cases.more as [object, string][])(
      '%j is read, however long it takes to parse',
      async (parameters, words) => {
        expect(await ask(parameters as Parameters)).toMatchObject({ status: 200, words })
      },
    )

    test('a key has a path of names followed in JSON of up to 10 MiB, once for each path', async () => {
      const json = '/packument'
      expect(packument.length).toBeGreaterThan(4 * 2 ** 20)
      fetches = []
      for (const [query = '', words] of cases.jsonPaths)
        expect(await ask({ json, query }, true)).toMatchObject({ status: 200, words })
      expect(fetches).toHaveLength(4)
      expect(await ask({ json: '/longest', query: '$.a' }, true)).toMatchObject({ words: '1.0' })
    })

    test.each(cases.packument as unknown as [Record<string, string>, string][])(
      '%j of a key is a 502 with %s',
      async (parameters, reason) => {
        const { status, problem } = await ask(parameters as Parameters, true)
        expect([status, problem.reason]).toEqual([502, reason])
      },
    )

    test('a long text is cut while it is read', async () => {
      const { words } = await ask({ json: '/escapes.json', query: '$.a' }, true)
      expect(words).toBe(`${'A'.repeat(199)}…`)
    })

    test('a demo call gets no more than 1 MiB, which keeps nobody who signs from more', async () => {
      const asked = { json: '/longest', query: "$['a']" }
      expect((await ask(asked)).problem.reason).toBe('too_large')
      expect(await ask(asked, true)).toMatchObject({ words: '1.0' })
      const [, , ...rest] = await Promise.all([
        ask({ json: '/packument', query: '$.name' }),
        ask({ json: '/packument', query: '$..a' }),
        ask({ json: '/packument', query: '$.name' }, true),
        ask({ json: '/packument', query: "$['dist-tags'].latest" }, true),
      ])
      expect(rest.map(({ words }) => words)).toEqual(['large', '1.0.39999'])
    })
  })
}

test.each(cases.costly as unknown as [Record<string, string>][])(
  '%j keeps nobody waiting',
  async (parameters) => {
    const site = startSite(() => {})
    const server = await startService({
      env: { FETCH_ALLOW_CIDRS: '127.0.0.0/8', FETCH_ALLOW_PORTS: `${site.port},80` },
    })
    try {
      const pair = await issueKeyPair(server)
      const [[name = '', path = ''] = []] = Object.entries(parameters)
      const origin = `http://127.0.0.1:${site.port}`
      const query = new URLSearchParams({ ...parameters, [name]: origin + path } as Record<string, string>)
      // Loads what is loaded with the first document.
      await fetch(`${server.url}/api/badge?json=${origin}/json&query=$.v&demo=1`)
      const url = await signUrl(`${server.url}/api/badge?${query}`, pair)
      const { value, stallMs } = await watchEventLoop(async () => (await fetch(url)).status)
      expect([200, 502, 504]).toContain(value)
      expect(stallMs).toBeLessThan(stallMsMax)
    } finally {
      await server.stop()
      await site.stop(true)
    }
  },
)

function startSite(onFetch: (path: string) => void) {
  return Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      const { pathname } = new URL(request.url)
      onFetch(pathname)
      if (pathname === '/bytes') return new Response(inBytes('{"a":{"b":3.10}}') as unknown as ReadableStream)
      if (pathname === '/bomb') return new Response(bomb, { headers: { 'content-encoding': 'gzip' } })
      const text = texts[pathname]
      return text === undefined ? new Response('gone', { status: 404 }) : new Response(text)
    },
  })
}

/** A body that arrives byte by byte. */
async function* inBytes(text: string) {
  for (const character of text) {
    await Bun.sleep(1)
    yield Buffer.from(character)
  }
}

const bomb = gzipSync(`{"a":"${'x'.repeat(200_000_000)}"}`)
