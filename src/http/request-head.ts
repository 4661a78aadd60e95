/** The parts of a request before its body by which every request is judged. */
export interface RequestHead {
  /** Size of URL and headers together. */
  readonly bytes: number
  /** How long the body is said to be; 0 where nothing is said. */
  readonly bodyBytes: number
  readonly host: string | null
  readonly ifNoneMatch: string | null
  readonly acceptEncoding: string | null
  /** Whether there is a header that payments come in. */
  readonly hasPayment: boolean
}

/** Reads the head from all headers at once, which costs less than to ask for two of them. */
export function readHead({ url, headers }: Request): RequestHead {
  const given = allHeaders(headers)
  let bytes = url.length
  for (const name in given) bytes += lineLength(name, given[name])
  const { host = null, authorization } = given
  return {
    bytes,
    bodyBytes: Number(given['content-length'] ?? 0),
    host,
    ifNoneMatch: given['if-none-match'] ?? null,
    acceptEncoding: given['accept-encoding'] ?? null,
    hasPayment: (given['x-payment'] ?? given['payment-signature'] ?? authorization) !== undefined,
  }
}

/** Only `set-cookie`, which no request has, may be several. */
type GivenHeaders = Readonly<Record<string, string>>

/** Bun has a way of its own, which takes half the time of a walk over two headers, and that of a walk over twelve. */
function allHeaders(headers: Headers): GivenHeaders {
  return 'toJSON' in headers ? headers.toJSON() : Object.fromEntries<string>(headers)
}

function lineLength(name: string, value: string | readonly string[] = ''): number {
  if (typeof value === 'string') return name.length + value.length + 4
  return value.reduce((sum, each) => sum + lineLength(name, each), 0)
}
