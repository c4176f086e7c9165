import { once } from 'node:events'
import type { Skill } from '../skills/skill.ts'
import { readInput } from '../skills/validate-input.ts'
import { readType } from './check-type.ts'
import { readLines, skillOf } from './read-lines.ts'
import { UsageError } from './usage-error.ts'

/** `try TYPE VALUE`: runs a check on this machine; with "-", one JSON string per line in, one result per line out. */
export async function tryCheck([typeText, value, ...rest]: readonly string[]): Promise<number> {
  const type = readType(typeText)
  if (value === undefined || rest.length > 0) throw new UsageError('try needs a TYPE and one VALUE, or "-"')
  const skill = skillOf(type)
  if (value === '-') return tryLines(skill)
  const reading = readInput(skill, { value })
  console.log(JSON.stringify(reading.ok ? skill.check(reading.value) : { code: reading.code }, null, 2))
  return reading.ok ? 0 : 1
}

async function tryLines(skill: Skill): Promise<number> {
  let failed = false
  for await (const line of readLines(skill, '-')) {
    failed ||= !line.ok
    const answer = line.ok ? skill.check(line.value) : { code: line.code }
    if (!process.stdout.write(`${JSON.stringify(answer)}\n`)) await once(process.stdout, 'drain')
  }
  return failed ? 1 : 0
}
