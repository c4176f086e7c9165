import { INTERRUPTED } from '../../../../src/command-line/exit-codes.ts'
import { fitTerminal, printableJson } from '../../../../src/command-line/terminal-text.ts'
import { createBuyer } from '../buyer/buyer.ts'
import { createWallet, type Wallet } from '../buyer/wallet.ts'
import { buyByChannel } from '../channel/buy-by-channel.ts'
import { chooseColumn, isAnswerable } from '../list/choose-column.ts'
import { showBatchTerms } from './batch-terms.ts'
import { buyBatch } from './buy-batch.ts'
import { readBuyOptions } from './buy-options.ts'
import { findBuyerKey } from './buyer-key.ts'
import { describe, exitCode, isGood } from './describe-purchase.ts'
import { hasReceipt } from './has-receipt.ts'

/** `buy TYPE VALUE` and `buy TYPE --file F`: pays for checks at a running service, as any client would. */
export async function buy(args: readonly string[]): Promise<number> {
  const options = readBuyOptions(args)
  const { source, dryRun } = options
  if ('file' in source) {
    const list = await chooseColumn(source, isAnswerable(options.json))
    return dryRun ? showBatchTerms(options, list) : buyBatch(options, list)
  }
  if (options.channel !== null && !dryRun) return buyByChannel(options, options.channel, source.value)
  const buyer = createBuyer(options)
  if (dryRun) return report(await buyer.terms(source.value), options.json)
  const wallet = createWallet(await findBuyerKey(options.url), options.network)
  let isSigned = false
  process.once('SIGINT', () => exitInterrupted(isSigned))
  const sign: Wallet['sign'] = (required, terms) => {
    isSigned = true
    return wallet.sign(required, terms)
  }
  const outcome = await buyer.buy(source.value, { sign })
  const isProved = outcome.kind === 'bought' && !options.json && (await hasReceipt(outcome, options.url))
  return report(outcome, options.json, isProved)
}

/** Prints a result on standard output, everything else on standard error. */
function report(outcome: Parameters<typeof describe>[0], json: boolean, isProved = false): number {
  if (json) console.log(printableJson(outcome))
  else (isGood(outcome) ? console.log : console.error)(fitTerminal(describe(outcome, isProved)))
  return exitCode(outcome)
}

function exitInterrupted(isSigned: boolean): never {
  console.error(
    isSigned
      ? 'Interrupted. It is not known whether this was paid.\n' +
          'The same command within ten minutes is not charged twice for it.'
      : 'Interrupted. Nothing was signed.',
  )
  process.exit(INTERRUPTED)
}
