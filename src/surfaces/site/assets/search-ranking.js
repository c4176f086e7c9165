/** How the search ranks what it finds; `MiniSearch` is the class of that library. */
import { IGNORED, SYNONYMS } from './search-words.js'

/** @typedef {{ path: string, page: string, section: string, text: string, asked?: string }} Entry */

const ENDINGS = /(?:ations?|ments?|ings?|ies|ied|edly|ed|es|ers?|ly|s|y|e)$/
const SHORTEST_STEM = 3
/** A page may have the answer in two places; a third hit of it says nothing new. */
const MOST_OF_A_PAGE = 2

/** @param {string} word */
export function stem(word) {
  const plain = word.toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '')
  const cut = plain.replace(ENDINGS, '')
  return cut.length >= SHORTEST_STEM ? cut.replace(/([^aeiou])\1$/, '$1') : plain
}

const ALIKE = new Map(
  SYNONYMS.flatMap((group) => {
    const stems = [...new Set(group.map(stem))]
    return stems.map((each) => [each, stems])
  }),
)

/** Words of letters and digits; a name in code is also the words in it.
 * @param {string} text */
const wordsOf = (text) =>
  (text.match(/[\p{L}\p{N}_.-]+/gu) ?? []).flatMap((word) => {
    const bare = word.replace(/^[._-]+|[._-]+$/g, '')
    const parts = bare.split(/[._-]+/)
    return bare === '' ? [] : parts.length > 1 ? [bare, ...parts] : [bare]
  })

/**
 * @param {typeof import('minisearch').default} MiniSearch
 * @param {readonly Entry[]} entries
 */
export function searcher(MiniSearch, entries) {
  const index = new MiniSearch({
    fields: ['page', 'section', 'asked', 'text'],
    idField: 'id',
    tokenize: wordsOf,
    processTerm: (word) => (IGNORED.has(word.toLowerCase()) ? null : stem(word)),
  })
  index.addAll(entries.map((entry, id) => ({ ...entry, id })))

  /**
   * The best places, best first.
   *
   * @param {string} query
   * @returns {readonly Entry[]}
   */
  return function find(query) {
    const asked = wordsOf(query)
    const telling = asked.filter((word) => !IGNORED.has(word.toLowerCase()))
    const words = [...new Set((telling.length > 0 ? telling : asked).map(stem))]
    const alike = words.map((word) => ALIKE.get(word) ?? [word])
    const terms = [...new Set(alike.flat())]
    const found = index.search(terms.join(' '), {
      tokenize: (text) => text.split(' '),
      processTerm: (term) => term,
      boost: { page: 2, section: 3, asked: 4 },
      boostTerm: (term) => (words.includes(term) ? 1 : 0.5),
      prefix: (term) => words.includes(term) && term.length > 2,
      fuzzy: (term) => (words.includes(term) && term.length > 4 ? 1 : false),
      // A page of evidence is read by few, and a changelog names everything once.
      boostDocument: (id) => weightOf(entries[id]?.path ?? ''),
    })
    const ranked = found
      .map(({ id, score, queryTerms }) => {
        const met = alike.filter((group) => group.some((term) => queryTerms.includes(term))).length
        return { id, score: score * (met / words.length) ** 3 }
      })
      .toSorted((one, other) => other.score - one.score)
    return bestOf(ranked.flatMap(({ id }) => entries[id] ?? []))
  }
}

/** @param {string} path */
const weightOf = (path) =>
  path.startsWith('/docs/changelog') ? 0.4 : path.startsWith('/docs/evidence') ? 0.7 : 1

/** @param {readonly Entry[]} ranked */
function bestOf(ranked) {
  /** @type {Map<string, number>} */
  const ofPage = new Map()
  const places = new Set()
  return ranked.filter(({ path, page }) => {
    const before = ofPage.get(page) ?? 0
    if (places.has(path) || before >= MOST_OF_A_PAGE) return false
    places.add(path)
    ofPage.set(page, before + 1)
    return true
  })
}
