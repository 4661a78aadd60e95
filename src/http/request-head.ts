/** What every request is judged by, of all that stands before its body. */
export interface RequestHead {
  /** Of URL and headers together. */
  readonly bytes: number
  /** How long the body is said to be; 0 where nothing is said. */
  readonly bodyBytes: number
  readonly host: string | null
  readonly ifNoneMatch: string | null
  readonly acceptEncoding: string | null
  /** Whether there is a header that payments come in. */
  readonly hasPayment: boolean
}

/** Reads the head in one walk over the headers, which costs as much as to ask for two of them. */
export function readHead({ url, headers }: Request): RequestHead {
  let bytes = url.length
  let bodyBytes = 0
  let host: string | null = null
  let ifNoneMatch: string | null = null
  let acceptEncoding: string | null = null
  let hasPayment = false
  headers.forEach((value, name) => {
    bytes += name.length + value.length + 4
    switch (name) {
      case 'host':
        host = value
        break
      case 'if-none-match':
        ifNoneMatch = value
        break
      case 'accept-encoding':
        acceptEncoding = value
        break
      case 'content-length':
        bodyBytes = Number(value)
        break
      case 'x-payment':
      case 'payment-signature':
      case 'authorization':
        hasPayment = true
    }
  })
  return { bytes, bodyBytes, host, ifNoneMatch, acceptEncoding, hasPayment }
}
