import type { Hex } from 'viem'
import {
  type AuthorizationTrace,
  type Block,
  type ChainReader,
  ChainUnavailable,
  type LogPlace,
} from '../../src/payments/chain/chain-reader.ts'

/** What an authorization was used for. */
export type Use = 'paid' | 'foreign' | 'canceled'

interface Used {
  readonly use: Use
  readonly block: number
  readonly transaction: Hex
  readonly amount: bigint
}

const TRANSACTION_CHARACTERS = 64
const BLOCK_SECONDS = 2

/** A token on a chain, reduced to what a sale reads of it; its blocks are made when the schedule says so. */
export class SimulatedChain {
  readonly #stamps: number[]
  readonly #used = new Map<string, Used>()
  readonly #validBefore = new Map<string, number>()
  readonly #balances = new Map<string, bigint>()
  #transactions = 0

  /** `seconds` is the time stamp of the newest block there is at the beginning. */
  constructor(seconds: number) {
    this.#stamps = Array.from({ length: 50 }, (_, index) => seconds - (49 - index) * BLOCK_SECONDS)
  }

  get head(): Block {
    return { number: BigInt(this.#stamps.length - 1), timestamp: this.#stamps.at(-1) as number }
  }

  /** Makes a block with this time stamp, or with the stamp of its parent if that is later. */
  mine(seconds: number): void {
    this.#stamps.push(Math.max(seconds, this.#stamps.at(-1) as number))
  }

  allow(payer: Hex, nonce: Hex, validBefore: number, balance: bigint): void {
    this.#validBefore.set(keyOf(payer, nonce), validBefore)
    if (!this.#balances.has(payer)) this.#balances.set(payer, balance)
  }

  /** Uses an authorization in a block of its own, as the token would; false when the token refuses it. */
  use(payer: Hex, nonce: Hex, use: Use, amount: bigint, seconds: number): boolean {
    const key = keyOf(payer, nonce)
    const balance = this.#balances.get(payer) ?? 0n
    if (this.#used.has(key)) return false
    if (use !== 'canceled' && (this.#validBefore.get(key) ?? 0) <= Math.max(seconds, this.head.timestamp))
      return false
    if (use !== 'canceled' && balance < amount) return false
    this.mine(seconds)
    this.#transactions += 1
    const transaction: Hex = `0x${this.#transactions.toString(16).padStart(TRANSACTION_CHARACTERS, '0')}`
    this.#used.set(key, { use, block: this.#stamps.length - 1, transaction, amount })
    if (use !== 'canceled') this.#balances.set(payer, balance - amount)
    return true
  }

  usedFor(payer: Hex, nonce: Hex): Use | null {
    return this.#used.get(keyOf(payer, nonce))?.use ?? null
  }

  /** The transaction that used an authorization. */
  transactionOf(payer: Hex, nonce: Hex): Hex | null {
    return this.#used.get(keyOf(payer, nonce))?.transaction ?? null
  }

  /** The chain up to a block, as a node shows it that has not seen the later ones. */
  reader(newest: () => bigint = () => this.head.number): ChainReader {
    const block = (number: bigint): Block => {
      const timestamp = number > newest() ? undefined : this.#stamps[Number(number)]
      if (timestamp === undefined) throw new ChainUnavailable('no such block')
      return { number, timestamp }
    }
    const usedAt = (payer: Hex, nonce: Hex, at: bigint): Used | null => {
      const used = this.#used.get(keyOf(payer, nonce))
      return used !== undefined && BigInt(used.block) <= at ? used : null
    }
    return {
      finalityDepth: 0n,
      head: async () => block(newest()),
      block: async (number) => block(number),
      hasCode: async () => false,
      balance: async (payer) => this.#balances.get(payer) ?? 0n,
      authorizationUsed: async (payer, nonce, atBlock = newest()) => {
        block(atBlock)
        return usedAt(payer, nonce, atBlock) !== null
      },
      trace: async ({ payer, nonce, fromBlock = 0n }): Promise<AuthorizationTrace> => {
        const used = usedAt(payer, nonce, newest())
        if (used === null) return { kind: 'unused' }
        const isSearched = BigInt(used.block) >= fromBlock
        if (isSearched && used.use === 'canceled') return { kind: 'canceled' }
        const places = isSearched ? [this.#placeOf(used)] : []
        const isOurs = used.use === 'paid'
        return { kind: 'used', payments: isOurs ? places : [], elsewhere: isOurs ? [] : places }
      },
      transfersTo: async (_payTo, from, to) => ({
        toBlock: to,
        transfers: [...this.#used].flatMap(([key, used]) => {
          const [payer, nonce] = key.split('/') as [Hex, Hex]
          const isFound = used.use === 'paid' && BigInt(used.block) >= from && BigInt(used.block) <= to
          return isFound ? [{ ...this.#placeOf(used), from: payer, nonce, amount: used.amount }] : []
        }),
      }),
      chainId: async () => 8453,
    }
  }

  #placeOf({ transaction, block }: Used): LogPlace {
    return { transaction, logIndex: 0, blockNumber: BigInt(block) }
  }
}

const keyOf = (payer: string, nonce: string): string => `${payer}/${nonce}`.toLowerCase()
