import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FacilitatorClient } from '@x402/core/server'
import type { PaymentPayload, SettleResponse, VerifyResponse } from '@x402/core/types'
import Database from 'better-sqlite3'
import type { Hex } from 'viem'
import { loadReceiptKey } from '../../src/app/keys/signing-keys.ts'
import { buildPaymentLayer, type PaymentLayer } from '../../src/app/payments/payment-layer.ts'
import type { SkillRegistry } from '../../src/catalog/skill.ts'
import type { Ledger } from '../../src/ledger/ledger.ts'
import type { PaymentKey, PaymentRow } from '../../src/ledger/payments/payment-row.ts'
import { openSqliteLedger, type StoreTiming } from '../../src/ledger/sqlite/sqlite-ledger.ts'
import { StoreUnavailable } from '../../src/ledger/store/store-unavailable.ts'
import type { TaskRow } from '../../src/ledger/tasks/task-row.ts'
import { createLog } from '../../src/log.ts'
import { type ChainReader, ChainUnavailable } from '../../src/payments/chain/chain-reader.ts'
import { FacilitatorFault } from '../../src/payments/facilitators/facilitator-fault.ts'
import { BASE } from '../../src/payments/networks/base.ts'
import type { Call, PauseCode, RawPayment, Sale } from '../../src/payments/ports/sale.ts'
import type { Tasks, TaskView } from '../../src/payments/ports/task.ts'
import { type Restored, restorePayments } from '../../src/payments/recovery/restore-lost-sales.ts'
import { type Recovery, runRecovery } from '../../src/payments/recovery/run-recovery.ts'
import { scanTransfers } from '../../src/payments/recovery/unknown-transfers.ts'
import { createAccountShares } from '../../src/payments/sale/limits/account-shares.ts'
import { createMismatchLimiter } from '../../src/payments/sale/limits/mismatch-limiter.ts'
import { createNewPayers } from '../../src/payments/sale/limits/new-payers.ts'
import { createRefusalLimiter } from '../../src/payments/sale/limits/refusal-limiter.ts'
import { receiptMaker } from '../../src/payments/sale/purchase/receipt.ts'
import { REPLAY_WINDOWS } from '../../src/payments/sale/purchase/replay-window.ts'
import { createSell } from '../../src/payments/sale/sell.ts'
import type { SaleContext, SaleReport } from '../../src/payments/sale/table/sale-context.ts'
import { createTasks } from '../../src/payments/sale/tasks/tasks.ts'
import { createBindings } from '../../src/payments/secrets/bindings.ts'
import { createKeyring, type Keyring } from '../../src/payments/secrets/keyring.ts'
import { taskKeyOf } from '../../src/payments/secrets/seal.ts'
import type { Terms } from '../../src/payments/terms/terms.ts'
import { createReceiptSigner } from '../../src/receipts/receipt-signer.ts'
import { rawPaymentOf } from '../support/bench-buyer.ts'
import { countedSkills } from '../support/counted-skills.ts'
import { singleCall } from '../support/single-call.ts'
import { lossyLedger } from './power.ts'
import { type ExpectedPayment, wrongInSettlement } from './sale-wire.ts'
import { SimulatedChain } from './simulated-chain.ts'
import { type Place, Stage } from './stage.ts'

export type { PaymentRow, Recovery, Sale }
/** The one file of the simulator that knows the names of the payment code. */
export { ChainUnavailable, FacilitatorFault, StoreUnavailable }

/** 2027-01-15: every schedule begins at this moment. */
export const EPOCH_MS = 1_800_000_000_000
export const AMOUNT = 1_000n
export const PAY_TO: Hex = `0x${'b'.repeat(40)}`
export const BASE_URL = 'https://checks.example'
const FIRST_SIGNATURE = `0x${'1'.repeat(128)}1b`

/** A store that waits for no clock, so that its calls take as many turns of the event loop on any machine. */
export const AT_ONCE: StoreTiming = {
  patience: (hurry) => {
    const turn = setImmediate(hurry)
    return { end: () => clearImmediate(turn) }
  },
}

/** One authorization of a buyer. */
export interface SignedCall {
  readonly payer: Hex
  readonly nonce: Hex
  /** UTC seconds. */
  readonly validBefore: number
}

/** What a request asks for: a value, one kept as a task, or a task whose verdict is held. */
export type Asked =
  | { readonly kind: 'value'; readonly value: string; readonly inband?: boolean; readonly client?: string }
  | { readonly kind: 'task'; readonly taskId: string }

/** The world of one schedule; made new for each. */
export interface World {
  readonly stage: Stage
  readonly chain: SimulatedChain
  /** UTC milliseconds of the shared clock. */
  nowMs: number
  /** Milliseconds on the clock that sleeps and waits go by. */
  elapsedMs: number
  /** How much each replica's monotonic clock was put forward on its own. */
  readonly patienceMs: number[]
  /** Newest block the node shows; null for the real head. */
  nodeHead: bigint | null
  /** How many seconds the stamps of new blocks lie behind the clock. */
  lateBlockSeconds: number
  /** A facilitator receives this settlement. */
  onReceived: (key: SignedCall) => void
  /** No new settlement may be begun. */
  isPaused: boolean
  pauseCode: PauseCode
  proofOnChain: boolean
  /** Signatures are judged as they are; else each counts as the payer's own. */
  judgesSignatures: boolean
  /** Whether a payer is a contract. */
  hasCode: () => Promise<boolean>
  /** How a facilitator judges the signature of a contract. */
  verify: () => Promise<VerifyResponse>
  /** What a facilitator must receive, by nonce; other payments are not looked at. */
  readonly expected: Map<string, ExpectedPayment>
  /** What was wrong with a settlement that a facilitator received. */
  readonly wrong: string[]
  /** What was reported. */
  readonly reports: SaleReport[]
}

/** The payment code of several replicas over one SQLite ledger; schedules run on it one after another. */
export interface SimulatedService {
  readonly world: World
  /** An empty ledger and a new world. */
  reset(isHeld?: (place: Place) => boolean): World
  /** Ends a process and starts it again, with a new owner id and nothing in its memory. */
  restart(replica: number): void
  sell(replica: number, asked: Asked, signed: SignedCall): Promise<Sale>
  /** The call that asks for this. */
  callOf(asked: Asked): Call
  /** Any call, with any payment. */
  buy(replica: number, call: Call, payment: RawPayment): Promise<Sale>
  /** Keeps any call as a task. */
  hold(
    replica: number,
    call: Parameters<PaymentLayer['holdVerdict']>[0],
  ): ReturnType<PaymentLayer['holdVerdict']>
  tasks(replica: number): Tasks
  readonly registry: SkillRegistry
  readonly terms: Terms
  /** Runs the recovery loop once; null while another replica runs it. */
  recover(replica: number): Promise<Recovery | null>
  /** How many transfers of the whole chain no row accounts for. */
  unknownTransfers(): Promise<number>
  purge(replica: number): Promise<unknown>
  holdVerdict(replica: number, value: string): Promise<string>
  readTask(replica: number, taskId: string): Promise<TaskView | null>
  /** The verdict on a value. */
  verdictOf(value: string): unknown
  /** The owner ids of a replica, the present one last. */
  ownersOf(replica: number): readonly string[]
  row(signed: SignedCall): Promise<PaymentRow | null>
  taskRow(taskId: string): Promise<TaskRow | null>
  /** The machine of the store loses what was not flushed; processes live on. */
  losePower(): void
  /** Writes down that everything was sold under another ruleset. */
  changeRulesets(ruleset: string): void
  /** Deletes the payment rows, as a backup from before them would. */
  forgetRows(): void
  /** Restores what such a backup lacks. */
  restore(): Promise<Restored>
  close(): Promise<void>
}

export async function openSimulatedService(replicas: number): Promise<SimulatedService> {
  const memory = '/dev/shm'
  const dataDir = mkdtempSync(join(existsSync(memory) ? memory : tmpdir(), 'format-checker-simulation-'))
  let world = newWorld()
  const store = await openSqliteLedger({ dataDir, now: () => world.nowMs, timing: AT_ONCE })
  const direct = new Database(join(dataDir, 'ledger.sqlite'))
  const power = lossyLedger(store, direct)
  const { ledger } = power
  const keys = rememberingKeys(createKeyring(randomBytes(32)))
  const { registry } = countedSkills()
  const receiptKey = loadReceiptKey(null, dataDir)
  const signer = createReceiptSigner(receiptKey, BASE_URL)
  let incarnation = 0
  const layers: PaymentLayer[] = []
  const processes: { context: SaleContext; sell: PaymentLayer['sell']; owners: string[] }[] = []

  function newWorld(isHeld?: (place: Place) => boolean): World {
    return {
      stage: new Stage(isHeld),
      chain: new SimulatedChain(EPOCH_MS / 1000),
      nowMs: EPOCH_MS,
      elapsedMs: 0,
      patienceMs: Array.from({ length: replicas }, () => 0),
      nodeHead: null,
      lateBlockSeconds: 0,
      onReceived: () => {},
      ...{ isPaused: false, pauseCode: 'facilitator_unavailable', proofOnChain: false },
      ...{ judgesSignatures: false, hasCode: async () => false, verify: async () => ({ isValid: true }) },
      ...{ expected: new Map(), wrong: [], reports: [] },
    }
  }
  const monotonicMs = (replica: number) => world.elapsedMs + (world.patienceMs[replica] as number)

  const build = (replica: number) =>
    buildPaymentLayer({
      networks: [
        {
          network: BASE,
          facilitator: heldFacilitator(
            (port, name, args, run) => world.stage.call({ replica, port, name, args }, run),
            () => world,
          ),
          chain: heldChain(
            // The loop's own search finds nothing, so that the seeds of old findings mean the same schedules.
            () => ({
              ...world.chain.reader(() => world.nodeHead ?? world.chain.head.number),
              transfersTo: async (_payee, _from, toBlock) => ({ transfers: [], toBlock }),
            }),
            (name, args, run) => world.stage.call({ replica, port: 'chain', name, args }, run),
          ),
          pausedBy: () => (world.isPaused ? world.pauseCode : null),
          chainTime: () => world.nowMs,
          headNumber: () => world.nodeHead ?? world.chain.head.number,
        },
      ],
      registry,
      ledger: heldLedger(ledger, (name, args, run) =>
        world.stage.call({ replica, port: 'ledger', name, args }, run),
      ),
      keys,
      baseUrl: BASE_URL,
      payTo: PAY_TO,
      receiptKey,
      proofOnChain: false,
      timing: {
        recordPausesMs: [50, 200],
        sleep: (ms, signal) =>
          world.stage.call(
            { replica, port: 'sleep', name: 'sleep', args: [monotonicMs(replica) + ms] },
            () => {},
            signal,
          ),
        monotonicMs: () => monotonicMs(replica),
      },
      now: () => world.nowMs,
      log: createLog({ level: 'silent', write: () => {} }),
    })

  const start = (replica: number) => {
    incarnation += 1
    const layer = layers[replica] as PaymentLayer
    const owner = `replica-${replica}-${incarnation}`
    const bindings = createBindings(layer.context.ledger, keys)
    const context: SaleContext = {
      ...layer.context,
      owner,
      refusals: createRefusalLimiter(),
      mismatches: createMismatchLimiter(),
      newPayers: createNewPayers(layer.context.ledger, { mostPayers: 8 }),
      shares: createAccountShares(() => monotonicMs(replica)),
      bindings,
      receiptOf: receiptMaker(signer, BASE_URL, bindings),
      // Otherwise an answer of a former world would be remembered.
      chain: { ...layer.context.chain, hasCode: () => world.hasCode() },
      report: (report) => void world.reports.push(report),
      judgeSignature: async (payment) =>
        world.judgesSignatures
          ? layer.context.judgeSignature(payment)
          : { kind: 'recovered', signature: payment.signature },
      proofOnChain: world.proofOnChain,
    }
    const owners = [...(processes[replica]?.owners ?? []), owner]
    processes[replica] = { context, sell: createSell(context), owners }
  }
  for (let replica = 0; replica < replicas; replica += 1) layers.push(await build(replica))

  const processOf = (replica: number) => processes[replica] as (typeof processes)[number]
  const skill = registry.get('iban')
  if (skill === undefined) throw new Error('no such skill')
  const callOf = (asked: Asked): Call => {
    if (asked.kind === 'task')
      return { kind: 'sealed', surface: 'a2a', taskId: asked.taskId, client: 'buyer' }
    const call = { skill, value: asked.value, client: asked.client ?? 'buyer' }
    return asked.inband === true
      ? singleCall({ ...call, surface: 'a2a', task: { pendingOrder: 'pendingOrder' } })
      : singleCall({ ...call, surface: 'rest' })
  }
  const terms = (layers[0] as PaymentLayer).terms
  const payee = { network: terms.requirements.network, asset: terms.asset, payTo: PAY_TO }
  const keyOf = ({ payer, nonce }: SignedCall): PaymentKey => ({
    network: terms.requirements.network,
    asset: terms.asset,
    payer,
    nonce,
  })

  return {
    get world() {
      return world
    },
    reset(isHeld) {
      direct.exec('delete from payments; delete from tasks; delete from locks; delete from facts')
      power.reset()
      world = newWorld(isHeld)
      for (let replica = 0; replica < replicas; replica += 1) {
        processes[replica] = { ...processOf(replica), owners: [] }
        start(replica)
      }
      return world
    },
    restart(replica) {
      world.stage.drop(replica)
      start(replica)
    },
    sell: (replica, asked, signed) =>
      processOf(replica).sell(callOf(asked), rawPaymentOf(payloadOf(signed, terms.requirements))),
    buy: (replica, call, payment) => processOf(replica).sell(call, payment),
    hold: (replica, call) => (layers[replica] as PaymentLayer).holdVerdict(call),
    tasks: (replica) => createTasks(processOf(replica).context),
    callOf,
    registry,
    terms,
    recover: (replica) => {
      const { context } = processOf(replica)
      const { ledger: store, chain, owner, now } = context
      return runRecovery({
        ledger: store,
        chain,
        owner,
        now,
        onMissing: () => {},
        payee,
        onUnknown: () => {},
      })
    },
    unknownTransfers: async () => {
      const chain = world.chain.reader()
      const options = { ledger, chain, payee, onUnknown: () => {} }
      const scanned = await scanTransfers(options, { from: 0n, to: (await chain.head()).number })
      return scanned.unknown
    },
    purge: (replica) => processOf(replica).context.ledger.purge(world.nowMs, REPLAY_WINDOWS),
    holdVerdict: async (replica, value) => {
      const call = singleCall({ skill, surface: 'a2a', value, task: { pendingOrder: 'pendingOrder' } })
      const held = await (layers[replica] as PaymentLayer).holdVerdict({
        ...call,
        task: { pendingOrder: 'pendingOrder' },
      })
      if (held.kind !== 'withheld') throw new Error(held.code)
      return held.taskId
    },
    readTask: (replica, taskId) => createTasks(processOf(replica).context).read(taskId),
    verdictOf: (value) => skill.check(value),
    ownersOf: (replica) => processOf(replica).owners,
    row: (signed) => ledger.find(keyOf(signed)),
    taskRow: (taskId) => ledger.findTask(taskKeyOf(taskId)),
    losePower: power.losePower,
    changeRulesets: (ruleset) => void direct.prepare('update payments set ruleset = ?').run(ruleset),
    forgetRows: () => void direct.exec('delete from payments'),
    restore: () => {
      const options = {
        ledger,
        chain: world.chain.reader(),
        payee,
        now: () => world.nowMs,
      }
      return restorePayments(options, EPOCH_MS)
    },
    close: async () => {
      direct.close()
      await ledger.close()
      rmSync(dataDir, { recursive: true })
    },
  }
}

/** Derives each key once: a restarted process would otherwise derive the same ones in every schedule. */
function rememberingKeys(keys: Keyring): Keyring {
  const derived = new Map<string, ReturnType<Keyring['derive']>>()
  return {
    ...keys,
    derive(purpose, salt) {
      const name = `${purpose}/${salt.toString('base64')}`
      const known = derived.get(name) ?? keys.derive(purpose, salt)
      if (purpose === 'binding-key') derived.set(name, known)
      return known
    },
  }
}

type Hold = (name: string, args: readonly unknown[], run: () => Promise<unknown>) => Promise<unknown>

function heldLedger(real: Ledger, hold: Hold): Ledger {
  return new Proxy(real, {
    get(target, name: keyof Ledger) {
      const run = target[name]
      if (typeof run !== 'function') return run
      return (...args: unknown[]) =>
        hold(name, args, () => (run as (...args: unknown[]) => Promise<unknown>).apply(target, args))
    },
  })
}

function heldChain(reader: () => ChainReader, hold: Hold): ChainReader {
  const names = [
    'head',
    'block',
    'hasCode',
    'balance',
    'authorizationUsed',
    'trace',
    'transfersTo',
    'chainId',
  ] as const
  const questions = Object.fromEntries(
    names.map((name) => [
      name,
      (...args: unknown[]) =>
        hold(name, args, () => (reader()[name] as (...args: unknown[]) => Promise<unknown>)(...args)),
    ]),
  )
  return { ...questions, finalityDepth: 0n } as unknown as ChainReader
}

/** A facilitator of two steps: it receives the settlement, and later it replies, as the schedule says. */
function heldFacilitator(
  hold: (
    port: 'settle' | 'reply',
    name: string,
    args: readonly unknown[],
    run: () => unknown,
  ) => Promise<unknown>,
  world: () => World,
): FacilitatorClient {
  return {
    async settle(payload, requirements) {
      const signed = signedOf(payload)
      world().wrong.push(...wrongInSettlement(world().expected.get(signed.nonce), payload, requirements))
      await hold('settle', 'settle', [signed], () => world().onReceived(signed))
      let reply: SettleResponse | Error = new FacilitatorFault('unknown', 'no reply')
      await hold(
        'reply',
        'reply',
        [
          signed,
          (chosen: SettleResponse | Error) => {
            reply = chosen
          },
        ],
        () => {},
      )
      if (reply instanceof Error) throw reply
      return reply
    },
    verify: (payload, requirements) => {
      const { nonce } = signedOf(payload)
      world().wrong.push(...wrongInSettlement(world().expected.get(nonce), payload, requirements))
      return world().verify()
    },
    getSupported: async () => ({ kinds: [], extensions: [], signers: {} }),
  }
}

function signedOf(payload: PaymentPayload): SignedCall {
  const { from, nonce, validBefore } = (payload.payload as { authorization: Record<string, string> })
    .authorization
  return { payer: from as Hex, nonce: nonce as Hex, validBefore: Number(validBefore) }
}

function payloadOf({ payer, nonce, validBefore }: SignedCall, accepted: unknown): unknown {
  const authorization = {
    from: payer,
    to: PAY_TO,
    value: AMOUNT.toString(),
    validAfter: '0',
    validBefore: String(validBefore),
    nonce,
  }
  return { x402Version: 2, accepted, payload: { authorization, signature: FIRST_SIGNATURE } }
}
