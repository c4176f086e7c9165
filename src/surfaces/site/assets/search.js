/** The search over the documents: the index is fetched at the first use, and what is typed stays in the page. */
import { byId, element } from './dom.js'

/** @typedef {{ path: string, page: string, section: string, text: string }} Entry */

const MOST = 8

/** @param {HTMLElement} place */
export function startSearch(place) {
  const input = byId('search-text', HTMLInputElement)
  const results = byId('search-results', HTMLElement)
  const status = byId('search-status', HTMLElement)
  /** @type {Promise<Entry[]> | undefined} */
  let index
  const load = () => {
    index ??= fetch('/docs/search.json').then((response) => response.json())
    index.catch(() => {
      index = undefined
    })
    return index
  }

  async function search() {
    const words = input.value.toLowerCase().match(/[\p{L}\p{N}_-]+/gu) ?? []
    if (words.length === 0) {
      status.replaceChildren()
      return results.replaceChildren()
    }
    /** @type {Entry[]} */
    let entries
    try {
      entries = await load()
    } catch {
      return results.replaceChildren(
        element('li', { class: 'search-none' }, 'The search index could not be loaded.'),
      )
    }
    const found = rank(entries, words).slice(0, MOST)
    status.replaceChildren(found.length === 1 ? '1 result' : `${found.length} results`)
    if (found.length === 0) results.replaceChildren(element('li', { class: 'search-none' }, 'Nothing found.'))
    else results.replaceChildren(...found.map((entry) => element('li', {}, resultOf(entry, words))))
  }

  input.addEventListener('focus', () => void load().catch(() => {}), { once: true })
  input.addEventListener('input', () => void search())
  place.addEventListener('keydown', (event) => {
    const links = /** @type {HTMLElement[]} */ ([...results.querySelectorAll('a')])
    const at = links.indexOf(/** @type {HTMLElement} */ (document.activeElement))
    if (event.key === 'Escape') {
      input.value = ''
      input.focus()
      void search()
    } else if (event.key === 'ArrowDown') links[Math.min(at + 1, links.length - 1)]?.focus()
    else if (event.key === 'ArrowUp') (at > 0 ? links[at - 1] : input)?.focus()
    else if (event.key === 'Enter' && event.target === input) links[0]?.click()
    else return
    event.preventDefault()
  })
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Node && !place.contains(target)) results.replaceChildren()
  })
  place.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget instanceof Node && !place.contains(relatedTarget)) results.replaceChildren()
  })
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target instanceof HTMLInputElement) return
    if (event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    input.focus()
  })
  place.hidden = false
}

/**
 * Entries that hold every word, best first: titles count more than text.
 *
 * @param {readonly Entry[]} entries
 * @param {readonly string[]} words
 */
function rank(entries, words) {
  return entries
    .map((entry) => ({ entry, score: scoreOf(entry, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ entry }) => entry)
}

/**
 * @param {Entry} entry
 * @param {readonly string[]} words
 */
function scoreOf({ page, section, text }, words) {
  let score = 0
  for (const word of words) {
    const inSection = section.toLowerCase().includes(word) ? 8 : 0
    const inPage = page.toLowerCase().includes(word) ? 4 : 0
    const inText = Math.min(text.toLowerCase().split(word).length - 1, 3)
    if (inSection + inPage + inText === 0) return 0
    score += inSection + inPage + inText
  }
  return score
}

/**
 * @param {Entry} entry
 * @param {readonly string[]} words
 */
function resultOf({ path, page, section, text }, words) {
  const at = Math.max(0, text.toLowerCase().indexOf(words[0] ?? '') - 40)
  const excerpt = `${at > 0 ? '…' : ''}${text.slice(at, at + 120)}`
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
