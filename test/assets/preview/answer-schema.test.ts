import { expect, test } from 'bun:test'
import { previewSchema } from '../../../src/assets/preview/preview.ts'
import { type SmallAnswer, withSmallSite } from './support/small-site.ts'

const answers: Readonly<Record<string, SmallAnswer>> = {
  '/page': {
    body: '<title>Page</title><meta property="og:image" content="/a.png"><link rel="icon" href="/i.png"><video src="/v.mp4"></video>',
  },
  '/later': { body: '<title>Later</title><meta http-equiv="refresh" content="9; url=/page">' },
  '/moved': { body: '<meta http-equiv="refresh" content="0; url=/page"><title>Moved</title>' },
  '/elsewhere': { status: 302, headers: ['Location: /page'] },
  '/picture.png': { type: 'image/png', body: 'x' },
}

test.each(Object.keys(answers))('the preview of %s has the members of its schema and no others', (path) =>
  withSmallSite(
    (request) => answers[request.path],
    async ({ preview }) => {
      const answer = await preview(path)
      expect(Object.keys(answer).sort()).toEqual(Object.keys(previewSchema.properties).sort())
    },
  ),
)
