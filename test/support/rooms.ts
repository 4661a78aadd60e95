/**
 * Which room may import from which: the one table of allowed directions. A room is a folder of `src`, one of
 * the folders `admin`, `bench` and `test`, or one of the files directly in `src`.
 */
const foundation = ['lib', 'errors']
const drawing = [...foundation, 'svg', 'text', 'raster']
const assets = [...drawing, 'web', 'assets', 'catalog', 'config']
const services = [...assets, 'store', 'brands', 'payments', 'access']
const pages = [...services, 'operator', 'http', 'client', 'site']

const everything = [...pages, 'routes', 'admin', 'parts', 'app', 'service', 'cli', 'test']

export const allowedImports: Readonly<Record<string, readonly string[]>> = {
  lib: [],
  errors: ['lib'],
  client: ['lib', 'assets', 'catalog'],
  svg: foundation,
  text: [...foundation, 'svg'],
  raster: [...foundation, 'svg', 'text'],
  web: foundation,
  assets: [...drawing, 'web'],
  catalog: [...drawing, 'web', 'assets'],
  config: [...foundation, 'assets', 'catalog'],
  store: assets,
  brands: [...assets, 'store'],
  payments: [...assets, 'store'],
  access: [...assets, 'store', 'brands', 'payments'],
  operator: services,
  http: services,
  routes: [...pages, 'parts'],
  site: pages,
  admin: [...pages, 'parts'],
  parts: pages,
  app: [...pages, 'routes', 'admin', 'parts'],
  service: [...pages, 'parts', 'app'],
  cli: [...pages, 'routes', 'admin', 'app', 'service'],
  main: ['lib', 'text', 'raster', 'cli'],
  deno: ['lib', 'raster', 'cli'],
  bench: everything,
  test: [...everything, 'bench'],
}

/** The room of a file by its path from the project's root; undefined for files that belong to none. */
export function roomOf(path: string): string | undefined {
  const [top, second = ''] = path.split('/')
  if (top === 'admin' || top === 'bench' || top === 'test') return top
  return top === 'src' ? second.replace(/\.ts$/, '') : undefined
}
