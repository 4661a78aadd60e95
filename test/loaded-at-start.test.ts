import { expect, test } from 'bun:test'
import { dirname, normalize } from 'node:path'
import { Glob } from 'bun'

/** Imports that load code: neither types nor `import()`. */
const loading = /^(?:import|export)\s(?!type\b)[^'";]*?from\s'([^']+)'|^import\s'([^']+)'/gm

/** Every file and package that is loaded together with these files. */
async function loadedWith(...entries: readonly string[]): Promise<ReadonlySet<string>> {
  const found = new Set(entries)
  for (const file of found) {
    if (!/\.tsx?$/.test(file)) continue
    const source = await Bun.file(file).text()
    for (const [, from, alone] of source.matchAll(loading)) {
      const path = from ?? alone ?? ''
      found.add(path.startsWith('.') ? normalize(`${dirname(file)}/${path}`) : path)
    }
  }
  return found
}

/** The start of a server imports what makes its assets. */
const producers = [...new Glob('src/assets/*/produce.ts').scanSync()]
const loaded = await loadedWith('src/cli/run.ts', 'src/cli/serve.ts', ...producers)

test('what the server serves is loaded at its start', () => {
  expect([...loaded]).toEqual(expect.arrayContaining(['src/app.ts', 'src/catalog.ts', 'elysia']))
})

test('what only some requests need is not loaded at the start: operator’s area, text engine, drawing, page readers, public pages, payments, PostgreSQL', () => {
  const modules = `
    admin/app.ts src/site/site-pages.ts src/site/reference/docs.tsx src/site/openapi/openapi.ts
    src/svg/read-shapes.ts src/text/coverage/lookup.ts src/text/harfbuzz.ts src/text/text-engine.ts
    src/text/breaks.ts src/text/woff2.ts src/raster/draw-svg.ts src/raster/pixel-canvas.ts
    src/assets/avatar/avatar-renderer.ts src/assets/badge/badge-renderer.ts src/assets/og/card-renderer.ts
    src/assets/og/engine/readable-colors.ts src/assets/og/engine/read-theme.ts js-yaml src/assets/page-readers.ts src/assets/preview/page-parser.ts
    src/payments/create-payments.ts src/cli/run-program.ts bidi-js linebreak @resvg/resvg-js viem pg`
  const later = modules.trim().split(/\s+/)
  expect(later.filter((name) => loaded.has(name))).toEqual([])
})

test('a command that draws loads neither the server nor a database', async () => {
  const loaded = await loadedWith('src/cli/commands/render.ts')
  const server = ['src/app.ts', 'src/service.ts', 'src/cli/run.ts', 'elysia', 'drizzle-orm']
  expect(server.filter((name) => loaded.has(name))).toEqual([])
})

test('a process that supervises others loads neither the server nor a database', async () => {
  const loaded = await loadedWith('src/cli/run.ts', 'src/cli/workers/supervisor.ts')
  const server = ['src/app.ts', 'src/service.ts', 'elysia', 'drizzle-orm']
  expect(server.filter((name) => loaded.has(name))).toEqual([])
})

test('the entry file loads no HTTP server, because most processes that it starts listen to nobody', async () => {
  expect((await loadedWith('src/main.ts')).has('node:http')).toBe(false)
})
