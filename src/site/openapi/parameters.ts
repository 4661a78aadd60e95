import type { Asset } from '../../assets/asset.ts'
import { type Parameter, parametersOf } from '../reference/parameters.ts'

type Json = Readonly<Record<string, unknown>>

export function toParameter(
  { name, required, description, aliases, example, schema }: Parameter,
  note = '',
): Json {
  const older = aliases.length > 0 ? ` Also as ${aliases.join(', ')}.` : ''
  return {
    name,
    in: 'query',
    required,
    description: `${note}${description}.${older}`,
    ...(example !== undefined && { example: schema['type'] === 'array' ? [example] : example }),
    schema,
  }
}

/** The parameters of all assets at one path. What only some of them have says so, and none of those is required. */
export function mergedParameters(rows: readonly Asset[]): readonly Json[] {
  const [only] = rows
  if (rows.length === 1 && only) return parametersOf(only.query).map((parameter) => toParameter(parameter))
  const all = rows.flatMap((row) =>
    parametersOf(row.query).map((parameter) => ({ kind: row.kind ?? row.id, parameter })),
  )
  const byName = Object.groupBy(all, ({ parameter }) => parameter.name)
  return [kindParameter(rows), ...Object.values(byName).flatMap((group) => (group ? mergeOne(group) : []))]
}

function kindParameter(rows: readonly Asset[]): Json {
  const kinds = rows.flatMap(({ kind }) => kind ?? [])
  return { ...query('kind', 'Which asset.', { type: 'string', enum: kinds }), required: true }
}

function mergeOne(group: readonly { readonly kind: string; readonly parameter: Parameter }[]): Json[] {
  const [first] = group
  if (first === undefined) return []
  const schemas = [
    ...new Map(group.map(({ parameter: { schema } }) => [JSON.stringify(schema), schema])).values(),
  ]
  const notes = group.map(({ kind, parameter }) => `${kind}: ${parameter.description}.`)
  const description =
    schemas.length === 1
      ? `For ${group.map(({ kind }) => kind).join(', ')}. ${first.parameter.description}.`
      : notes.join(' ')
  const schema = schemas.length === 1 ? schemas[0] : { anyOf: schemas }
  return [{ ...toParameter(first.parameter), required: false, description, schema }]
}

function query(name: string, description: string, schema: Json): Json {
  return { name, in: 'query', required: false, description, schema }
}

function header(name: string, description: string): Json {
  return { name, in: 'header', required: false, description, schema: { type: 'string' } }
}

/** The three ways in: demo, a signed key, a payment. */
export const credentialParameters: readonly Json[] = [
  query('demo', '1 draws on the quota that everybody shares.', { type: 'string', enum: ['1'] }),
  query('key', 'The id of a key; comes with sig and either t or exp.', { type: 'string' }),
  query('t', 'Unix seconds, now: the signature is over "<t>.<METHOD> <path>".', { type: 'integer' }),
  query('exp', 'Unix seconds, up to ten years ahead: the signature is over the whole canonical query.', {
    type: 'integer',
  }),
  query('sig', 'HMAC-SHA256 with the secret, in lower-case hex.', {
    type: 'string',
    pattern: '^[0-9a-f]{64}$',
  }),
  header('X-PAYMENT', 'A transaction hash, or an x402 version 1 payload.'),
  header('PAYMENT-SIGNATURE', 'An x402 version 2 payload.'),
  header('X-Payment-Proof', 'Proves who made a transfer.'),
]
