/**
 * The one form of words that orders checks: on each line the name of a type and its value. Any other text orders nothing,
 * whatever it means.
 */
import type { SkillRegistry } from '../../../catalog/skill.ts'
import type { Item } from '../../../payments/ports/sale.ts'
import { type Keywords, keywords } from './keywords.ts'
import { isValue } from './value-form.ts'

export type OrderReader = (text: string) => readonly [Item, ...Item[]] | undefined

/** Characters of a text; a longer one is no order. */
export const LONGEST_TEXT = 4_000

export function orderReader(registry: SkillRegistry): OrderReader {
  const names = keywords(registry)
  return (text) => (text.length > LONGEST_TEXT ? undefined : readLines(text, names))
}

function readLines(text: string, names: Keywords): readonly [Item, ...Item[]] | undefined {
  const items: Item[] = []
  for (const line of text.split(/\r?\n/)) {
    const written = line.replace(/^[ \t]+|[ \t]+$/g, '')
    if (written === '') continue
    const item = readLine(written, names)
    if (item === undefined) return undefined
    items.push(item)
  }
  const [first, ...more] = items
  return first && [first, ...more]
}

const VERB = /^(?:check|validate|verify)[ \t]+/i
const SEPARATOR = /([ \t]*:[ \t]*|[ \t]+)/

/** "validate VAT ID: PL5260250274": the longest name, then a blank or a colon, then the value as it is written. */
function readLine(line: string, names: Keywords): Item | undefined {
  // Words and the separators behind them, by turns.
  const pieces = line.replace(VERB, '').split(SEPARATOR)
  const words = pieces.filter((_, index) => index % 2 === 0)
  const name = names.at(words, 0)
  if (name === undefined) return undefined
  const between = pieces.slice(1, 2 * name.length - 1).filter((_, index) => index % 2 === 0)
  const value = pieces.slice(2 * name.length).join('')
  const isName = between.every((separator) => !separator.includes(':'))
  return isName && value !== '' && isValue(name.skill, value) ? { skill: name.skill, value } : undefined
}
