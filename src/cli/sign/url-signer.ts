import { join } from 'node:path'
import type { Asset } from '../../assets/kit/asset.ts'
import type { Producer } from '../../assets/kit/producer.ts'
import { og } from '../../assets/og/asset.ts'
import { boundFonts } from '../../assets/og/font-bound.ts'
import { assets } from '../../catalog.ts'
import { embedUrl } from '../../client/embed-url.ts'
import type { EmbedOptions, KeyPair } from '../../client/types.ts'
import { type ParameterError, Problem } from '../../errors.ts'
import { createRequestParser } from '../../http/request-parser.ts'
import { canonicalQuery, type QueryPair } from '../../lib/query-pairs.ts'
import { type BrandJson, brandJsonName, parseBrandJson } from '../brands/brand-folder.ts'
import type { StoredBrands } from '../installation.ts'
import { readNamed } from '../read-text.ts'
import { kindColumn, parameterNames } from '../rows/read-rows.ts'
import type { Environment } from '../runtime.ts'

interface UrlSignerOptions {
  readonly base: string
  readonly pair: KeyPair
  /** Unix seconds; without it an address in the path holds for as long as the key. */
  readonly exp: number | undefined
  readonly form: EmbedOptions['form']
  readonly revisionOf: (brand: string) => Promise<string>
}

export type UrlSigner = ReturnType<typeof createUrlSigner>

export function createUrlSigner({ base, pair, exp, form, revisionOf }: UrlSignerOptions) {
  if (!/^https?:\/\//i.test(base) || !URL.canParse(base))
    throw new Error(`--base must be an absolute http or https URL, not ${base}.`)
  const service = base.replace(/\/$/, '')
  const parser = createRequestParser(
    assets.map((asset) => ({ asset, producer: asset.id === og.id ? ofCards : unmade })),
  )

  /** Checks the call as the server reads it; what is signed is the same with another signature. */
  async function check(path: string, parameters: readonly QueryPair[]): Promise<void> {
    const credentials = Object.entries({ key: pair.key, exp: String(exp ?? 0), sig: '0'.repeat(64) })
    const rawQuery = canonicalQuery([...parameters, ...credentials])
    function read() {
      try {
        return parser.read({ path, rawQuery, logFields: {} })
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        throw new Error(linesOf(error.errors) || error.message)
      }
    }
    await read().resolved?.recheck()
    const { asset, resolved } = read()
    // Nobody knows here which addresses were answered before.
    if (resolved?.unlessAnswered !== undefined) throw new Error(linesOf(resolved.unlessAnswered))
    checkNames(asset, parameters)
  }

  return {
    parser,
    /** Returns the signed URL. Rejects with an Error that names every option that the server would refuse. */
    async sign(path: string, parameters: readonly QueryPair[]): Promise<string> {
      const { pathname, searchParams } = new URL(path, base)
      const given: readonly QueryPair[] = [...searchParams, ...parameters]
      const paths = parser.routes.map((route) => route.path)
      checkPath(pathname, given, paths)
      await check(pathname, given)
      const values: Record<string, string[]> = {}
      for (const [name, value] of given) {
        values[name] ??= []
        values[name].push(name === 'brand' ? await revisionOf(value) : value)
      }
      return await embedUrl(`${service}${pathname}`, values, pair, { exp, form })
    },
  }
}

function linesOf(mistakes: readonly ParameterError[]): string {
  return mistakes.map(({ parameter, message }) => `--${parameter} ${message}`).join('\n')
}

function unused(): never {
  throw new Error('The sign command renders nothing.')
}

const unmade: Producer = { describe: unused, produce: unused }
const ofCards: Producer = { ...unmade, resolve: (query) => boundFonts(query) }

function checkPath(path: string, parameters: readonly QueryPair[], paths: readonly string[]): void {
  if (!paths.includes(path)) throw new Error(`--path must be one of ${paths.join(', ')}, not ${path}.`)
  const kind = parameters.find(([name]) => name === kindColumn)?.[1]
  const asked = assets.find((asset) => asset.kind === kind)
  const own = assets.find((each) => each.path === path || each.variants?.some((one) => one.path === path))
  if (kind === undefined || own === undefined || own.kind === kind) return
  if (asked === undefined) throw new Error(`--kind ${kind} is no kind of asset.`)
  throw new Error(`--kind ${kind} needs its path: --path ${asked.path}.`)
}

/** Throws for parameters that the asset does not have: the server would ignore them. */
function checkNames(asset: Asset, parameters: readonly QueryPair[]): void {
  const known = parameterNames(asset)
  const unknown = parameters.filter(([name]) => name !== kindColumn && !known.has(name))
  if (unknown.length > 0)
    throw new Error(unknown.map(([name]) => `--${name} is no parameter of ${asset.path}.`).join('\n'))
}

/**
 * Puts the newest revision into URLs that name a brand: networks keep a picture by its URL for weeks, so a new look needs a
 * new one. `folder` is what `brand export` writes. The database is opened only where a brand is named.
 */
export function createBrandRevisions(env: Environment, key: string, folder: string | undefined) {
  const { slug, revision } = folder === undefined ? {} : readBrandJson(folder)
  let opening: Promise<StoredBrands> | undefined

  return {
    slug,
    /** Returns `slug@revision`, or the slug where nobody says the revision. Rejects where the server would refuse it. */
    async of(reference: string): Promise<string> {
      if (reference === slug && revision) return `${slug}@${revision}`
      // Loaded apart: most runs name no brand, and the client has no database.
      opening ??= import('../installation.ts').then(({ openStoredBrands }) => openStoredBrands(env))
      const { brands, isThere } = await opening
      if (!isThere) return reference
      const resolved = brands.resolve(reference)
      if (typeof resolved === 'string') throw new Error(`--brand ${resolved}`)
      if (resolved.keyIds?.has(key) === false)
        throw new Error(`--brand ${reference} is not for the key ${key}`)
      return resolved.reference
    },
    async close(): Promise<void> {
      ;(await opening)?.close()
    },
  }
}

function readBrandJson(folder: string): BrandJson {
  const path = join(folder, brandJsonName)
  const parsed = parseBrandJson(readNamed(path, `--brand ${path}`))
  if ('length' in parsed) throw new Error(parsed.map((mistake) => `${path}: ${mistake}`).join('\n'))
  if (parsed.revision !== undefined && !/^[1-9]\d{0,8}$/.test(parsed.revision))
    throw new Error(`${path}: revision must be the number of a revision, not ${parsed.revision}`)
  return parsed
}
