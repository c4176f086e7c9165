/** What a text that orders nothing speaks of, so that its free answer can name the order that it may have meant. */

import { isText } from 'format-checker-checks/internal/profile'
import type { Skill, SkillRegistry } from '../../../catalog/skill.ts'
import { type Keywords, keywords } from './keywords.ts'
import { LONGEST_TEXT } from './read-order.ts'
import { compactValue, isCountry, isWhole, looksWhole } from './value-form.ts'

export type Mention =
  /** `value` if one part of the text may be it. */
  | { readonly kind: 'one'; readonly skill: Skill; readonly value?: string | undefined }
  | { readonly kind: 'several' }
  | { readonly kind: 'none' }

export type MentionFinder = (text: string) => Mention

export function mentionFinder(registry: SkillRegistry): MentionFinder {
  const names = keywords(registry)
  const telling = registry.all.filter(({ outline }) => outline.isTelling)
  return (text) => {
    if (text.length > LONGEST_TEXT) return { kind: 'none' }
    const { named, rest } = takeNames(text, names)
    const [skill, ...others] = named
    if (others.length > 0) return { kind: 'several' }
    if (skill !== undefined) {
      const { whole, loose } = findValues(rest, skill, isWhole)
      if (whole.length > 1) return { kind: 'several' }
      const [value, ...more] = [...whole, ...loose]
      return { kind: 'one', skill, value: whole.length > 0 || more.length === 0 ? value : undefined }
    }
    const found = telling.flatMap((each) =>
      findValues(rest, each, looksWhole).whole.map((value) => ({ kind: 'one', skill: each, value }) as const),
    )
    return found.length > 1 ? { kind: 'several' } : (found[0] ?? { kind: 'none' })
  }
}

const WORD = /[\p{L}\p{N}@]+(?:[_.–#+@-]+[\p{L}\p{N}@]+)*/gu

function takeNames(
  text: string,
  names: Keywords,
): { readonly named: ReadonlySet<Skill>; readonly rest: string } {
  const words = [...text.matchAll(WORD)]
  const spelt = words.map(([word]) => word)
  const named = new Set<Skill>()
  let rest = text
  for (let index = 0; index < words.length; index++) {
    const name = names.at(spelt, index)
    if (name === undefined) continue
    named.add(name.skill)
    const [first, last] = [words[index], words[index + name.length - 1]]
    if (first === undefined || last === undefined) continue
    const end = last.index + last[0].length
    // A mark that is in no value, as long as the name.
    rest = rest.slice(0, first.index) + '|'.repeat(end - first.index) + rest.slice(end)
    index += name.length - 1
  }
  return { named, rest }
}

interface Values {
  /** Those with a length of the type; each once. */
  readonly whole: readonly string[]
  readonly loose: readonly string[]
}

type IsWhole = (skill: Skill, written: string) => boolean

function findValues(text: string, skill: Skill, isWhole: IsWhole): Values {
  if (isText(skill)) {
    const found = [...text.matchAll(WORD)].flatMap(([word]) => (skill.outline.fits?.(word) ? [word] : []))
    return { whole: [...new Set(found)], loose: [] }
  }
  const whole = new Map<string, string>()
  const loose: string[] = []
  for (const [run] of text.matchAll(/[A-Za-z\d]+(?:[ ./-][A-Za-z\d]+)*/g)) {
    const groups = run.split(/(?<=[ ./-])/)
    let isFound = false
    for (let from = 0; from < groups.length; from++) {
      const value = longestWhole(groups, from, skill, isWhole)
      if (value === undefined) continue
      isFound = true
      whole.set(compactValue(value.text), value.text)
      from = value.to
    }
    if (!isFound && /\d/.test(run)) loose.push(digitsOf(groups))
  }
  return { whole: [...whole.values()], loose }
}

/** Groups of one value; an IBAN has nine, and a mask of a person's own may have more. */
const MOST_GROUPS = 16

function longestWhole(groups: readonly string[], from: number, skill: Skill, isWhole: IsWhole) {
  let found: { readonly text: string; readonly to: number } | undefined
  const first = trimmed(groups[from])
  if (!(/\d/.test(first) || (isCountry(skill, first) && first === first.toUpperCase()))) return undefined
  for (let to = from; to < Math.min(groups.length, from + MOST_GROUPS); to++) {
    const group = trimmed(groups[to])
    if (to > from && !/\d|^[A-Z]{1,4}$/.test(group)) break
    const text = trimmed(groups.slice(from, to + 1).join(''))
    if (/\d/.test(text) && isWhole(skill, text)) found = { text, to }
  }
  return found
}

function digitsOf(groups: readonly string[]): string {
  const hasDigit = (group: string) => /\d/.test(group)
  return trimmed(groups.slice(groups.findIndex(hasDigit), groups.findLastIndex(hasDigit) + 1).join(''))
}

const trimmed = (text = ''): string => text.replace(/[ ./-]$/, '')
