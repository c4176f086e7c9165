import { isDeepStrictEqual } from 'node:util'
import type { SettleResponse } from '@x402/core/types'
import type { ChannelConfig, ChannelRow } from '../../src/ledger/channels/channel-row.ts'
import { ChainUnavailable } from '../../src/payments/chain/chain-reader.ts'
import type { ChannelEvent } from '../../src/payments/channels/channel-context.ts'
import { BASE } from '../../src/payments/networks/base.ts'
import { type ChannelService, openChannelService, signatureOver } from '../model/channel-service.ts'
import { wrongInEnvelope } from './channel-wire.ts'
import { FacilitatorFault } from './service.ts'
import { type Claim, SimulatedContract, type Transaction } from './simulated-contract.ts'
import type { Stage } from './stage.ts'

/** One price, in atomic units: of it five may be charged and not claimed. */
const UNIT = 1_000_000n
/** Prices that last for any schedule. */
export const MUCH = 1_000_000
const EPOCH_MS = 1_800_000_000_000

/** What a schedule decides of the world; made new for each. */
export interface ChannelWorld {
  contract: SimulatedContract
  /** Milliseconds on the clock that sleeps and waits go by. */
  elapsedMs: number
  /** What a node shows that stands still; null while it shows the chain. */
  standing: ReturnType<SimulatedContract['view']> | null
  isPaused: boolean
  /** What the payer has, in prices. */
  money: number
  account: 'admitted' | 'on_credit' | 'account_exceeded'
  /** Whether the payer is a contract. */
  hasCode: boolean
  /** Nothing else goes on, so that an act that changes nothing is one in vain. */
  isQuiet: boolean
  /** What was reported. */
  readonly events: ChannelEvent[]
  /** Kinds of the acts that a facilitator received. */
  readonly acts: string[]
  /** What was wrong with an act that a facilitator received. */
  readonly wrong: string[]
}

export interface ChannelSimulation {
  readonly service: ChannelService
  readonly world: ChannelWorld
  /** An empty store, processes that were just started, and a new world. */
  reset(): void
  close(): Promise<void>
}

interface WireClaim {
  readonly voucher: { readonly channel: ChannelConfig; readonly maxClaimableAmount: string }
  readonly signature: string
  readonly totalClaimed: string
}

interface Payload {
  readonly type: string
  readonly channelConfig: ChannelConfig
  readonly voucher: { readonly maxClaimableAmount: string }
  readonly deposit: {
    readonly authorization: {
      readonly erc3009Authorization: { readonly salt: string; readonly validBefore: string }
    }
  }
  readonly claims?: readonly WireClaim[]
  readonly amount: string
  readonly refundNonce: string
  readonly claimAuthorizerSignature?: string
  readonly refundAuthorizerSignature?: string
}

export const pricesOf = (amount: string | bigint): number => Number(BigInt(amount) / UNIT)

/** The sum of the next call, in prices. */
export const nextSum = (row: ChannelRow | null, { contract }: ChannelWorld): number =>
  Math.max(pricesOf(row?.charged ?? 0n), contract.claimed) + 1

const claimOf = ({ voucher, signature, totalClaimed }: WireClaim): Claim => ({
  total: pricesOf(totalClaimed),
  most: pricesOf(voucher.maxClaimableAmount),
  signature,
})

/** The code of payment channels for two replicas, in a world that schedules decide. */
export async function openChannelSimulation(): Promise<ChannelSimulation> {
  const newWorld = (): ChannelWorld => ({
    contract: new SimulatedContract((amount) => service.signatureOf(BigInt(amount) * UNIT)),
    elapsedMs: 0,
    standing: null,
    isPaused: false,
    money: MUCH,
    account: 'admitted',
    ...{ hasCode: false, isQuiet: false, events: [], acts: [] },
    wrong: [],
  })
  const shown = () => world.standing ?? world.contract.view()
  const seconds = () => Math.floor(service.nowMs / 1000)

  const transactionOf = (payload: Payload): Transaction => {
    const [claim] = payload.claims ?? []
    if (payload.type === 'claim') return { what: 'claim', claim: claimOf(claim as WireClaim) }
    const voucher = pricesOf(payload.voucher.maxClaimableAmount)
    if (payload.type === 'refund')
      return {
        ...{ what: 'refund', voucher, nonce: Number(payload.refundNonce), amount: pricesOf(payload.amount) },
        claim: claim === undefined ? null : claimOf(claim),
      }
    const { salt, validBefore } = payload.deposit.authorization.erc3009Authorization
    const deposit = { salt: Number(BigInt(salt)), validBefore: Number(validBefore) }
    return { what: 'deposit', nonce: service.nonceOf(deposit), voucher, validBefore: deposit.validBefore }
  }

  /** An act that is not signed over what it says would revert at our cost. */
  const requireSigned = ({ type, claims = [], ...act }: Payload): void => {
    const channelId = service.channelId
    const message = {
      claims: claims.map(({ voucher: { maxClaimableAmount }, totalClaimed }) => ({
        ...{ channelId, maxClaimableAmount, totalClaimed },
      })),
    }
    const forClaims = claims.length > 0 ? signatureOver('ClaimBatch', message) : undefined
    const { refundNonce, amount } = act
    const forRefund =
      type === 'refund' ? signatureOver('Refund', { channelId, nonce: refundNonce, amount }) : undefined
    if (act.claimAuthorizerSignature !== forClaims || act.refundAuthorizerSignature !== forRefund)
      world.wrong.push(`a ${type} is not signed for`)
  }

  /** What reaches a facilitator is what the payer has signed, for its own channel. */
  const requireOwn = (payload: Payload): void => {
    const { config, channelId } = service
    const { type, claims = [], channelConfig, voucher } = payload
    const configs = claims.map((claim) => claim.voucher.channel)
    if (type !== 'claim') configs.push(channelConfig)
    if (configs.some((each) => !isDeepStrictEqual(each, config)))
      world.wrong.push(`a ${type} is for another channel`)
    const sum = BigInt(type === 'claim' ? 0 : voucher.maxClaimableAmount)
    const signed = { channelId, maxClaimableAmount: String(sum), signature: service.signatureOf(sum) }
    if (type !== 'claim' && !isDeepStrictEqual(voucher, signed))
      world.wrong.push(`a ${type} has another voucher`)
    if (type !== 'deposit') return
    const sent = service.sentDeposit(BigInt(payload.deposit.authorization.erc3009Authorization.salt))
    if (!isDeepStrictEqual(payload.deposit, sent)) world.wrong.push('a deposit is not as it was signed')
  }

  /** Of a channel on which nothing else goes on. */
  const requireUse = ({ type, claims = [] }: Payload): void => {
    const { claimed, paidOut } = world.contract
    if (claims.some(({ totalClaimed }) => pricesOf(totalClaimed) <= claimed))
      world.wrong.push('a claim takes nothing')
    if (type === 'settle' && paidOut === claimed) world.wrong.push('a payout pays nothing')
  }

  /** Receives a settlement, and replies later, as the schedule says. */
  const settle = async (stage: Stage, replica: number, payload: Payload): Promise<SettleResponse> => {
    const done: SettleResponse = { success: true, transaction: `0x${'ab'.repeat(32)}`, network: BASE.id }
    world.acts.push(payload.type)
    if (world.isQuiet) requireUse(payload)
    if (payload.type === 'settle') {
      world.contract.paidOut = world.contract.claimed
      return done
    }
    requireOwn(payload)
    requireSigned(payload)
    const name = payload.type
    const transaction = transactionOf(payload)
    await stage.call({ replica, port: 'settle', name, args: [transaction] }, () => {
      world.contract.air.push(transaction)
    })
    const replies: (SettleResponse | Error)[] = []
    const choose = (chosen: SettleResponse | Error) => replies.push(chosen)
    await stage.call({ replica, port: 'reply', name, args: [transaction, choose, done] }, () => {})
    const [reply = new FacilitatorFault('unknown', 'no reply')] = replies
    if (reply instanceof Error) throw reply
    return reply
  }

  const service = await openChannelService({
    unit: UNIT,
    epochMs: EPOCH_MS,
    ports: (stage) => ({
      settle: (replica, payment, requirements) => {
        const wrong = wrongInEnvelope(service, payment, requirements)
        if (wrong !== null) world.wrong.push(wrong)
        return settle(stage(), replica, payment.payload as unknown as Payload)
      },
      report: (event) => void world.events.push(event),
      state: () => {
        const { balance, claimed, nonce, withdrawAt } = shown()
        return {
          balance: BigInt(balance) * UNIT,
          totalClaimed: BigInt(claimed) * UNIT,
          refundNonce: BigInt(nonce),
          withdrawRequestedAt: withdrawAt,
        }
      },
      claimed: () => BigInt(shown().claimed) * UNIT,
      isUsed: (nonce) => shown().used.has(nonce),
      paidOut: () => BigInt(shown().paidOut) * UNIT,
      head: () => {
        // A head that stands still is not told apart by its number: its time is what a deposit's end is held against.
        if (world.standing !== null) throw new ChainUnavailable('the node stands still')
        return { number: 100n, timestamp: seconds() }
      },
      balance: () => BigInt(world.money) * UNIT,
      hasCode: () => world.hasCode,
      admits: () => world.account,
      pausedBy: () => (world.isPaused ? 'facilitator_unavailable' : null),
      timing: { proofWaitMs: 1_000, proofLookMs: 500 },
      monotonicMs: () => world.elapsedMs,
    }),
  })
  let world = newWorld()
  return {
    service,
    get world() {
      return world
    },
    reset() {
      world = newWorld()
      service.reset()
    },
    close: () => service.close(),
  }
}
