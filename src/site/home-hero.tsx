/** @jsxImportSource #jsx */
import type { Child, Markup } from '../lib/jsx/markup.ts'
import { type OwnCard, ownCardParameter } from './own-card.ts'
import { feedFrames } from './parts/feed-frames.tsx'

/** The first screen: what this is, and the visitor's own card as networks show it. */
export function homeHero(own: OwnCard): Markup {
  return (
    <div class="intro">
      <div class="hero">
        <h1>
          <span>Every page gets a card.</span> <span>You write a URL.</span>
        </h1>
        <p>
          Share cards, badges, avatars, link previews and site files for static sites. One image tag, no build
          step, no browser farm.
        </p>
        {ownForm(own)}
      </div>
      <div class="shown">
        <div class="card">{feedFrames({ group: 'feed', page: own.page })}</div>
        <p class="small muted">
          {own.text === '' || own.problem ? 'A sample card.' : 'Your card.'}{' '}
          <a href={`/?${own.query}#play`}>Change its look in the playground</a>
        </p>
      </div>
    </div>
  )
}

function ownForm({ text, problem }: OwnCard): Child {
  return (
    <form class="own" action="/" method="get">
      <label for="own">Try it: type a headline or your site’s URL</label>
      <div>
        <input
          id="own"
          name={ownCardParameter}
          value={text}
          maxlength="300"
          placeholder="example.com"
          required
          dir="auto"
          autocomplete="url"
          spellcheck="false"
          aria-invalid={problem && 'true'}
          aria-describedby={problem && 'own-problem'}
        />
        <button class="btn primary" type="submit">
          Show my card
        </button>
      </div>
      {problem && (
        <p class="problem" id="own-problem">
          {problem}
        </p>
      )}
    </form>
  )
}
