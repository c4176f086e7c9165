/** The search over the documents. The index is fetched at the first use; what is typed stays in the page. */
import { byId, element } from './dom.js'
import { IGNORED, NOT_OFFERED, PHRASES, SYNONYMS } from './search-words.js'

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
    const words = wordsOf(input.value)
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
    const found = findPages(entries, input.value).slice(0, MOST)
    status.replaceChildren(found.length === 1 ? '1 result' : `${found.length} results`)
    if (found.length === 0) results.replaceChildren(element('li', { class: 'search-none' }, 'Nothing found.'))
    else results.replaceChildren(...found.map((entry) => element('li', {}, resultOf(entry, words))))
  }

  input.addEventListener('focus', () => void load().catch(() => {}), { once: true })
  input.addEventListener('input', () => void search())
  place.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      input.value = ''
      input.focus()
      void search()
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
  place.hidden = false
}

/** @param {string} text */
const wordsOf = (text) => text.toLowerCase().match(/[\p{L}\p{N}_-]+/gu) ?? []

/**
 * The best section of each page that has one of the words, best first. Rare words and titles weigh more. A word counts if it
 * is there whole, as a beginning, or by a synonym, but not inside another word.
 *
 * @param {readonly Entry[]} entries
 * @param {string} query
 * @returns {readonly Entry[]}
 */
export function findPages(entries, query) {
  const typed = ` ${wordsOf(query).join(' ')} `
  const refused = NOT_OFFERED.filter(({ asked }) => asked.some((phrase) => typed.includes(` ${phrase} `)))
  const answers = refused.map(({ answer, path }) => ({ path, page: answer, section: answer, text: '' }))
  return [...answers, ...rankPages(entries, meantBy(typed))]
}

/**
 * The words with each known phrase as the documents write it.
 *
 * @param {string} typed
 */
function meantBy(typed) {
  let meant = typed
  for (const [phrase, written] of PHRASES) meant = meant.replace(` ${phrase} `, ` ${written} `)
  return meant
}

/**
 * @param {readonly Entry[]} entries
 * @param {string} query
 * @returns {readonly Entry[]}
 */
function rankPages(entries, query) {
  const asked = wordsOf(query)
  const words = asked.some((word) => !IGNORED.has(word)) ? asked.filter((word) => !IGNORED.has(word)) : asked
  const scores = entries.map(() => 0)
  const met = entries.map(() => 0)
  for (const word of words) {
    const each = entries.map((entry) => scoreOf(entry, word))
    const weight = Math.log(1 + entries.length / (1 + each.filter((score) => score > 0).length))
    for (const [at, score] of each.entries()) {
      if (score > 0) met[at] = (met[at] ?? 0) + 1
      scores[at] = (scores[at] ?? 0) + score * weight
    }
  }
  const ranked = entries
    .map((entry, at) => ({
      entry,
      score: (scores[at] ?? 0) * ((met[at] ?? 0) / words.length) ** 2 * phraseWeight(entry, words),
    }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
  /** @type {Map<string, Entry>} */
  const best = new Map()
  for (const { entry } of ranked) if (!best.has(entry.page)) best.set(entry.page, entry)
  return [...best.values()]
}

/**
 * Several words that stand together weigh more than the same words apart, most of all in a title.
 *
 * @param {Entry} entry
 * @param {readonly string[]} words
 */
function phraseWeight({ page, section, text }, words) {
  const phrase = ` ${words.join(' ')}`
  if (words.length < 2) return 1
  if (` ${wordsOf(`${page} ${section}`).join(' ')}`.includes(phrase)) return 3
  return ` ${wordsOf(text).join(' ')}`.includes(phrase) ? 2 : 1
}

/**
 * @param {Entry} entry
 * @param {string} word
 */
function scoreOf({ page, section, text }, word) {
  const alike = SYNONYMS.find((group) => group.includes(word)) ?? []
  const inText = (/** @type {string} */ hay, /** @type {number} */ most) => {
    let score = 0
    for (const each of wordsOf(hay)) {
      if (each === word || each.split(/[-_]/).includes(word)) score += 1
      else if (word.length > 2 && each.startsWith(word)) score += 0.6
      else if (alike.includes(each)) score += 0.5
    }
    return Math.min(score, most)
  }
  // A long section contains most words, so its text weighs less.
  return 8 * inText(page, 1) + 6 * inText(section, 1) + inText(text, 3) / (1 + text.length / 4_000)
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
