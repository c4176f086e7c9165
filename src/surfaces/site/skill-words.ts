import { resultWords } from '../../catalog/result-words.ts'
import type { Skill } from '../../catalog/skill.ts'
import type { Html } from '../../values/html.ts'
import { renderGuide } from './docs/render-guide.ts'

export interface SkillWords {
  readonly checked: Html
  readonly notChecked: Html
  readonly edgeCases: Html
  readonly result: Html
  readonly codes: readonly { readonly code: string; readonly meaning: Html }[]
  readonly advice: Html
}

export const wordsOf = (skill: Skill): SkillWords => ({
  checked: listed(skill.checked),
  notChecked: listed(skill.notChecked),
  edgeCases: listed(skill.edgeCases),
  result: rendered(resultWords(skill)),
  codes: Object.entries(skill.codes).map(([code, meaning]) => ({ code, meaning: rendered(meaning) })),
  advice: rendered(skill.advice),
})

const rendered = (markdown: string): Html => renderGuide(markdown, pageOf).body

const listed = (lines: readonly string[]): Html => rendered(lines.map((line) => `- ${line}`).join('\n'))

/** Links of a skill's page lead to Markdown, of its page here to the guide's. */
const pageOf = (href: string): string | null =>
  href.startsWith('BASE_URL/') ? href.slice('BASE_URL'.length).replace('.md', '') : null
