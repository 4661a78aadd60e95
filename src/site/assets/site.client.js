// Progressive: every page works without this file. Typing asks the server for the same page again.
const play = document.querySelector('form.play')
const WAIT_MS = 220
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
  let timer
  let running
  let source

  play.addEventListener('input', ({ target }) => {
    if (target.name === 'snippet') return
    count(target)
    clearTimeout(timer)
    if (!('live' in play.dataset)) timer = setTimeout(refresh, WAIT_MS)
  })
  play.addEventListener('submit', (event) => {
    event.preventDefault()
    clearTimeout(timer)
    refresh('follow' in play.dataset)
  })

  // `follow` asks for the address that tells of progress; when that ends, the result is there at once.
  async function refresh(follow) {
    running?.abort()
    source?.close()
    running = new AbortController()
    const { signal } = running
    const state = new URLSearchParams()
    for (const [name, value] of new FormData(play))
      if (value !== '' && name !== 'snippet') state.append(name, value)
    const address = `${play.action}?${state}`
    play.setAttribute('aria-busy', 'true')
    try {
      const answer = await fetch(follow ? `${address}&follow=1` : address, { signal })
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
      const stage = find('.stage', page)
      if (!stage) return
      await loaded(find('.canvas img', stage))
      if (signal.aborted) return
      show(stage)
      problems(page)
      history.replaceState(null, '', address)
      if (stage.dataset.stream) listen(stage.dataset.stream)
    } catch (error) {
      if (error.name !== 'AbortError') throw error
    } finally {
      if (!signal.aborted) play.removeAttribute('aria-busy')
    }
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

  // The new picture is fetched before it takes the old one's place, so nothing flickers or jumps.
  async function loaded(image) {
    if (!image) return
    const ahead = new Image()
    ahead.src = image.getAttribute('src')
    await ahead.decode().catch(() => {})
  }

  function show(stage) {
    const chosen = find('input[name=snippet]:checked', play)?.id
    find('.stage', play).replaceWith(document.adoptNode(stage))
    const again = chosen && document.getElementById(chosen)
    if (again) again.checked = true
  }

  // The words under each field come from the server too.
  function problems(page) {
    for (const old of play.querySelectorAll('.problem')) old.remove()
    for (const field of play.querySelectorAll('[name]')) {
      const fresh = find(`.fields [name="${field.name}"]`, page)
      for (const name of ['aria-invalid', 'aria-describedby'])
        fresh?.hasAttribute(name)
          ? field.setAttribute(name, fresh.getAttribute(name))
          : field.removeAttribute(name)
      const words = fresh && find('.problem', fresh.closest('div'))
      if (words) field.closest('div').append(words)
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

// The reference: its contents mark the section that is read.
const entries = [...document.querySelectorAll('.contents a[href^="#"]')]
function mark() {
  const atEnd = scrollY + innerHeight > document.body.scrollHeight - 2
  const line = innerHeight * (atEnd ? 1 : 0.3)
  const current =
    entries.find(({ hash }) => atEnd && hash === location.hash) ??
    entries.findLast(({ hash }) => find(hash).getBoundingClientRect().top < line)
  for (const entry of entries) entry.ariaCurrent = entry === (current ?? entries[0])
}
window.onscroll = mark
window.onhashchange = mark
mark()

// The signed address of what the stage shows, made here by the client that sites import: the secret is sent nowhere.
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
