import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, isListening } from './free-port.ts'

const nginx = '/usr/sbin/nginx'
/** Tests behind nginx or Caddy are left out where Debian's package is missing. */
export const hasNginx = spawnSync(nginx, ['-v']).status === 0
export const hasCaddy = spawnSync('caddy', ['version']).status === 0
if (!hasNginx)
  console.warn(
    `left out, as there is no ${nginx}: what a shared cache keeps, and the guide’s settings of nginx`,
  )
if (!hasCaddy) console.warn('left out, as there is no Caddy: headers, addresses and paths behind it')

export type ProxyServer = Awaited<ReturnType<typeof startProxy>>

/**
 * Starts nginx with a cache in front of a server. `X-Cache` says where an answer comes from. `settings` are directives of
 * the `http` block, the cache key among them.
 */
export async function startNginx(serverPort: number, settings: string): Promise<ProxyServer> {
  const port = await freePort()
  return startNginxSite(
    port,
    (folder) => `proxy_cache_path ${folder}/cache keys_zone=answers:1m;
  ${settings}
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://127.0.0.1:${serverPort};
      proxy_cache answers;
      add_header X-Cache $upstream_cache_status always;
    }
  }`,
  )
}

/** Starts nginx with the content of an `http` block that listens on the port. */
export function startNginxSite(port: number, site: (folder: string) => string): Promise<ProxyServer> {
  return startProxy(port, 'nginx.conf', (folder) => ({
    // One process, so that ending it ends everything.
    words: [nginx, '-p', folder, '-e', join(folder, 'error.log'), '-c', join(folder, 'nginx.conf')],
    config: `daemon off;
master_process off;
pid ${folder}/pid;
error_log ${folder}/error.log;
events {}
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
  ${site(folder)}
}
`,
  }))
}

/** Starts Caddy in front of a server, as a reverse proxy with nothing else set. */
export async function startCaddy(serverPort: number): Promise<ProxyServer> {
  const port = await freePort()
  return startCaddySite(port, `http://127.0.0.1:${port} {\n  reverse_proxy 127.0.0.1:${serverPort}\n}`)
}

/** Starts Caddy with a site that listens on the port. */
export function startCaddySite(port: number, site: string): Promise<ProxyServer> {
  return startProxy(port, 'Caddyfile', (folder) => ({
    words: ['caddy', 'run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')],
    config: `{
  admin off
  auto_https off
}
${site}
`,
  }))
}

async function startProxy(
  port: number,
  fileName: string,
  programOf: (folder: string) => { readonly words: readonly string[]; readonly config: string },
) {
  const folder = mkdtempSync(join(tmpdir(), 'mintmark-proxy-'))
  const { words, config } = programOf(folder)
  writeFileSync(join(folder, fileName), config)
  const [program = '', ...rest] = words
  const child = spawn(program, rest, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env['PATH'], HOME: folder },
  })
  const complaints: string[] = []
  child.stderr.on('data', (chunk) => complaints.push(String(chunk)))
  const exited = new Promise((resolve) => child.once('exit', resolve))
  while (!(await isListening(port))) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`${program} did not start: ${complaints.join('')}`)
    await sleep(20)
  }
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    async close() {
      child.kill('SIGKILL')
      await exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
