/** What the styles need to know of the tables of a guide. */
import type { Token } from 'markdown-it'

/**
 * A phone shows each cell's heading beside it; shares and marks get the class of their level, so that their table reads
 * as a heat map.
 */
export function describeCells(tokens: readonly Token[]): void {
  let headings: string[] = []
  let column = 0
  for (const [at, token] of tokens.entries()) {
    const words = tokens[at + 1]
    if (token.type === 'thead_open') headings = []
    if (token.type === 'tr_open') column = 0
    if (token.type === 'th_open')
      headings.push((words?.children ?? []).map(({ content }) => content).join(''))
    if (token.type !== 'td_open') continue
    const heading = headings[column++]
    if (heading && column > 1) token.attrSet('data-head', heading)
    const level = levelOf(words?.content ?? '')
    if (level !== null) token.attrSet('class', `heat heat-${level}`)
  }
}

/** Shares in percent from which a level begins. */
const LEVELS = [50, 75, 90]

/** 0 to 3 for a share; 3 for a mark in bold, 0 for other marks; null for words. */
function levelOf(cell: string): number | null {
  if (/^(?:[✓✗–!]|rare)$/.test(cell)) return 0
  if (/^\*\*[✓✗!]\*\*$/.test(cell)) return LEVELS.length
  const [, percent] = /^(\d[\d.]*) %$/.exec(cell) ?? []
  return percent === undefined ? null : LEVELS.filter((level) => Number(percent) >= level).length
}
