import type { ChannelRow } from '../../src/ledger/channels/channel-row.ts'
import type { DepositRow } from '../../src/ledger/channels/deposit-row.ts'
import type { ChannelEvent } from '../../src/payments/channels/channel-context.ts'
import type { ChannelService, Outcome, SignedDeposit, SignedVoucher } from '../model/channel-service.ts'
import { type ChannelWorld, MUCH, nextSum, pricesOf } from './channel-world.ts'
import type { Choices } from './choices.ts'
import { Broken, insist } from './finding.ts'
import type { PortFault } from './port-faults.ts'
import { ALIKE, MALFORMED, MEMBERS, type Spoil, UNSIGNED, withMember } from './spoiled-payments.ts'

/** What happens to a request on its way; a facilitator mines and says so by default. */
export interface Told {
  readonly reply?: 'mined' | 'mined, no reply' | 'none' | 'says mined' | 'refused' | 'later'
  /** The call of a port, counted from 0, that fails. */
  readonly fail?: { readonly port: string; readonly nth: number; readonly fault: PortFault }
}

/** What a trial does with a channel on which nothing else goes on. */
export interface Hands {
  readonly service: ChannelService
  readonly world: ChannelWorld
  readonly choices: Choices
  readonly trace: string[]
  /** Questions to the node during the last request. */
  looks(): number
  row(): Promise<ChannelRow | null>
  ask(voucher: SignedVoucher, told?: Told, replica?: number): Promise<Outcome>
  refund(amount: number, told?: Told, spoil?: Spoil): Promise<Outcome>
  /** False if the run was ended by the store. */
  maintain(told?: Told): Promise<boolean>
  pass(ms: number): void
  newDeposit(): SignedDeposit
}

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const MINUTE_MS = 61_000
const LEASE_MS = 31_000
/** What the mismatch limiter allows a client, and all clients together. */
const [FREE_TRIES, MOST_TRIES] = [5, 50]

const saidBy = (outcome: Outcome): string => ('code' in outcome ? outcome.code : outcome.kind)

/** The sum of the next call. */
const nextOf = async ({ row, world }: Hands): Promise<number> => nextSum(await row(), world)

const bodyOf = ({ choices }: Hands): 'v' | 'w' => (choices.pick(2) === 0 ? 'v' : 'w')

async function expectSaid(expected: string, outcome: Promise<Outcome>): Promise<Outcome> {
  const given = await outcome
  if (saidBy(given) !== expected) throw new Broken(`an answer is ${saidBy(given)}, not ${expected}`)
  return given
}

/** Buys one call, with a deposit if it needs or wants one. */
async function buy(hands: Hands, isToppedUp = false): Promise<SignedVoucher> {
  const amount = await nextOf(hands)
  const isCovered = amount <= hands.world.contract.balance
  const deposit = isCovered && !isToppedUp ? null : hands.newDeposit()
  const call = { amount, body: bodyOf(hands), deposit }
  await expectSaid('sold', hands.ask(call))
  return call
}

const toppedUp = async (hands: Hands): Promise<SignedVoucher> => ({
  ...{ amount: await nextOf(hands), body: bodyOf(hands), deposit: hands.newDeposit() },
})

async function depositOf({ service }: Hands, { deposit }: SignedVoucher): Promise<DepositRow | undefined> {
  const name = service.nonceOf(deposit as SignedDeposit)
  return (await service.deposits()).find(({ nonce }) => nonce === name)
}

async function expectDeposit(
  hands: Hands,
  call: SignedVoucher,
  expected: DepositRow['state'] | 'unknown',
): Promise<void> {
  const row = await depositOf(hands, call)
  insist((row?.state ?? 'unknown') === expected, `a deposit is ${row?.state}, not ${expected}`)
  insist(row === undefined || (row.owner === null && row.leaseUntil === 0), 'a deposit at rest has an owner')
}

const counted = ({ world }: Hands, name: ChannelEvent): number =>
  world.events.splice(0).filter((event) => event === name).length

/** An act of another kind reached the facilitator since this was asked last. */
const sentSince = ({ world }: Hands): number => world.acts.splice(0).length

/** A refused call: nothing is sent, and nothing is written down. */
async function expectRefusal(
  hands: Hands,
  expected: string,
  call: SignedVoucher,
  told?: Told,
): Promise<Outcome> {
  const before = await hands.row()
  sentSince(hands)
  const outcome = await expectSaid(expected, hands.ask(call, told))
  insist(sentSince(hands) === 0, `${expected}, and a deposit is sent`)
  const after = await hands.row()
  insist(
    after?.charged === before?.charged && after?.calls === before?.calls,
    `${expected}, and it is written down`,
  )
  if (call.deposit !== null && (await depositOf(hands, call)) !== undefined)
    throw new Broken('a deposit that was not sent is written down')
  return outcome
}

type Obstacle = readonly [expected: string, put: (hands: Hands) => void, take: (hands: Hands) => void]

const OBSTACLES: readonly Obstacle[] = [
  [
    'facilitator_unavailable',
    ({ world }) => (world.isPaused = true),
    ({ world }) => (world.isPaused = false),
  ],
  ['payment_insufficient_funds', ({ world }) => (world.money = 1), ({ world }) => (world.money = MUCH)],
  [
    'payment_refused',
    ({ world }) => (world.account = 'account_exceeded'),
    ({ world }) => (world.account = 'admitted'),
  ],
] satisfies readonly (readonly [string, (hands: Hands) => unknown, (hands: Hands) => unknown])[]

async function meetObstacle(hands: Hands): Promise<void> {
  const [expected, put, take] = OBSTACLES[hands.choices.pick(OBSTACLES.length)] as Obstacle
  put(hands)
  await expectRefusal(hands, expected, await toppedUp(hands))
  take(hands)
}

/** Each with a deposit that begins or ends where the clock is of importance. */
const WINDOWS: readonly [string, number, number][] = [
  ['payment_not_yet_valid', -2, 400],
  ['sold', -3, 400],
  ['payment_expired', -100, 9],
  ['sold', -100, 10],
  ['sold', -100, 420],
  ['payment_valid_too_long', -100, 421],
]

async function makeMistake(hands: Hands): Promise<void> {
  const { choices, service } = hands
  const call = await toppedUp(hands)
  const deposit = call.deposit as SignedDeposit
  const seconds = Math.floor(service.nowMs / 1000)
  const one = <T>(list: readonly T[]): T => list[choices.pick(list.length)] as T
  switch (choices.pick(8)) {
    case 0:
    case 1:
      return void (await expectRefusal(hands, 'payment_malformed', { ...call, spoil: one(MALFORMED) }))
    case 2:
      return void (await expectRefusal(hands, 'payment_invalid_signature', { ...call, spoil: one(UNSIGNED) }))
    case 3: {
      const delays = [0, 86_399].map((delay) => ['withdrawDelay', delay] as const)
      const members = MEMBERS.filter(([name]) => name !== 'payer' && name !== 'salt')
      const [name, value] = one([...members, ...delays])
      // The key of another authorizer did not sign.
      const expected = name === 'payerAuthorizer' ? 'payment_invalid_signature' : 'payment_terms_mismatch'
      return void (await expectRefusal(hands, expected, { ...call, elsewhere: { [name]: value } }))
    }
    case 4: {
      const value = Number(service.offer.extra.minDeposit)
      const wrong: readonly SignedVoucher[] = [
        { ...call, deposit: { ...deposit, value: value - 1 } },
        { ...call, spoil: withMember('accepted.amount', '1') },
        { ...call, spoil: withMember('payload.type', 'refund') },
      ]
      return void (await expectRefusal(
        hands,
        'payment_terms_mismatch',
        // A refund may name an amount; a deposit beside it is not read.
        wrong[choices.pick(wrong.length)] as SignedVoucher,
      ))
    }
    case 5: {
      const [expected, after, before] = one(WINDOWS)
      const timed = {
        ...call,
        deposit: { ...deposit, validAfter: seconds + after, validBefore: seconds + before },
      }
      if (expected === 'sold') await expectSaid('sold', hands.ask(timed))
      else await expectRefusal(hands, expected, timed)
      return
    }
    case 6:
      return void (await expectSaid('sold', hands.ask({ ...call, spoil: one(ALIKE) })))
    default: {
      const amount = call.amount + 1 + choices.pick(2)
      await expectRefusal(hands, 'channel_out_of_step', { ...call, amount })
      await expectRefusal(hands, 'payment_invalid_signature', {
        ...call,
        deposit: { ...deposit, isByOther: true },
      })
    }
  }
}

/** It is not known what became of a deposit: it is looked for, sent again, waited for or given up. */
async function loseDeposit(hands: Hands): Promise<void> {
  const { choices, world, service } = hands
  const { contract } = world
  const call = await toppedUp(hands)
  counted(hands, 'channel_deposit_doubtful')
  const lies = choices.pick(3) === 0
  const began = world.elapsedMs
  await expectSaid('payment_in_doubt', hands.ask(call, { reply: lies ? 'says mined' : 'none' }))
  insist(counted(hands, 'channel_deposit_doubtful') === 1, 'a doubtful deposit is not reported')
  insist(world.elapsedMs - began >= 1_000 === lies, 'a deposit that was mined is waited for, and no other')
  await expectDeposit(hands, call, 'sending')
  const another = { ...call, deposit: hands.newDeposit() }
  switch (choices.pick(6)) {
    case 0:
      // No lease is in the way.
      await expectSaid('sold', hands.ask(call, {}, 1))
      break
    case 1:
      sentSince(hands)
      await expectSaid('payment_in_doubt', hands.ask(another))
      insist(sentSince(hands) === 0, 'two deposits are under way for one call')
      for (const each of contract.air) contract.mine(each, Math.floor(service.nowMs / 1000))
      await expectSaid('sold', hands.ask(another))
      insist(sentSince(hands) === 0, 'two deposits are sent for one call')
      break
    case 2:
      contract.air = []
      hands.pass(DAY_MS / 24)
      await expectSaid('payment_expired', hands.ask(call))
      await expectDeposit(hands, call, 'unknown')
      await expectSaid('payment_expired', hands.ask(call))
      await expectSaid('sold', hands.ask({ ...another, deposit: hands.newDeposit() }))
      break
    case 3: {
      // What could not be sent again may be in from the first time.
      const fail = { port: 'settle', nth: 0, fault: 'fail' } as const
      await expectSaid('payment_in_doubt', hands.ask(call, { fail }))
      await expectDeposit(hands, call, 'sending')
      await expectSaid('sold', hands.ask(call))
      break
    }
    case 4:
      for (const each of contract.air) contract.mine(each, Math.floor(service.nowMs / 1000))
      await hands.maintain()
      await expectDeposit(hands, call, 'landed')
      sentSince(hands)
      await expectSaid('sold', hands.ask(call))
      insist(sentSince(hands) === 0, 'a deposit that is in is sent again')
      break
    default:
      world.isPaused = true
      contract.air = []
      sentSince(hands)
      await expectSaid('payment_in_doubt', hands.ask(call))
      insist(sentSince(hands) === 0, 'a deposit is sent while sales are paused')
      world.isPaused = false
      await expectSaid('sold', hands.ask(call, { reply: 'mined, no reply' }))
  }
  contract.air = []
}

/** A node that is behind the facilitator is waited for; a facilitator that cannot be reached is another matter. */
async function waitForDeposit(hands: Hands): Promise<void> {
  const call = await toppedUp(hands)
  if (hands.choices.pick(2) === 0) return void (await expectSaid('sold', hands.ask(call, { reply: 'later' })))
  const fail = { port: 'settle', nth: 0, fault: 'fail' } as const
  await expectSaid('facilitator_unavailable', hands.ask(call, { fail }))
  await expectDeposit(hands, call, 'unknown')
  await expectSaid('sold', hands.ask(call))
}

/** Three refused deposits in a minute, and the fourth must wait: of the payer, or of all wallets of the client. */
async function beRefused(hands: Hands): Promise<void> {
  const { choices, world } = hands
  const isWallet = choices.pick(2) === 0
  world.hasCode = isWallet
  const call = async (): Promise<SignedVoucher> => {
    const made = await toppedUp(hands)
    return { ...made, deposit: { ...(made.deposit as SignedDeposit), isByOther: isWallet } }
  }
  for (let tries = 0; tries < 3; tries += 1) {
    const refused = await call()
    await expectSaid('payment_insufficient_funds', hands.ask(refused, { reply: 'refused' }))
    await expectDeposit(hands, refused, 'unknown')
  }
  const last = await call()
  await expectRefusal(hands, 'too_many_requests', last)
  if (isWallet) await expectSaid('sold', hands.ask(await toppedUp(hands)))
  else hands.pass(MINUTE_MS)
  const again = { ...(await toppedUp(hands)), deposit: last.deposit, client: isWallet ? 'd' : 'c' }
  await expectSaid('sold', hands.ask(again))
  world.hasCode = false
}

/** A first deposit may be on credit: three of a client address a day. */
async function askForCredit(hands: Hands): Promise<void> {
  const { world } = hands
  world.account = 'on_credit'
  for (let tries = 0; tries < 3; tries += 1) {
    await expectSaid('payment_insufficient_funds', hands.ask(await toppedUp(hands), { reply: 'refused' }))
    hands.pass(MINUTE_MS)
  }
  await expectRefusal(hands, 'payment_refused', await toppedUp(hands))
  const [isNextDay, isOther] = [hands.choices.pick(2) === 0, hands.choices.pick(2) === 0]
  if (isNextDay) hands.pass(DAY_MS)
  const call = { ...(await toppedUp(hands)), client: isOther ? 'd' : 'c' }
  if (isNextDay || isOther) await expectSaid('sold', hands.ask(call))
  else await expectRefusal(hands, 'payment_refused', call)
  world.account = 'admitted'
}

const otherBody = ({ body }: SignedVoucher): 'v' | 'w' => (body === 'v' ? 'w' : 'v')

/** A client that guesses what a voucher has paid for must wait, and the buyer at another address need not. */
async function guess(hands: Hands): Promise<void> {
  const call = { ...(await buy(hands)), deposit: null }
  const wrong = { ...call, body: otherBody(call) }
  for (let tries = 0; tries < FREE_TRIES; tries += 1)
    await expectRefusal(hands, 'payment_already_used', wrong)
  const refused = await expectRefusal(hands, 'too_many_requests', call)
  insist(
    'settlement' in refused && refused.settlement !== undefined,
    'a client that must wait is not told the state',
  )
  await expectSaid('sold', hands.ask({ ...call, client: 'd' }))
  hands.pass(9_000)
  await expectRefusal(hands, 'too_many_requests', call)
  hands.pass(1_000)
  await expectSaid('sold', hands.ask(call))
}

/** After too many guesses of all clients the answer is the same to all, and the next voucher gets it for nothing. */
async function lock(hands: Hands): Promise<void> {
  const call = { ...(await buy(hands)), deposit: null }
  const wrong = { ...call, body: otherBody(call) }
  for (let tries = 0; tries < MOST_TRIES - 1; tries += 1) {
    const client = `e${Math.floor(tries / FREE_TRIES)}`
    await expectSaid('payment_already_used', hands.ask({ ...wrong, client }))
  }
  await expectSaid('sold', hands.ask(call))
  await expectSaid('payment_locked', hands.ask({ ...wrong, client: 'f' }))
  await expectRefusal(hands, 'payment_locked', { ...call, client: 'f' })
  const before = await hands.row()
  await expectSaid('sold', hands.ask({ ...call, amount: call.amount + 1 }))
  insist((await hands.row())?.charged === before?.charged, 'a locked call is charged again')
  // Of another call it is charged.
  const next = { ...wrong, amount: call.amount + 1, deposit: hands.newDeposit() }
  await expectSaid('sold', hands.ask(next))
}

const reasonOf = (outcome: Outcome): string =>
  outcome.kind === 'unpaid' ? (outcome.quote.required(outcome.code).error ?? '') : ''

async function expectNoRefund(hands: Hands, amount: number, reason: RegExp, part?: number): Promise<void> {
  sentSince(hands)
  const outcome = await expectSaid('payment_refused', hands.refund(amount, {}, partOf(hands, part)))
  insist(reason.test(reasonOf(outcome)), `a refund is refused: ${reasonOf(outcome)}`)
  insist(sentSince(hands) === 0, 'a refund is refused and sent')
}

const partOf = ({ service }: Hands, part: number | undefined): Spoil | undefined =>
  part === undefined
    ? undefined
    : withMember('payload.amount', String(BigInt(part) * BigInt(service.offer.amount)))

/** Of what is not charged a part or all is paid back, once for each voucher. */
async function takeBack(hands: Hands): Promise<void> {
  const { world, service, choices } = hands
  const { contract } = world
  await buy(hands)
  const { amount } = await buy(hands, true)
  await expectSaid('channel_out_of_step', hands.refund(amount - 1))
  await expectSaid('channel_out_of_step', hands.refund(amount + 1))
  await expectSaid('channel_out_of_step', hands.refund(0))
  world.account = 'account_exceeded'
  await expectNoRefund(hands, amount, /have not paid for a refund/)
  world.account = 'admitted'
  const isClaimed = choices.pick(2) === 0
  if (isClaimed) {
    hands.pass(7 * HOUR_MS)
    await hands.maintain()
    await expectSaid('channel_out_of_step', hands.refund(amount - 1))
    if (contract.balance - amount > 1) await expectNoRefund(hands, amount, /this voucher is claimed/, 1)
  }
  const left = contract.balance - amount
  const part = isClaimed || left < 2 ? [undefined, left, left + 1][choices.pick(3)] : 1
  const asked = part === undefined ? left : Math.min(part, left)
  sentSince(hands)
  const outcome = await expectSaid('refunded', hands.refund(amount, {}, partOf(hands, part)))
  const paid = outcome.kind === 'refunded' ? outcome.amount : 0n
  insist(paid === BigInt(asked) * BigInt(service.offer.amount), 'a refund is of another sum')
  insist(contract.claimed === amount, 'a refund leaves out the claim')
  insist(contract.balance - amount === left - asked, 'a refund pays another sum')
  insist(sentSince(hands) === 1, 'a refund is sent twice')
  await expectNoRefund(hands, amount, asked === left ? /refund_no_balance/ : /one refund for each voucher/)
}

/** It is not known what became of a refund: it is sent again as it was signed, after its lease. */
async function loseRefund(hands: Hands): Promise<void> {
  const { world, choices } = hands
  const { amount } = await buy(hands, true)
  const reply = choices.pick(2) === 0 ? 'none' : 'says mined'
  const left = world.contract.balance - amount
  await expectSaid('payment_in_doubt', hands.refund(amount, { reply }, partOf(hands, 1)))
  sentSince(hands)
  hands.pass(29_000)
  await expectSaid('payment_in_doubt', hands.refund(amount))
  insist(sentSince(hands) === 0, 'a refund is sent beside another one')
  hands.pass(2_000)
  if (left === 1) {
    // Nothing is left that a call could rely on.
    const call = { amount: amount + 1, body: 'v', deposit: null } as const
    await expectRefusal(hands, 'channel_out_of_step', call)
  }
  if (choices.pick(3) === 0) {
    const fail = { port: 'chain', nth: 0, fault: 'fail' } as const
    await expectSaid('payment_in_doubt', hands.refund(amount, { fail }))
    hands.pass(LEASE_MS)
  }
  await expectSaid('refunded', hands.refund(amount))
  insist(world.contract.balance - amount === left - 1, 'a refund is sent again with another sum')
  world.contract.air = []
}

/** A refund that cannot be made says so, and leaves no lock behind. */
async function failRefund(hands: Hands): Promise<void> {
  const { amount } = await buy(hands, true)
  const fail = { port: 'chain', nth: 0, fault: 'fail' } as const
  await expectSaid('chain_unavailable', hands.refund(amount, { fail }))
  const nth = hands.choices.pick(3)
  await expectSaid(
    'store_unavailable',
    hands.refund(amount, { fail: { port: 'ledger', nth, fault: 'fail' } }),
  )
  if (nth === 2) hands.pass(LEASE_MS)
  const malformed: readonly Spoil[] = ['0', '1x', 5, null].map((value) => withMember('payload.amount', value))
  const mistakes: readonly (readonly [string, Spoil])[] = [
    ...malformed.map((spoil) => ['payment_malformed', spoil] as const),
    ...MEMBERS.map(
      ([name, value]) =>
        ['payment_invalid_signature', withMember(`payload.channelConfig.${name}`, value)] as const,
    ),
    ['payment_terms_mismatch', withMember('payload.type', 'voucher')],
    ['payment_terms_mismatch', withMember('accepted.scheme', 'exact')],
    ['payment_terms_mismatch', withMember('accepted', null)],
    ['payment_malformed', withMember('x402Version', 1)],
  ]
  const [expected, spoil] = mistakes[hands.choices.pick(mistakes.length)] as (typeof mistakes)[number]
  await expectSaid(expected, hands.refund(amount, {}, spoil))
  await expectSaid('refunded', hands.refund(amount))
}

/** A payer who withdraws is seen, what is charged is claimed at once, and nothing more is sold over the channel. */
async function leave(hands: Hands): Promise<void> {
  const { world, service, choices } = hands
  const { contract } = world
  await buy(hands, true)
  contract.withdrawAt = Math.floor(service.nowMs / 1000)
  counted(hands, 'channel_withdrawal_seen')
  const isSeen = choices.pick(2) === 0
  if (isSeen) {
    await hands.maintain()
    insist(counted(hands, 'channel_withdrawal_seen') === 1, 'a withdrawal is not reported')
    insist(
      contract.claimed === pricesOf((await hands.row())?.charged ?? 0n),
      'a withdrawal is not answered by a claim',
    )
    await hands.maintain()
    insist(counted(hands, 'channel_withdrawal_seen') === 0, 'a withdrawal is reported twice')
  } else hands.pass(HOUR_MS)
  const amount = await nextOf(hands)
  const call = { amount, body: bodyOf(hands), deposit: null }
  if (amount <= contract.balance || isSeen) await expectRefusal(hands, 'channel_closing', call)
  // A withdrawal that the loop has not seen yet does not hold a deposit up.
  if (isSeen) await expectRefusal(hands, 'channel_closing', await toppedUp(hands))
  await hands.maintain()
  if (choices.pick(2) === 0) contract.withdraw()
  else contract.withdrawAt = 0
  await expectSaid('sold', hands.ask(await toppedUp(hands)))
}

/** What may be charged and not claimed has a bound; beyond its half it is claimed by the next run of the loop. */
async function reachBound(hands: Hands): Promise<void> {
  const { world, choices } = hands
  const { contract } = world
  await hands.maintain()
  const count = 1 + choices.pick(5)
  for (let calls = 0; calls < count; calls += 1) await buy(hands)
  counted(hands, 'channel_exposure_reached')
  const isFull = count === 5
  if (isFull) {
    await expectRefusal(hands, 'facilitator_unavailable', await toppedUp(hands))
    insist(counted(hands, 'channel_exposure_reached') === 1, 'a bound that is reached is not reported')
  }
  const before = contract.claimed
  await hands.maintain()
  const isClaimed = contract.claimed > before
  insist(isClaimed === count >= 3, isClaimed ? 'a claim is sent before its time' : 'much is not claimed soon')
  await buy(hands)
  insist(counted(hands, 'channel_exposure_reached') === 0, 'a bound is reported that is not reached')
}

/** A state is relied on for an hour, and its row asks the node nothing. */
async function waitAnHour(hands: Hands): Promise<void> {
  const { choices, service } = hands
  await buy(hands, true)
  const row = await hands.row()
  const amount = await nextOf(hands)
  if (row === null || amount > hands.world.contract.balance) return
  const [ms, isRead] = (
    [
      [HOUR_MS - 1, false],
      [HOUR_MS, true],
    ] as const
  )[choices.pick(2)] as [number, boolean]
  hands.pass(row.readAt + ms - service.nowMs)
  const call = { amount, body: bodyOf(hands), deposit: null }
  await expectSaid('sold', hands.ask(call))
  insist(
    hands.looks() > 0 === isRead,
    isRead ? 'a state is relied on for too long' : 'the node is asked in vain',
  )
  await expectSaid('sold', hands.ask(call))
  insist(hands.looks() === 0, 'the node is asked for a repeat')
}

/** The node or the store fails once on the way: nothing is said that is not so, and the same request comes to its end. */
async function stumble(hands: Hands): Promise<void> {
  const { choices, world } = hands
  const port = choices.pick(2) === 0 ? 'chain' : 'ledger'
  const fault = port === 'ledger' && choices.pick(2) === 0 ? 'after' : 'fail'
  const fail = { port, nth: choices.pick(8), fault } as const
  if (port === 'ledger' && choices.pick(3) === 0) {
    hands.pass(7 * HOUR_MS)
    const isDone = await hands.maintain({ fail })
    insist(!isDone, 'a run of the loop hides that the store failed')
    hands.pass(2 * MINUTE_MS)
    return
  }
  const call = await toppedUp(hands)
  const said = saidBy(await hands.ask(call, { fail }))
  const row = await depositOf(hands, call)
  const isSent = world.acts.length > 0
  if (port === 'chain' && !isSent && row === undefined && said !== 'chain_unavailable' && said !== 'sold')
    throw new Broken(`a node that fails is not named: ${said}`)
  hands.pass(LEASE_MS)
  await expectSaid('sold', hands.ask(call))
}

type Trial = (hands: Hands) => Promise<void>

/** Those that take many requests are rare. */
const TRIALS: readonly Trial[] = [
  ...[meetObstacle, loseDeposit, waitForDeposit, beRefused, askForCredit, guess, takeBack, loseRefund],
  ...[failRefund, leave, reachBound, waitAnHour, stumble],
]

/** One mistake, and now and then a trial; or every trial, one after another. */
export async function tryChannel(hands: Hands, isEvery: boolean): Promise<void> {
  const { choices, trace } = hands
  const one = choices.rarely(10) ? [TRIALS[choices.pick(TRIALS.length)] as Trial] : []
  for (const trial of isEvery ? [...TRIALS, lock] : one) {
    trace.push(`a trial: ${trial.name}`)
    await trial(hands)
    hands.pass(MINUTE_MS)
    await claimAll(hands)
  }
  for (let count = 0; count < (isEvery ? 40 : 1); count += 1) {
    await makeMistake(hands)
    if (count % 4 === 3) await claimAll(hands)
  }
}

/** So that no bound is in the way. */
async function claimAll(hands: Hands): Promise<void> {
  hands.pass(7 * HOUR_MS)
  await hands.maintain()
}
