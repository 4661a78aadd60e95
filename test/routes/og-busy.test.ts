import { expect, test } from 'bun:test'
import { noBrands } from '../../src/assets/og/brand/card-brand.ts'
import { createDrawingPool } from '../../src/assets/og/drawing-pool.ts'
import { createOgProducer } from '../../src/assets/og/produce.ts'
import { Problem } from '../../src/errors.ts'
import { type RequestContext, readHead } from '../../src/http/request-context.ts'
import { CallWaiter } from '../../src/lib/waiter.ts'
import { createPictureDrawer } from '../../src/raster/picture-process/picture-drawer.ts'
import { createTextEngine } from '../../src/text/text-engine.ts'

function anyContext(): RequestContext {
  const request = new Request('http://localhost/api/og')
  const { origin: baseUrl, pathname: path } = new URL(request.url)
  const standing = { id: 'a', startMs: 0, method: 'GET', rawQuery: '', clientAddress: '', logFields: {} }
  return {
    request,
    head: readHead(request),
    baseUrl,
    path,
    ...standing,
    waiter: new CallWaiter(() => request.signal),
    isUnmadeForHead: false,
    isFinished: false,
  }
}

test('a PNG that finds the queue full is answered with 503 busy and a time to come back', async () => {
  const raster = createDrawingPool({ waitingMax: 0 })
  const pictures = createPictureDrawer()
  const parts = { text: createTextEngine(), raster, brands: noBrands, pictures }
  const { produce } = createOgProducer(parts)
  const context = anyContext()
  const query = {
    title: 'Cold starts',
    theme: 'paper',
    size: 'og',
    overflow: 'error',
    format: 'png',
  } as const
  try {
    const answers = await Promise.allSettled([produce(query, context), produce(query, context)])
    const refusals = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))
    expect(answers.length - refusals.length).toBe(1)
    expect(refusals[0]).toBeInstanceOf(Problem)
    expect(refusals[0]).toMatchObject({ code: 'busy', status: 503, headers: { 'retry-after': '2' } })
  } finally {
    raster.close()
    pictures.close()
  }
})
