import type { Skill } from '../../../../src/catalog/skill.ts'
import { printable } from '../../../../src/command-line/terminal-text.ts'
import { UsageError } from '../../../../src/command-line/usage-error.ts'
import type { InputRow } from '../../../../src/lists/input-row.ts'
import { NOTHING_TO_BUY, readRow } from '../../../../src/lists/read-cell.ts'
import { openList, timedBudget, withOldEncoding } from './open-list-file.ts'

/** Checks a column of each file on this machine and prints file, row and code of what is not valid, never a value. */
export async function tryFiles(
  skill: Skill,
  paths: readonly string[],
  column: string | undefined,
): Promise<number> {
  if (paths.length === 0) throw new UsageError('try --files needs a TYPE and at least one FILE')
  let hasFailed = false
  for (const path of paths) {
    const faults = await withOldEncoding(path, { columns: [{ type: skill.id, column }] }, async (options) => {
      const { rows } = await openList(path, { ...options, budget: timedBudget() })
      const found: string[] = []
      let number = 0
      for await (const row of rows) {
        number += 1
        const code = faultOf(skill, row)
        if (code !== null) found.push(`${printable(path)}: row ${number}: ${code}\n`)
      }
      return found
    })
    hasFailed ||= faults.length > 0
    process.stdout.write(faults.join(''))
  }
  return hasFailed ? 1 : 0
}

/** Null for a valid value and for a row without one. */
function faultOf(skill: Skill, row: InputRow): string | null {
  const cell = readRow(row)
  if (!cell.ok) return NOTHING_TO_BUY.includes(cell.code) ? null : cell.code
  const { valid, details } = skill.check(cell.value)
  return valid ? null : details.code
}
