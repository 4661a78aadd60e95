import { addressFormats } from '../../assets/kit/address-formats.ts'
import type { Asset } from '../../assets/kit/asset.ts'
import type { JsonObject } from '../../lib/json.ts'
import { exampleAddress } from '../reference/signing-vectors.ts'
import { assetContent, notModifiedResponse, problemsOf, successHeaders } from './asset-paths.ts'
import { paymentRequired, problemResponses } from './responses.ts'

/** The form of a signed address in the path, for readers. */
export const addressForm = '/i/<asset>/<key>/<payload>/<sig>.<ext>'

/** The operation of signed addresses; none where no asset has one. */
export function addressPath(assets: readonly Asset[], isPaid: boolean): JsonObject {
  const drawn = assets.filter((asset) => addressFormats(asset).length > 0)
  if (drawn.length === 0) return {}
  const formats = drawn.flatMap(addressFormats)
  const mediaTypes = [...new Set(formats.map(({ mediaType }) => mediaType))]
  const operation = {
    operationId: 'getSignedAddress',
    tags: ['assets'],
    summary: 'A picture by its signed address, for public pages',
    description: 'The signature covers everything before it, so nobody can change what the address shows.',
    parameters: parameters(
      drawn.map(({ id }) => id),
      [...new Set(formats.map(({ extension }) => extension))],
    ),
    responses: {
      200: {
        description: 'The picture.',
        headers: successHeaders(drawn, isPaid),
        content: assetContent([{ mediaTypes }]),
      },
      ...notModifiedResponse(),
      ...paymentRequired(isPaid, true),
      ...problemResponses([...problemsOf(drawn, isPaid), 'not_found'], true),
    },
  }
  return { [addressForm.replace(/<(\w+)>/g, '{$1}')]: { get: operation } }
}

function parameters(assetIds: readonly string[], extensions: readonly string[]): readonly JsonObject[] {
  return [
    part('asset', 'Which asset.', { enum: assetIds }),
    part('key', 'The id of the key that signed it.', { pattern: '^mk_[2-9a-hjkmnp-z]{16}$' }),
    part(
      'payload',
      'The parameters of the asset in form encoding, as base64url without padding. `exp` (unix seconds) is one of them where the address ends.',
      { pattern: '^[A-Za-z0-9_-]+$' },
    ),
    part(
      'sig',
      'The first 32 hex digits of HMAC-SHA256 with the secret over `GET /i/<asset>/<key>/<payload>.<ext>`.',
      { pattern: '^[0-9a-f]{32}$' },
    ),
    part('ext', 'The format of the picture; not every asset has each.', { enum: extensions }),
  ]
}

function part(name: keyof typeof exampleAddress, description: string, schema: JsonObject): JsonObject {
  const example = exampleAddress[name]
  return { name, in: 'path', required: true, description, example, schema: { type: 'string', ...schema } }
}
