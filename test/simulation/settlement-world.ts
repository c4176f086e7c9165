import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { custom, type Hex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { Ledger } from '../../src/ledger/ledger.ts'
import { openSqliteLedger } from '../../src/ledger/sqlite/sqlite-ledger.ts'
import { type Admission, sumTreasury, type TreasuryTotals } from '../../src/ledger/treasury/treasury-row.ts'
import type { Lock } from '../../src/payments/facilitators/self/queue/mutex.ts'
import {
  createLedgerJournal,
  type PendingTransaction,
} from '../../src/payments/facilitators/self/queue/settlement-journal.ts'
import {
  createSelfFacilitator,
  type SelfFacilitator,
} from '../../src/payments/facilitators/self/self-facilitator.ts'
import { persistTransactionHash } from '../../src/payments/facilitators/self/transaction/persist-transaction-hash.ts'
import { reserveName } from '../../src/payments/facilitators/self/treasury/treasury.ts'
import { BASE_CHAIN_ID, TOKEN } from '../../src/sandbox/addresses.ts'
import { dayOf } from '../../src/values/utc-days.ts'
import type { SignedPayment } from '../support/chain-payments.ts'
import { rowFor, rowIn } from '../support/temp-ledger.ts'
import { AT_ONCE } from './service.ts'
import { SimulatedNode } from './simulated-node.ts'
import { type Port, Stage } from './stage.ts'

/** 2027-01-15: every schedule begins at this moment. */
const EPOCH_MS = 1_800_000_000_000
const NETWORK = `eip155:${BASE_CHAIN_ID}`
const KEY: Hex = `0x${'5'.repeat(64)}`
export const SETTLER: PrivateKeyAccount = privateKeyToAccount(KEY)
/** Dollars for one ether. */
export const ETH_USD = 5_000n
/** Wei that a sale may cost: two cents, which a base fee of forty times the lowest one passes. */
export const MAX_COST = 4n * 10n ** 12n
/** Millionths of a dollar: three quarters are six sales at the most that each may cost. */
export const DAILY_LOSS_LIMIT = 160_000n
export const MOST_IN_BATCH = 4
/** Blocks on top of one after which it is not taken back. */
export const FINALITY = 3n

export interface SettlementWorld {
  readonly stage: Stage
  readonly node: SimulatedNode
  /** UTC milliseconds, and milliseconds of the monotonic clocks. */
  nowMs: number
  elapsedMs: number
  /** Hashes that were noted on a row, by payer and nonce. */
  readonly noted: Map<string, Set<string>>
  /** Hashes that were in the journal. */
  readonly journaled: Set<string>
  readonly reserves: AskedReserve[]
}

export function passTime(world: SettlementWorld, ms: number): void {
  world.nowMs += ms
  world.elapsedMs += ms
  world.node.time = Math.floor(world.nowMs / 1000)
}

/** What the operator allows. */
interface Limits {
  /** Wei for a sale. */
  readonly maxCost: bigint
  /** Millionths of a dollar for a day. */
  readonly lossLimit: bigint
}

/** An answer of the store to a reserve for sales. */
export interface AskedReserve {
  readonly payers: readonly string[]
  readonly said: Admission
  /** The first payer has another one under way. */
  readonly isSecond: boolean
}

/** Two processes that settle with one key over one store. */
export interface SettlementSimulation {
  readonly world: SettlementWorld
  reset(limits?: Partial<Limits>): SettlementWorld
  restart(replica: number): void
  facilitator(replica: number): SelfFacilitator
  /** The database lets another process in, though the one with the lock still works. */
  loseLock(): void
  /** A row whose settlement is under way. */
  beginRow(payment: SignedPayment): Promise<void>
  pending(): Promise<readonly PendingTransaction[]>
  /** Of the day by the clock of the world. */
  books(): Promise<TreasuryTotals>
  /** Nonces for whose transaction something is reserved. */
  reservedNonces(): readonly number[]
  close(): Promise<void>
}

export async function openSettlementSimulation(): Promise<SettlementSimulation> {
  const memory = '/dev/shm'
  const dataDir = mkdtempSync(join(existsSync(memory) ? memory : tmpdir(), 'format-checker-settlements-'))
  let world = newWorld()
  let limits: Limits = { maxCost: MAX_COST, lossLimit: DAILY_LOSS_LIMIT }
  const store = await openSqliteLedger({ dataDir, now: () => world.nowMs, timing: AT_ONCE })
  const direct = new Database(join(dataDir, 'ledger.sqlite'))
  const reserves = direct.prepare('select id from treasury_reserves')
  const others = direct.prepare('select payers from treasury_reserves where id <> ?')
  const isUnderWay = (payer: string, but: string) =>
    others.all(but).some((row) => (row as { payers: string }).payers.includes(payer))
  const lock = createTurns()
  const running: SelfFacilitator[] = []
  const processes: Process[] = []

  const start = (replica: number) => {
    running[replica]?.close()
    const process: Process = { replica, hasEnded: false }
    processes[replica] = process
    const { stage, node } = world
    const hold: Hold = (port, name, args, run) =>
      process.hasEnded ? new Promise(() => {}) : stage.call({ replica, port, name, args }, run)
    const ledger = heldLedger(store, world, hold, isUnderWay)
    const request = async ({ method, params }: { method: string; params?: unknown }) =>
      hold('chain', method, (params ?? []) as unknown[], () =>
        node.serve(method, (params ?? []) as unknown[]),
      )
    running[replica] = createSelfFacilitator({
      rpcUrls: [],
      transport: custom({ request }, { retryCount: 0 }),
      clock: {
        now: () => world.nowMs,
        monotonicMs: () => world.elapsedMs,
        sleep: (ms) => hold('sleep', 'sleep', [world.elapsedMs + ms], () => {}),
      },
      account: SETTLER,
      chainId: BASE_CHAIN_ID,
      finalityDepth: FINALITY,
      token: TOKEN,
      maxCost: limits.maxCost,
      batch: { most: MOST_IN_BATCH },
      journal: createLedgerJournal(ledger, SETTLER.address),
      onSigned: persistTransactionHash({ ledger, network: NETWORK, token: TOKEN }),
      lock: lock.of(process),
      treasury: {
        ledger,
        ethUsd: ETH_USD,
        dailyLoss: limits.lossLimit,
        now: () => world.nowMs,
        report: () => {},
      },
    })
    // What is late is offered again when the schedule says so.
    running[replica]?.close()
  }

  return {
    get world() {
      return world
    },
    reset(given = {}) {
      limits = { maxCost: MAX_COST, lossLimit: DAILY_LOSS_LIMIT, ...given }
      direct.exec(
        'delete from payments; delete from facts; delete from treasury; delete from treasury_reserves',
      )
      lock.reset()
      world = newWorld()
      for (let replica = 0; replica < 2; replica += 1) start(replica)
      return world
    },
    restart(replica) {
      const ended = processes[replica] as Process
      ended.hasEnded = true
      world.stage.drop(replica)
      lock.drop(ended)
      start(replica)
    },
    facilitator: (replica) => running[replica] as SelfFacilitator,
    loseLock: lock.lose,
    beginRow: async (payment) => {
      const row = rowFor(payment, { claimedAt: world.nowMs })
      await rowIn(store, row, { state: 'settling', owner: 'a process', leaseUntil: world.nowMs + 30_000 })
    },
    pending: () => createLedgerJournal(store, SETTLER.address).load(),
    books: async () => sumTreasury(await store.treasury(dayOf(world.nowMs), dayOf(world.nowMs))),
    reservedNonces: () =>
      reserves
        .all()
        .map((row) => Number((row as { id: string }).id.slice(reserveName(SETTLER.address, 0).length - 1))),
    close: async () => {
      direct.close()
      await store.close()
      rmSync(dataDir, { recursive: true })
    },
  }
}

const newWorld = (): SettlementWorld => ({
  stage: new Stage(),
  node: new SimulatedNode(SETTLER.address, EPOCH_MS / 1000),
  nowMs: EPOCH_MS,
  elapsedMs: 0,
  noted: new Map(),
  journaled: new Set(),
  reserves: [],
})

interface Process {
  readonly replica: number
  /** It does nothing more, whatever it waited for. */
  hasEnded: boolean
}

type Hold = <T>(port: Port, name: string, args: readonly unknown[], run: () => Promise<T> | T) => Promise<T>

/** A store whose calls wait for the schedule, and that remembers which hashes were written. */
function heldLedger(
  store: Ledger,
  world: SettlementWorld,
  hold: Hold,
  isUnderWay: (payer: string, but: string) => boolean,
): Ledger {
  const watched: Partial<Ledger> = {
    noteSent: async (keys, hash) => {
      const noted = await store.noteSent(keys, hash)
      for (const { payer, nonce } of noted) {
        const key = `${payer}/${nonce}`
        world.noted.set(key, (world.noted.get(key) ?? new Set()).add(hash))
      }
      return noted
    },
    reserve: async (name, purpose, worst, lossLimit) => {
      const said = await store.reserve(name, purpose, worst, lossLimit)
      const [payer, ...others] = purpose.kind === 'sale' ? purpose.payers : []
      if (payer !== undefined)
        world.reserves.push({ payers: [payer, ...others], said, isSecond: isUnderWay(payer, name) })
      return said
    },
    replaceFact: async (name, from, to) => {
      const value = await store.replaceFact(name, from, to)
      if (value === to)
        for (const { hashes } of JSON.parse(to) as PendingTransaction[])
          for (const hash of hashes) world.journaled.add(hash)
      return value
    },
  }
  return new Proxy(store, {
    get(target, name: keyof Ledger) {
      const run = watched[name] ?? target[name]
      if (typeof run !== 'function') return run
      return (...args: unknown[]) =>
        hold('ledger', name, args, () =>
          (run as (...args: unknown[]) => Promise<unknown>).apply(target, args),
        )
    },
  })
}

/** The lock of a database among processes: a process that ends gives it back, and it can be lost. */
function createTurns() {
  let holder: { readonly process: Process } | null = null
  let waiting: { readonly process: Process; readonly go: () => void }[] = []
  const next = () => {
    if (holder === null) waiting.shift()?.go()
  }
  const of =
    (process: Process): Lock =>
    async (work) => {
      if (process.hasEnded) return new Promise(() => {})
      const turn = { process }
      await new Promise<void>((resolve) => {
        waiting.push({
          process,
          go: () => {
            holder = turn
            resolve()
          },
        })
        next()
      })
      try {
        return await work()
      } finally {
        if (holder === turn) {
          holder = null
          next()
        }
      }
    }
  return {
    of,
    drop(ended: Process) {
      waiting = waiting.filter(({ process }) => process !== ended)
      if (holder?.process === ended) holder = null
      next()
    },
    lose() {
      holder = null
      next()
    },
    reset() {
      holder = null
      waiting = []
    },
  }
}
