/** A part of the document. */
export type Json = Readonly<Record<string, unknown>>

interface Credential {
  readonly scheme: Json
  /** The schema of its parameter; undefined for `Authorization`, which OpenAPI has for no parameter. */
  readonly schema?: Json
}

function apiKey(location: 'query' | 'header', name: string, description: string): Json {
  return { type: 'apiKey', in: location, name, description }
}

const text = { type: 'string' }
const unixSeconds = { type: 'integer' }

const free: Readonly<Record<string, Credential>> = {
  demo: {
    scheme: apiKey('query', 'demo', '1 draws on the quota that everybody shares.'),
    schema: { type: 'string', enum: ['1'] },
  },
  key: {
    scheme: apiKey('query', 'key', 'The id of a key; comes with sig and either t or exp.'),
    schema: text,
  },
  t: {
    scheme: apiKey('query', 't', 'Unix seconds, now: the signature is over "<t>.<METHOD> <path>".'),
    schema: unixSeconds,
  },
  exp: {
    scheme: apiKey(
      'query',
      'exp',
      'Unix seconds, up to ten years ahead: the signature is over the whole canonical query.',
    ),
    schema: unixSeconds,
  },
  sig: {
    scheme: apiKey('query', 'sig', 'HMAC-SHA256 with the secret, in lower-case hex.'),
    schema: { type: 'string', pattern: '^[0-9a-f]{64}$' },
  },
}

const ofPayments: Readonly<Record<string, Credential>> = {
  payment: {
    scheme: apiKey('header', 'X-PAYMENT', 'A transaction hash, or an x402 version 1 payload.'),
    schema: text,
  },
  paymentSignature: {
    scheme: apiKey('header', 'PAYMENT-SIGNATURE', 'An x402 version 2 payload.'),
    schema: text,
  },
  paymentProof: {
    scheme: apiKey('header', 'X-Payment-Proof', 'Proves who made a transfer.'),
    schema: text,
  },
  mpp: { scheme: apiKey('header', 'Authorization', 'Payment and the credential of an MPP client.') },
}

function credentialsOf(isPaid: boolean): Readonly<Record<string, Credential>> {
  return isPaid ? { ...free, ...ofPayments } : free
}

export function securitySchemes(isPaid: boolean): Json {
  return Object.fromEntries(Object.entries(credentialsOf(isPaid)).map(([id, { scheme }]) => [id, scheme]))
}

/** Sets of credentials, any one of which grants a metered call. */
export function meteredSecurity(isPaid: boolean): readonly Json[] {
  const sets = [['demo'], ['key', 't', 'sig'], ['key', 'exp', 'sig']]
  const paid = [['payment'], ['payment', 'paymentProof'], ['paymentSignature'], ['mpp']]
  return [...sets, ...(isPaid ? paid : [])].map((ids) => Object.fromEntries(ids.map((id) => [id, []])))
}

/** The credentials as parameters, because many generators make arguments of parameters only. */
export function credentialParameters(isPaid: boolean): readonly Json[] {
  return Object.values(credentialsOf(isPaid)).flatMap(({ scheme, schema }) =>
    schema === undefined
      ? []
      : [
          {
            name: scheme['name'],
            in: scheme['in'],
            required: false,
            description: scheme['description'],
            schema,
          },
        ],
  )
}
