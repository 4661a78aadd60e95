import type { Page } from 'playwright-core'

/** More stops than any page has. */
const stopsMax = 200

interface Stop {
  /** Tells it from the other elements of the page; undefined where nothing has the focus. */
  readonly mark: string | undefined
  readonly name: string
  readonly faults: readonly string[]
}

/** Somebody at the page who has no pointer. */
export function keyboardOf(page: Page) {
  async function step(key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<Stop> {
    await page.keyboard.press(key)
    return page.evaluate(readStop)
  }

  /** Goes on to the element that a selector of Playwright finds. Throws where the focus comes by something that is hidden. */
  async function goTo(selector: string): Promise<void> {
    const target = page.locator(selector).first()
    await target.waitFor({ state: 'attached' })
    for (let stop = 0; stop < stopsMax; stop++) {
      const { faults } = await step()
      if (faults.length > 0) throw new Error(`On the way to ${selector}: ${faults.join(', ')}`)
      if (await target.evaluate((element) => element === document.activeElement)) return
    }
    throw new Error(`The Tab key does not reach ${selector}.`)
  }

  return {
    goTo,
    press: (key: string) => page.keyboard.press(key),
    type: (text: string) => page.keyboard.type(text),
    async follow(selector: string, url: string | RegExp): Promise<void> {
      await goTo(selector)
      await Promise.all([page.waitForURL(url), page.keyboard.press('Enter')])
      await page.waitForLoadState()
    },
    /** Goes through the whole page. Returns what is wrong with its stops, and elements that are left out. */
    async walk(): Promise<readonly string[]> {
      await page.evaluate(startAtTop)
      const stops: Stop[] = []
      while (stops.length < stopsMax) {
        const stop = await step()
        // A field of a date has a stop for each of its parts.
        const isPart = stop.mark !== undefined && stop.mark === stops.at(-1)?.mark
        if (stop.mark === undefined || (!isPart && stops.some(({ mark }) => mark === stop.mark))) break
        stops.push(stop)
      }
      const reached = new Set(stops.map(({ mark }) => mark))
      const leftOut = (await page.evaluate(listStops)).filter(({ mark }) => !reached.has(mark))
      await page.evaluate(startAtTop)
      const [first, second, back] = [await step(), await step(), await step('Shift+Tab')]
      const isStuck = second.mark !== undefined && back.mark !== first.mark
      return [
        ...stops.flatMap(({ faults }) => faults),
        ...leftOut.map(({ name }) => `not reached: ${name}`),
        ...(isStuck ? [`Shift+Tab leads from ${second.name} to ${back.name}`] : []),
      ]
    },
  }
}

/** The next Tab leads to the first stop of the page. */
function startAtTop(): void {
  window.scrollTo(0, 0)
  document.body.tabIndex = -1
  document.body.focus()
  document.body.removeAttribute('tabindex')
}

/** The element with the focus, and what is wrong with how it is seen. Runs in the page. */
function readStop(): Stop {
  const element = document.activeElement
  if (!(element instanceof HTMLElement) || element === document.body)
    return { mark: undefined, name: 'nothing', faults: ['nothing has the focus'] }
  const name = element.getAttribute('aria-label') ?? element.textContent?.trim() ?? ''
  element.dataset['stop'] ??= String(document.querySelectorAll('[data-stop]').length)
  const shown = `${element.tagName.toLowerCase()} ${element.id || element.getAttribute('name') || name}`
  const around = [element, element.parentElement, ...(element.parentElement?.children ?? [])]
  const hasOutline = around.some((each) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(each ?? element)
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1.5
  })
  const { left, top, width, height } = element.getBoundingClientRect()
  const seen = document.elementFromPoint(left + width / 2, top + Math.min(height / 2, 20))
  const isSeen = seen !== null && (element.contains(seen) || seen.contains(element))
  return {
    mark: element.dataset['stop'],
    name: shown,
    faults: [
      ...(hasOutline ? [] : [`no outline: ${shown}`]),
      ...(isSeen ? [] : [`hidden below something: ${shown}`]),
    ],
  }
}

/** Everything that the Tab key must reach: of radio buttons the one that is chosen. Runs in the page. */
function listStops(): readonly { readonly mark: string | undefined; readonly name: string }[] {
  const stops = document.querySelectorAll<HTMLElement>(
    'a[href], button, input:not([type="hidden"]), select, textarea, summary, [tabindex="0"]',
  )
  return [...stops]
    .filter((each) => each.checkVisibility() && each.tabIndex >= 0 && !each.matches(':disabled'))
    .filter((each) => !each.matches('[type="radio"]:not(:checked)'))
    .map((each) => ({ mark: each.dataset['stop'], name: each.outerHTML.slice(0, 80) }))
}
