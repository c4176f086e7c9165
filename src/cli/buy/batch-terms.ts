import { createListBuyer } from '../../buyer/list-buyer.ts'
import { describeList } from '../../lists/describe-list.ts'
import type { ListInput } from '../../lists/input-row.ts'
import { fitTerminal, printable } from '../command-line/terminal-text.ts'
import { breakdown, sumOf } from '../list/list-summary.ts'
import { surveyList } from '../list/survey-list.ts'
import { usdc } from '../usdc.ts'
import type { BuyOptions, ListOptions } from './buy-options.ts'
import { describe, describeTerms, exitCode } from './describe-purchase.ts'

/** `buy TYPE --file F --dry-run`: counts the values of a list, and asks what they cost; nothing is signed. */
export async function showBatchTerms(options: BuyOptions, list: ListOptions): Promise<number> {
  const { type, url, network, json, maxAmount } = options
  const { list: input, rows, values, first, leftOut } = await surveyList(list.file, type, list, list.batch)
  const skipped = sumOf(leftOut)
  const duplicates = rows - skipped - values
  if (values === 0) {
    console.error('The list has no values. Nothing was signed.')
    return 1
  }
  const quote = await createListBuyer({ url, type, maxAmount, network }).quote(first)
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
        sheet: input.sheet,
        encoding: input.encoding?.name ?? null,
        values,
        duplicates,
        skipped,
        leftOut,
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
      ...describeInput(input, first),
      `values   ${values}; ${duplicates} repeated, ${skipped} left out${breakdown(leftOut)}`,
      'Nothing was signed.',
    ].join('\n'),
  )
  return 0
}

/** How the file is read, the first values, and which column is checked where there are several: words of the buyer's own file. */
function describeInput(input: ListInput, first: readonly string[]): string[] {
  const { file, column } = describeList(input)
  const several = input.header.length > 1
  return [
    `file     ${file}`,
    `first    ${first
      .slice(0, 3)
      .map((value) => printable(value.slice(0, 60)))
      .join(' · ')}`,
    ...(several ? [`column   ${column}`] : []),
  ].map(fitTerminal)
}
