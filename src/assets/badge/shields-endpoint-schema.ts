import { Type } from '@sinclair/typebox'
import { string } from '../../lib/answer-schemas.ts'

/** The endpoint schema of shields.io, which badges and the counters answer as JSON. */
export const shieldsEndpointSchema = Type.Object(
  { schemaVersion: Type.Integer(), label: string, message: string },
  { additionalProperties: true },
)
