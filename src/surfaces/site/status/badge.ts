import type { Status } from './status.ts'

const WORDS = {
  ok: 'paid calls work',
  degraded: 'working, with a warning',
  paused: 'paid calls paused',
} as const
const COLOURS = { ok: '#166534', degraded: '#92400e', paused: '#991b1b' } as const

/**
 * Draws a badge for other pages that says whether paid calls work. A character of a sans-serif takes about 6.5 units at font
 * size 11; `textLength` fits the text to its box in every font.
 */
export function badge(state: Status['payments']['state']): string {
  const [name, word] = ['Format Checker', WORDS[state]]
  const [left, right] = [name.length * 6.5 + 12, word.length * 6.5 + 12]
  const label = (text: string, x: number, width: number) =>
    `<text x="${x + 6}" y="14" textLength="${width - 12}" lengthAdjust="spacingAndGlyphs">${text}</text>`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${name}: ${word}"><title>${name}: ${word}</title><rect width="${left}" height="20" fill="#334155"/><rect x="${left}" width="${right}" height="20" fill="${COLOURS[state]}"/><g fill="#fff" font-family="Verdana,sans-serif" font-size="11">${label(name, 0, left)}${label(word, left, right)}</g></svg>`
}
