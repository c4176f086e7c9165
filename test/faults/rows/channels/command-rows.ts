import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createChannelWallet } from '../../../../packages/command/src/buyer/channel/channel-wallet.ts'
import { CLI, outcomeOf } from '../../../support/command.ts'
import { type ChannelPurse, freshValue, LOST, offeredAt, openPurse } from '../../bench/channel-buyer.ts'
import { type ChannelFaultRow, goesOn } from '../../bench/channel-row.ts'
import { startFront } from '../../bench/front.ts'
import type { SoleService, Stage } from '../../bench/stage.ts'

/** Where a paying request kills its sender. */
const DEATHS = ['before the service has its payment', 'when its payment is answered'] as const
type Death = (typeof DEATHS)[number]

/** `buy --channel` as a process that dies between its signature and its answer, and is run again. */
export const CHANNEL_COMMAND_ROWS: readonly ChannelFaultRow[] = DEATHS.flatMap((death) => [
  row(death, 'deposit', true),
  row(death, 'voucher', false),
])

function row(death: Death, what: string, opens: boolean): ChannelFaultRow {
  return {
    fault: `buy --channel: SIGKILL ${death}, a ${what}; the same command again`,
    on: 'SQLite',
    expected: goesOn(LOST, opens ? 2 : 3),
    play: async (stage) => {
      const target = await stage.file()
      const buyer = await commandBuyer(stage, target)
      if (!opens) await buyer.buy(freshValue())
      const value = freshValue()
      const first = await buyer.die(value, death)
      return { buyer, url: target.url, first, repeated: await buyer.buy(value) }
    },
  }
}

/** A buyer that is the command line; what it sends and hears is seen on the way. */
async function commandBuyer({ world }: Stage, { url, service }: SoleService) {
  const key = generatePrivateKey()
  const { address } = await world.buyer(1_000, privateKeyToAccount(key))
  const purse = openPurse()
  const front = await startFront(url, (payment, body, settlement) => {
    purse.note(payment)
    if (body !== '' && settlement !== null) purse.hear(body, settlement)
  })
  const file = join(service.scratch, `${address}.sqlite`)
  const common = ['--url', front.url, '--channel-file', file, '--rpc-url', world.rpcUrl]
  const env = { BUYER_PRIVATE_KEY: key }
  const run = async (done: string, ...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await outcomeOf([CLI, ...args, ...common], { env })
    return code === 0 ? done : [...stdout, ...stderr].join(' ')
  }
  const purchase = (value: string) => ['buy', 'iban', value, '--channel']
  const buy = (value: string) => run('verdict', ...purchase(value))
  const buyer: ChannelPurse = {
    ...purse,
    address,
    funds: await world.balance(address),
    next: () => buy(freshValue()),
    close: async () => {
      const refunded = await run('refunded', 'refund')
      await front.stop()
      return refunded
    },
    channelAt: async (at) => {
      const accepts = [await offeredAt(at)]
      const channel = createChannelWallet(key).channelOn({ accepts } as never)
      if (channel === null) throw new Error('no channel on these terms')
      return channel.id
    },
  }
  /** Runs a purchase whose process is killed at its payment. */
  const die = async (value: string, death: Death): Promise<string> => {
    const victim = spawn(process.execPath, [CLI, ...purchase(value), ...common], {
      env: { ...process.env, ...env },
      stdio: 'ignore',
    })
    const gone = once(victim, 'exit')
    const kill = async () => {
      victim.kill('SIGKILL')
      await gone
    }
    front.interrupt(death === 'when its payment is answered' ? { after: kill } : { before: kill })
    const [, signal] = await gone
    return signal === 'SIGKILL' ? LOST : 'it was not killed'
  }
  return { ...buyer, buy, die }
}
