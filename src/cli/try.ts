import { once } from 'node:events'
import type { Skill } from '../skills/skill.ts'
import { readInput } from '../skills/validate-input.ts'
import { readType } from './check-type.ts'
import { COMMANDS } from './command-line/commands.ts'
import { parseArguments } from './command-line/parse-arguments.ts'
import { UsageError } from './command-line/usage-error.ts'
import { readJsonLines, skillOf } from './read-values.ts'

/** `try TYPE VALUE`: runs a check on this machine; with "-", one JSON string per line in, one result per line out. */
export async function tryCheck(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArguments(COMMANDS.try, args)
  const [typeText, value, ...rest] = positionals
  const type = readType(typeText)
  if (value === undefined || rest.length > 0) throw new UsageError('try needs a TYPE and one VALUE, or "-"')
  const skill = skillOf(type)
  if (value === '-') return tryLines(skill)
  const reading = readInput(skill, { value })
  const result = reading.ok ? skill.check(reading.value) : { code: reading.code }
  console.log(JSON.stringify(result, null, values.json ? 0 : 2))
  return reading.ok ? 0 : 1
}

async function tryLines(skill: Skill): Promise<number> {
  let failed = false
  for await (const line of readJsonLines(skill, '-')) {
    failed ||= !line.ok
    const result = line.ok ? skill.check(line.value) : { code: line.code }
    if (!process.stdout.write(`${JSON.stringify(result)}\n`)) await once(process.stdout, 'drain')
  }
  return failed ? 1 : 0
}
