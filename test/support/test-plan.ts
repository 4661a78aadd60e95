/**
 * The plan of the two commands. `bun run test` runs every file but the slow ones, in their quick form where they have one;
 * `bun run test:all` runs the slow files, the whole of the files with a quick form, and the API again over PostgreSQL.
 * Reasons stand beside the files.
 */
const processes = 'it starts and kills several processes'
const realBrowser = 'it drives a real browser through many pages'
const hostileSet = 'its set of hostile inputs is large'
const packages = 'it installs packages, or builds an executable or an image'
const manyTexts = 'it goes through a hundred thousand texts'
const bothRuntimes = 'it compares Bun with Deno text by text'
const manyPictures = 'it draws pictures in every size, look and proportion'
const database = 'its PostgreSQL server is broken, restarted or copied, or its connections are slow or cut'
const memory = 'it waits until memory has shown whether it grows'
const freshness = 'it waits until what a cache keeps is old'
const heldLock = 'it waits for locks and disks that are held from outside'

/** Files that run in `bun run test:all` alone, with the reason. */
export const slowFiles: Readonly<Record<string, string>> = {
  'test/access/meter-processes.test.ts': processes,
  'test/admin/brands-in-browser.test.ts': realBrowser,
  'test/admin/key-life.test.ts': realBrowser,
  'test/admin/lost-commits.test.ts': database,
  'test/admin/payment-life.test.ts': realBrowser,
  'test/any-folder.test.ts': packages,
  'test/assets/badge/badges-in-chromium.test.ts': realBrowser,
  'test/assets/og/brand/file-sizes.test.ts': manyPictures,
  'test/assets/og/brand/hostile-uploads.test.ts': hostileSet,
  'test/assets/og/background/picture-widths.test.ts': manyPictures,
  'test/brands/crash.test.ts': processes,
  'test/build.test.ts': packages,
  'test/cli/cards/crash.test.ts': processes,
  'test/cli/cards/drawn-sites.test.ts': manyPictures,
  'test/cli/workers/supervisor.test.ts': processes,
  'test/client/client-package.test.ts': packages,
  'test/client/hugo-partial.test.ts': packages,
  'test/client/site-generators.test.ts': packages,
  'test/dockerfile.test.ts': packages,
  'test/faults/faults.test.ts': processes,
  'test/http/shared-caches.test.ts': freshness,
  'test/payments/browser.test.ts': realBrowser,
  'test/payments/bundles.test.ts': hostileSet,
  'test/payments/flood.test.ts': hostileSet,
  'test/payments/locked.test.ts': heldLock,
  'test/payments/lost-commits.test.ts': database,
  'test/payments/processes.test.ts': processes,
  'test/private-data.test.ts': processes,
  'test/raster/runtimes.test.ts': packages,
  'test/raster/worker-memory.test.ts': memory,
  'test/routes/crash.test.ts': processes,
  'test/routes/every-route-while-locked.test.ts': heldLock,
  'test/routes/fair-fetching.test.ts': processes,
  'test/routes/held-lock.test.ts': heldLock,
  'test/routes/picture-logos.test.ts': hostileSet,
  'test/routes/readyz.test.ts': heldLock,
  'test/several-servers.test.ts': processes,
  'test/several-servers/browser.test.ts': realBrowser,
  'test/several-servers/faults.test.ts': processes,
  'test/several-servers/payments.test.ts': processes,
  'test/several-servers/rolling-upgrade.test.ts': packages,
  'test/several-servers/standby.test.ts': database,
  'test/site/generated-clients.test.ts': packages,
  'test/site/playground.test.ts': realBrowser,
  'test/store/postgres/away.test.ts': database,
  'test/store/postgres/batches.test.ts': database,
  'test/store/postgres/commit-fate.test.ts': database,
  'test/store/postgres/failover.test.ts': database,
  'test/store/postgres/far-away.test.ts': database,
  'test/store/postgres/faults.test.ts': database,
  'test/store/postgres/older-schemas.test.ts': database,
  'test/store/postgres/peers.test.ts': database,
  'test/store/postgres/pgbouncer.test.ts': database,
  'test/store/postgres/prefetch.test.ts': database,
  'test/store/postgres/served.test.ts': processes,
  'test/store/postgres/standing-still.test.ts': database,
  'test/text/runtimes.test.ts': bothRuntimes,
  'test/text/unicode-files.test.ts': manyTexts,
  'test/workers.test.ts': processes,
}

/** Files that run in both commands, with what their quick form leaves out. */
export const quickForms: Readonly<Record<string, string>> = {
  'test/access/counted-embeds.test.ts': 'a million embeds',
  'test/access/embed-views-served.test.ts': 'PostgreSQL',
  'test/admin/brands.test.ts': 'most mistakes in forms',
  'test/admin/login.test.ts': 'fifty strangers who guess',
  'test/admin/markup.test.ts': 'a browser',
  'test/admin/odd-characters.test.ts': 'most odd texts',
  'test/admin/pages.test.ts': 'three of four pages, most looks and widths, and pages without scripts',
  'test/admin/traffic.test.ts': 'a browser',
  'test/assets/finite-numbers.test.ts': 'most numbers',
  'test/assets/og/contrast.test.ts': 'most accents',
  'test/assets/og/background/picture-background.test.ts':
    'cards of other sizes than the usual one, most edges',
  'test/assets/og/layout.test.ts': 'most cards and hostile texts',
  'test/assets/og/random-cards.test.ts': 'most random cards',
  'test/assets/og/scene-to-svg.test.ts': 'most cards',
  'test/assets/preview/cases.test.ts': 'Deno',
  'test/assets/preview/kinds-of-pages.test.ts': 'Deno',
  'test/assets/preview/page-pieces.test.ts': 'Deno',
  'test/assets/preview/preview-service.test.ts': 'Deno',
  'test/assets/preview/publishing-programs.test.ts': 'Deno',
  'test/assets/preview/rules.test.ts': 'Deno',
  'test/assets/preview/wild-pages.test.ts': 'Deno',
  'test/assets/sitemap/discover.test.ts': 'Deno',
  'test/assets/sitemap/hostile-sitemaps.test.ts': 'most hostile texts',
  'test/assets/sitemap/hostile-sites.test.ts': 'most hostile texts',
  'test/cli/cards/cards.test.ts': 'charsets, links, a cache that grows old',
  'test/cli/cards/options.test.ts':
    'formats, brands, pictures of pages, secrets in files, odd names, pictures that are removed',
  'test/cli/cards/rewrite-page.test.ts': 'most random pages',
  'test/cli/command-line.test.ts': 'Deno, most ends of processes',
  'test/cli/commands/move.test.ts':
    'most rows, refused targets, processes that are killed, databases that go away, PgBouncer',
  'test/cli/commands/render.test.ts': 'killed runs, memory, Deno, a terminal, most wrong rows and formats',
  'test/cli/commands/restore.test.ts': 'schemas that others changed, most wrong paths',
  'test/cli/commands/sign.test.ts': 'most wrong commands',
  'test/cli/uncaught-errors.test.ts': 'Deno',
  'test/config-at-start.test.ts': 'Deno',
  'test/hostile-headers.test.ts': 'most beginnings',
  'test/http/caching.test.ts': 'most sizes of memory',
  'test/http/cut-bodies.test.ts': 'Deno',
  'test/http/head-every-route.test.ts': 'Deno',
  'test/http/log-faults.test.ts': 'Deno, a reader that sleeps',
  'test/http/multipart-form.test.ts': 'Deno',
  'test/http/odd-headers.test.ts': 'most odd requests',
  'test/http/paths.test.ts': 'Deno',
  'test/payments/faults.test.ts': 'most faults of endpoints, 300 calls at once',
  'test/payments/parts.test.ts': 'the compiler of contracts',
  'test/payments/service.test.ts': 'Deno',
  'test/raster/fill-path.test.ts': 'two of three cards, and of their texts',
  'test/raster/hostile-pictures.test.ts': 'most hostile pictures',
  'test/raster/picture-drawer.test.ts': 'many heavy pictures of one caller',
  'test/routes/api-og-fuzz.test.ts': 'most random requests',
  'test/routes/deno.test.ts': 'most texts and themes',
  'test/routes/drain.test.ts': 'Deno, several workers',
  'test/routes/live-pages.test.ts': 'Deno',
  'test/routes/stats.test.ts': 'the check by promtool',
  'test/several-servers/deploy.test.ts': 'the check by Caddy',
  'test/several-servers/quota.test.ts': 'more than two servers, PgBouncer',
  'test/site/interface.test.ts': 'a generated client',
  'test/site/pages.test.ts': 'three of four pages, most looks and widths, and pages without scripts',
  'test/site/public-documents.test.ts': 'Deno',
  'test/site/reference.test.ts': 'a browser',
  'test/start-messages.test.ts': 'databases that are locked, newer, full, or of another user',
  'test/store/driver.test.ts': 'Deno',
  'test/store/open.test.ts': 'Deno, an executable',
  'test/store/postgres/kept-statements.test.ts': 'PgBouncer',
  'test/store/postgres/same-decisions.test.ts': 'most random reservations',
  'test/store/postgres/start.test.ts': 'Deno',
  'test/store/transactions.test.ts': 'Deno',
  'test/text/any-text.test.ts': 'most texts',
  'test/text/brand-fonts/hostile-fonts.test.ts': 'most damaged fonts',
  'test/text/brand-fonts/read-font.test.ts': 'most licences and weights, PostScript outlines',
  'test/text/caches.test.ts': 'most texts',
  'test/text/inside-the-box.test.ts': 'most texts',
  'test/text/kerning.test.ts': 'the widths of Chromium',
  'test/text/vowel-letters.test.ts': 'eight of ten scripts',
  'test/web/charset.test.ts': 'Deno',
  'test/web/decoding.test.ts': 'most windows, the memory of many pages',
  'test/web/http.test.ts': 'Deno',
  'test/web/resolver.test.ts': 'Deno',
  'test/web/ssrf.test.ts': 'Deno',
  'test/web/tls.test.ts': 'Deno',
  'test/routes/signed-addresses.test.ts': 'most random changes of an address',
}

const ofTheFile = 'it is about the SQLite file, its locks and its disk'
const noStore = 'it stores nothing'
const sharedFile = 'its processes share a file; test/several-servers has servers that share a database'

/** Rooms that go through HTTP, or through the store: `bun run test:all` runs them over PostgreSQL. */
export const postgresRooms = ['test/access', 'test/admin', 'test/http', 'test/payments', 'test/routes']

/** Files of those rooms that are left out over PostgreSQL, with the reason. */
export const notOnPostgres: Readonly<Record<string, string>> = {
  'test/access/counted-embeds.test.ts': 'it is about memory in front of the store',
  'test/access/meter-processes.test.ts': sharedFile,
  'test/admin/backup.test.ts': ofTheFile,
  'test/admin/brands-in-browser.test.ts':
    'it is about forms in a browser; brands.test.ts stores what they send',
  'test/admin/markup.test.ts': 'it is about what pages do with texts, wherever they come from',
  'test/admin/pages.test.ts': 'it is about how pages look',
  'test/admin/query-plans.test.ts': 'it is about how SQLite plans',
  'test/http/log-faults.test.ts': noStore,
  'test/http/shared-caches.test.ts': 'it is about caches in front of the service',
  'test/payments/flood.test.ts': 'it is about what a chain is asked',
  'test/payments/ledger.test.ts': 'it goes over both stores itself',
  'test/payments/locked.test.ts': ofTheFile,
  'test/payments/processes.test.ts': sharedFile,
  'test/routes/api-og-fuzz.test.ts': noStore,
  'test/routes/every-route-while-locked.test.ts': ofTheFile,
  'test/routes/fair-fetching.test.ts': noStore,
  'test/routes/held-lock.test.ts': ofTheFile,
  'test/routes/readyz.test.ts': ofTheFile,
}
