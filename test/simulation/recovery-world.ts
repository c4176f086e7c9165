import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { Hex } from 'viem'
import type { Ledger } from '../../src/ledger/ledger.ts'
import type { NewPayment } from '../../src/ledger/payments/new-payment.ts'
import type { PaymentRow } from '../../src/ledger/payments/payment-row.ts'
import { toPaymentRow } from '../../src/ledger/payments/payment-row.ts'
import { openSqliteLedger } from '../../src/ledger/sqlite/sqlite-ledger.ts'
import type { Stored } from '../../src/ledger/store/columns.ts'
import {
  type AuthorizationTrace,
  type Block,
  type ChainReader,
  ChainUnavailable,
  type LogPlace,
} from '../../src/payments/chain/chain-reader.ts'
import { BASE } from '../../src/payments/networks/base.ts'
import { AT_ONCE } from './service.ts'

export const EPOCH_MS = 1_800_000_000_000
export const AMOUNT = 1_000n
export const DEPTH = 12n
export const PAYEE = {
  network: BASE.id,
  asset: BASE.token.address.toLowerCase(),
  payTo: `0x${'b'.repeat(40)}`,
} as const

/** What a log of the token says. `plain`: a transfer to the payee without an authorization. */
export interface Use {
  readonly kind: 'paid' | 'elsewhere' | 'canceled' | 'plain'
  readonly payer: string
  readonly nonce: Hex | null
  readonly amount: bigint
  readonly transaction: Hex
  block: bigint
  logIndex: number
}

/** What a node does not show, or shows late. */
export interface Node {
  /** Blocks that an answer may be behind. */
  behind: bigint
  /** Blocks under the head whose logs are not indexed. */
  unindexed: bigint
  /** Blocks under the head of which the state is kept. */
  kept: bigint
  /** Blocks whose transfers it gives in an answer. */
  most: bigint
}

/** A chain whose blocks come at one pace; blocks less deep than the finality depth may be replaced. */
export class PacedChain {
  readonly uses: Use[] = []
  readonly node: Node = { behind: 0n, unindexed: 0n, kept: 10n ** 9n, most: 10n ** 9n }
  readonly #first: bigint
  readonly blockSeconds: number
  readonly #now: () => number

  /** `first`: the number of the newest block at the beginning. */
  constructor(first: bigint, blockSeconds: number, now: () => number) {
    this.#first = first
    this.blockSeconds = blockSeconds
    this.#now = now
  }

  /** UTC milliseconds. */
  get now(): number {
    return this.#now()
  }

  get head(): Block {
    return this.block(this.#first + BigInt(Math.floor((this.#now() - EPOCH_MS) / 1000 / this.blockSeconds)))
  }

  block(number: bigint): Block {
    return { number, timestamp: EPOCH_MS / 1000 + Number(number - this.#first) * this.blockSeconds }
  }

  get final(): Block | null {
    const { number } = this.head
    return number > DEPTH ? this.block(number - DEPTH) : null
  }

  useOf({ payer, nonce }: { readonly payer: string; readonly nonce: string }): Use | undefined {
    return this.uses.find((use) => use.payer === payer && use.nonce === nonce)
  }

  /** The chain as a node shows it; `ask` is called before each answer and gives the number of blocks it is behind. */
  reader(ask: (name: string, nonce?: string) => Promise<bigint>): ChainReader {
    const shown = async (name: string, nonce?: string): Promise<bigint> => {
      const behind = await ask(name, nonce)
      return this.head.number > behind ? this.head.number - behind : 0n
    }
    return {
      finalityDepth: DEPTH,
      head: async () => this.block(await shown('head')),
      block: async (number) => {
        if (number > (await shown('block'))) throw new ChainUnavailable('no such block')
        return this.block(number)
      },
      hasCode: async () => false,
      balance: async () => 0n,
      chainId: async () => BASE.chainId,
      authorizationUsed: async (payer, nonce, at) => {
        const newest = await shown('authorizationUsed', nonce)
        if (at !== undefined && (at > newest || newest - at > this.node.kept))
          throw new ChainUnavailable('no state of this block')
        const use = this.useOf({ payer, nonce })
        return use !== undefined && use.block <= (at ?? newest)
      },
      trace: async (query) => this.#trace(await shown('trace', query.nonce), query),
      transfersTo: async (_, from, to) => {
        if (to > (await shown('transfersTo'))) throw new ChainUnavailable('no such block')
        const toBlock = from + this.node.most - 1n < to ? from + this.node.most - 1n : to
        const transfers = this.uses
          .filter(({ kind, block }) => ['paid', 'plain'].includes(kind) && block >= from && block <= toBlock)
          .map((use) => ({
            ...placeOf(use),
            from: use.payer as Hex,
            amount: use.amount,
            nonce: use.nonce,
          }))
        return { transfers, toBlock }
      },
    }
  }

  #trace(
    newest: bigint,
    { payer, nonce, amount, fromBlock = 0n }: Parameters<ChainReader['trace']>[0],
  ): AuthorizationTrace {
    const use = this.useOf({ payer, nonce })
    if (use === undefined || use.block > newest) return { kind: 'unused' }
    const isFound = use.block >= fromBlock && use.block <= this.head.number - this.node.unindexed
    if (use.kind === 'canceled' && isFound) return { kind: 'canceled' }
    const places = isFound ? [placeOf(use)] : []
    const isOurs = use.kind === 'paid' && use.amount === amount
    return { kind: 'used', payments: isOurs ? places : [], elsewhere: isOurs ? [] : places }
  }
}

const placeOf = ({ transaction, logIndex, block }: Use): LogPlace => ({
  transaction,
  logIndex,
  blockNumber: block,
})

/** A store of its own for rows that no sale works on. */
export interface RecoveryStore {
  readonly ledger: Ledger
  nowMs: number
  /** Empties the store. */
  reset(): void
  forget(row: PaymentRow): void
  rows(): readonly PaymentRow[]
  close(): Promise<void>
}

export async function openRecoveryStore(): Promise<RecoveryStore> {
  const memory = '/dev/shm'
  const dataDir = mkdtempSync(join(existsSync(memory) ? memory : tmpdir(), 'format-checker-recovery-'))
  const clock = { nowMs: EPOCH_MS }
  const ledger = await openSqliteLedger({ dataDir, now: () => clock.nowMs, timing: AT_ONCE })
  const direct = new Database(join(dataDir, 'ledger.sqlite'))
  const rows = direct.prepare('select * from payments order by nonce')
  const forget = direct.prepare('delete from payments where payer = ? and nonce = ?')
  return Object.assign(clock, {
    ledger,
    reset: () => {
      direct.exec('delete from payments; delete from locks; delete from facts')
      clock.nowMs = EPOCH_MS
    },
    forget: ({ payer, nonce }: PaymentRow) => void forget.run(payer, nonce),
    rows: () => (rows.all() as Stored[]).map(toPaymentRow),
    close: async () => {
      direct.close()
      await ledger.close()
      rmSync(dataDir, { recursive: true })
    },
  })
}

/** A claim of one authorization, as a sale writes it. */
export const newPayment = (
  given: Pick<NewPayment, 'payer' | 'nonce' | 'claimedAt' | 'claimedBlock' | 'validBefore'> &
    Partial<NewPayment>,
): NewPayment => ({
  ...{ network: PAYEE.network, asset: PAYEE.asset, payTo: PAYEE.payTo, amount: AMOUNT },
  ...{
    origin: 'sale',
    owner: 'sale',
    leaseUntil: 0,
    surface: 'rest',
    checkType: 'iban',
    ruleset: '',
    shape: 'single',
  },
  ...{ items: 1, salt: Buffer.alloc(16), binding: Buffer.alloc(32), bindingKey: 'hour', signatureMac: null },
  ...{ identifier: null, taskKey: null, settlingAt: given.claimedAt },
  ...given,
})
