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

/** What was measured of the advice is in `SKILL.md` alone; throws if a section is missing there. */
export function wordsOf({ id, checked, notChecked, edgeCases, codes, markdown }: Skill): SkillWords {
  const section = (title: string): string => {
    const text = markdown.split(/^## /m).find((each) => each.startsWith(`${title}\n`))
    if (text === undefined) throw new Error(`skills/${id}/SKILL.md has no section "${title}"`)
    return text.slice(title.length).trim()
  }
  return {
    checked: listed(checked),
    notChecked: listed(notChecked),
    edgeCases: listed(edgeCases),
    result: rendered((section('Result').split('\n', 1)[0] ?? '').replace(/ `details\.code` is one of:$/, '')),
    codes: Object.entries(codes).map(([code, meaning]) => ({ code, meaning: rendered(meaning) })),
    advice: rendered(section('Hints and warnings').replace(/<!-- .*? -->\n?/g, '')),
  }
}

const rendered = (markdown: string): Html => renderGuide(markdown, pageOf).body

const listed = (lines: readonly string[]): Html => rendered(lines.map((line) => `- ${line}`).join('\n'))

/** Links of a skill's page lead to Markdown, of its page here to the guide's. */
const pageOf = (href: string): string | null =>
  href.startsWith('BASE_URL/') ? href.slice('BASE_URL'.length).replace('.md', '') : null
