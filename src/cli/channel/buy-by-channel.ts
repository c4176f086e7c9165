import { buyOverChannel, type ChannelOutcome } from '../../buyer/channel/channel-buyer.ts'
import type { BuyOptions, ChannelOptions } from '../buy/buy-options.ts'
import { describe } from '../buy/describe-purchase.ts'
import { resultName } from '../buy/sqlite-file.ts'
import { IN_DOUBT, INTERRUPTED, NOT_DONE } from '../command-line/exit-codes.ts'
import { fitTerminal } from '../command-line/terminal-text.ts'
import { usdc, withAmountsAsText } from '../usdc.ts'
import { describeFailure } from './describe-failure.ts'
import { openChannel } from './open-channel.ts'

/** `buy TYPE VALUE --channel`: pays for a check over a payment channel. */
export async function buyByChannel(
  { type, url, network, maxAmount, json }: BuyOptions,
  { deposit, maxSpend, file, rpcUrl }: ChannelOptions,
  value: string,
): Promise<number> {
  const parts = await openChannel({ url, network, file, rpcUrl })
  process.once('SIGINT', () => {
    console.error('Interrupted. The same command asks for the answer again and is not charged twice.')
    process.exit(INTERRUPTED)
  })
  try {
    const outcome = await buyOverChannel({ url, type, maxAmount, deposit, maxSpend }, value, parts)
    if (json) console.log(withAmountsAsText(withoutPending(outcome)))
    else (outcome.kind === 'bought' ? console.log : console.error)(fitTerminal(wordsOf(outcome)))
    if (outcome.kind === 'bought') outcome.settle()
    parts.book.close()
    return codeOf(outcome)
  } catch (error) {
    const code = resultName(error)
    if (code === undefined) throw error
    console.error(
      `The channel's file cannot be written (${code}), so it does not say what was paid.\n` +
        'Mend that, and run the same command again: it gets the same answer and is not charged twice.',
    )
    return IN_DOUBT
  }
}

/** Leaves out the payment under way, which a purchase no longer has. */
function withoutPending(outcome: ChannelOutcome): object {
  if (outcome.kind !== 'bought') return outcome
  const { pending: _, ...account } = outcome.account
  return { ...outcome, account }
}

function wordsOf(outcome: ChannelOutcome): string {
  if (outcome.kind !== 'bought') return describeFailure(outcome)
  const { balance, charged } = outcome.account
  return `${describe(outcome)}\nchannel ${usdc(balance - charged)} left of ${usdc(balance)}`
}

function codeOf({ kind }: ChannelOutcome): number {
  if (kind === 'bought') return 0
  return kind === 'unanswered' ? IN_DOUBT : NOT_DONE
}
