/** The parts of a signed address that its signature covers. */
export interface AddressParts {
  /** The id of an asset: `og`, `badge` or `avatar`. */
  readonly asset: string
  readonly key: string
  /** The parameters as base64url. */
  readonly payload: string
  /** Without its dot: `png`. */
  readonly extension: string
}

/** Returns the text that the signature of an address covers: the address itself, without the signature. */
export function addressText({ asset, key, payload, extension }: AddressParts): string {
  return `GET /i/${asset}/${key}/${payload}.${extension}`
}
