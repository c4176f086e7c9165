import { IN_DOUBT, INTERRUPTED, NOT_DONE } from '../../../../src/command-line/exit-codes.ts'
import { fitTerminal, printableJson } from '../../../../src/command-line/terminal-text.ts'
import { usdc } from '../../../../src/payments/networks/format-usdc.ts'
import type { BuyOptions, ChannelOptions } from '../buy/buy-options.ts'
import { describe } from '../buy/describe-purchase.ts'
import { hasReceipt } from '../buy/has-receipt.ts'
import { buyOverChannel, type ChannelOutcome } from '../buyer/channel/channel-buyer.ts'
import { describeFailure } from './describe-failure.ts'
import { withChannel } from './open-channel.ts'

/** `buy TYPE VALUE --channel`: pays for a check over a payment channel. */
export async function buyByChannel(
  { type, url, network, maxAmount, json }: BuyOptions,
  { deposit, maxSpend, file, rpcUrl }: ChannelOptions,
  value: string,
): Promise<number> {
  return withChannel({ url, network, file, rpcUrl }, async (parts) => {
    process.once('SIGINT', () => {
      console.error('Interrupted. The same command asks for the answer again and is not charged twice.')
      process.exit(INTERRUPTED)
    })
    const outcome = await buyOverChannel({ url, type, maxAmount, deposit, maxSpend }, value, parts)
    if (json) console.log(printableJson(withoutPending(outcome)))
    else (outcome.kind === 'bought' ? console.log : console.error)(fitTerminal(await wordsOf(outcome, url)))
    if (outcome.kind === 'bought') outcome.settle()
    return codeOf(outcome)
  })
}

/** Leaves out the payment under way, which a purchase no longer has. */
function withoutPending(outcome: ChannelOutcome): object {
  if (outcome.kind !== 'bought') return outcome
  const { pending: _, ...account } = outcome.account
  return { ...outcome, account }
}

async function wordsOf(outcome: ChannelOutcome, url: string): Promise<string> {
  if (outcome.kind !== 'bought') return describeFailure(outcome)
  const { balance, charged } = outcome.account
  return `${describe(outcome, await hasReceipt(outcome, url))}\nchannel ${usdc(balance - charged)} left of ${usdc(balance)}`
}

function codeOf({ kind }: ChannelOutcome): number {
  if (kind === 'bought') return 0
  return kind === 'unanswered' ? IN_DOUBT : NOT_DONE
}
