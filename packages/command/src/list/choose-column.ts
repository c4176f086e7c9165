import { createInterface } from 'node:readline/promises'
import { printable } from '../../../../src/command-line/terminal-text.ts'
import { ListFault } from '../../../../src/lists/list-fault.ts'
import type { ListOptions } from '../buy/buy-options.ts'
import { isFile, openList, withOldEncoding } from './open-list-file.ts'

/** Whether a person can answer: not in a pipe, in CI or with `--json`. */
export const isAnswerable = (json: boolean): boolean =>
  !json && process.env.CI === undefined && process.stdin.isTTY === true && process.stderr.isTTY === true

/** Asks on the terminal for the column of a list whose headings and cells do not decide it. */
export async function chooseColumn(list: ListOptions, mayAsk: boolean): Promise<ListOptions> {
  const [first, ...others] = list.columns
  if (!mayAsk || first.column !== undefined || others.length > 0 || !isFile(list.file)) return list
  try {
    await withOldEncoding(list.file, list, async (options) => (await openList(list.file, options)).close())
    return list
  } catch (error) {
    const fault = error instanceof Error ? error.cause : undefined
    if (!(fault instanceof ListFault) || fault.choice?.option !== 'column') throw error
    const terminal = createInterface({ input: process.stdin, output: process.stderr })
    const answer = await terminal.question(`${printable(fault.message)}\nNumber or name of the column: `)
    terminal.close()
    return answer.trim() === '' ? list : { ...list, columns: [{ ...first, column: answer.trim() }] }
  }
}
