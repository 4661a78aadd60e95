import { expect, test } from 'bun:test'
import { previewSchema } from '../../../src/assets/preview/preview.ts'
import cases from './answer-schema.json' with { type: 'json' }
import { type SmallAnswer, withSmallSite } from './support/small-site.ts'

const answers = cases.answers as Readonly<Record<string, SmallAnswer>>

test.each(Object.keys(answers))('the preview of %s has the members of its schema and no others', (path) =>
  withSmallSite(
    (request) => answers[request.path],
    async ({ preview }) => {
      const answer = await preview(path)
      expect(Object.keys(answer).sort()).toEqual(Object.keys(previewSchema.properties).sort())
    },
  ),
)
