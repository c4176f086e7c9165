import type { SettleResponse } from '@x402/core/types'
import type { ChannelConfig, ChannelRow } from '../../src/ledger/channels/channel-row.ts'
import { ChainUnavailable } from '../../src/payments/chain/chain-reader.ts'
import type { ChannelEvent } from '../../src/payments/channels/channel-context.ts'
import { channelDigests } from '../../src/payments/channels/voucher/digests.ts'
import { BASE } from '../../src/payments/networks/base.ts'
import {
  type ChannelService,
  lowerCase,
  openChannelService,
  signatureOver,
} from '../model/channel-service.ts'
import { wrongInEnvelope } from './channel-wire.ts'
import type { Choices } from './choices.ts'
import { Broken, type Finding, findingOf, type Playable } from './finding.ts'

/** What may happen in a schedule of claims of many channels beside calls, deposits and withdrawals. */
export interface ClaimsFaults {
  readonly steps: number
  readonly node?: boolean
  /** Answers of the facilitator are lost. */
  readonly replies?: boolean
  /** The claim of a channel fails in each simulation. */
  readonly bad?: boolean
}

export const ALL_CLAIMS_FAULTS: ClaimsFaults = { steps: 12, node: true, replies: true, bad: true }

const EPOCH_MS = 1_800_000_000_000
const UNIT = 1_000n
const CLAIM_EVERY_MS = 6 * 3_600_000
const LARGEST_BATCH = 16
/** Channels of which nothing can be claimed may spread the others over more batches. */
const SPREAD = 2
const { channelIdOf } = channelDigests(BASE)

/** A channel in the contract, and what its payer has signed for. */
interface Channel {
  readonly id: string
  charged: bigint
  balance: bigint
  claimed: bigint
  withdrawAt: number
  isBad: boolean
}

interface Claim {
  readonly voucher: { readonly channel: ChannelConfig; readonly maxClaimableAmount: string }
  readonly signature: string
  readonly totalClaimed: string
}

interface World {
  readonly channels: Map<string, Channel>
  readonly events: ChannelEvent[]
  paidOut: bigint
  /** Batches that were received in the present run. */
  claims: number
  ask(): void
  reply(apply: () => boolean): SettleResponse
}

export interface ClaimsSimulation {
  readonly service: ChannelService
  world: World
  close(): Promise<void>
}

export async function openClaimsSimulation(): Promise<ClaimsSimulation> {
  const world = (): World => simulation.world
  const claimed = () => [...world().channels.values()].reduce((sum, each) => sum + each.claimed, 0n)
  const service = await openChannelService({
    unit: UNIT,
    epochMs: EPOCH_MS,
    ports: () => ({
      settle: async (_, payment, requirements) => {
        const wrong = wrongInEnvelope(service, payment, requirements)
        if (wrong !== null) throw new Broken(wrong)
        return settle(world(), payment.payload as { readonly type: string }, claimed)
      },
      state: (id) => {
        world().ask()
        const { balance, claimed: totalClaimed, withdrawAt } = world().channels.get(id) as Channel
        return { balance, totalClaimed, refundNonce: 0n, withdrawRequestedAt: withdrawAt }
      },
      claimed: () => {
        world().ask()
        return claimed()
      },
      report: (event) => void world().events.push(event),
      isUsed: () => false,
      paidOut: () => world().paidOut,
      head: () => ({ number: 100n, timestamp: Math.floor(service.nowMs / 1000) }),
      balance: () => 0n,
      admits: () => 'admitted',
      pausedBy: () => null,
      timing: { proofWaitMs: 0, proofLookMs: 0 },
      monotonicMs: () => 0,
    }),
  })
  const simulation = { service, world: newWorld(), close: () => service.close() }
  return simulation
}

const newWorld = (): World => ({
  ...{ channels: new Map(), events: [], paidOut: 0n, claims: 0 },
  ask: () => {},
  reply: () => {
    throw new Error('no reply')
  },
})

/** Receives what a run of the loop sends: claims, and a payout of what was claimed. */
function settle(world: World, payload: { readonly type: string }, claimed: () => bigint): SettleResponse {
  if (payload.type === 'settle')
    return world.reply(() => {
      world.paidOut = claimed()
      return true
    })
  const { claims, claimAuthorizerSignature } = payload as unknown as {
    claims: readonly Claim[]
    claimAuthorizerSignature: string
  }
  const named = claims.map((claim) => ({ claim, id: channelIdOf(lowerCase(claim.voucher.channel)) }))
  if (claims.length === 0 || claims.length > LARGEST_BATCH) throw new Broken('a batch of another size')
  if (new Set(named.map(({ id }) => id)).size < named.length)
    throw new Broken('a batch names a channel twice')
  const message = named.map(({ claim: { voucher, totalClaimed }, id }) => ({
    ...{ channelId: id, maxClaimableAmount: voucher.maxClaimableAmount, totalClaimed },
  }))
  if (claimAuthorizerSignature !== signatureOver('ClaimBatch', { claims: message }))
    throw new Broken('a batch is not signed for')
  world.claims += 1
  return world.reply(() => {
    const all = named.map(({ claim, id }) => ({ claim, channel: world.channels.get(id) as Channel }))
    if (all.some(({ channel }) => channel.isBad)) return false
    for (const { claim, channel } of all) {
      const total = BigInt(claim.totalClaimed)
      if (
        claim.signature !== `${channel.charged}` ||
        BigInt(claim.voucher.maxClaimableAmount) !== channel.charged
      )
        throw new Broken('a claim is for another voucher')
      if (total !== claimableOf(channel)) throw new Broken('a claim is for another sum')
      if (total <= channel.claimed) throw new Broken('a claim takes nothing')
      channel.claimed = total
    }
    return true
  })
}

/** A batch that fails is halved: of each level that leads to a bad channel, both halves are sent. */
const mostClaims = (count: number, bad: number): number => {
  const batches = Math.ceil(count / LARGEST_BATCH)
  const levels = Math.ceil(Math.log2(Math.max(1, Math.min(count, LARGEST_BATCH))))
  return (batches === 1 ? 1 : SPREAD * batches) + 2 * bad * levels
}

const claimableOf = ({ charged, balance }: Channel): bigint => (charged < balance ? charged : balance)

/** Runs one schedule of claims; null when every promise was kept. */
export const runClaimsSchedule = (
  simulation: ClaimsSimulation,
  choices: Choices,
  faults: ClaimsFaults,
): Promise<Finding | null> => findingOf(new ClaimsSchedule(simulation, choices, faults))

class ClaimsSchedule implements Playable {
  readonly trace: string[] = []
  readonly #service: ChannelService
  readonly #choices: Choices
  readonly #faults: ClaimsFaults
  readonly #world: World
  #lastClaimMs: number | null = null
  #healing = false
  #hasFaults = false
  #broken: Broken | null = null

  constructor(simulation: ClaimsSimulation, choices: Choices, faults: ClaimsFaults) {
    this.#service = simulation.service
    this.#choices = choices
    this.#faults = faults
    this.#world = Object.assign(newWorld(), { ask: this.#ask, reply: this.#reply })
    simulation.world = this.#world
    simulation.service.reset(() => false)
  }

  async run(): Promise<void> {
    const { pick, rarely } = this.#choices
    const count = rarely(4) ? 17 + pick(20) : 1 + pick(5)
    for (let index = 0; index < count; index += 1) await this.#open(index)
    for (let step = 0; step < this.#faults.steps; step += 1) {
      if (pick(2) === 0) await this.#maintain()
      else await this.#disturb()
    }
  }

  async #open(index: number): Promise<void> {
    const { pick, rarely } = this.#choices
    const name = (index + 1).toString(16)
    const config = {
      ...{ payer: `0x${name.padStart(40, 'c')}`, payerAuthorizer: `0x${name.padStart(40, 'c')}` },
      ...{ receiver: `0x${'b'.repeat(40)}`, receiverAuthorizer: `0x${'a'.repeat(40)}` },
      ...{
        token: BASE.token.address.toLowerCase(),
        withdrawDelay: 86_400,
        salt: `0x${name.padStart(64, '0')}`,
      },
    }
    const id = channelIdOf(config)
    const charged = BigInt(1 + pick(4)) * UNIT
    const balance = charged + BigInt(pick(3)) * UNIT
    const channel = { id, charged, balance, claimed: 0n, withdrawAt: 0, isBad: false }
    this.#world.channels.set(id, channel)
    // What was claimed of a channel that an older copy of the store does not know.
    if (rarely(8)) {
      channel.claimed = charged
      return
    }
    const now = this.#service.nowMs
    await this.#service.ledger.openChannel({
      ...{ id, config, charged, balance, totalClaimed: 0n, refundNonce: 0n, withdrawRequestedAt: 0 },
      ...{ readAt: now, openedAt: now, signature: `${charged}` },
      lastCall: {
        ...{ amount: UNIT, surface: 'rest', checkType: 'iban', ruleset: '', shape: 'single', items: 1 },
        ...{ salt: null, binding: null, bindingKey: null, chargedAt: now, transaction: null },
      },
    })
  }

  readonly #ask = (): void => {
    if (this.#healing || this.#faults.node !== true || !this.#choices.rarely(40)) return
    this.#hasFaults = true
    throw new ChainUnavailable('told to fail')
  }

  readonly #reply = (apply: () => boolean): SettleResponse => {
    const kind = this.#healing || this.#faults.replies !== true ? 0 : this.#choices.pick(6)
    try {
      const isDone = kind === 2 || apply()
      if (kind === 1 || kind === 2) {
        this.#hasFaults = true
        throw new Error('no reply in time')
      }
      const answer = { transaction: `0x${'ab'.repeat(32)}`, network: BASE.id } as const
      if (isDone) return { success: true, ...answer }
      return { success: false, ...answer, transaction: '', errorReason: SIMULATION_FAILED }
    } catch (error) {
      if (error instanceof Broken) this.#broken ??= error
      throw error
    }
  }

  #rows(): Promise<readonly ChannelRow[]> {
    return this.#service.ledger.listChannels(1_000)
  }

  async #disturb(): Promise<void> {
    const { pick } = this.#choices
    const rows = await this.#rows()
    const row = rows[pick(Math.max(1, rows.length))]
    const ms = [1_000, 61_000, 3_600_000, CLAIM_EVERY_MS][pick(4)] as number
    if (row === undefined) return
    const channel = this.#world.channels.get(row.id) as Channel
    switch (pick(5)) {
      case 0:
        this.trace.push(`time passes: ${ms}`)
        this.#service.nowMs += ms
        return
      case 1: {
        if (channel.charged >= channel.balance || channel.withdrawAt > 0) return
        await this.#charge(channel, row)
        return
      }
      case 2:
        channel.balance += UNIT
        return
      case 3:
        if (channel.withdrawAt > 0) this.#leave(channel)
        else if (channel.balance > channel.claimed) {
          channel.withdrawAt = Math.floor(this.#service.nowMs / 1000)
          this.trace.push(`${row.id.slice(0, 6)} begins to withdraw`)
        }
        return
      default:
        if (this.#faults.bad === true) channel.isBad = !channel.isBad
    }
  }

  #leave(channel: Channel): void {
    this.trace.push(`${channel.id.slice(0, 6)} takes out what is not claimed`)
    Object.assign(channel, { balance: channel.claimed, withdrawAt: 0 })
  }

  /** One run of the loop, held against what was to be done. */
  async #maintain(isAsked = this.#choices.rarely(4)): Promise<void> {
    const { channels, events } = this.#world
    const at = this.#service.nowMs
    // A channel that is used up is read again at its next call.
    const seen = (await this.#rows()).filter((row) => row.balance > row.totalClaimed)
    const open = seen.map((row) => channels.get(row.id) as Channel)
    const left = open.filter((each) => claimableOf(each) > each.claimed)
    const leaving = seen.filter(
      (row) => row.withdrawRequestedAt === 0 && (channels.get(row.id) as Channel).withdrawAt > 0,
    )
    const lost = seen.filter(
      (row) => row.charged <= row.balance && row.charged > (channels.get(row.id) as Channel).balance,
    )
    const isUrgent = left.some(({ withdrawAt }) => withdrawAt > 0)
    const isFirst = this.#lastClaimMs === null
    const isScheduled = !isFirst && at - (this.#lastClaimMs as number) >= CLAIM_EVERY_MS
    this.#hasFaults = false
    this.#world.claims = 0
    events.length = 0
    this.trace.push(`the loop runs${isAsked ? ', as asked' : ''}`)
    const report = await this.#service.maintain(0, isAsked)
    if (this.#broken !== null) throw this.#broken
    if (report === null) throw new Broken('a run does not begin, and no other process has its turn')
    const isDue = isAsked || isUrgent || isScheduled
    if (isFirst || isScheduled) this.#lastClaimMs = at
    if (!isDue && !this.#wasDueInVain && this.#world.claims > 0)
      throw new Broken('a claim is sent before its time')
    if (this.#hasFaults) {
      this.#wasDueInVain ||= isDue
      this.#lastClaimMs = null
      await this.#forgetSchedule()
      return
    }
    // It is not known whether the run that failed had sent its claims.
    const isOpen = this.#wasDueInVain && !isDue
    this.#wasDueInVain = false
    const bad = left.filter(({ isBad }) => isBad)
    if (isDue) this.#judgeClaims(left, bad, report)
    if (this.#world.claims > mostClaims(left.length, bad.length))
      throw new Broken('more claims are sent than it takes')
    await this.#judgeFigures(seen)
    const counted = (name: ChannelEvent) => events.filter((event) => event === name).length
    if (!isOpen && counted('channel_claim_failed') !== (isDue ? bad.length : 0))
      throw new Broken('failed claims are not reported')
    if (counted('channel_voucher_lost') !== lost.length) throw new Broken('a lost voucher is not reported')
    if (counted('channel_withdrawal_seen') !== leaving.length)
      throw new Broken('a withdrawal is not reported')
  }

  #wasDueInVain = false

  /** After a run that failed half way it is not known whether the claims of its time were sent. */
  async #forgetSchedule(): Promise<void> {
    const said = await this.#service.ledger.findFact('channels-claimed-at')
    if (said !== null) this.#lastClaimMs = Number(said)
  }

  #judgeClaims(
    left: readonly Channel[],
    bad: readonly Channel[],
    { claimed, failed }: { readonly claimed: number; readonly failed: number },
  ): void {
    if (left.some((each) => !each.isBad && each.claimed < claimableOf(each)))
      throw new Broken('a run leaves out a channel that could be claimed')
    if (failed !== bad.length || claimed !== left.length - bad.length)
      throw new Broken('a run counts other claims than were made')
    const all = [...this.#world.channels.values()].reduce((sum, each) => sum + each.claimed, 0n)
    if (this.#world.paidOut !== all) throw new Broken('what was claimed is not paid out')
  }

  /** The rows say what the contract says, and the sums of the loop are those of the rows. */
  async #judgeFigures(seen: readonly ChannelRow[]): Promise<void> {
    const { channels } = this.#world
    let known = 0n
    for (const row of await this.#rows()) {
      const { balance, claimed, withdrawAt } = channels.get(row.id) as Channel
      known += row.totalClaimed
      const wasOpen = seen.some(({ id }) => id === row.id)
      if (!wasOpen) continue
      if (row.balance !== balance || row.totalClaimed !== claimed || row.withdrawRequestedAt !== withdrawAt)
        throw new Broken('a row knows of other money in its channel')
    }
    const strange = [...channels.values()].reduce((sum, each) => sum + each.claimed, 0n) - known
    const said = this.#service.claimedWithoutRow(0)
    if (said === null || said > strange) throw new Broken('a claim counts as of a channel without a row')
    if (said < strange && seen.length === channels.size) throw new Broken('a claim without a row is left out')
  }

  /** Everything is claimed in the end but what its payer has taken out. */
  async heal(): Promise<void> {
    this.#healing = true
    this.trace.push('everything heals')
    for (const channel of this.#world.channels.values()) channel.isBad = false
    for (let round = 0; round < 2; round += 1) await this.#tendAfter(CLAIM_EVERY_MS)
    // One millisecond before its time a claim is not sent, and then it is.
    await this.#chargeOne()
    await this.#tendAfter(1)
    await this.#tendAfter(CLAIM_EVERY_MS - 2)
    await this.#tendAfter(1)
    for (const { id, balance, totalClaimed } of await this.#rows()) {
      if (balance === totalClaimed) continue
      const channel = this.#world.channels.get(id) as Channel
      if (channel.claimed < claimableOf(channel)) throw new Broken('what is charged is not claimed')
    }
  }

  async #tendAfter(ms: number): Promise<void> {
    this.#service.nowMs += ms
    await this.#maintain(false)
  }

  /** One more call of a channel that covers it, if there is one. */
  async #chargeOne(): Promise<void> {
    for (const row of await this.#rows()) {
      const channel = this.#world.channels.get(row.id) as Channel
      if (channel.charged >= channel.balance || channel.withdrawAt > 0) continue
      await this.#charge(channel, row)
      return
    }
  }

  async #charge(channel: Channel, row: ChannelRow): Promise<void> {
    channel.charged += UNIT
    const { charged } = channel
    await this.#service.ledger.moveChannel(row, { charged, signature: `${charged}`, calls: row.calls + 1 })
  }
}

const SIMULATION_FAILED = 'invalid_batch_settlement_evm_claim_simulation_failed'
