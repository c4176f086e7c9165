import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { CHECKS, RULESETS } from '../checks/checks.ts'
import { loadSkillFolders } from '../skills/load.ts'
import { buildRegistry } from '../skills/registry.ts'
import type { Skill } from '../skills/skill.ts'
import { readInput } from '../skills/validate-input.ts'
import { readType } from './check-type.ts'
import { UsageError } from './usage-error.ts'

/** `try TYPE VALUE`: runs a check on this machine; with "-", one JSON string per line in, one result per line out. */
export async function tryCheck([typeText, value, ...rest]: readonly string[]): Promise<number> {
  const type = readType(typeText)
  if (value === undefined || rest.length > 0) throw new UsageError('try needs a TYPE and one VALUE, or "-"')
  const registry = buildRegistry(loadSkillFolders(), { checks: CHECKS, rulesets: RULESETS })
  const skill = registry.get(type) as Skill
  if (value === '-') return tryLines(skill)
  const answer = judge(skill, value)
  console.log(JSON.stringify(answer, null, 2))
  return 'type' in answer ? 0 : 1
}

async function tryLines(skill: Skill): Promise<number> {
  let failed = false
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    const answer = judgeLine(skill, line)
    failed ||= !('type' in answer)
    if (!process.stdout.write(`${JSON.stringify(answer)}\n`)) await once(process.stdout, 'drain')
  }
  return failed ? 1 : 0
}

function judgeLine(skill: Skill, line: string) {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return { code: 'not_json' }
  }
  return judge(skill, value)
}

/** The result, or the code of the request error the service would answer with. */
function judge(skill: Skill, value: unknown) {
  const reading = readInput(skill, { value })
  return reading.ok ? skill.check(reading.value) : { code: reading.code }
}
