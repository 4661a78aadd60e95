// Pages work without this file. Typing asks the server for the same page again.
const play = document.querySelector('form.play')
const waitMs = 220
const find = (selector, root = document) => root.querySelector(selector)

document.documentElement.classList.add('js')
document.addEventListener('click', ({ target }) => {
  const button = target.closest('button[data-copy]')
  if (button) copy(button)
})

async function copy(button) {
  const shown = [...button.closest('.snips, .sign, .code').querySelectorAll('pre')].find(
    (pre) => pre.offsetParent !== null,
  )
  if (!shown) return
  await navigator.clipboard.writeText(shown.textContent)
  const label = find('span', button)
  button.dataset.label ??= label.textContent
  label.textContent = 'Copied'
  button.classList.add('done')
  setTimeout(() => {
    label.textContent = button.dataset.label
    button.classList.remove('done')
  }, 1500)
}

if (play) {
  new IntersectionObserver(([{ isIntersecting }]) => isIntersecting && import(play.dataset.more)).observe(
    play,
  )
  let timer
  let running
  let source

  // Fetching waits for the button.
  play.addEventListener('input', ({ target }) => {
    if (!target.name || target.getAttribute('form')) return
    count(target)
    press(target.name, target.value)
    clearTimeout(timer)
    const { waits } = play.dataset
    if (waits !== 'all' && waits !== target.type) timer = setTimeout(refresh, waitMs)
  })
  play.addEventListener('submit', (event) => {
    event.preventDefault()
    clearTimeout(timer)
    const { name, value } = event.submitter ?? {}
    if (name) {
      find(`input[name=${name}]`, play).value = value
      press(name, value)
    }
    refresh(!name && 'follow' in play.dataset)
  })
  play.addEventListener('click', (event) => {
    const link = event.target.closest('[data-shuffle]')
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    load(link.getAttribute('href')).then((page) => {
      if (!page) return
      fill(page)
      find('[data-shuffle]', play).focus()
    })
  })

  // `follow` asks for the address that tells of progress.
  async function refresh(follow) {
    const state = new URLSearchParams()
    for (const [name, value] of new FormData(play)) if (value !== '') state.append(name, value)
    const address = `${location.pathname}?${state}`
    const page = await load(follow === true ? `${address}&follow=1` : address, address)
    if (!page) return
    problems(page)
    // Another template has other fields.
    if (names(page) === names(play)) return
    const { name } = document.activeElement
    fill(page)
    find(`[name="${name}"]:not([type=radio]:not(:checked))`, play)?.focus()
  }

  function names(root) {
    return [...root.querySelectorAll('.field')].map(({ id }) => id).join()
  }

  async function load(asked, address) {
    running?.abort()
    source?.close()
    running = new AbortController()
    const { signal } = running
    play.setAttribute('aria-busy', 'true')
    try {
      const answer = await fetch(asked, { signal })
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
      const stage = find('.stage', page)
      if (!stage) return
      await loaded(find('.canvas img', stage))
      if (signal.aborted) return
      // A wrong field keeps the last result.
      const stale = find('.problem', page) && find('.facts', play)
      play.toggleAttribute('data-stale', stale)
      if (!stale) show(stage)
      history.replaceState(null, '', address ?? answer.url)
      if (stage.dataset.stream) listen(stage.dataset.stream)
      return page
    } catch (error) {
      if (error.name !== 'AbortError') throw error
    } finally {
      if (!signal.aborted) play.removeAttribute('aria-busy')
    }
  }

  function fill(page) {
    find('.fields', play).replaceChildren(...find('.fields', page).childNodes)
  }

  function press(name, value) {
    for (const swatch of play.querySelectorAll(`button[name=${name}]`))
      swatch.ariaPressed = swatch.value === value
  }

  function listen(address) {
    source = new EventSource(address)
    const status = find('[role=status]', play)
    const end = () => {
      source.close()
      refresh()
    }
    source.addEventListener('progress', ({ data }) => {
      const { pages, urls, requests } = JSON.parse(data)
      status.textContent = `${pages} pages read, ${urls} URLs found, ${requests} requests …`
    })
    source.addEventListener('done', end)
    source.addEventListener('error', end)
  }

  // The new picture is fetched first, so nothing flickers or jumps.
  async function loaded(image) {
    if (!image) return
    const ahead = new Image()
    ahead.src = image.getAttribute('src')
    await ahead.decode().catch(() => {})
  }

  function show(stage) {
    const chosen = play.querySelectorAll('.stage input:checked')
    find('.stage', play).replaceWith(document.adoptNode(stage))
    for (const { name, value } of chosen)
      for (const input of stage.querySelectorAll(`[name=${name}][value="${value}"]`)) input.checked = true
  }

  function problems(page) {
    for (const field of play.querySelectorAll('.field')) {
      find('.problem', field)?.remove()
      const fresh = page.getElementById(field.id)
      const input = find('[name]:not(button)', field)
      for (const name of ['aria-invalid', 'aria-describedby']) {
        const value = fresh && find('[name]:not(button)', fresh).getAttribute(name)
        value ? input.setAttribute(name, value) : input.removeAttribute(name)
      }
      const words = fresh && find('.problem', fresh)
      if (words) field.append(words)
    }
  }

  function count(field) {
    const counter = field.closest('label') && find('.left', field.closest('label'))
    if (!counter) return
    const length = [...field.value].length
    counter.textContent = `${length}/${field.dataset.max}`
    counter.classList.toggle('over', length > field.dataset.max)
  }
}

// Signs what the stage shows with the client that sites import. The secret is sent nowhere.
const sign = find('#sign')
sign?.addEventListener('submit', async (event) => {
  event.preventDefault()
  const { path, query } = find('.stage').dataset
  const [key, secret] = ['key', 'secret'].map((name) => find(`[data-sign=${name}]`, sign).value.trim())
  const { embedUrl } = await import('../../client.js')
  const call = `${location.origin}${path}?${query}`
  const shown = find('pre', sign)
  shown.textContent = await embedUrl(call, {}, { key, secret }).catch(({ message }) => message)
  shown.hidden = find('.copy', sign).hidden = false
})
