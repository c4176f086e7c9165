/** Tables of Markdown that follow from the checks and the skills. */
import { readFileSync } from 'node:fs'
import { PROFILES } from 'format-checker-checks'
import { type Advice, codesOf, HINTS, WARNINGS } from 'format-checker-checks/hints'
import { CHECKS } from 'format-checker-checks/internal/checks'
import type { CheckType } from 'format-checker-checks/verdict'
import type { Skill, Source } from '../src/catalog/skill.ts'

interface Measured {
  readonly type: CheckType
  readonly refused: number
  readonly mendedShare: number
  readonly helpedShare: number
  /** What the only valid value within one slip would add; absent for addresses. */
  readonly nearest?: { readonly mended: number; readonly astray: number }
  readonly advice: readonly { readonly code: string; readonly said: number; readonly right: number }[]
}

/** Written by `scripts/measure-advice.ts`. */
export const PRECISION: { readonly values: number; readonly types: readonly Measured[] } = JSON.parse(
  readFileSync(new URL('../test/vectors/advice-precision.json', import.meta.url), 'utf8'),
)

/** Fewer say nothing. */
const ENOUGH = 20

/** How often a code was right, "rare" if it was hardly said. */
export function precisionOf(type: CheckType, code: string): string {
  const row = PRECISION.types.find((each) => each.type === type)?.advice.find((each) => each.code === code)
  return row === undefined || row.said < ENOUGH ? 'rare' : percent(row.right / row.said)
}

export const percent = (share: number): string => `${Math.floor(share * 1_000) / 10} %`

/** What the advice of a check means: examples, then each code with its explanation and how often it was right. */
export function adviceTable(type: CheckType, mistakes: readonly string[]): string {
  const rows = (table: Readonly<Record<string, Advice>>, kind: string) =>
    codesOf(table, type).map(
      (code) => `| \`${code}\` | ${kind} | ${table[code]!.explanation} | ${precisionOf(type, code)} |`,
    )
  const measured = PRECISION.types.find((each) => each.type === type)
  return [
    ...mistakes.map((value) => exampleOf(type, value)),
    '',
    ...(measured === undefined
      ? []
      : [
          `Of made-up mistakes that are refused, ${percent(measured.mendedShare)} can be mended by following hints without a person, and ${percent(measured.helpedShare)} get a place or a hint. A hint that mends is sent only if the mended value fits. In the table, right is the share of mistakes in which following the code gives what was meant, or in which the code names what had happened; a rare one was sent too seldom to tell. [How this is measured](BASE_URL/docs/correctness.md#advice).`,
          '',
        ]),
    '| code | kind | meaning | right |',
    '|---|---|---|---|',
    `| \`position\` | member | The place of the first character that breaks a rule. | ${precisionOf(type, 'position')} |`,
    ...suspectsRow(type),
    ...rows(HINTS, 'hint'),
    ...rows(WARNINGS, 'warning'),
  ].join('\n')
}

/** Only a character that was typed twice is suspected. Addresses have no such member. */
function suspectsRow(type: CheckType): readonly string[] {
  if (!('suspects' in PROFILES[type].facts)) return []
  const right = precisionOf(type, 'extra_character')
  const isSent = codesOf(HINTS, type).includes('extra_character')
  const meaning = isSent ? 'The place of the character that was typed twice; e' : 'E'
  return [
    `| \`suspects\` | member | ${meaning}mpty where several mistakes explain the value. | ${isSent ? right : '–'} |`,
  ]
}

function exampleOf(type: CheckType, value: string): string {
  const { hint, position, suspects, warnings, suggestedDomain } = CHECKS[type](value).details
  const members = JSON.stringify({
    hint,
    position,
    suspects,
    warnings: warnings.length === 0 ? undefined : warnings,
    suggestedDomain,
  })
  if (members === '{}') throw new Error(`an example of ${type} gets no advice`)
  return `- \`${value}\`: \`${members.slice(1, -1).replaceAll(',"', ', "').replaceAll('":', '": ')}\``
}

/** Whether the values of each check are personal data, for docs/privacy.md. */
export const personalTable = (skills: readonly Skill[]): string =>
  [
    '| value | personal? |',
    '|---|---|',
    ...skills.map(({ name, personal }) => `| ${name} | ${personal} |`),
  ].join('\n')

export function sourceList(sources: readonly Source[]): string {
  return sources
    .map(({ title, url, edition, date, decides }) => `- [${title}](${url}), ${edition}, ${date}: ${decides}`)
    .join('\n')
}

/** Replaces what stands between the comments of a name. */
export function between(page: string, name: string, content: string): string {
  const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const [start, end] = [page.indexOf(open), page.indexOf(close)]
  if (start < 0 || end < start) throw new Error(`the page has no ${open} … ${close}`)
  return `${page.slice(0, start + open.length)}\n${content}\n${page.slice(end)}`
}
