import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { packageFile } from '../src/lib/package-files.ts'
import { unpackFont, woff2Ready } from '../src/text/woff2.ts'
import { inTurns, isQuick, median, NotPossibleHere, type Row, row } from './support/measure.ts'
import { directory, residentMb, runProgram, startServer } from './support/processes.ts'
import { knownWords } from './support/words.ts'

await woff2Ready

const peerScript = 'bench/support/card-script.ts'
const themes = ['aurora', 'paper', 'grid', 'terminal', 'poster']
/** Apart from our packages, because it brings all of Astro with it. */
const astroPackage = 'astro-og-canvas@0.13.2'

interface Script {
  readonly name: string
  readonly min: number
  readonly words?: readonly string[]
}

/** The first cards of a fresh process, from its start to its end: `mintmark render` beside the scripts that people write. */
export async function benchCold(): Promise<readonly Row[]> {
  const base = directory()
  writeFileSync(
    join(base, 'inter.ttf'),
    unpackFont(readFileSync(packageFile('inter-ui', 'web/Inter-Bold.woff2'))),
  )
  const astro = await installAstro(base)
  const astroScript = { name: 'astro-og-canvas', min: 1, words: [astro ?? ''] }
  return [
    ...(await coldRows(base, isQuick ? 10 : 200, [
      { name: 'takumi', min: 2.2 },
      { name: 'satori + resvg-js', min: 5 },
    ])),
    ...(await coldRows(base, isQuick ? 10 : 100, [
      { name: 'plain satori + resvg-js', min: 1.5 },
      { name: '@vercel/og', min: 1.5 },
      ...(astro === undefined ? [] : [astroScript]),
    ])),
    ...(astro === undefined
      ? [{ what: 'astro-og-canvas', note: 'skipped: the registry did not answer' }]
      : []),
  ]
}

async function coldRows(base: string, count: number, scripts: readonly Script[]): Promise<Row[]> {
  const next = knownWords(21)
  const cards = Array.from({ length: count }, (_, index) =>
    JSON.stringify({ ...next(), theme: themes[index % themes.length], format: 'png' }),
  )
  const file = join(base, 'rows.jsonl')
  writeFileSync(file, cards.join('\n'))
  const ours = () => ['src/main.ts', 'render', '--from', file, '--out', directory()]
  const theirs = scripts.map(({ name, words = [] }) => () => [peerScript, name, `${count}`, base, ...words])
  const sides = [ours, ...theirs].map((words) => async () => (await runProgram(words())).cpuMs)
  const turns = await inTurns(sides, { warmUps: 0, rounds: 3 })
  const what = `${count} PNG cards of a fresh process, CPU time`
  return scripts.map(({ name, min }, index) => fasterRow(what, turns, index + 1, name, min))
}

type Turns = Awaited<ReturnType<typeof inTurns<number>>>

function fasterRow(what: string, turns: Turns, side: number, peer: string, min: number): Row {
  const [ours, ratio] = [turns.median(0), turns.ratio(side, 0)]
  return row({ what, ours, unit: 'ms', peer, theirs: ours * ratio, ratio, min })
}

async function installAstro(base: string): Promise<string | undefined> {
  const folder = join(base, 'astro')
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{}')
  const words = ['add', '--exact', '--omit=peer', astroPackage]
  const output = { stdout: 'ignore', stderr: 'ignore', timeout: 60_000 } as const
  const child = Bun.spawn([process.execPath, ...words], { cwd: folder, ...output })
  return (await child.exited) === 0 ? join(folder, 'node_modules/astro-og-canvas') : undefined
}

/** The documentation of a well-known tool has so many pages. */
const sitePages = isQuick ? 10 : 219
const unchangedPages = isQuick ? 20 : 1_000
const manyPages = isQuick ? 100 : 10_000
/** Pages of a large site repeat themselves in what their cards show, and drawing ten thousand cards takes minutes. */
const manyCards = isQuick ? 20 : 1_000

/** `mintmark cards` over whole sites, each run in a process of its own, beside the scripts that people write. */
export async function benchSite(): Promise<readonly Row[]> {
  const pages = directory()
  writeSite(pages, sitePages)
  const base = directory()
  /** Every program changes the pages that it is given. */
  function copyFor(name: string): string {
    const copy = join(base, name)
    rmSync(copy, { recursive: true, force: true })
    cpSync(pages, copy, { recursive: true })
    return copy
  }
  const scripts: readonly Script[] = [
    { name: 'satori + resvg-js', min: 2 },
    { name: 'takumi', min: 1 },
  ]
  const words = [
    () => cardsProgram(copyFor('ours'), directory()),
    ...scripts.map(({ name }) => () => [peerScript, name, 'site', copyFor(name)]),
  ]
  const sides = words.map((program) => async () => (await runProgram(program())).cpuMs)
  const turns = await inTurns(sides, { warmUps: 0, rounds: 3 })
  function medianKb(name: string): number {
    const folder = join(base, name, 'og')
    const pictures = readdirSync(folder).filter((file) => file.endsWith('.png'))
    return median(pictures.map((file) => statSync(join(folder, file)).size / 1024))
  }
  const what = `${sitePages} pages from a fresh process, CPU time`
  return [
    ...scripts.map(({ name, min }, index) => fasterRow(what, turns, index + 1, `script with ${name}`, min)),
    row({
      what: 'PNG of these pages, median',
      ...{ ours: medianKb('ours'), unit: 'KB', max: 45 },
      ...{ peer: 'takumi', theirs: medianKb('takumi') },
    }),
    await unchangedRow(),
    await memoryRow(),
  ]
}

/** A second run over pages that nobody has changed, beside reading and hashing every file. */
async function unchangedRow(): Promise<Row> {
  const folder = directory()
  const program = cardsProgram(folder, directory())
  writeSite(folder, unchangedPages)
  await runProgram(program)
  const hash = ['-c', `find '${folder}' -type f -print0 | xargs -0 sha256sum`]
  const turns = await inTurns(
    [async () => (await runProgram(program)).wallMs, async () => (await runProgram(hash, 'sh')).wallMs],
    { warmUps: 0 },
  )
  return row({
    what: `${unchangedPages} unchanged pages from a fresh process`,
    ...{ ours: turns.median(0), unit: 'ms', max: 1_000 },
    ...{ peer: 'find and sha256sum of the folder', theirs: turns.median(1) },
  })
}

async function memoryRow(): Promise<Row> {
  const folder = directory()
  writeSite(folder, manyPages, manyCards)
  const { memoryMb } = await runProgram(cardsProgram(folder, directory()))
  const what = `Peak memory over ${manyPages} pages with ${manyCards} cards`
  return row({ what, ours: memoryMb, unit: 'MB', max: 300 })
}

function cardsProgram(folder: string, cache: string): readonly string[] {
  return ['src/main.ts', 'cards', folder, '--cache', cache, '--quiet']
}

/**
 * Writes pages in the look of a documentation site, 25 KB each: a head with the usual tags, a long navigation and a text.
 * `cards` is how many of the pages differ in what a card shows.
 */
function writeSite(folder: string, pages: number, cards = pages): void {
  const next = knownWords(11)
  const parts = ['guides', 'reference', 'recipes', 'releases']
  const texts = Array.from({ length: cards }, next)
  const links = Array.from({ length: 120 }, (_, index) => {
    const path = `/${parts[index % parts.length]}/page-${index}/`
    return `<li class="sidebar-item"><a class="sidebar-link" href="${path}"><span>${next().title}</span></a></li>`
  })
  const text = Array.from({ length: 40 }, (_, index) => {
    const { title, subtitle } = next()
    return `<h2 id="part-${index}">${title}</h2>\n<p>${subtitle}. ${title}.</p>`
  })
  for (let index = 0; index < pages; index++) {
    const { title, subtitle } = texts[index % cards] ?? next()
    const path = `${parts[index % parts.length]}/page-${index}/`
    const page = `<!DOCTYPE html>
<html lang="en" dir="ltr">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title} | Tidewater</title>
    <link rel="canonical" href="https://tidewater.example/${path}">
    <meta name="description" content="${subtitle}">
    <meta property="og:site_name" content="Tidewater">
    <meta property="og:title" content="${title}">
    <link rel="stylesheet" href="/assets/style.css">
    <script type="module" src="/assets/app.js"></script>
  </head>
  <body>
    <nav><ul>
${links.join('\n')}
    </ul></nav>
    <main>
<h1>${title}</h1>
<p class="lead">${subtitle}</p>
${text.join('\n')}
    </main>
  </body>
</html>
`
    const file = join(folder, path, 'index.html')
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, page)
  }
}

/** A process that rests is measured after so long. */
const restMs = 1_000

/**
 * From the start of a process until `/readyz` answers, against an empty `Bun.serve`, and what the process holds while it
 * rests: from source, and as the executable that `bun run build` makes. An empty one is ready in a few ms, which a look
 * each ms tells badly, so the ratio is that of the medians.
 */
export async function benchStart(): Promise<readonly Row[]> {
  if (process.platform !== 'linux') throw new NotPossibleHere('it reads /proc')
  const folder = directory()
  await runProgram(['src/cli/build.ts', folder])
  const empty = join(folder, 'empty.ts')
  writeFileSync(
    empty,
    `Bun.serve({ hostname: '127.0.0.1', port: Number(process.env.PORT), fetch: () => new Response('ok') })`,
  )
  const programs = [
    { name: 'source', words: [process.execPath, 'src/main.ts'], timesMax: 35 },
    { name: 'executable', words: [join(folder, 'mintmark')], timesMax: 15 },
  ]
  const rested = new Map<string, number>()
  async function readyMs(words: readonly string[], name = ''): Promise<number> {
    const server = await startServer({ program: words, readyPath: '/readyz', pollMs: 1 })
    if (name !== '' && !rested.has(name)) {
      await Bun.sleep(restMs)
      rested.set(name, residentMb(server.pid))
    }
    await server.stop()
    return server.readyMs
  }
  const turns = await inTurns(
    [
      () => readyMs([process.execPath, empty]),
      ...programs.map(
        ({ name, words }) =>
          () =>
            readyMs(words, name),
      ),
    ],
    { warmUps: 0, rounds: 9 },
  )
  return programs.flatMap(({ name, timesMax }, index) => [
    row({
      what: `Start to /readyz, ${name}`,
      ...{ ours: turns.median(index + 1), unit: 'ms', peer: 'an empty Bun.serve', theirs: turns.median(0) },
      ...{ ratio: turns.median(index + 1) / turns.median(0), max: timesMax },
    }),
    row({
      what: `Resident memory at rest, ${name}`,
      ours: rested.get(name) ?? Number.NaN,
      unit: 'MB',
      max: 95,
    }),
  ])
}
