import { afterAll, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { temporaryDirectory } from '../../store/temporary-directory.ts'
import { watchTree } from '../../support/process-memory.ts'
import { rareText } from '../../support/rare-texts.ts'
import { startService } from '../../support/service.ts'
import { mountSmallDisk } from '../../support/small-disk.ts'
import { isQuick, sampleOf, slowTest } from '../../support/test-size.ts'
import { databaseSettings } from '../../support/test-store.ts'
import { done, mintmark, mintmarkProcess, refusal, startMintmark } from '../support/mintmark.ts'
import cases from './render.json' with { type: 'json' }

const directory = temporaryDirectory()
const disk = mountSmallDisk()
afterAll(() => disk?.remove())
let made = 0

/** A folder of its own for one test, with its input. */
function newRun(input: string, name = 'cards.jsonl') {
  made += 1
  const folder = join(directory, String(made))
  mkdirSync(folder)
  const from = join(folder, name)
  writeFileSync(from, input)
  const out = join(folder, 'out')
  return { folder, from, out, words: ['render', '--from', from, '--out', out] }
}

function cards(count: number, more: Readonly<Record<string, string>> = {}): string {
  const rows = Array.from({ length: count }, (_, i) => ({ title: `Card ${i}`, slug: `card-${i}`, ...more }))
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('')
}

interface Manifest {
  readonly files: readonly {
    readonly line: number
    readonly file: string
    readonly sha256: string
    readonly row: Readonly<Record<string, string>>
  }[]
}

function manifestIn(out: string): Manifest {
  return JSON.parse(readFileSync(join(out, 'manifest.json'), 'utf8'))
}

function sha256(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}

describe('render', () => {
  slowTest('draws cards with the brand of a folder, drawn anew when the brand has changed', async () => {
    const { folder, from, out, words } = newRun(cards(2), 'cards.jsonl')
    const brand = join(folder, 'acme')
    mkdirSync(brand)
    function write(more: Readonly<Record<string, string>>) {
      writeFileSync(join(brand, 'brand.json'), JSON.stringify({ name: 'Acme', slug: 'acme', ...more }))
    }
    write({ footer: 'Since 1949', theme: 'poster' })
    const branded = [...words, '--brand', brand]
    expect(await mintmark(branded)).toMatchObject({ exitCode: 0, lines: [`${out}: 2 drawn, 0 unchanged`] })
    expect(await mintmark(branded)).toMatchObject({ lines: [`${out}: 0 drawn, 2 unchanged`] })
    write({ footer: 'Since 1950', theme: 'poster' })
    expect(await mintmark(branded)).toMatchObject({ lines: [`${out}: 2 drawn, 0 unchanged`] })

    writeFileSync(from, cards(1, { brand: 'other' }))
    const other = await mintmark(branded)
    expect(other.exitCode).toBe(1)
    expect(other.errors).toContain(`${from}:1: brand must be acme, the brand in ${brand}`)

    write({ accent: 'reddish' })
    const wrong = await mintmark(branded)
    expect(wrong).toMatchObject({ exitCode: 1 })
    expect(wrong.errors).toContain(`${join(brand, 'brand.json')}: accent must be a colour`)
  })

  test('draws cards by a theme file, in the look of their brand; a row’s own theme wins', async () => {
    const { folder, from, out, words } = newRun('')
    const [theme, brand] = [join(folder, 'site.yaml'), join(folder, 'acme')]
    const { output: file } = await done(['theme', 'new', '--from', 'grid'])
    writeFileSync(theme, file)
    mkdirSync(brand)
    writeFileSync(
      join(brand, 'brand.json'),
      '{"name":"Acme","slug":"acme","footer":"Since 1949","theme":"poster"}',
    )
    const rows = [{}, { theme: 'paper' }, { kind: 'avatar', name: 'Ada' }]
    async function drawn(...more: readonly string[]) {
      writeFileSync(from, rows.map((row) => JSON.stringify({ title: 'A', ...row })).join('\n'))
      await done([...words, '--format', 'svg', ...more])
      return manifestIn(out).files.map(({ sha256 }) => sha256)
    }
    expect(await drawn('--theme', theme)).toEqual(await drawn('--theme', 'grid'))
    const branded = await drawn('--theme', theme, '--brand', brand)
    expect(branded).toEqual(await drawn('--theme', 'grid', '--brand', brand))
    writeFileSync(join(brand, 'theme.yaml'), (await done(['theme', 'new', '--from', 'terminal'])).output)
    expect(await drawn('--brand', brand)).toEqual(await drawn('--theme', 'terminal', '--brand', brand))
    expect(await drawn('--theme', theme, '--brand', brand)).toEqual(branded)
    const [before] = await drawn('--theme', theme)
    writeFileSync(theme, file.replace('scheme: light', 'scheme: dark'))
    expect((await drawn('--theme', theme))[0]).not.toBe(before)
  })

  test('a theme file with mistakes stops the run before anything is drawn', async () => {
    const { folder, out, words } = newRun(cards(1))
    const theme = join(folder, 'site.yaml')
    writeFileSync(theme, 'mintmark: 1\nscheme: sepia\n')
    expect(await refusal([...words, '--theme', theme])).toContain(`${theme}:2:1: scheme `)
    expect(existsSync(out)).toBe(false)
  })

  slowTest(
    'draws cards with the brands of a database, revisions too, also while a server has it open',
    async () => {
      const { folder, from, out, words } = newRun(cards(1, { format: 'svg' }))
      const [data, brand] = [join(folder, 'data'), join(folder, 'acme')]
      const env = { DATA_DIR: data, ...(await databaseSettings(data)) }
      const missing = await mintmark([...words, '--brand', 'acme'], { env })
      expect(missing.errors).toContain(`${from}:1: brand must be `)
      mkdirSync(brand)
      for (const footer of ['Since 1949', 'Since 1950']) {
        writeFileSync(join(brand, 'brand.json'), JSON.stringify({ name: 'Acme', slug: 'acme', footer }))
        expect(await mintmark(['brand', 'import', brand], { env })).toMatchObject({ exitCode: 0 })
      }
      const server = await startService({ dataDir: data })
      try {
        for (const reference of ['acme', 'acme@1']) {
          const drawn = await mintmark([...words, '--brand', reference], { env })
          expect(drawn).toMatchObject({ exitCode: 0, errors: '', lines: [`${out}: 1 drawn, 0 unchanged`] })
          const url = `${server.url}/api/og?demo=1&title=Card+0&brand=${reference}`
          const { file = '' } = manifestIn(out).files[0] ?? {}
          expect(readFileSync(join(out, file), 'utf8')).toBe(await (await fetch(url)).text())
        }
        for (const [reference, reason] of [
          ['nobody', 'there is no brand nobody'],
          ['acme@3', 'acme has 1 to 2, not 3'],
        ] as const) {
          writeFileSync(from, cards(1, { brand: reference }))
          const refused = await mintmark(words, { env })
          expect(refused.exitCode).toBe(1)
          expect(refused.errors).toContain(`${from}:1: brand must be`)
          expect(refused.errors).toContain(reason)
        }
      } finally {
        await server.stop()
      }
    },
  )

  test('draws what a server would, names it by its content and lists it in a manifest', async () => {
    const rows = cases.rows
    const { out, words } = newRun(rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
    await done(words)
    const { files } = manifestIn(out)
    expect(readdirSync(out).sort()).toEqual([...files.map(({ file }) => file), 'manifest.json'].sort())
    const server = await startService()
    try {
      for (const [index, { kind = 'og', ...row }] of rows.entries()) {
        const query = new URLSearchParams({ demo: '1' })
        for (const [name, value] of Object.entries(row)) query.set(name, String(value))
        const served = new Uint8Array(await (await fetch(`${server.url}/api/${kind}?${query}`)).arrayBuffer())
        const { file = '', sha256: sum = '' } = files[index] ?? {}
        expect(Buffer.compare(readFileSync(join(out, file)), served)).toBe(0)
        expect(sha256(join(out, file))).toBe(sum)
        expect(sum.startsWith(file.replace(/\.\w+$/, ''))).toBe(true)
      }
    } finally {
      await server.stop()
    }
  })

  test('draws again only what has changed: a row, or a file that was damaged or deleted', async () => {
    const run = newRun(cards(4))
    const words = [...run.words, '--name', '{slug}.svg']
    expect((await mintmark(words)).output).toContain('4 drawn, 0 unchanged')
    const before = readFileSync(join(run.out, 'manifest.json'), 'utf8')
    expect((await mintmark(words)).output).toContain('0 drawn, 4 unchanged')
    expect(readFileSync(join(run.out, 'manifest.json'), 'utf8')).toBe(before)
    truncateSync(join(run.out, 'card-1.svg'), 100)
    writeFileSync(run.from, cards(4).replace('Card 2', 'Another'))
    expect((await mintmark(words)).output).toContain('2 drawn, 2 unchanged')
    expect(readFileSync(join(run.out, 'card-2.svg'), 'utf8')).toContain('>Another</title>')
    expect(
      manifestIn(run.out).files.map(({ file, sha256: sum }) => sha256(join(run.out, file)) === sum),
    ).toEqual(Array(4).fill(true))
  })

  slowTest(
    'goes on where a killed run was, and ends with the same files as one that was not killed',
    async () => {
      const whole = newRun(cards(60))
      await mintmark(whole.words)
      const run = newRun(cards(60))
      const child = startMintmark(run.words)
      while (!existsSync(run.out) || readdirSync(run.out).length < 10) await Bun.sleep(5)
      child.kill('SIGKILL')
      await child.exited
      expect(existsSync(join(run.out, 'manifest.json'))).toBe(false)
      const { output } = await mintmark(run.words)
      expect(Number(/(\d+) unchanged/.exec(output)?.[1])).toBeGreaterThan(0)
      expect(readdirSync(run.out).sort()).toEqual(readdirSync(whole.out).sort())
      expect(manifestIn(run.out)).toEqual(manifestIn(whole.out))
    },
  )

  slowTest(
    'ends at Ctrl-C with whole files, says how far it came, and goes on when called again',
    async () => {
      const run = newRun(cards(400, { format: 'png' }))
      const child = startMintmark(run.words)
      while (!existsSync(run.out) || readdirSync(run.out).length < 5) await Bun.sleep(5)
      child.kill('SIGINT')
      const expected = [130, expect.stringMatching(/^Stopped after \d+ of 400 pictures/)]
      expect([await child.exited, await new Response(child.stdout).text()]).toEqual(expected)
      const pictures = readdirSync(run.out).filter((name) => name.endsWith('.png'))
      for (const name of pictures)
        expect(readFileSync(join(run.out, name)).subarray(-8, -4).toString('latin1')).toBe('IEND')
      writeFileSync(run.from, cards(5, { format: 'png' }))
      expect((await mintmark(run.words)).output).toMatch(/: [0-4] drawn, [1-5] unchanged/)
    },
  )

  test('takes parameters of all rows as options, which a row overrides', async () => {
    const run = newRun('title,format,slug\nOne,,one\nTwo,svg,two\n', 'cards.csv')
    const words = '--format png --width 600 --name {slug}'.split(' ')
    const { exitCode } = await mintmark([...run.words, ...words])
    expect(exitCode).toBe(1)
    await mintmark([...run.words, '--format', 'png', '--name', '{slug}'])
    expect(manifestIn(run.out).files.map(({ file }) => file)).toEqual(['one.png', 'two.svg'])
  })

  slowTest('draws the format that names end with, however a JPEG is spelt', async () => {
    const extensions = cases.extensions as [string, string][]
    for (const [extension, first] of sampleOf(extensions, 4)) {
      const run = newRun('{"title":"Hello"}\n')
      await mintmark([...run.words, '--name', `{slug}.${extension}`])
      const bytes = readFileSync(join(run.out, `hello.${extension}`))
      expect(bytes.subarray(0, 2).toString('hex')).toBe(first)
    }
  })

  test('makes a slug of the title where rows have none, and folders where they have slashes', async () => {
    const run = newRun('{"title":"Hello, World"}\n{"title":"b","slug":"2026/notes/b"}\n')
    await mintmark([...run.words, '--name', '{slug}.svg'])
    expect(manifestIn(run.out).files.map(({ file }) => file)).toEqual(['hello-world.svg', '2026/notes/b.svg'])
    expect(statSync(join(run.out, '2026/notes/b.svg')).size).toBeGreaterThan(1000)
  })

  slowTest('shows a progress bar on a terminal, and nothing on a pipe', async () => {
    const run = newRun(cards(3))
    expect((await mintmark(run.words)).errors).toBe('')
    const { runtimeCommands } = await import('../../support/server.ts')
    const command = [...runtimeCommands.bun, 'render', '--from', run.from, '--out', `${run.out}2`].join(' ')
    const terminal = Bun.spawn(['script', '-qec', command, '/dev/null'], { stdout: 'pipe', stdin: 'ignore' })
    expect(await new Response(terminal.stdout).text()).toMatch(/█{24} 3\/3, \d+ a second/)
  })

  slowTest('draws on Deno too', async () => {
    const run = newRun(cards(2, { format: 'png' }))
    expect(await mintmarkProcess(run.words, { runtime: 'deno' })).toMatchObject({ exitCode: 0 })
    expect(manifestIn(run.out).files).toHaveLength(2)
  })

  slowTest('keeps its memory in bounds however many cards it draws', async () => {
    const titles = ['Release', '私たちの方法', 'كيف خفضنا', 'Ship it 🚀', 'Как мы']
    const rows = Array.from({ length: 300 }, (_, i) =>
      JSON.stringify({ title: `${titles[i % 5]} ${i}`, format: 'png' }),
    )
    const run = newRun(rows.join('\n'))
    const child = startMintmark(run.words)
    const memory = watchTree(child.pid)
    expect(await child.exited).toBe(0)
    expect(memory.stop() / 2 ** 20).toBeLessThan(300)
  })
})

describe('a wrong row is told with its file, line and parameter, and nothing is written', () => {
  const huge = 'x'.repeat(100_000)
  const rareRows = `{"title":"a"}\n{"title":"b","subtitle":"${rareText('sc', 120)}"}`
  const wrongRows: [string, string, string, string][] = [
    ...(cases.wrongRows as [string, string, string, string][]),
    ['a long title', 'c.csv', `title\nok\n${'x'.repeat(81)}\n`, ':3: title must be 1 to 80 characters'],
    ['a huge line', 'c.jsonl', `{"title":"a"}\n{"title":"${huge}"}`, ':2: is longer than 65536'],
    ['a text of too many fonts', 'c.jsonl', rareRows, ':2: subtitle has characters of '],
    ['a huge cell', 'c.csv', `title\n${huge}\n`, ':2: is longer than 65536'],
  ]
  test.each(sampleOf(wrongRows, 5))('%s', async (_, name, input, message) => {
    const run = newRun(input, name)
    const errors = await refusal(run.words)
    expect(errors).toContain(run.from + message)
    expect(existsSync(run.out)).toBe(false)
  })

  test('text that is not UTF-8', async () => {
    const run = newRun('')
    writeFileSync(run.from, Buffer.from('{"title":"a"}\n{"title":"\xe9"}\n', 'latin1'))
    expect(await mintmark(run.words)).toMatchObject({ exitCode: 1, errors: `${run.from}:2: is not UTF-8\n` })
  })

  test('standard input is named as such', async () => {
    const { exitCode, errors } = await mintmarkProcess(
      ['render', '--from', '-', '--out', join(directory, 'none')],
      { input: '\ufefftitle;theme\r\nHello;pink\r\n' },
    )
    expect([exitCode, errors]).toEqual([1, expect.stringContaining('standard input:2: theme must be one of')])
  })

  const wrongNames: [string, string, string][] = [
    ...(cases.wrongNames as [string, string, string][]),
    ['a name that is too long', 'x'.repeat(300), 'is longer than 255 bytes'],
  ]
  test.each(sampleOf(wrongNames, 4))('a name that is %s', async (_, slug, message) => {
    const run = newRun(`{"title":"a","slug":"first"}\n${JSON.stringify({ title: 'b', slug })}\n`)
    const errors = await refusal([...run.words, '--name', '{slug}'])
    expect(errors).toContain(`${run.from}:2: --name `)
    expect(errors).toContain(message)
    expect(readdirSync(run.folder)).toEqual(['cards.jsonl'])
  })

  test('the end of the names is the format of the pictures, unless another is asked for', async () => {
    const run = newRun('{"title":"a","slug":"first"}\n')
    expect((await mintmark([...run.words, '--name', '{slug}.png'])).exitCode).toBe(0)
    const bytes = readFileSync(join(run.out, 'first.png'))
    expect(bytes.subarray(1, 4).toString()).toBe('PNG')
    const other = await mintmark([...run.words, '--format', 'svg', '--name', '{slug}.png'])
    expect([other.exitCode, other.errors]).toEqual([1, expect.stringContaining('must end with .svg')])
  })

  test('a column that the name needs and a row does not have', async () => {
    const run = newRun('{"title":"a","id":"1"}\n{"title":"b"}\n')
    const { errors } = await mintmark([...run.words, '--name', '{id}.svg'])
    expect(errors).toContain(`${run.from}:2: has no id, which --name needs`)
  })

  test.each(cases.refused as [string, object, string][])('%s', async (_, given, message) => {
    const { from, out } = newRun(cards(1))
    const options = Object.entries({ from, out, ...given }).flatMap(([name, value]) => [`--${name}`, value])
    expect(await refusal(['render', ...options])).toContain(message)
  })
})

test.skipIf(isQuick || disk === undefined)(
  'a full disk is told with the file, leaves no half picture, and the run goes on later',
  async () => {
    if (disk === undefined) return
    const run = newRun(cards(200, { format: 'png', theme: 'aurora', width: '2400' }))
    const out = join(disk.path, 'out')
    const words = ['render', '--from', run.from, '--out', out]
    expect(await refusal(words)).toMatch(/out\/\S+ cannot be written: the disk is full\n/)
    const pictures = readdirSync(out).filter((name) => name.endsWith('.png'))
    expect(pictures.length).toBeGreaterThan(0)
    for (const name of pictures)
      expect(readFileSync(join(out, name)).subarray(-8, -4).toString('latin1')).toBe('IEND')
    expect(existsSync(join(out, 'manifest.json'))).toBe(false)
    rmSync(join(out, pictures[0] as string))
    writeFileSync(run.from, cards(1, { format: 'png', theme: 'aurora' }))
    expect((await mintmark(words)).output).toMatch(/: 0 drawn, 1 unchanged|: 1 drawn/)
  },
)
