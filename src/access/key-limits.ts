import { isIP } from 'node:net'
import { type Static, Type } from '@sinclair/typebox'
import { parse } from 'tldts'
import { templateChoices } from '../assets/card/query.ts'
import { readValue } from '../assets/kit/formats.ts'
import { ogQuery } from '../assets/og/query.ts'
import { usualTemplate } from '../assets/og/templates.ts'
import { normalizeDomain } from '../assets/sitemap/normalize-domain.ts'
import { assets } from '../catalog.ts'
import { choice } from '../lib/fields.ts'
import { isJsonObject, parseJson } from '../lib/json.ts'
import type { KeyRow } from '../store/keys.ts'
import { addressLiteral, createAddressPolicy, mayBePrivate, portOf } from '../web/url-rules.ts'
import type { Refusal } from './authorization.ts'
import faults from './host-faults.json' with { type: 'json' }

export const hostsMax = 10
/** Characters of the longest list: names of 253 characters, a port each, and what is between them. */
export const hostsLengthMax = hostsMax * 262

/** `mistake` goes on after the name of the list: "names github.io, which is a public suffix". */
export type HostReader = (
  text: string,
) => { readonly hosts: readonly string[] } | { readonly mistake: string }

/** Reads `example.com,example.org`: names that one owner has; private addresses and ports where the operator allows them. */
export function createHostReader(allowCidrs: readonly string[]): HostReader {
  const { isAllowlisted } = createAddressPolicy(allowCidrs)
  const allowsPorts = allowCidrs.length > 0

  function readHost(text: string): string | { readonly fault: string } {
    const [, name = text, port] = (allowsPorts && withPort.exec(text)) || []
    if (port !== undefined && Number(port) > 65_535) return { fault: faults.invalid_domain }
    const suffix = port === undefined ? '' : `:${Number(port)}`
    const address = name.replace(/^\[(.*)\]$/, '$1')
    const url = URL.parse(`http://${isIP(address) === 6 ? `[${address}]` : address}/`)
    if (url !== null && isAllowlisted(address)) return url.hostname + suffix
    const isName = url !== null && addressLiteral(url) === undefined && url.hostname === name.toLowerCase()
    if (isName && mayBePrivate(url.hostname, allowCidrs)) return url.hostname + suffix
    const domain = normalizeDomain(name)
    if ('error' in domain) return { fault: faults[domain.error] }
    const isPublicSuffix = parse(domain.host, { allowPrivateDomains: true }).domain === null
    return isPublicSuffix ? { fault: faults.public_suffix } : domain.host + suffix
  }

  return (list) => {
    const texts = list.split(/[\s,]+/).filter((text) => text !== '')
    const hosts = new Set<string>()
    for (const text of texts) {
      const host = readHost(text)
      if (typeof host !== 'string') return { mistake: `names ${text.slice(0, 100)}, which ${host.fault}` }
      hosts.add(host)
    }
    if (hosts.size === 0 && list !== '') return { mistake: 'names no host' }
    if (hosts.size > hostsMax) return { mistake: `names ${hosts.size} hosts, and a key can name ${hostsMax}` }
    return { hosts: [...hosts] }
  }
}

export function hostsOf({ hosts }: Pick<KeyRow, 'hosts'>): readonly string[] {
  return hosts === '' ? [] : hosts.split(',')
}

/** A host stands for its subdomains too, and without a port for all ports. */
export function isOnHosts(url: URL, hosts: readonly string[]): boolean {
  const name = url.hostname.replace(/\.$/, '')
  return hosts.some((host) => {
    const [, hostName = host, port] = withPort.exec(host) ?? []
    const isHost = name === hostName || name.endsWith(`.${hostName}`)
    return isHost && (port === undefined || Number(port) === portOf(url))
  })
}

const withPort = /^(\[[^\]]*\]|[^:]*):(\d{1,5})$/

export const keyAssetIds: readonly string[] = assets.flatMap(({ id, priceMicros }) =>
  priceMicros === undefined ? [] : [id],
)

/** `mistake` goes on after the name of the list: "names logo, which is no asset". Without assets a key may call all. */
export function readKeyAssets(list: string) {
  const named = list.split(/[\s,]+/).filter((id) => id !== '')
  if (named.length === 1 && named[0] === 'all') return { assets: [] }
  const unknown = named.find((id) => !keyAssetIds.includes(id))
  if (unknown !== undefined)
    return { mistake: `names ${unknown.slice(0, 100)}, and an asset is one of ${keyAssetIds.join(', ')}` }
  const allowed = keyAssetIds.filter((id) => named.includes(id))
  return { assets: allowed.length === keyAssetIds.length ? [] : allowed }
}

export function assetsOf({ assets }: Pick<KeyRow, 'assets'>): readonly string[] | undefined {
  return assets === '' ? undefined : assets.split(',')
}

export function mayCall({ assets }: Pick<KeyRow, 'assets'>, assetId: string): boolean {
  return assets === '' || assets.split(',').includes(assetId)
}

/** The refusal of a call of an asset that is not among those of its key. Other credentials may grant it. */
export function assetNotAllowed(key: Pick<KeyRow, 'assets'>, assetId: string): Refusal {
  const allowed = (assetsOf(key) ?? keyAssetIds).join(', ')
  return {
    code: 'asset_not_allowed',
    detail: `This key may call ${allowed}, and not ${assetId}. Use another key, or ask the operator to allow ${assetId}.`,
  }
}

const { theme, scheme, align, accent, brand } = ogQuery.properties

/** The look of cards of a key's pages. A parameter that is missing has the default of cards. */
export const keyLook = Type.Object({
  theme,
  scheme,
  align,
  accent,
  brand,
  picture: Type.Optional(
    choice(['none', 'page'], {
      description: 'Whether the card has the picture of its page',
      whenMissing: 'none',
    }),
  ),
  template: Type.Optional(
    choice(templateChoices, {
      description: 'What the cards are about; auto: by what each page says',
      whenMissing: 'auto',
    }),
  ),
})

export type KeyLook = Readonly<Static<typeof keyLook>>

export const lookNames = ['theme', 'scheme', 'align', 'accent', 'brand', 'picture', 'template'] as const

/** The look that is stored with a key. A value that cards have no more, such as a theme of before, is left out. */
export function keyLookOf({ look, hosts }: Pick<KeyRow, 'look' | 'hosts'>): Readonly<Record<string, string>> {
  const parsed = parseJson(look)
  if (!isJsonObject(parsed)) return {}
  // Looks of before templates name none, and keep the usual card.
  const stored: typeof parsed = { ...(hosts !== '' && { template: usualTemplate }), ...parsed }
  return Object.fromEntries(
    lookNames.flatMap((name) => {
      const value = stored[name]
      return typeof value === 'string' && readValue(keyLook.properties[name], value) !== undefined
        ? [[name, value]]
        : []
    }),
  )
}
