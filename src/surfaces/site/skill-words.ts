/** The sections of a skill's `SKILL.md`, for the page of the check. */
import { type Html, html } from '../../http/body/html.ts'
import type { Skill } from '../../skills/skill.ts'

export interface SkillWords {
  readonly checked: readonly string[]
  readonly notChecked: readonly string[]
  readonly edgeCases: readonly string[]
  /** How a valid value is masked. */
  readonly result: string
  readonly codes: readonly { readonly code: string; readonly meaning: string }[]
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
    checked: bullets(section('What is checked')),
    notChecked: bullets(section('What is not checked')),
    edgeCases: bullets(section('Edge cases')),
    result: result.split('\n', 1)[0] ?? '',
    codes: [...result.matchAll(/^\| `([a-z0-9_]+)` \| (.+) \|$/gm)].map(([, code = '', meaning = '']) => ({
      code,
      meaning,
    })),
  }
}

const bullets = (text: string): readonly string[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('- '))
    .map((line) => line.slice(2))

/** One line of Markdown as HTML; only code spans are marked. */
export const inline = (markdown: string): Html =>
  html`${markdown.split('`').map((text, index) => (index % 2 === 1 ? html`<code>${text}</code>` : html`${text}`))}`
