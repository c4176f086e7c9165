import type { CheckType } from '../../../../src/checks/verdict.ts'
import { fitTerminal, printable, printableJson, wrap } from '../../../../src/command-line/terminal-text.ts'
import { describeList } from '../../../../src/lists/describe-list.ts'
import { usdc } from '../../../../src/payments/networks/format-usdc.ts'
import { createListBuyer } from '../buyer/list-buyer.ts'
import { breakdown, sumOf } from '../list/list-summary.ts'
import { onlyType } from '../list/open-list-file.ts'
import { type Survey, surveyList } from '../list/survey-list.ts'
import type { BuyOptions, ListOptions } from './buy-options.ts'
import { describe, describeTerms, exitCode } from './describe-purchase.ts'

/** `buy TYPE --file F --dry-run`: counts the values of a list, and asks what they cost; nothing is signed. */
export async function showBatchTerms(options: BuyOptions, list: ListOptions): Promise<number> {
  const { url, network, json, maxAmount } = options
  const { columns } = list
  const survey = await surveyList(list.file, list, list.batch)
  const { list: input, values, repeated, first, leftOut } = survey
  const skipped = sumOf(leftOut)
  if (values === 0) {
    console.error('The list has no values. Nothing was signed.')
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
      ...describeInput(survey, (count) => usdc(priceOf(count))),
      `values   ${values}; ${repeated} repeated, ${skipped} left out${breakdown(leftOut)}`,
      'Nothing was signed.',
    ].join('\n'),
  )
  return 0
}

/** How the file is read, its first values, and which of its columns are checked. */
function describeInput(
  { list: input, first, byColumn }: Survey,
  priceOf: (count: number) => string,
): string[] {
  const described = describeList(input)
  const several = input.header.length > 1
  const counted = (type: CheckType, count: number) => `: ${type}, ${count} values, ${priceOf(count)}`
  return [
    `file     ${described.file}`,
    `first    ${first
      .slice(0, 3)
      .map(({ value }) => printable(value.slice(0, 60)))
      .join(' · ')}`,
    ...(several
      ? input.columns.map(
          ({ type }, at, { length }) =>
            `column   ${described.columns[at]}${length > 1 ? counted(type, byColumn[at] ?? 0) : ''}`,
        )
      : []),
  ].map((line) => wrap(printable(line), 71).join('\n         '))
}
