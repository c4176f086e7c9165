import { type Buyer, createBuyer } from '../buyer/buyer.ts'
import { createWallet } from '../buyer/wallet.ts'
import { readBuyerKey } from '../config.ts'
import { buyLines } from './buy-lines.ts'
import { type BuyOptions, readBuyOptions } from './buy-options.ts'
import { findBuyerKey } from './buyer-key.ts'
import { describe, exitCode, isGood } from './describe-purchase.ts'
import { fitTerminal } from './terminal-text.ts'
import { showTermsOfLines } from './terms-of-lines.ts'

/** `buy TYPE VALUE` and `buy TYPE --file F`: pays for checks at a running service, as any client would. */
export async function buy(args: readonly string[]): Promise<number> {
  const options = readBuyOptions(args)
  const buyer = createBuyer(options)
  if (options.dryRun) return showTerms(buyer, options)
  const wallet = createWallet(await findBuyerKey(options.url, readBuyerKey()))
  if ('file' in options.what) return buyLines({ buyer, wallet, type: options.type, file: options.what.file })
  return report(await buyer.buy(options.what.value, wallet), options.json)
}

async function showTerms(buyer: Buyer, { what, type, json }: BuyOptions): Promise<number> {
  if ('file' in what) return showTermsOfLines({ buyer, type, file: what.file, json })
  return report(await buyer.terms(what.value), json)
}

/** Prints how it went: what was wanted on standard output, everything else on the other. */
function report(outcome: Parameters<typeof describe>[0], json: boolean): number {
  if (json) console.log(JSON.stringify(outcome))
  else (isGood(outcome) ? console.log : console.error)(fitTerminal(describe(outcome)))
  return exitCode(outcome)
}
