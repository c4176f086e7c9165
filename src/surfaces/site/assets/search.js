/**
 * The search over all pages. Code and index are fetched at the first key or focus; what is typed stays in the page.
 */
import { byId, element } from './dom.js'
import { searcher } from './search-ranking.js'

/** @typedef {import('./search-ranking.js').Entry} Entry */

const MOST = 8

/** @param {HTMLElement} place */
export function startSearch(place) {
  const input = byId('search-text', HTMLInputElement)
  const results = byId('search-results', HTMLElement)
  const status = byId('search-status', HTMLElement)
  /** @type {Promise<(query: string) => readonly Entry[]> | undefined} */
  let search
  const load = () => {
    search ??= Promise.all([
      import('./minisearch.js'),
      fetch('/docs/search.json').then((response) => response.json()),
    ]).then(([{ default: MiniSearch }, entries]) => searcher(MiniSearch, entries))
    search.catch(() => {
      search = undefined
    })
    return search
  }

  async function show() {
    const asked = input.value
    if (asked.trim() === '') {
      status.replaceChildren()
      return results.replaceChildren()
    }
    /** @type {readonly Entry[]} */
    let found
    try {
      found = (await load())(asked).slice(0, MOST)
    } catch {
      return results.replaceChildren(
        element('li', { class: 'search-none' }, 'The search index could not be loaded.'),
      )
    }
    // Another key came while the index was on its way.
    if (asked !== input.value) return
    status.replaceChildren(found.length === 1 ? '1 result' : `${found.length} results`)
    if (found.length === 0) results.replaceChildren(element('li', { class: 'search-none' }, 'Nothing found.'))
    else results.replaceChildren(...found.map((entry) => element('li', {}, resultOf(entry, asked))))
  }

  input.addEventListener('focus', () => void load().catch(() => {}), { once: true })
  input.addEventListener('input', () => void show())
  place.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      input.value = ''
      input.focus()
      void show()
    } else if (event.key === 'Enter' && event.target === input) results.querySelector('a')?.click()
    else return
    event.preventDefault()
  })
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Node && !place.contains(target)) results.replaceChildren()
  })
  place.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget instanceof Node && !place.contains(relatedTarget)) results.replaceChildren()
  })
  if (location.hash === '#docs-search') input.focus()
}

/**
 * @param {Entry} entry
 * @param {string} asked
 */
function resultOf({ path, page, section, text }, asked) {
  const words = asked.toLowerCase().match(/[\p{L}\p{N}_-]+/gu) ?? []
  const places = words.map((word) => text.toLowerCase().indexOf(word)).filter((place) => place >= 0)
  const at = Math.max(0, Math.min(...places, text.length) - 40)
  const start = places.length > 0 ? at : 0
  const excerpt = `${start > 0 ? '…' : ''}${text.slice(start, start + 120)}`
  return element(
    'a',
    { href: path },
    element('strong', {}, section),
    element('span', {}, ...(page === section ? [] : [`${page} · `]), ...marked(excerpt, words)),
  )
}

/**
 * The text with each found word marked. Words are letters, digits, "_" and "-", which stand for themselves in a pattern.
 *
 * @param {string} text
 * @param {readonly string[]} words
 */
function marked(text, words) {
  const pattern = new RegExp(`(${words.join('|')})`, 'giu')
  return text.split(pattern).map((part, at) => (at % 2 === 1 ? element('mark', {}, part) : part))
}
