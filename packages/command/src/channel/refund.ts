import { COMMANDS } from '../../../../src/command-line/commands.ts'
import { IN_DOUBT, NOT_DONE } from '../../../../src/command-line/exit-codes.ts'
import { parseArguments } from '../../../../src/command-line/parse-arguments.ts'
import { fitTerminal, printable, printableJson } from '../../../../src/command-line/terminal-text.ts'
import { UsageError } from '../../../../src/command-line/usage-error.ts'
import { usdc } from '../../../../src/payments/networks/format-usdc.ts'
import { readNetwork, readUsd } from '../buy/buy-options.ts'
import { readRpcUrl, readUrl } from '../buy/read-url.ts'
import { type RefundOutcome, refundChannel } from '../buyer/channel/refund-channel.ts'
import { NO_NODE } from './describe-failure.ts'
import { withChannel } from './open-channel.ts'

/** `refund`: asks for the rest of a payment channel back. */
export async function refund(args: readonly string[]): Promise<number> {
  const { values } = parseArguments(COMMANDS.refund, args)
  const url = readUrl(values.url)
  const amount = values.amount === undefined ? null : readUsd('--amount', values.amount)
  if (amount === 0n) throw new UsageError('--amount must be more than 0')
  const place = {
    url,
    network: readNetwork(values.network),
    file: values['channel-file'] ?? null,
    rpcUrl: readRpcUrl(values['rpc-url']),
  }
  return withChannel(place, async (parts) => {
    const outcome = await refundChannel(url, amount, parts)
    if (values.json) console.log(printableJson(outcome))
    else (outcome.kind === 'refunded' ? console.log : console.error)(fitTerminal(wordsOf(outcome)))
    if (outcome.kind === 'refunded' || outcome.kind === 'nothing_left') return 0
    return outcome.kind === 'unanswered' ? IN_DOUBT : NOT_DONE
  })
}

function wordsOf(outcome: RefundOutcome): string {
  switch (outcome.kind) {
    case 'refunded':
      return `paid back ${usdc(outcome.amount)}\ntransaction ${printable(outcome.transaction)}`
    case 'nothing_left':
      return 'Nothing is left in the channel.'
    case 'refused':
      return printable(`${outcome.code}: ${outcome.detail}`)
    case 'unanswered':
      return [
        `It is not known whether this was paid back. ${printable(outcome.detail)}`,
        'Run the same command again: nothing is paid back twice.',
      ].join('\n')
    case 'no_channel':
      return 'The service has no payment channels.'
    case 'not_proven':
      return "The service names another state of the channel and does not prove it by this buyer's signature."
    case 'no_node':
      return NO_NODE
    case 'unreachable':
      return `No readable answer from ${outcome.url}.`
  }
}
