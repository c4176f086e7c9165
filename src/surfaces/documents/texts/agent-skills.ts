/** The Agent Skills and their index (Agent Skills discovery 0.2). */
import { createHash } from 'node:crypto'
import type { Skill } from '../../../catalog/skill.ts'
import type { StaticDocument } from '../../../http/body/static-document.ts'
import { PATHS } from '../../call/paths.ts'
import { type DocumentContext, jsonDocument } from '../document-context.ts'

const ROOT = PATHS.agentSkills

export function agentSkills({ skills, baseUrl }: DocumentContext): readonly StaticDocument[] {
  const pages = skills.all.map((skill) => ({ skill, document: skillPage(skill, baseUrl) }))
  const index = {
    $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
    skills: pages.map(({ skill, document: { route, body } }) => ({
      name: skill.id,
      type: 'skill-md',
      description: descriptionOf(skill),
      url: `${baseUrl}${route}`,
      digest: `sha256:${createHash('sha256').update(body).digest('hex')}`,
    })),
  }
  return [...pages.map(({ document }) => document), jsonDocument(`${ROOT}/index.json`, index)]
}

export function skillMarkdown(skill: Skill, baseUrl: string): string {
  const said = '`BASE_URL` below is the address this page was fetched from. '
  return skill.markdown.replace(said, '').replaceAll('BASE_URL', baseUrl)
}

function skillPage(skill: Skill, baseUrl: string): StaticDocument {
  return {
    route: `${ROOT}/${skill.id}/SKILL.md`,
    body: skillMarkdown(skill, baseUrl),
    contentType: 'text/markdown; charset=utf-8',
  }
}

/** The description in the page's front matter, which is what an agent loads. */
function descriptionOf({ id, markdown }: Skill): string {
  const line = /^description: (".*")$/m.exec(markdown)?.[1]
  if (line === undefined) throw new Error(`skills/${id}/SKILL.md has no quoted description on one line`)
  return JSON.parse(line)
}
