import type { Skill } from '../../catalog/skill.ts'
import type { Html } from '../../values/html.ts'
import { renderGuide } from './docs/render-guide.ts'

/** The sections of a skill's `SKILL.md` that its page shows. */
export interface SkillWords {
  readonly checked: Html
  readonly notChecked: Html
  readonly edgeCases: Html
  /** How a valid value is masked. */
  readonly result: Html
  readonly codes: readonly { readonly code: string; readonly meaning: Html }[]
  /** What `hint`, `position`, `suspects` and `warnings` mean, and how often they are right. */
  readonly advice: Html
}

/** Reads the sections; throws if one is missing. */
export function wordsOf({ id, markdown }: Skill): SkillWords {
  const section = (title: string): string => {
    const text = markdown.split(/^## /m).find((each) => each.startsWith(`${title}\n`))
    if (text === undefined) throw new Error(`skills/${id}/SKILL.md has no section "${title}"`)
    return text.slice(title.length).trim()
  }
  const result = section('Result')
  return {
    checked: rendered(section('What is checked')),
    notChecked: rendered(section('What is not checked')),
    edgeCases: rendered(section('Edge cases')),
    result: rendered((result.split('\n', 1)[0] ?? '').replace(/ `details\.code` is one of:$/, '')),
    codes: [...result.matchAll(/^\| `([a-z0-9_]+)` \| (.+) \|$/gm)].map(([, code = '', meaning = '']) => ({
      code,
      meaning: rendered(meaning),
    })),
    advice: rendered(section('Hints and warnings').replace(/<!-- .*? -->\n?/g, '')),
  }
}

const rendered = (markdown: string): Html => renderGuide(markdown, pageOf).body

/** Links of a skill's page lead to Markdown, of its page here to the guide's. */
const pageOf = (href: string): string | null =>
  href.startsWith('BASE_URL/') ? href.slice('BASE_URL'.length).replace('.md', '') : null
