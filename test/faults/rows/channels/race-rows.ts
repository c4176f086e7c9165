import { setTimeout as sleep } from 'node:timers/promises'
import { type ChannelBuyer, channelBuyer, channelOnChain, insistOn } from '../../bench/channel-buyer.ts'
import { type ChannelFaultRow, goesOn, MORTAL, openedAt } from '../../bench/channel-row.ts'
import type { Stage, Target } from '../../bench/stage.ts'

const COPIES = 20
const CALLS = 8

const SERVICES: readonly (readonly [on: string, targetOf: (stage: Stage) => Promise<Target>])[] = [
  ['SQLite', (stage) => stage.file()],
  ['PostgreSQL, 3 replicas', (stage) => stage.replicas()],
]

/** Buyers that do several things with one channel at the same moment. */
export const CHANNEL_RACE_ROWS: readonly ChannelFaultRow[] = [
  ...SERVICES.flatMap(([on, targetOf]) => [
    copies(on, targetOf, 'a call', (stage, url) => openedAt(stage, url), 3),
    copies(on, targetOf, 'a call with a deposit', (stage) => channelBuyer(stage.world), 2),
    different(on, targetOf),
    refundBesideCall(on, targetOf),
  ]),
  {
    fault: 'the payer begins to withdraw while calls run',
    on: 'SQLite',
    expected: goesOn('402 channel_closing', CALLS + 2, 'claimed at once, then refunded'),
    play: async (stage) => {
      const { url } = await stage.file()
      const buyer = await openedAt(stage, url)
      const values = Array.from({ length: CALLS }, () => buyer.value())
      const refused: string[] = []
      for (const [index, value] of values.entries()) {
        if (index === 1) await buyer.withdraw(url)
        if ((await buyer.insist(url, value)) !== 'verdict') refused.push(value)
      }
      const left = await leaving(stage, buyer, url)
      // How many were in time is chance; the others are bought now.
      for (const value of refused) await buyer.insist(url, value)
      return left
    },
  },
  {
    fault: 'the payer begins to withdraw while the service is down',
    on: 'SQLite',
    shares: MORTAL,
    expected: goesOn('402 channel_closing', 2, 'claimed at once, then refunded'),
    play: async (stage) => {
      const { url, service } = await stage.fileFor(MORTAL)
      const buyer = await openedAt(stage, url)
      // Its terms are known by now.
      await buyer.channelAt(url)
      await service.kill()
      await buyer.withdraw(url)
      await service.start()
      return leaving(stage, buyer, url)
    },
  },
]

/** One paid request many times at once; each is repeated while the answer is "later". */
function copies(
  on: string,
  targetOf: (stage: Stage) => Promise<Target>,
  what: string,
  buyerOf: (stage: Stage, url: string) => Promise<ChannelBuyer>,
  calls: number,
): ChannelFaultRow {
  return {
    fault: `${COPIES} copies of ${what} at once`,
    on,
    expected: goesOn(`${COPIES} equal verdicts`, calls),
    play: async (stage) => {
      const { url } = await targetOf(stage)
      const buyer = await buyerOf(stage, url)
      let first = ''
      const repeated = await buyer.buy(url, buyer.value(), async (exchange) => {
        const answers = await Promise.all(Array.from({ length: COPIES }, () => insistOn(exchange)))
        const kinds = new Set(await Promise.all(answers.map(inFull)))
        first = kinds.size === 1 ? `${COPIES} equal verdicts` : [...kinds].join(' | ')
        return insistOn(exchange)
      })
      return { buyer, url, first, repeated }
    },
  }
}

const inFull = async (response: Response) =>
  [response.status, response.headers.get('PAYMENT-RESPONSE'), await response.clone().text()].join(' ')

/** What a client gets whose channel has moved on meanwhile; it sends the call again. */
const OUT_OF_TURN = ['409 payment_already_used', '402 channel_out_of_step']

/** Different calls under one voucher at the same moment, each sent again until it is answered. */
function different(on: string, targetOf: (stage: Stage) => Promise<Target>): ChannelFaultRow {
  return {
    fault: `${CALLS} different calls of one channel at once`,
    on,
    expected: goesOn('one verdict or more', CALLS + 2),
    play: async (stage) => {
      const { url } = await targetOf(stage)
      const buyer = await openedAt(stage, url)
      const values = Array.from({ length: CALLS }, () => buyer.value())
      const firsts = await Promise.all(values.map((value) => buyer.insist(url, value)))
      const isPlain = firsts.every((each) => each === 'verdict' || OUT_OF_TURN.includes(each))
      const first = isPlain && firsts.includes('verdict') ? 'one verdict or more' : firsts.join(' | ')
      let repeated = 'verdict'
      for (const [index, value] of values.entries()) {
        if (firsts[index] !== 'verdict') repeated = await inTurn(buyer, url, value)
        if (repeated !== 'verdict') break
      }
      return { buyer, url, first, repeated }
    },
  }
}

/** Sends a call that was out of turn, alone: once more is enough for a client that has heard why. */
async function inTurn(buyer: ChannelBuyer, url: string, value: string): Promise<string> {
  const shown = await buyer.insist(url, value)
  return OUT_OF_TURN.includes(shown) ? buyer.insist(url, value) : shown
}

function refundBesideCall(on: string, targetOf: (stage: Stage) => Promise<Target>): ChannelFaultRow {
  return {
    fault: 'a refund is asked for beside a call',
    on,
    expected: goesOn('one of both, or both', 3),
    play: async (stage) => {
      const { url } = await targetOf(stage)
      const buyer = await openedAt(stage, url)
      const value = buyer.value()
      const outcomes = await Promise.all([buyer.refund(url), buyer.insist(url, value)])
      const [refunded, bought] = outcomes
      const isOne = refunded === 'refunded' || bought === 'verdict'
      const repeated = bought === 'verdict' ? bought : await inTurn(buyer, url, value)
      // The stock client keeps the account of the answer that came last, which may be the older one; the next sets it right.
      await buyer.refund(url)
      return { buyer, url, first: isOne ? 'one of both, or both' : outcomes.join(' | '), repeated }
    },
  }
}

/** What is owed is claimed without being asked for, nothing more is sold, and a refund ends the withdrawal. */
async function leaving(stage: Stage, buyer: ChannelBuyer, url: string) {
  const id = await buyer.channelAt(url)
  const owed = buyer.stored()
  while ((await channelOnChain(stage.world, id)).claimed < owed) await sleep(200)
  const first = await buyer.insist(url, buyer.value())
  const refunded = await buyer.insistOnRefund(url)
  return { buyer, url, first, repeated: `claimed at once, then ${refunded}` }
}
