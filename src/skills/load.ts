/** Reads the skills' folders: words, schemas and examples, before they are joined with their checks. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { StartupError } from './startup-error.ts'

export interface SkillFolder {
  readonly name: string
  readonly skill: unknown
  readonly inputSchema: unknown
  readonly outputSchema: unknown
  readonly examples: unknown
  readonly markdown: string
}

const SKILLS = fileURLToPath(new URL('../../skills', import.meta.url))

/** Reads every folder under `directory`; throws a {@link StartupError} that names a file it cannot read. */
export function loadSkillFolders(directory: string = SKILLS): readonly SkillFolder[] {
  const names = readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
  return names.sort().map((name) => ({
    name,
    skill: readJson(join(directory, name, 'skill.json')),
    inputSchema: readJson(join(directory, name, 'assets', 'input.schema.json')),
    outputSchema: readJson(join(directory, name, 'assets', 'output.schema.json')),
    examples: readJson(join(directory, name, 'assets', 'examples.json')),
    markdown: readText(join(directory, name, 'SKILL.md')),
  }))
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw new StartupError(`${path} cannot be read`)
  }
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readText(path))
  } catch (error) {
    if (error instanceof StartupError) throw error
    throw new StartupError(`${path} is not JSON`)
  }
}
