// Charts: the numbers of one bar stand above the chart, under the pointer and by arrow keys. Without this file they are
// the tooltips of the bars.
for (const figure of document.querySelectorAll('.chart:has(svg)')) {
  const svg = figure.querySelector('svg')
  const line = figure.querySelector('.readout')
  const summary = line.textContent
  const bars = [...svg.querySelectorAll('.bar')]
  const texts = bars.map((bar) => {
    const title = bar.querySelector('title')
    title.remove()
    return title.textContent
  })
  const last = bars.length - 1
  let current = last

  const show = (index) => {
    for (const bar of bars) bar.classList.toggle('current', bar === bars[index])
    line.textContent = texts[index] ?? summary
  }

  const focusOn = (index) => {
    current = Math.min(last, Math.max(0, index))
    svg.setAttribute('aria-valuenow', current)
    svg.setAttribute('aria-valuetext', texts[current])
    show(current)
  }

  // A slider along the time: screen readers say the numbers of the bar that it is on.
  svg.setAttribute('role', 'slider')
  svg.setAttribute('tabindex', '0')
  svg.setAttribute('aria-valuemin', '0')
  svg.setAttribute('aria-valuemax', last)
  svg.setAttribute('aria-valuenow', last)
  svg.setAttribute('aria-valuetext', texts[last])
  svg.addEventListener('focus', () => focusOn(current))
  svg.addEventListener('blur', () => show(-1))
  svg.addEventListener('keydown', (event) => {
    const steps = { ArrowLeft: current - 1, ArrowRight: current + 1, Home: 0, End: last }
    if (!(event.key in steps)) return
    event.preventDefault()
    focusOn(steps[event.key])
  })
  const point = (event) => show(bars.indexOf(event.target.closest('.bar')))
  svg.addEventListener('pointermove', point)
  svg.addEventListener('pointerdown', point)
  svg.addEventListener('pointerleave', () => show(-1))
}
