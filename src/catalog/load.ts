import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What was parsed is not validated. */
export interface SkillFolder {
  readonly name: string
  readonly skill: unknown
  readonly inputSchema: unknown
  readonly outputSchema: unknown
  readonly examples: unknown
  readonly markdown: string
  readonly advice: string
}

const SKILLS = fileURLToPath(new URL('../../skills', import.meta.url))

export function loadSkillFolders(): readonly SkillFolder[] {
  const names = readdirSync(SKILLS, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
  return names.sort().map((name) => {
    const read = (file: string) => readFileSync(join(SKILLS, name, file), 'utf8')
    return {
      name,
      skill: JSON.parse(read('skill.json')),
      inputSchema: JSON.parse(read('assets/input.schema.json')),
      outputSchema: JSON.parse(read('assets/output.schema.json')),
      examples: JSON.parse(read('assets/examples.json')),
      markdown: read('SKILL.md'),
      advice: read('assets/advice.md'),
    }
  })
}
