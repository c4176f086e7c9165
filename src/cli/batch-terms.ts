import type { Buyer } from '../buyer/buyer.ts'
import type { CheckType } from '../checks/verdict.ts'
import { describe, describeTerms, exitCode, usdc } from './describe-purchase.ts'
import { readJsonLines, skillOf } from './read-values.ts'
import { fitTerminal } from './terminal-text.ts'

export interface BatchTermsRequest {
  readonly buyer: Buyer
  readonly type: CheckType
  readonly file: string
  readonly json: boolean
}

/** `buy TYPE --file F --dry-run`: the terms, asked for with the first value, and what all values would cost. */
export async function showBatchTerms({ buyer, type, file, json }: BatchTermsRequest): Promise<number> {
  let first: string | undefined
  let values = 0
  for await (const line of readJsonLines(skillOf(type), file)) {
    if (!line.ok) continue
    first ??= line.value
    values++
  }
  if (first === undefined) {
    console.error('The file has no values. Nothing was signed.')
    return 1
  }
  const outcome = await buyer.terms(first)
  if (outcome.kind !== 'terms') {
    if (json) console.log(JSON.stringify(outcome))
    else console.error(fitTerminal(describe(outcome)))
    return exitCode(outcome)
  }
  const total = BigInt(outcome.terms.amount) * BigInt(values)
  if (json) console.log(JSON.stringify({ ...outcome, values, total: String(total) }))
  else {
    console.log(
      `${describeTerms(outcome.terms)}\nvalues   ${values}, ${usdc(total)} in all\nNothing was signed.`,
    )
  }
  return 0
}
