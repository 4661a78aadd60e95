/** A site on loopback, in a process of its own: it writes one page to every connection and closes. Prints its port. */
const page = `<!doctype html><title>Loopback</title>${'<p>some words of a page</p>'.repeat(300)}`
const answer = Buffer.from(
  `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${page.length}\r\nConnection: close\r\n\r\n${page}`,
)
const server = Bun.listen({
  hostname: '127.0.0.1',
  port: 0,
  socket: {
    data(socket) {
      socket.write(answer)
      socket.end()
    },
  },
})
console.log(server.port)
