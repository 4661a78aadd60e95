/** A signed address in the path, taken apart: `/i/<asset>/<key>/<payload>/<sig>.<ext>`. */
export interface ReadAddress {
  /** The path in front of `/i/`. */
  readonly service: string
  readonly asset: string
  readonly key: string
  readonly parameters: URLSearchParams
  readonly ext: string
}

export function readAddress(address: string): ReadAddress {
  const [, service, asset, key, payload, ext] =
    /^(.*)\/i\/(\w+)\/(mk_\w{16})\/([\w-]+)\/[\da-f]{32}\.(\w+)$/.exec(address) ?? []
  if (service === undefined || asset === undefined || key === undefined || ext === undefined)
    throw new Error(`${address} is no signed address in the path.`)
  const text = Buffer.from(payload ?? '', 'base64url').toString()
  return { service, asset, key, parameters: new URLSearchParams(text), ext }
}
