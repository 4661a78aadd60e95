import assert from 'node:assert/strict'
import process from 'node:process'
import { Problem } from '../../src/errors.ts'
import { type MultipartForm, readMultipartForm } from '../../src/http/multipart-form.ts'
import type { Check } from '../support/check.ts'
import { checksOf } from '../support/checks-of.ts'
import cases from './multipart-form-checks.json' with { type: 'json' }

const boundary = 'mintmark-form'
const limits = { bytesMax: 2 ** 18, partsMax: 20, textLengthMax: 1000, arrivalMsMax: 60_000 }
const end = `--${boundary}--\r\n`
const name = field('name', 'Acme')
const logo = file('logo', 'mark.svg', '<svg/>')

function part(disposition: string, content: string): string {
  return `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`
}

function field(fieldName: string, value: string): string {
  return part(`name="${fieldName}"`, value)
}

function file(fieldName: string, fileName: string, content: string): string {
  return part(`name="${fieldName}"; filename="${fileName}"`, content)
}

function requestOf(
  body: string | ReadableStream<Uint8Array>,
  contentType = `multipart/form-data; boundary=${boundary}`,
): Request {
  const init = { method: 'POST', body, headers: { 'content-type': contentType }, duplex: 'half' }
  return new Request('http://localhost/admin/brands', init as RequestInit)
}

function read(...request: Parameters<typeof requestOf>): Promise<MultipartForm> {
  return readMultipartForm(requestOf(...request), limits)
}

async function refusal(reading: Promise<MultipartForm>): Promise<string> {
  try {
    await reading
  } catch (error) {
    if (error instanceof Problem) return `${error.status} ${error.message}`
    throw error
  }
  return 'accepted'
}

/** A body of chunks of one byte each; `end` decides what comes after them. */
function trickle(text: string, onEnd: (controller: ReadableStreamDefaultController) => void) {
  const bytes = new TextEncoder().encode(text)
  let at = 0
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at < bytes.length) controller.enqueue(bytes.subarray(at, ++at))
      else onEnd(controller)
    },
  })
}

const cut = '400 The form did not arrive completely. Send it again.'

export const checks: readonly Check[] = checksOf({
  async 'fields and files arrive as they were sent'() {
    const { fields, files } = await read(
      name + field('remove', 'logo') + field('remove', 'picture') + logo + end,
    )
    assert.deepEqual(
      [...fields],
      [
        ['name', 'Acme'],
        ['remove', 'logo'],
        ['remove', 'picture'],
      ],
    )
    assert.equal(files.length, 1)
    const [[where, { name: fileName, bytes }] = ['', { name: '', bytes: new Uint8Array() }]] = files
    assert.deepEqual([where, fileName, new TextDecoder().decode(bytes)], ['logo', 'mark.svg', '<svg/>'])
  },
  async 'a quoted boundary, other parameters and capitals in the type are read'() {
    for (const type of [
      `multipart/form-data; boundary="${boundary}"`,
      `Multipart/Form-Data; charset=utf-8; Boundary=${boundary}`,
      `multipart/form-data;boundary=${boundary}; charset=utf-8`,
    ]) {
      assert.equal((await read(name + end, type)).fields.get('name'), 'Acme')
    }
  },
  async 'a file field that was left empty has no file'() {
    const { files } = await read(name + file('logo', '', '') + end)
    assert.equal(files.length, 0)
  },
  async 'a body that ends early is refused wherever it was cut'() {
    const whole = name + logo + end
    for (let length = 0; length < whole.length - 4; length++)
      assert.equal(await refusal(read(whole.slice(0, length))), cut, `cut after ${length}`)
  },
  async 'a missing, malformed or wrong boundary is refused in words'() {
    for (const parameter of cases.boundaries)
      assert.equal(
        await refusal(read(name + end, `multipart/form-data${parameter}`)),
        '400 The Content-Type of the form names no valid boundary.',
      )
    assert.equal(await refusal(read(name + end, 'multipart/form-data; boundary=other')), cut)
  },
  async 'another content type is refused in words'() {
    for (const type of cases.types)
      assert.equal(await refusal(read(name + end, type)), '400 This form is sent as multipart/form-data.')
  },
  async 'the body, its parts and its fields are bounded'() {
    const large = file('logo', 'a.png', 'x'.repeat(limits.bytesMax))
    assert.match(await refusal(read(large + end)), /^413 This form and its files together may have 0.25 MiB/)
    const many = field('remove', 'logo')
    assert.equal(await refusal(read(many.repeat(20) + end)), 'accepted')
    assert.equal(await refusal(read(many.repeat(21) + end)), '413 This form may have 20 parts.')
    assert.equal(await refusal(read(field('name', 'n'.repeat(1000)) + end)), 'accepted')
    const longField = '413 A field of this form may have 1000 characters.'
    assert.equal(await refusal(read(field('name', 'n'.repeat(1001)) + end)), longField)
    assert.equal(await refusal(read(field('n'.repeat(1001), '') + end)), longField)
  },
  async 'the name of a file is cut, and long heads end with an answer'() {
    const { files } = await read(file('logo', 'n'.repeat(2000), 'x') + end)
    assert.equal(files[0]?.[1].name.length, 200)
    assert.match(await refusal(read(file('logo', 'n'.repeat(200_000), 'x') + end)), /^400|accepted/)
  },
  async 'chunks of one byte cost no more memory than the form'() {
    const before = process.memoryUsage().rss
    const { files } = await read(
      trickle(name + file('logo', 'a.png', 'x'.repeat(250_000)) + end, (end) => end.close()),
    )
    assert.equal(files[0]?.[1].bytes.length, 250_000)
    assert.ok(process.memoryUsage().rss - before < 100e6)
  },
  async 'a body that breaks off or never ends is refused, and is not read further'() {
    const broken = trickle(name + logo, (controller) => controller.error(new Error('reset')))
    assert.equal(await refusal(read(broken)), '499 The body was cut off.')
    let wasCancelled = false
    const endless = new ReadableStream<Uint8Array>({
      cancel() {
        wasCancelled = true
      },
    })
    assert.equal(await refusal(readMultipartForm(requestOf(endless), { ...limits, arrivalMsMax: 50 })), cut)
    assert.ok(wasCancelled)
  },
  async 'parts without a name or with a foreign disposition are ignored or refused, never a fault'() {
    for (const odd of [
      '\r\n\r\n',
      'X: y\r\n\r\nv\r\n',
      'Content-Disposition: form-data\r\n\r\nv\r\n',
      'Content-Disposition: attachment; filename="a"\r\n\r\nv\r\n',
      'Content-Disposition\r\n\r\n',
      `Content-Disposition: form-data; name="a\r\n\r\nv\r\n`,
      `${'X-A: b\r\n'.repeat(3000)}\r\nv\r\n`,
    ])
      assert.match(await refusal(read(`--${boundary}\r\n${odd}${name}${end}`)), /^400|accepted/)
  },
})
