import { type TSchema, Type } from '@sinclair/typebox'
import {
  anyObject,
  count,
  day,
  instant,
  nullable,
  string,
  strings,
  webAddress,
} from '../../lib/answer-schemas.ts'

/** Schemas of the JSON answers that are no asset, by their names in the OpenAPI document. */
export const schemas = {
  Problem: Type.Object(
    {
      type: webAddress,
      title: string,
      status: Type.Integer(),
      detail: string,
      code: string,
      errors: Type.Array(
        Type.Object({ parameter: string, message: string, allowed: Type.Optional(strings) }),
      ),
    },
    { additionalProperties: true },
  ),
  PaymentRequired: Type.Object({
    x402Version: Type.Integer(),
    error: string,
    code: string,
    detail: Type.Optional(string),
    accepts: Type.Array(anyObject),
    transfer: Type.Optional(anyObject),
    upgrade: webAddress,
    docs: webAddress,
    payment_link: Type.Optional(webAddress),
  }),
  KeyPair: Type.Object({
    id: string,
    secret: string,
    note: string,
    signed_example: Type.Object({
      endpoint: string,
      payload_to_sign: string,
      unix_seconds: Type.Integer(),
      url: webAddress,
    }),
    examples: strings,
    upgrade: webAddress,
    site: Type.Optional(string),
    expires_at: Type.Optional(instant),
  }),
  Usage: Type.Object({
    key: string,
    plan: Type.Unsafe<'free' | 'unlimited'>({ type: 'string', enum: ['free', 'unlimited'] }),
    day,
    used: count,
    limit: nullable(count),
    remaining: nullable(count),
    resets_at: instant,
    last_7_days: Type.Array(Type.Object({ day, used: count })),
    drawings: Type.Optional(Type.Object({ used: count, limit: nullable(count) })),
    assets: Type.Optional(nullable(Type.Array(Type.String()))),
    over_quota: Type.Optional(count),
    expires_at: Type.Optional(nullable(instant)),
    shares: Type.Optional(
      Type.Array(
        Type.Object({ day, network: string, count, title: nullable(string), url: nullable(string) }),
      ),
    ),
  }),
  UpgradeWays: Type.Object({
    default: nullable(string),
    paths: Type.Array(anyObject),
    detail: Type.Optional(string),
  }),
  Upgraded: Type.Object({ key: string, plan: string, unlimited_until: nullable(instant) }),
  Discovery: anyObject,
  Health: Type.Object({ status: string }),
} as const satisfies Readonly<Record<string, TSchema>>

export type SchemaName = keyof typeof schemas
