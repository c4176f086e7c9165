import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import type { FacilitatorClient } from '@x402/core/server'
import type { CheckType } from 'format-checker-checks/verdict'
import type { Hex } from 'viem'
import { loadReceiptKey } from '../../src/app/keys/signing-keys.ts'
import { buildPaymentLayer, type PaymentLayer } from '../../src/app/payments/payment-layer.ts'
import type { PayableNetwork } from '../../src/app/payments/payment-layer-options.ts'
import type { Ledger } from '../../src/ledger/ledger.ts'
import type { PaymentRow } from '../../src/ledger/payments/payment-row.ts'
import { createLog } from '../../src/log.ts'
import type { ChainReader } from '../../src/payments/chain/chain-reader.ts'
import { BASE } from '../../src/payments/networks/base.ts'
import type { PauseCode, RawPayment, Sale, SurfaceName, ValueCall } from '../../src/payments/ports/sale.ts'
import { REPLAY_WINDOWS } from '../../src/payments/sale/purchase/replay-window.ts'
import type { SaleTiming } from '../../src/payments/sale/table/sale-context.ts'
import { createKeyring, type Keyring } from '../../src/payments/secrets/keyring.ts'
import type { JwsKey } from '../../src/receipts/jws-key.ts'
import { BASE_CHAIN_ID, TOKEN } from '../../src/sandbox/addresses.ts'
import { type BenchBuyer, benchBuyer } from './bench-buyer.ts'
import { type BenchChain, memoryBenchChain } from './bench-chain.ts'
import { type BenchClock, benchClock } from './bench-clock.ts'
import { countedSkills } from './counted-skills.ts'
import { faultyLedger, type StoreFault } from './faulty-ledger.ts'
import { openFreshStore } from './fresh-store.ts'
import { type ScriptedFacilitator, scriptedFacilitator } from './scripted-facilitator.ts'
import { singleCall } from './single-call.ts'
import { storedBytes } from './stored-bytes.ts'

export interface SaleBenchOptions {
  readonly chain?: (clock: BenchClock) => Promise<BenchChain>
  readonly proofOnChain?: boolean
  readonly finalityDepth?: bigint
  readonly timing?: Partial<SaleTiming>
  /** Puts something between the layer and the scripted facilitator, such as HTTP. */
  readonly facilitator?: (scripted: ScriptedFacilitator) => FacilitatorClient
  /** Networks that are sold on beside Base. */
  readonly others?: readonly PayableNetwork[]
}

/** What may differ in a layer that takes over from another on the same store. */
export interface LayerChange {
  readonly rulesets?: Partial<Record<CheckType, string>>
  readonly keys?: Keyring
  readonly receiptKey?: JwsKey
  readonly timing?: Partial<SaleTiming>
  readonly payTo?: Hex
  /** UTC milliseconds by the clock of the chain; the bench's clock by default. */
  readonly chainTime?: () => number
  /** Another store, such as a copy of the first. */
  readonly ledger?: Ledger
}

/** A payment layer over a real store, a local chain and the real facilitator code, with every part in reach. */
export interface SaleBench {
  /** The layer of the process that runs now. */
  readonly layer: PaymentLayer
  readonly clock: BenchClock
  readonly chain: BenchChain
  /** What the layer reads the chain through; members may be replaced. */
  readonly reader: ChainReader & Record<string, unknown>
  readonly facilitator: ScriptedFacilitator
  readonly faults: StoreFault[]
  readonly ledger: Ledger
  /** Every call the layer made to the store, by method. */
  readonly storeCalls: readonly (keyof Ledger)[]
  readonly keys: Keyring
  readonly payTo: Hex
  readonly dataDir: string
  /** Lines that were logged. */
  readonly logged: string[]
  /** `flows` is false while money is paused; `pause` is another reason for it. */
  readonly money: { flows: boolean; pause: PauseCode | null; isLossLimitReached: boolean }
  /** How often a check ran. */
  checkRuns(): number
  /** How many payments reached the payee, from the chain. */
  charged(): Promise<number>
  buyer(funds?: bigint): Promise<BenchBuyer>
  /** A buyer whose money is in the account at the first look, and elsewhere when the payment is settled. */
  spender(funds?: bigint): Promise<BenchBuyer>
  call(value?: string, type?: CheckType, surface?: SurfaceName): ValueCall
  /** A call that is kept as a task. */
  taskCall(value?: string, type?: CheckType): ValueCall & { readonly task: { readonly pendingOrder: string } }
  sell(rawPayment: RawPayment, call?: ValueCall): Promise<Sale>
  /** A new process over the same store; the one before is forgotten with all it holds in memory. */
  restart(change?: LayerChange): Promise<PaymentLayer>
  /** A second process beside the present one. */
  replica(change?: LayerChange): Promise<PaymentLayer>
  row(buyer: { readonly address: Hex }, nonce: Hex): Promise<PaymentRow>
  purge(): Promise<void>
  /** Every byte the store has written. */
  storedBytes(): Buffer
  stop(): Promise<void>
}

export const GOOD_IBAN = 'GB82 WEST 1234 5698 7654 32'

/** Longer than a test may take, so that no wait ends because the machine is slow. */
const NEVER_MS = 3_600_000

/** Starts a bench that looks often; only the wait for a transfer that may never come is short. */
export async function startSaleBench(options: SaleBenchOptions = {}): Promise<SaleBench> {
  const clock = benchClock()
  const chain = await (options.chain ?? memoryBenchChain)(clock)
  const { ledger: store, dataDir } = await openFreshStore('sale', clock.now)
  const { ledger, faults, calls } = faultyLedger(store)
  const facilitator = scriptedFacilitator(chain.facilitator)
  const { finalityDepth = 0n } = options
  const reader = { ...chain.reader, finalityDepth } as SaleBench['reader']
  const spending = new Set<string>()
  const { balance } = reader
  reader.balance = async (payer) => (spending.delete(payer.toLowerCase()) ? 10n ** 12n : balance(payer))
  // A layer copies the members at its start, and must see what is replaced in `reader` later.
  const readerInUse = {
    ...Object.fromEntries(
      Object.keys(reader).map((name) => [
        name,
        (...args: unknown[]) => (reader[name] as (...args: unknown[]) => unknown)(...args),
      ]),
    ),
    finalityDepth,
  } as unknown as ChainReader
  const payTo: Hex = `0x${randomBytes(20).toString('hex')}`
  const keys = createKeyring(randomBytes(32))
  const money: SaleBench['money'] = { flows: true, pause: null, isLossLimitReached: false }
  const logged: string[] = []
  const counters: { count: number }[] = []
  const log = createLog({ level: 'info', write: (line) => void logged.push(line) })

  const build = async (change: LayerChange = {}) => {
    const { registry, runs } = countedSkills(change.rulesets)
    counters.push(runs)
    const layer = await buildPaymentLayer({
      networks: [
        {
          network: BASE,
          facilitator: options.facilitator?.(facilitator) ?? facilitator,
          chain: readerInUse,
          pausedBy: () => (money.flows ? money.pause : 'facilitator_unavailable'),
          losses: { paidBy: 'us', isLimitReached: () => money.isLossLimitReached },
          headNumber: chain.headNumber,
          ...(change.chainTime === undefined ? {} : { chainTime: change.chainTime }),
        },
        ...(options.others ?? []),
      ],
      registry,
      ledger: change.ledger ?? ledger,
      keys: change.keys ?? keys,
      receiptKey: change.receiptKey ?? loadReceiptKey(null, dataDir),
      baseUrl: 'https://checks.example',
      payTo: change.payTo ?? payTo,
      proofOnChain: options.proofOnChain ?? false,
      timing: {
        waitMs: NEVER_MS,
        lookMs: 10,
        proofWaitMs: 200,
        proofLookMs: 10,
        recordPausesMs: [1, 1],
        ...options.timing,
        ...change.timing,
      },
      now: clock.now,
      log,
    })
    return layer
  }

  let layer = await build()
  const buyer = (funds = 1_000_000n) => benchBuyer({ chain, clock, terms: layer.terms.requirements, funds })
  const skillOf = (type: CheckType) => {
    const skill = layer.context.registry.get(type)
    if (skill === undefined) throw new Error(`no skill ${type}`)
    return skill
  }
  const call: SaleBench['call'] = (value = GOOD_IBAN, type = 'iban', surface = 'rest') =>
    singleCall({ skill: skillOf(type), surface, value })

  return {
    get layer() {
      return layer
    },
    clock,
    chain,
    reader,
    facilitator,
    faults,
    ledger: store,
    storeCalls: calls,
    keys,
    payTo,
    dataDir,
    logged,
    money,
    checkRuns: () => counters.reduce((sum, { count }) => sum + count, 0),
    charged: async () => Number(await chain.reader.balance(payTo)) / 1000,
    buyer,
    spender: async (funds = 0n) => {
      const spender = await buyer(funds)
      spending.add(spender.address.toLowerCase())
      return spender
    },
    call,
    taskCall: (value, type) => ({ ...call(value, type, 'a2a'), task: { pendingOrder: 'pendingOrder' } }),
    sell: (rawPayment, asked = call()) => {
      // No client gets an answer and sends its next request within one millisecond.
      clock.advance(1)
      return layer.sell(asked, rawPayment)
    },
    restart: async (change) => {
      layer = await build(change)
      return layer
    },
    replica: build,
    row: async ({ address }, nonce) => {
      const key = { network: `eip155:${BASE_CHAIN_ID}`, asset: TOKEN.toLowerCase(), nonce }
      const row = await store.find({ ...key, payer: address.toLowerCase() })
      if (row === null) throw new Error('no such row')
      return row
    },
    purge: async () => {
      await store.purge(clock.now(), REPLAY_WINDOWS)
    },
    storedBytes: () => storedBytes(dataDir),
    stop: async () => {
      await store.close()
      await chain.stop()
      rmSync(dataDir, { recursive: true })
    },
  }
}
