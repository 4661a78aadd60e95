/** An answer that goes on for ever, a blank at a time: it never becomes JSON, and never ends. */
export function drippingAnswer(): Response {
  let timer: ReturnType<typeof setInterval> | undefined
  const body = new ReadableStream({
    start(controller) {
      timer = setInterval(() => controller.enqueue(new Uint8Array([32])), 50)
    },
    cancel: () => clearInterval(timer),
  })
  return new Response(body, { headers: { 'content-type': 'application/json' } })
}

/** One long text, as fast as it is read. `sentMb` says how much of it was taken. */
export function floodingAnswer(megabytesMax = 512) {
  let sentMb = 0
  const megabyte = new Uint8Array(2 ** 20).fill(97)
  const body = new ReadableStream({
    async pull(controller) {
      if (sentMb === 0) controller.enqueue(new TextEncoder().encode('{"result":"'))
      sentMb += 1
      controller.enqueue(megabyte)
      await Bun.sleep(1)
      if (sentMb >= megabytesMax) controller.close()
    },
  })
  const response = new Response(body, { headers: { 'content-type': 'application/json' } })
  return { response, sentMb: () => sentMb }
}
