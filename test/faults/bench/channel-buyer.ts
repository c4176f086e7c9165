import { setTimeout as sleep } from 'node:timers/promises'
import { decodePaymentRequiredHeader, decodePaymentResponseHeader } from '@x402/core/http'
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import { computeChannelId } from '@x402/evm/batch-settlement/client'
import { decodeFunctionResult, encodeFunctionData, type Hex, type Log, parseEventLogs } from 'viem'
import { CHANNEL_SETTLEMENT } from '../../../src/sandbox/addresses.ts'
import { giveEther } from '../../../src/sandbox/chain/provision.ts'
import { NETWORK, SETTLEMENT_ABI } from '../../support/channel-chain.ts'
import { channelClient } from '../../support/channel-client.ts'
import { validValue } from '../../support/identifiers.ts'
import { codeIn } from './order.ts'
import { PRICE, type World } from './world.ts'

/** What a buyer is asked for once a row is over. */
export interface ChannelPurse {
  readonly address: Hex
  /** Units of the token it had at the beginning. */
  readonly funds: bigint
  /** Values that a service answered with a verdict, whether or not the answer arrived. */
  readonly answered: () => number
  /** The highest sum it ever signed for; units. */
  readonly signed: () => bigint
  /** What the last verdict said of the sum of all prices; units. */
  readonly stored: () => bigint
  /** One more call, repeated while the answer is "later". */
  next(url: string): Promise<string>
  /** Takes back what is left, repeated while the answer is "later". */
  close(url: string): Promise<string>
  channelAt(url: string): Promise<Hex>
}

/** Sends the paid request of a call, byte for byte the same each time, to its service or to another replica. */
export type Exchange = (at?: string) => Promise<Response>
/** What becomes of a paid request; its answer is what the client hears. */
export type Treat = (exchange: Exchange) => Promise<Response>

/** A buyer with the stock client, whose requests and answers can be interfered with on their way. */
export interface ChannelBuyer extends ChannelPurse {
  /** A value that this buyer has not asked about yet. */
  value(): string
  /** Sends a call as the client does; what it came to, as shown in a table. */
  buy(url: string, value: string, treat?: Treat): Promise<string>
  /** The same with a list. */
  buyList(url: string, values: readonly string[]): Promise<string>
  /** The same until the answer is not "later": the client signs again each time. */
  insist(url: string, value: string): Promise<string>
  /** Asks for all that is left, or a part of it. */
  refund(url: string, treat?: Treat): Promise<string>
  insistOnRefund(url: string): Promise<string>
  /** The payments it has sent. */
  readonly sent: readonly PaymentPayload[]
  /** Begins to leave; needs no service that it has bought from. */
  withdraw(url: string): Promise<void>
}

const CALLS = 1_000
const PAUSE_MS = 200
export const LOST = 'no answer'

/** A reply that the network swallows. */
export const lose: Treat = async (exchange) => {
  await exchange()
  throw new TypeError('the reply is lost')
}

/** An answer as shown in a table. */
export async function shownAnswer(answer: Promise<Response>): Promise<string> {
  try {
    const response = (await answer).clone()
    const text = await response.text()
    return response.status === 200 ? 'verdict' : `${response.status} ${codeIn(text)}`.trim()
  } catch {
    return LOST
  }
}

export const isLater = (shown: string) => shown === LOST || /^(?:429|502|503)/.test(shown)

/** Repeats what is answered "later". */
export async function untilDefinite(send: () => Promise<string>): Promise<string> {
  for (;;) {
    const shown = await send()
    if (!isLater(shown)) return shown
    await sleep(PAUSE_MS)
  }
}

/** Sends one paid request until its answer is not "later". */
export async function insistOn(exchange: Exchange, at?: string): Promise<Response> {
  for (;;) {
    const answer = exchange(at)
    if (!isLater(await shownAnswer(answer))) return answer
    await sleep(PAUSE_MS)
  }
}

/** The terms of channels at a service. */
export async function offeredAt(url: string): Promise<PaymentRequirements> {
  const { headers } = await fetch(`${url}/api/channel`)
  const [terms] = decodePaymentRequiredHeader(headers.get('PAYMENT-REQUIRED') ?? '').accepts
  if (terms === undefined) throw new Error('channels are not offered')
  return terms
}

export interface ChannelBuyerOptions {
  /** How long the next deposit may be mined; what the service offers if undefined. Seconds. */
  readonly lifeSeconds?: () => number | undefined
  /** What each deposit is, in atomic units; the least one by default. */
  readonly deposit?: bigint
  /** False for a client that goes by its own account alone. */
  readonly readsChain?: boolean
}

let asked = 0
export const freshValue = () => {
  asked += 1
  return validValue('iban', 7_000_000 + asked)
}

/** Keeps count of what a buyer signs and hears, by whatever client. */
export function openPurse() {
  const answered = new Map<string, number>()
  let [signed, stored] = [0n, 0n]
  return {
    answered: () => [...answered.values()].reduce((sum, values) => sum + values, 0),
    signed: () => signed,
    stored: () => stored,
    note({ payload }: PaymentPayload) {
      const { maxClaimableAmount } = (payload as { voucher: { maxClaimableAmount: string } }).voucher
      if (BigInt(maxClaimableAmount) > signed) signed = BigInt(maxClaimableAmount)
    },
    hear(call: string, settlement: { readonly extra?: unknown }, values = 1) {
      answered.set(call, values)
      const { channelState } = settlement.extra as { channelState: { chargedCumulativeAmount: string } }
      stored = BigInt(channelState.chargedCumulativeAmount)
    },
  }
}

/** A new buyer with money for four deposits. */
export async function channelBuyer(
  world: World,
  { lifeSeconds = () => undefined, deposit, readsChain = true }: ChannelBuyerOptions = {},
): Promise<ChannelBuyer> {
  const account = await world.buyer(deposit === undefined ? CALLS : Number(deposit / PRICE) * 2)
  const purse = openPurse()
  const sent: PaymentPayload[] = []
  let treat: Treat = (exchange) => exchange()

  const send: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    const payment = request.headers.get('PAYMENT-SIGNATURE')
    if (payment === null) return shortened(await fetch(request), lifeSeconds())
    const { method, headers } = request
    const body = method === 'GET' ? undefined : await request.text()
    const path = new URL(request.url)
    const payload = JSON.parse(Buffer.from(payment, 'base64').toString()) as PaymentPayload
    sent.push(payload)
    purse.note(payload)
    return treat(async (at = path.origin) => {
      const onward = new URL(path.pathname, at)
      const response = await fetch(onward, { method, headers, ...(body === undefined ? {} : { body }) })
      // An answer counts only in full.
      await response.clone().arrayBuffer()
      const receipt = response.headers.get('PAYMENT-RESPONSE')
      if (response.status === 200 && body !== undefined && receipt !== null)
        purse.hear(body, decodePaymentResponseHeader(receipt), valuesIn(body))
      return response
    })
  }
  const client = channelClient({
    ...{ account, fetch: send },
    ...(readsChain ? { rpcUrl: world.rpcUrl } : {}),
    ...(deposit === undefined ? {} : { deposit }),
  })
  /** One act of the client with its paid requests treated in this way; acts at the same moment share the last one. */
  const treated = <T>(by: Treat | undefined, act: () => Promise<T>): Promise<T> => {
    if (by !== undefined) treat = by
    const done = act()
    return by === undefined ? done : done.finally(() => (treat = (exchange) => exchange()))
  }
  const configs = new Map<string, ReturnType<typeof client.scheme.buildChannelConfig>>()
  const configAt = async (url: string) => {
    const config = configs.get(url) ?? client.scheme.buildChannelConfig(await offeredAt(url))
    configs.set(url, config)
    return config
  }

  const buyer: ChannelBuyer = {
    ...purse,
    address: account.address,
    funds: await world.balance(account.address),
    sent,
    value: freshValue,
    buy: (url, value, by) => treated(by, () => shownAnswer(client.check(url, value))),
    buyList: (url, values) => shownAnswer(client.checkList(url, values)),
    insist: (url, value) => untilDefinite(() => buyer.buy(url, value)),
    refund: (url, by) => treated(by, () => client.refund(url).then(() => 'refunded', shownRefusal)),
    insistOnRefund: (url) => untilDefinite(() => buyer.refund(url)),
    next: (url) => buyer.insist(url, buyer.value()),
    close: (url) => buyer.insistOnRefund(url),
    channelAt: async (url) => computeChannelId(await configAt(url), NETWORK),
    withdraw: async (url) => sendAs(world, account.address, 'initiateWithdraw', [await configAt(url), 1n]),
  }
  return buyer
}

/** What the stock client says of a refund that was not made: 402 ends it, everything else can be asked again. */
export function shownRefusal(error: Error): string {
  if (error.message.includes('no_balance')) return 'nothing left'
  return /status 5|fetch failed|reply is lost/.test(error.message) ? LOST : error.message
}

const valuesIn = (body: string): number =>
  (JSON.parse(body) as { readonly items?: readonly unknown[] }).items?.length ?? 1

/** Terms under which a deposit is signed for a shorter time than the service allows. */
function shortened(response: Response, lifeSeconds: number | undefined): Response {
  const header = response.headers.get('PAYMENT-REQUIRED')
  if (lifeSeconds === undefined || header === null) return response
  const required = decodePaymentRequiredHeader(header)
  const accepts = required.accepts.map((terms) => ({ ...terms, maxTimeoutSeconds: lifeSeconds }))
  const headers = new Headers(response.headers)
  headers.set('PAYMENT-REQUIRED', Buffer.from(JSON.stringify({ ...required, accepts })).toString('base64'))
  return new Response(response.body, { status: response.status, headers })
}

/** Sends a transaction to the settlement contract in the name of an account. */
async function sendAs(world: World, from: Hex, functionName: string, args: readonly unknown[]) {
  await giveEther(world.rpcUrl, from)
  await world.rpc('anvil_impersonateAccount', [from])
  const data = encodeFunctionData({ abi: SETTLEMENT_ABI, functionName, args: [...args] })
  const hash = await world.rpc('eth_sendTransaction', [{ from, to: CHANNEL_SETTLEMENT, data }])
  while ((await world.rpc('eth_getTransactionReceipt', [hash])) === null) await sleep(PAUSE_MS)
}

/** What the contract has claimed of a channel, and what is left in it; units. */
export async function channelOnChain(world: World, id: Hex) {
  const question = { abi: SETTLEMENT_ABI, functionName: 'channels' }
  const data = encodeFunctionData({ ...question, args: [id] })
  const answer = (await world.rpc('eth_call', [{ to: CHANNEL_SETTLEMENT, data }, 'latest'])) as Hex
  const [balance, claimed] = decodeFunctionResult({ ...question, data: answer }) as [bigint, bigint]
  return { balance, claimed }
}

/** The names of what has happened to a channel, in order. */
export async function channelEvents(world: World, id: Hex): Promise<readonly string[]> {
  const filter = { address: CHANNEL_SETTLEMENT, fromBlock: '0x0', topics: [null, id] }
  const logs = (await world.rpc('eth_getLogs', [filter])) as Log[]
  return parseEventLogs({ abi: SETTLEMENT_ABI, logs }).map(({ eventName }) => String(eventName))
}
