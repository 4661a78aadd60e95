import type { Asset } from '../../assets/kit/asset.ts'
import type { Producer } from '../../assets/kit/producer.ts'
import { og } from '../../assets/og/asset.ts'
import { boundFonts } from '../../assets/og/font-bound.ts'
import { assets } from '../../catalog.ts'
import { embedUrl } from '../../client/embed-url.ts'
import type { EmbedOptions, KeyPair } from '../../client/types.ts'
import { type ParameterError, Problem } from '../../errors.ts'
import { createRequestParser } from '../../http/request-parser.ts'
import { canonicalQuery, type QueryPair } from '../../lib/canonical-query.ts'
import { kindColumn, parameterNames } from '../rows/row-request.ts'

interface UrlSignerOptions {
  /** The service's base URL. */
  readonly base: string
  readonly pair: KeyPair
  /** Unix seconds; without it an address in the path holds for as long as the key. */
  readonly exp: number | undefined
  readonly form: EmbedOptions['form']
  /** Returns the value of `brand` in an address: the slug with its newest revision. */
  readonly revisionOf: (brand: string) => Promise<string>
}

export type UrlSigner = ReturnType<typeof createUrlSigner>

/** Signs addresses, and checks each as the server will. */
export function createUrlSigner({ base, pair, exp, form, revisionOf }: UrlSignerOptions) {
  if (!/^https?:\/\//i.test(base) || !URL.canParse(base))
    throw new Error(`--base must be an absolute http or https URL, not ${base}.`)
  const service = base.replace(/\/$/, '')
  const parser = createRequestParser(
    assets.map((asset) => ({ asset, producer: asset.id === og.id ? ofCards : unmade })),
  )

  /** Checks the call as the server reads it; what is signed is the same with another signature. */
  async function check(path: string, parameters: readonly QueryPair[]): Promise<void> {
    const credentials: readonly QueryPair[] = [
      ['key', pair.key],
      ['exp', String(exp ?? 0)],
      ['sig', '0'.repeat(64)],
    ]
    const rawQuery = canonicalQuery([...parameters, ...credentials])
    function read() {
      return refuseProblems(() => parser.read({ path, rawQuery, logFields: {} }))
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
      const pairs = await Promise.all(
        given.map(
          async ([name, value]): Promise<QueryPair> =>
            name === 'brand' ? [name, await revisionOf(value)] : [name, value],
        ),
      )
      return await embedUrl(`${service}${pathname}`, valuesByName(pairs), pair, { exp, form })
    },
  }
}

/** Makes an Error of a `Problem`, with a line for each option that is wrong. */
function refuseProblems<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw new Error(linesOf(error.errors) || error.message)
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

function valuesByName(pairs: readonly QueryPair[]): Readonly<Record<string, readonly string[]>> {
  const names = [...new Set(pairs.map(([name]) => name))]
  return Object.fromEntries(
    names.map((name) => [name, pairs.flatMap(([each, value]) => (each === name ? [value] : []))]),
  )
}

/** Throws for a path that no asset has, and for one that is not of the kind that is asked for. */
function checkPath(path: string, parameters: readonly QueryPair[], paths: readonly string[]): void {
  if (!paths.includes(path)) throw new Error(`--path must be one of ${paths.join(', ')}, not ${path}.`)
  const kind = parameters.find(([name]) => name === kindColumn)?.[1]
  const asked = assets.find((asset) => asset.kind === kind)
  const own = assets.find(
    (asset) => asset.path === path || asset.variants?.some((each) => each.path === path),
  )
  if (kind === undefined || own === undefined || own.kind === kind) return
  throw new Error(
    asked === undefined
      ? `--kind ${kind} is no kind of asset.`
      : `--kind ${kind} needs its path: --path ${asked.path}.`,
  )
}

/** Throws for parameters that the asset does not have: the server would ignore them. */
function checkNames(asset: Asset, parameters: readonly QueryPair[]): void {
  const known = parameterNames(asset)
  const unknown = parameters.filter(([name]) => name !== kindColumn && !known.has(name))
  if (unknown.length > 0)
    throw new Error(unknown.map(([name]) => `--${name} is no parameter of ${asset.path}.`).join('\n'))
}
