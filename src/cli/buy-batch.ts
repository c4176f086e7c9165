import { once } from 'node:events'
import type { Buyer } from '../buyer/buyer.ts'
import type { PurchaseOutcome } from '../buyer/purchase.ts'
import type { Wallet } from '../buyer/wallet.ts'
import type { CheckType } from '../checks/verdict.ts'
import { describe, exitCode, usdc } from './describe-purchase.ts'
import { createProgress } from './progress.ts'
import { readJsonLines, skillOf } from './read-values.ts'
import { fitTerminal } from './terminal-text.ts'

export interface BatchPurchase {
  readonly buyer: Buyer
  readonly wallet: Wallet
  readonly type: CheckType
  /** "-" for standard input. */
  readonly file: string
}

/**
 * Buys a check for each line, one after another, and writes one line for each; a line that is not a value costs
 * nothing. Stops at the first purchase that fails, since the next one would fail too.
 */
export async function buyBatch({ buyer, wallet, type, file }: BatchPurchase): Promise<number> {
  const progress = createProgress(process.stderr)
  let wrong = 0
  let paid = 0n
  let at = 0
  for await (const line of readJsonLines(skillOf(type), file)) {
    at++
    const outcome = line.ok ? await buyer.buy(line.value, wallet) : null
    await write(line.ok ? outcome : { code: line.code })
    if (outcome === null) wrong++
    else if (outcome.kind !== 'bought') {
      progress.end()
      console.error(fitTerminal(stopped(outcome, at, paid)))
      return exitCode(outcome)
    } else if (!outcome.replayed) paid += BigInt(outcome.amount)
    progress.show(`${at} lines, ${usdc(paid)} paid`)
  }
  progress.end()
  console.error(`${at} lines, ${wrong} of them no values, ${usdc(paid)} paid`)
  return wrong > 0 ? 1 : 0
}

function stopped(outcome: PurchaseOutcome, at: number, paid: bigint): string {
  return [
    `Stopped at line ${at}; the lines before it are done, ${usdc(paid)} paid.`,
    describe(outcome),
    `To go on, give the lines from ${at} on: "tail -n +${at}" cuts them out.`,
  ].join('\n')
}

async function write(result: unknown): Promise<void> {
  if (!process.stdout.write(`${JSON.stringify(result)}\n`)) await once(process.stdout, 'drain')
}
