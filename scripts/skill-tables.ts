/** Tables of Markdown that follow from the checks and the skills. */
import { type Advice, codesOf, HINTS, WARNINGS } from '../src/checks/hints.ts'
import type { CheckType } from '../src/checks/verdict.ts'
import type { Skill, Source } from '../src/skills/skill.ts'

/** The hints and warnings that a check can give, each with its explanation. */
export function adviceTable(type: CheckType): string {
  const rows = (table: Readonly<Record<string, Advice>>, kind: string) =>
    codesOf(table, type).map((code) => `| ${kind} | \`${code}\` | ${table[code]!.explanation} |`)
  return [
    '| kind | code | meaning |',
    '|---|---|---|',
    ...rows(HINTS, 'hint'),
    ...rows(WARNINGS, 'warning'),
  ].join('\n')
}

/** Whether the values of each check are personal data, for docs/gdpr.md. */
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
