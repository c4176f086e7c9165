/** `/llms-full.txt`: `/llms.txt`, then the page and worked examples of every check, then every error. */

import type { Skill } from '../../../catalog/skill.ts'
import { ERRORS, type ErrorCode } from '../../../errors.ts'
import { PATHS } from '../../call/paths.ts'
import { type BuildDocument, markdownDocument } from '../document-context.ts'
import { skillMarkdown } from './agent-skills.ts'
import { llmsLines } from './llms.ts'

export const llmsFull: BuildDocument = (context) => {
  const { baseUrl, skills } = context
  return markdownDocument(PATHS.llmsFull, [
    ...llmsLines(context),
    '',
    '# The checks in full',
    '',
    ...skills.all.flatMap((skill) => [withoutFrontMatter(skillMarkdown(skill, baseUrl)), ...worked(skill)]),
    '# Errors',
    '',
    '| code | HTTP status | meaning |',
    '|---|---|---|',
    ...(Object.keys(ERRORS) as ErrorCode[]).map(errorRow),
  ])
}

function worked({ examples }: Skill): readonly string[] {
  return [
    '## Worked examples',
    '',
    ...examples.flatMap(({ title, input, output }) => [
      `${title}: \`${JSON.stringify(input)}\``,
      '',
      '```json',
      JSON.stringify(output),
      '```',
      '',
    ]),
  ]
}

const withoutFrontMatter = (markdown: string): string => markdown.replace(/^---\n[\s\S]*?\n---\n+/, '')

function errorRow(code: ErrorCode): string {
  const { status, detail } = ERRORS[code]
  return `| \`${code}\` | ${status} | ${detail} |`
}
