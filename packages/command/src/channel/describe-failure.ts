import { printable } from '../../../../src/command-line/terminal-text.ts'
import { usdc } from '../../../../src/payments/networks/format-usdc.ts'
import { describe } from '../buy/describe-purchase.ts'
import type { ChannelFailure } from '../buyer/channel/channel-buyer.ts'

export const NO_NODE =
  'The state of the channel must be read from the chain, and no node answers; --rpc-url names another one.'

export function describeFailure(failure: ChannelFailure): string {
  switch (failure.kind) {
    case 'unanswered':
      return [
        `It is not known whether this was charged. ${printable(failure.detail)}`,
        'Run the same command again: you are not charged twice for it.',
      ].join('\n')
    case 'no_channel':
      return 'The service offers no payment channel on terms that are safe to open. Nothing was signed.'
    case 'max_spend':
      return 'The next voucher would pass --max-spend. Nothing was signed.'
    case 'deposit_too_small':
      return `The channel needs a deposit of ${usdc(failure.needed)}; --deposit allows less. Nothing was signed.`
    case 'not_proven':
      return "The service names another state of the channel and does not prove it by this buyer's signature. Nothing more was signed."
    case 'deposit_under_way':
      return 'A deposit of another command is under way. Run that command again, or wait until the deposit has run out. Nothing more was signed.'
    case 'no_node':
      return NO_NODE
    default:
      return describe(failure)
  }
}
