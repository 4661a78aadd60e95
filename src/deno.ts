import process from 'node:process'
import { start } from './cli/start.ts'

declare const Deno: {
  serve(
    options: { hostname: string; port: number; reusePort: boolean; onListen: () => void },
    handler: (request: Request, info: { remoteAddr: { hostname: string } }) => Promise<Response>,
  ): { readonly addr: { readonly port: number }; shutdown(): Promise<void> }
}

start(
  {
    listen(options, { fetch }) {
      // Deno hands out the request target as it was sent, so there is nothing to compare it with.
      const server = Deno.serve({ ...options, onListen: () => {} }, async (request, info) =>
        fetch(request, () => info.remoteAddr.hostname),
      )
      return { port: server.addr.port, stop: () => server.shutdown() }
    },
  },
  process.argv.slice(2),
  process.env,
)
