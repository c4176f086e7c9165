import { createListBuyer } from '../../buyer/list-buyer.ts'
import { fitTerminal } from '../command-line/terminal-text.ts'
import type { ListInput } from '../list/input-row.ts'
import { openJournal } from '../list/journal.ts'
import { openListFile } from '../list/open-list-file.ts'
import { readRow } from '../list/read-cell.ts'
import { readList } from '../list/read-list.ts'
import { skillOf } from '../skills.ts'
import { usdc } from '../usdc.ts'
import type { BuyOptions, ListOptions } from './buy-options.ts'
import { describe, describeTerms, exitCode } from './describe-purchase.ts'

/** `buy TYPE --file F --dry-run`: counts the values of a list, and asks what they cost; nothing is signed. */
export async function showBatchTerms(options: BuyOptions, list: ListOptions): Promise<number> {
  const { type, url, json, maxAmount } = options
  const skill = skillOf(type)
  const input = await readList(openListFile(list.file).bytes, {
    skill,
    format: list.input,
    column: list.column,
  })
  const { keyOf, close } = openJournal(null, { type, url })
  const seen = new Set<string>()
  const first: string[] = []
  let rows = 0
  let skipped = 0
  for await (const row of input.rows) {
    rows += 1
    const cell = readRow(skill, row)
    if (!cell.ok) skipped += 1
    else {
      seen.add(keyOf(cell.value))
      if (first.length < list.batch && first.length < seen.size) first.push(cell.value)
    }
  }
  close({ isDone: true })
  const values = seen.size
  const duplicates = rows - skipped - values
  if (values === 0) {
    console.error('The list has no values. Nothing was signed.')
    return 1
  }
  const quote = await createListBuyer({ url, type, maxAmount }).quote(first)
  if (quote.kind !== 'quoted') {
    if (json) console.log(JSON.stringify(quote))
    else console.error(fitTerminal(describe(quote)))
    return exitCode(quote)
  }
  const total = (quote.amount * BigInt(values)) / BigInt(first.length)
  const payments = Math.ceil(values / list.batch)
  if (json) {
    console.log(
      JSON.stringify({
        kind: 'terms',
        column: input.column + 1,
        values,
        duplicates,
        skipped,
        payments,
        total: String(total),
      }),
    )
    return 0
  }
  console.log(
    [
      describeTerms(quote.terms).replace(
        /^price {4}.*$/m,
        `price    ${usdc(total)} in ${payments} payment${payments === 1 ? '' : 's'}`,
      ),
      ...describeColumn(input),
      `values   ${values}; ${duplicates} repeated, ${skipped} skipped`,
      'Nothing was signed.',
    ].join('\n'),
  )
  return 0
}

/** Which column is checked, where there are several. Its heading is a word of the buyer's own file. */
function describeColumn({ header, isNamed, column }: ListInput): string[] {
  if (header.length === 1) return []
  const heading = isNamed ? `, ${JSON.stringify(header[column])}` : ''
  return [fitTerminal(`column   ${column + 1} of ${header.length}${heading}`)]
}
