import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { CHECKS, RULESETS } from '../checks/checks.ts'
import type { CheckType } from '../checks/verdict.ts'
import { loadSkillFolders } from '../skills/load.ts'
import { buildRegistry } from '../skills/registry.ts'
import type { Skill, SkillRegistry } from '../skills/skill.ts'
import { readInput } from '../skills/validate-input.ts'
import { UsageError } from './command-line/usage-error.ts'

/** One line of input: a value, or the code of the request error the service would answer with. */
export type Line =
  | { readonly ok: true; readonly value: string }
  | { readonly ok: false; readonly code: string }

/** The skills, loaded on this machine. */
export const loadSkills = (): SkillRegistry =>
  buildRegistry(loadSkillFolders(), { checks: CHECKS, rulesets: RULESETS })

/** The skill of a check type. */
export const skillOf = (type: CheckType): Skill => loadSkills().get(type) as Skill

/** Reads a file, or standard input for "-", as one JSON string per line. */
export async function* readJsonLines(skill: Skill, file: string): AsyncGenerator<Line> {
  const input = file === '-' ? process.stdin : createReadStream(file)
  try {
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      yield readLine(skill, line)
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error
    throw new UsageError('--file names a file that cannot be read')
  }
}

function readLine(skill: Skill, line: string): Line {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return { ok: false, code: 'not_json' }
  }
  return readInput(skill, { value })
}
