import type { Page } from 'playwright-core'

/**
 * Faults of the open page's layout at its present width, each with where it is. The checks need neither timers nor our
 * script, so they also work in a browser that runs none.
 */
export function layoutFaults(page: Page): Promise<readonly string[]> {
  const checks = [
    tooWide,
    brokenWords,
    brokenFlags,
    brokenLabels,
    cutTexts,
    cutLines,
    faintMarks,
    unevenBaselines,
  ]
  return page.evaluate(`(() => { ${brokenTexts}; return [${checks.join()}].flatMap((check) => check()) })()`)
}

/** Content that is wider than the screen. */
function tooWide(): string[] {
  const excess = document.documentElement.scrollWidth - window.innerWidth
  return excess > 0 ? [`${excess} px too wide`] : []
}

/** Words and dates that a line break splits. Code to copy is left out, and so are ids and hashes, which are no words. */
function brokenWords(): string[] {
  return brokenTexts(
    /(?<!mk_|[a-zé\d])(?:\d{4}-\d{2}-\d{2}|[a-zé]{2,24}|\d[\d.,]*\d)(?![a-zé\d])/gi,
    (parent) => !parent.closest('pre, svg, script, select, .vh, .wall'),
  )
}

/** Flags of commands that a line break splits, as after their dashes. */
function brokenFlags(): string[] {
  return brokenTexts(/(?<![\w-])--?[a-z][\w-]*/gi, (parent) => parent.closest('code, pre') !== null)
}

function brokenTexts(pattern: RegExp, isMeant: (parent: Element) => boolean): string[] {
  const found: string[] = []
  const range = document.createRange()
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    range.selectNodeContents(node)
    // Nothing is broken in a text of one line.
    if (range.getClientRects().length < 2) continue
    const parent = node.parentElement
    if (!parent?.checkVisibility() || !isMeant(parent)) continue
    for (const { 0: text, index } of (node.textContent ?? '').matchAll(pattern)) {
      range.setStart(node, index)
      range.setEnd(node, index + text.length)
      const tops = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)))
      if (tops.size > 1) found.push(`broken: ${text}`)
    }
  }
  return found
}

/** Buttons whose label takes more than one line. */
function brokenLabels(): string[] {
  return [...document.querySelectorAll('.btn')].flatMap((button) => {
    if (!button.checkVisibility()) return []
    const text = document.createRange()
    text.selectNodeContents(button)
    const boxes = [...text.getClientRects()].filter(({ width }) => width > 0)
    // An icon may stand a little higher than the text beside it, and never as high as the line above.
    const isBroken = boxes.some((one) => boxes.some((other) => one.top >= other.bottom))
    return isBroken ? [`label of more than one line: ${button.textContent}`] : []
  })
}

/** Elements that hide a part of their content at the side. */
function cutTexts(): string[] {
  return [...document.querySelectorAll('body *')]
    .filter((element) => {
      // A width of one pixel hides a text from all but screen readers.
      const isCut = element.clientWidth > 1 && element.scrollWidth > element.clientWidth + 1
      if (!isCut || getComputedStyle(element).overflowX === 'visible') return false
      return element.checkVisibility() && !element.matches('input, select, textarea, svg, svg *, .vh')
    })
    .map(
      (element) =>
        `cut at the side: ${element.outerHTML.slice(0, 80)}, ${element.scrollWidth} > ${element.clientWidth}`,
    )
}

/** Boxes of code that end in the middle of a line. */
function cutLines(): string[] {
  return [...document.querySelectorAll('pre')].flatMap((box) => {
    if (!box.checkVisibility() || box.scrollHeight <= box.clientHeight + 1) return []
    const { lineHeight, paddingTop } = getComputedStyle(box)
    const lines = (box.clientHeight - Number.parseFloat(paddingTop)) / Number.parseFloat(lineHeight)
    return Math.abs(lines - Math.round(lines)) > 0.1
      ? [`cut line: ${box.getAttribute('aria-label')}, ${lines.toFixed(2)} lines`]
      : []
  })
}

/** Bars of charts and meters with a contrast below 3 to the card that they stand on. */
function faintMarks(): string[] {
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  if (context === null) return ['no canvas to read colours with']
  function drawn(colors: readonly string[]): number {
    context?.clearRect(0, 0, 1, 1)
    for (const color of colors) {
      if (context === null) continue
      context.fillStyle = color
      context.fillRect(0, 0, 1, 1)
    }
    const [red = 0, green = 0, blue = 0] = context?.getImageData(0, 0, 1, 1).data ?? []
    const [r = 0, g = 0, b = 0] = [red, green, blue].map((value) =>
      value <= 10 ? value / 3294 : ((value / 255 + 0.055) / 1.055) ** 2.4,
    )
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const found = new Set<string>()
  for (const bar of document.querySelectorAll('.day rect:not(.hit), .meter .f, .week rect')) {
    const card = bar.closest('.card')
    if (card === null) continue
    const tint = bar.parentElement?.querySelector('.hit')
    const background = [
      getComputedStyle(card).backgroundColor,
      ...(tint ? [getComputedStyle(tint).fill.replace('none', 'transparent')] : []),
    ]
    const { fill, opacity } = getComputedStyle(bar)
    const [one = 0, other = 0] = [drawn(background), drawn([...background, fill])].toSorted((a, b) => b - a)
    const contrast = ((one + 0.05) / (other + 0.05)) * Number(opacity)
    if (contrast < 3) found.add(`faint: ${bar.getAttribute('class')}, ${contrast.toFixed(2)}`)
  }
  return [...found]
}

/** Names and values that stand side by side on different baselines. */
function unevenBaselines(): string[] {
  function baselineOf(element: Element): number {
    const first = element.querySelector('code') ?? element
    const probe = document.createElement('span')
    probe.style.display = 'inline-block'
    first.prepend(probe)
    const { bottom } = probe.getBoundingClientRect()
    probe.remove()
    return bottom
  }
  return [...document.querySelectorAll('.facts > div, .settings tr')].flatMap((row) => {
    const [name, value] = row.children
    if (!name || !value || !row.checkVisibility()) return []
    if (value.getBoundingClientRect().left < name.getBoundingClientRect().right - 1) return []
    const distance = Math.abs(baselineOf(name) - baselineOf(value))
    return distance > 1.5 ? [`${distance.toFixed(1)} px off: ${name.textContent}`] : []
  })
}
