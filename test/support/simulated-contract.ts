import type { FacilitatorClient } from '@x402/core/server'
import type { SettleResponse } from '@x402/core/types'
import type { ChannelState } from '../../src/ledger/channels/channel-row.ts'
import type { ChainReader } from '../../src/payments/chain/chain-reader.ts'
import { ChainUnavailable } from '../../src/payments/chain/chain-reader.ts'
import type { ChannelReader } from '../../src/payments/channels/chain/channel-reader.ts'
import { depositNonce } from '../../src/payments/channels/voucher/digests.ts'
import { NETWORK } from './channel-chain.ts'

/** What becomes of one settlement: whether it lands, and whether its answer arrives. */
export interface SettleFault {
  readonly lands: boolean
  readonly says: 'truth' | 'nothing' | { readonly errorReason: string; readonly transaction?: unknown }
  readonly node?: 'goes down'
}

const UNOPENED: ChannelState = { balance: 0n, totalClaimed: 0n, refundNonce: 0n, withdrawRequestedAt: 0 }
const FAILED = 'invalid_batch_settlement_evm_claim_simulation_failed'

interface WireClaim {
  readonly voucher: { readonly channel: Owned; readonly maxClaimableAmount: string }
  readonly totalClaimed: string
}

interface Owned {
  readonly payer: string
  readonly salt: string
}

/** Tells channels apart; buyers of the command line all have the same salt. */
const ownerOf = ({ payer, salt }: Owned) => `${payer.toLowerCase()}/${salt}`

/** The settlement contract's rules in memory, behind a facilitator that misbehaves as planned. */
export function simulatedContract(payTo: string) {
  const states = new Map<string, ChannelState>()
  const ids = new Map<string, string>()
  const used = new Set<string>()
  const faults: SettleFault[] = []
  const sent: string[] = []
  let settled = 0n
  let seconds = 0
  const world = {
    isDown: false,
    /** The node shows the chain as it was before every deposit. */
    isBehind: false,
    /** Payers whose authorizations the node says nothing of, lower-case. */
    unanswered: new Set<string>(),
    unclaimable: new Set<string>(),
    claimedElsewhere: 0n,
    /** Addresses with code, lower-case. */
    wallets: new Set<string>(),
  }
  const stateOf = (id: string) => states.get(id) ?? UNOPENED

  const deposit = (payload: Record<string, never>): boolean => {
    const {
      voucher,
      deposit: given,
      channelConfig,
    } = payload as never as {
      voucher: { channelId: string }
      channelConfig: Owned
      deposit: { amount: string; authorization: { erc3009Authorization: { salt: string } } }
    }
    const nonce = depositNonce(voucher.channelId, BigInt(given.authorization.erc3009Authorization.salt))
    const key = `${channelConfig.payer.toLowerCase()}/${nonce}`
    if (used.has(key)) return false
    used.add(key)
    ids.set(ownerOf(channelConfig), voucher.channelId)
    const state = stateOf(voucher.channelId)
    states.set(voucher.channelId, { ...state, balance: state.balance + BigInt(given.amount) })
    return true
  }
  const claim = (claims: readonly WireClaim[]): boolean => {
    const planned = claims.map((each) => {
      const id = ids.get(ownerOf(each.voucher.channel)) ?? ''
      return {
        id,
        state: stateOf(id),
        total: BigInt(each.totalClaimed),
        most: BigInt(each.voucher.maxClaimableAmount),
      }
    })
    if (
      planned.some(
        ({ id, state, total, most }) => total > state.balance || total > most || world.unclaimable.has(id),
      )
    )
      return false
    for (const { id, state, total } of planned)
      if (total > state.totalClaimed) states.set(id, { ...state, totalClaimed: total })
    return true
  }
  const refund = (payload: Record<string, never>): boolean => {
    const { voucher, claims, amount, refundNonce } = payload as never as {
      voucher: { channelId: string }
      claims: readonly WireClaim[]
      amount: string
      refundNonce: string
    }
    const before = stateOf(voucher.channelId)
    if (BigInt(refundNonce) !== before.refundNonce || !claim(claims)) return false
    const state = stateOf(voucher.channelId)
    const left = state.balance - state.totalClaimed
    const paid = BigInt(amount) < left ? BigInt(amount) : left
    states.set(voucher.channelId, {
      ...state,
      balance: state.balance - paid,
      refundNonce: state.refundNonce + 1n,
    })
    return true
  }
  const apply = (payload: Record<string, never>): boolean => {
    switch (String(payload.type)) {
      case 'deposit':
        return deposit(payload)
      case 'claim':
        return claim(payload.claims as never)
      case 'refund':
        return refund(payload)
      default:
        settled =
          world.claimedElsewhere +
          [...states.values()].reduce((sum, { totalClaimed }) => sum + totalClaimed, 0n)
        return true
    }
  }
  const facilitator = {
    verify: async () => ({ isValid: true }),
    getSupported: async () => ({ kinds: [], extensions: [], signers: {} }),
    settle: async ({ payload }: { payload: Record<string, never> }): Promise<SettleResponse> => {
      sent.push(String(payload.type))
      const fault: SettleFault = faults.shift() ?? { lands: true, says: 'truth' }
      const landed = fault.lands && apply(payload)
      if (fault.node !== undefined) world.isDown = true
      if (fault.says === 'nothing') throw new Error('the connection was lost')
      const failed = { success: false, transaction: '', network: NETWORK } as const
      if (fault.says !== 'truth') return { ...failed, ...fault.says } as SettleResponse
      return landed
        ? { success: true, transaction: `0x${'ab'.repeat(32)}`, network: NETWORK }
        : { ...failed, errorReason: FAILED }
    },
  } as unknown as FacilitatorClient
  const look = async <T>(answer: () => T): Promise<T> => {
    if (world.isDown) throw new ChainUnavailable('the node is down')
    return answer()
  }
  const reader: ChannelReader = {
    state: (id) => look(() => (world.isBehind ? UNOPENED : stateOf(id))),
    payee: (receiver) =>
      look(() => {
        if (receiver.toLowerCase() !== payTo.toLowerCase()) return { claimed: 0n, settled: 0n }
        const known = [...states.values()].reduce((sum, { totalClaimed }) => sum + totalClaimed, 0n)
        return { claimed: world.claimedElsewhere + known, settled }
      }),
    hasContract: async () => true,
  }
  const chain = {
    finalityDepth: 0n,
    balance: () => look(() => 1_000_000_000n),
    hasCode: (address: string) => look(() => world.wallets.has(address.toLowerCase())),
    authorizationUsed: (payer: string, nonce: string) =>
      look(() => {
        if (world.unanswered.has(payer.toLowerCase())) throw new ChainUnavailable('no answer')
        return !world.isBehind && used.has(`${payer.toLowerCase()}/${nonce}`)
      }),
    head: () => look(() => ({ number: 100n, timestamp: seconds })),
    block: () => look(() => ({ number: 100n, timestamp: seconds })),
  } as unknown as ChainReader
  return {
    world,
    facilitator,
    reader,
    chain,
    faults,
    /** What was asked of the facilitator, in order. */
    sent,
    state: stateOf,
    change: (id: string, change: Partial<ChannelState>) => states.set(id, { ...stateOf(id), ...change }),
    settled: () => settled,
    /** The chain's clock, UTC seconds. */
    setTime: (to: number) => {
      seconds = to
    },
  }
}
