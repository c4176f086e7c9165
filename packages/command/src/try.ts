import { once } from 'node:events'
import type { Skill } from '../../../src/catalog/skill.ts'
import { readInput } from '../../../src/catalog/validate-input.ts'
import { COMMANDS } from '../../../src/command-line/commands.ts'
import { parseArguments } from '../../../src/command-line/parse-arguments.ts'
import { asUsageError, UsageError } from '../../../src/command-line/usage-error.ts'
import { splitLines } from '../../../src/lists/split-lines.ts'
import { parseJson } from '../../../src/values/json.ts'
import { readType } from './check-type.ts'
import { describeVerdict } from './describe-verdict.ts'
import { skillOf } from './skills.ts'

/** `try TYPE VALUE`, `try TYPE -` and `try --files TYPE FILE...`: run a check on this machine. */
export async function tryCheck(
  args: readonly string[],
  onTerminal = process.stdout.isTTY === true,
): Promise<number> {
  const { values, positionals } = parseArguments(COMMANDS.try, args)
  const [typeText, value, ...rest] = positionals
  const type = readType(typeText)
  if (values.files) {
    const { tryFiles } = await import('./list/try-files.ts')
    return tryFiles(skillOf(type), positionals.slice(1), values.column)
  }
  if (value === undefined || rest.length > 0) throw new UsageError('try needs a TYPE and one VALUE, or "-"')
  const skill = skillOf(type)
  const isStrict = values['exit-code']
  if (value === '-') return tryLines(skill, isStrict).catch(asUsageError)
  const reading = readInput(skill, { value })
  const result = reading.ok ? skill.check(reading.value) : { code: reading.code }
  if (values.json || !onTerminal) console.log(JSON.stringify(result, null, values.json ? 0 : 2))
  else console.log('code' in result ? result.code : describeVerdict(result).join('\n'))
  return reading.ok && !(isStrict && 'valid' in result && !result.valid) ? 0 : 1
}

async function tryLines(skill: Skill, isStrict: boolean): Promise<number> {
  let hasFailed = false
  // Not Node's readline: it also ends lines at U+2028 and U+2029, which a JSON string may hold.
  for await (const line of splitLines(process.stdin.setEncoding('utf8'))) {
    const reading = readLine(skill, line)
    hasFailed ||= !reading.ok
    const result = reading.ok ? skill.check(reading.value) : { code: reading.code }
    hasFailed ||= isStrict && 'valid' in result && !result.valid
    if (!process.stdout.write(`${JSON.stringify(result)}\n`)) await once(process.stdout, 'drain')
  }
  return hasFailed ? 1 : 0
}

/** A value, or the code of the request error that the service would answer with. */
function readLine(skill: Skill, line: string) {
  // JSON never begins with a byte order mark, which some programs write before the first line.
  const value = parseJson(line.replace(/^\uFEFF/, ''))
  return value === undefined ? ({ ok: false, code: 'not_json' } as const) : readInput(skill, { value })
}
