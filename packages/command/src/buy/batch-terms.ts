import { fitTerminal, printable, printableJson, wrap } from '../../../../src/command-line/terminal-text.ts'
import { asUsageError } from '../../../../src/command-line/usage-error.ts'
import { describeOutput, describePlan } from '../../../../src/lists/describe-plan.ts'
import { ownWords } from '../../../../src/lists/own-words.ts'
import { openWorkbook } from '../../../../src/lists/workbook/write-workbook.ts'
import { usdc } from '../../../../src/payments/networks/format-usdc.ts'
import { createListBuyer } from '../buyer/list-buyer.ts'
import { sumOf } from '../list/list-summary.ts'
import { onlyType } from '../list/open-list-file.ts'
import { type Survey, surveyList } from '../list/survey-list.ts'
import type { BuyOptions, ListOptions } from './buy-options.ts'
import { describe, describeTerms, exitCode } from './describe-purchase.ts'
import { formatOf } from './list-formats.ts'

/** `buy TYPE --file F --dry-run`: counts the values of a list, and asks what they cost; nothing is signed. */
export async function showBatchTerms(options: BuyOptions, list: ListOptions): Promise<number> {
  const { url, network, json, maxAmount } = options
  const { columns } = list
  const survey = await surveyList(list.file, list, list.batch)
  const { list: input, values, repeated, first } = survey
  const leftOut = Object.fromEntries([...survey.leftOut].map(([code, { count }]) => [code, count]))
  const skipped = sumOf(leftOut)
  if (values === 0) {
    console.error('No values found. Nothing was signed.')
    return 1
  }
  const quote = await createListBuyer({ url, type: onlyType(columns), maxAmount, network }).quote(first)
  if (quote.kind !== 'quoted') {
    if (json) console.log(printableJson(quote))
    else console.error(fitTerminal(describe(quote)))
    return exitCode(quote)
  }
  const priceOf = (count: number) => (quote.amount * BigInt(count)) / BigInt(first.length)
  const total = priceOf(values)
  const payments = Math.ceil(values / list.batch)
  if (json) {
    console.log(
      JSON.stringify({
        kind: 'terms',
        column: input.columns[0].index + 1,
        ...(columns.length > 1 && {
          columns: input.columns.map(({ index, type }, at) => ({
            ...{ column: index + 1, type, values: survey.byColumn[at] },
            total: String(priceOf(survey.byColumn[at] ?? 0)),
          })),
        }),
        sheet: input.sheet,
        encoding: input.encoding?.name ?? null,
        values,
        duplicates: repeated,
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
      ...describeInput(survey, await outputOf(list, input), (count) => usdc(priceOf(count))),
      `values   ${values}; ${repeated} repeated, ${skipped} left out`,
      'Nothing was signed.',
    ].join('\n'),
  )
  return 0
}

/** How the file is read, its first values, and which of its columns are checked. */
function describeInput(
  { list: input, first, byColumn, leftOut }: Survey,
  output: string | null,
  priceOf: (count: number) => string,
): string[] {
  let at = -1
  const counted = (text: string) => {
    at += 1
    const count = byColumn[at] ?? 0
    return input.columns.length > 1
      ? `${text}: ${input.columns[at]?.type}, ${count} values, ${priceOf(count)}`
      : text
  }
  const lines = describePlan(input, leftOut, output).map(
    ([title, text]) => [title, title === 'column' ? counted(text) : text] as const,
  )
  const shown = first.slice(0, 3).map(({ value }) => value.slice(0, 60))
  return [...lines.slice(0, 1), ['first', shown.join(' · ')] as const, ...lines.slice(1)].map(
    ([title, text]) => wrap(printable(`${title.padEnd(9)}${text}`), 71).join('\n         '),
  )
}

/** What the results will be; null for standard output. */
async function outputOf({ out, outputFormat }: ListOptions, input: Survey['list']): Promise<string | null> {
  if (out === null) return null
  const format = formatOf(outputFormat, input)
  const workbook = format === 'workbook' ? await openWorkbook(input, ownWords).catch(asUsageError) : null
  return describeOutput(format, input, workbook?.apart)
}
