import type { Wall } from './find-wall.ts'
import { ignoreFailure } from './site-client.ts'

/** Counts the pages that could not be read, and tells why. */
export class PageProblems {
  readonly #home: string
  readonly #counts = new Map<string, number>()
  #homeProblem: string | undefined

  constructor(home: string) {
    this.#home = home
  }

  /** Adds a wall or a failure of the fetch. Throws the failure again if it is for want of a slot. */
  add(url: string, problem: unknown): undefined {
    const wall = isWall(problem) ? problem : undefined
    if (wall === undefined) ignoreFailure(problem)
    const message = problem instanceof Error ? problem.message : ''
    if (url === this.#home)
      this.#homeProblem = wall === undefined ? `home_unavailable: ${message}` : `${wall}: ${homeWalls[wall]}`
    else {
      const kind = wall ?? 'pages_unavailable'
      this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1)
    }
  }

  warnings(): readonly string[] {
    const counted = [...this.#counts].map(
      ([kind, count]) => `${kind}: ${count} other pages ${pageProblems[kind]}`,
    )
    return this.#homeProblem === undefined ? counted : [this.#homeProblem, ...counted]
  }
}

const homeWalls: Readonly<Record<Wall, string>> = {
  login_required: 'the home page asks for a login, and only what is public can be listed',
  target_challenge: 'the site asks its visitors to prove that they are human',
  scripts_required: 'the home page is empty until its scripts run, and no scripts are run here',
}

const pageProblems: Readonly<Record<string, string>> = {
  login_required: 'ask for a login and were left out',
  target_challenge: 'ask their visitors to prove that they are human',
  scripts_required: 'are empty until their scripts run',
  pages_unavailable: 'could not be read',
}

function isWall(problem: unknown): problem is Wall {
  return typeof problem === 'string' && Object.hasOwn(homeWalls, problem)
}
