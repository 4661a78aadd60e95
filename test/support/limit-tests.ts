import { readFileSync } from 'node:fs'
import { plugin } from 'bun'
import { hangMsMax } from './hang-limit.ts'

/**
 * Gives each test the limit of those that hang, whoever starts it: Bun's own limit of 5 s is too short on a busy machine, its
 * `bunfig.toml` has no setting for it, and `setDefaultTimeout` is for one file. So each file begins with that call.
 */
plugin({
  name: 'limit-tests',
  setup: (build) => {
    build.onLoad({ filter: /\.test\.tsx?$/ }, ({ path }) => ({
      contents: `import { setDefaultTimeout as limitTests } from 'bun:test'; limitTests(${hangMsMax}); ${readFileSync(path, 'utf8')}`,
      loader: path.endsWith('x') ? 'tsx' : 'ts',
    }))
  },
})
