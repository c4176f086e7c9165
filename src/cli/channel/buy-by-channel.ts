import { buyOverChannel, type ChannelOutcome } from '../../buyer/channel/channel-buyer.ts'
import type { BuyOptions, ChannelOptions } from '../buy-options.ts'
import { describe, exitCode, usdc } from '../describe-purchase.ts'
import { INTERRUPTED } from '../exit-codes.ts'
import { fitTerminal } from '../terminal-text.ts'
import { openChannel } from './open-channel.ts'

/** `buy TYPE VALUE --channel`: pays for a check over a payment channel. */
export async function buyByChannel(
  { type, url, maxAmount, json }: BuyOptions,
  { deposit, maxSpend, file, rpcUrl }: ChannelOptions,
  value: string,
): Promise<number> {
  const parts = await openChannel({ url, file, rpcUrl })
  process.once('SIGINT', () => {
    console.error('Interrupted. The same command asks for the answer again and is not charged twice.')
    process.exit(INTERRUPTED)
  })
  const outcome = await buyOverChannel({ url, type, maxAmount, deposit, maxSpend }, value, parts)
  if (json) console.log(JSON.stringify(outcome, withoutBigInt))
  else (outcome.kind === 'bought' ? console.log : console.error)(fitTerminal(wordsOf(outcome)))
  if (outcome.kind === 'bought') outcome.settle()
  parts.book.close()
  return codeOf(outcome)
}

/** Amounts as text, and without the signed payment. */
function withoutBigInt(name: string, value: unknown): unknown {
  if (name === 'pending') return undefined
  return typeof value === 'bigint' ? value.toString() : value
}

function wordsOf(outcome: ChannelOutcome): string {
  switch (outcome.kind) {
    case 'bought': {
      const { balance, charged } = outcome.account
      return `${describe(outcome)}\nchannel ${usdc(balance - charged)} left of ${usdc(balance)}`
    }
    case 'unanswered':
      return [
        `It is not known whether this was charged. ${outcome.detail}`,
        'Run the same command again: you are not charged twice for it.',
      ].join('\n')
    case 'no_channel':
      return 'The service offers no payment channel on terms that are safe to open. Nothing was signed.'
    case 'max_spend':
      return 'The next voucher would pass --max-spend. Nothing was signed.'
    case 'deposit_too_small':
      return `The channel needs a deposit of ${usdc(outcome.needed)}; --deposit allows less. Nothing was signed.`
    case 'not_proven':
      return "The service names another state of the channel and does not prove it by this buyer's signature. Nothing more was signed."
    case 'no_node':
      return 'The state of the channel must be read from the chain, and no node answers; --rpc-url names another one.'
    default:
      return describe(outcome)
  }
}

function codeOf(outcome: ChannelOutcome): number {
  switch (outcome.kind) {
    case 'unanswered':
      return 3
    case 'no_channel':
    case 'max_spend':
    case 'deposit_too_small':
    case 'not_proven':
    case 'no_node':
      return 1
    default:
      return exitCode(outcome)
  }
}
