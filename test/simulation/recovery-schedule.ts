import type { Hex } from 'viem'
import type { Ledger } from '../../src/ledger/ledger.ts'
import {
  endOf,
  NO_LEASE,
  type PaymentChange,
  type PaymentKey,
  type PaymentRow,
} from '../../src/ledger/payments/payment-row.ts'
import { StoreUnavailable } from '../../src/ledger/store/store-unavailable.ts'
import { ChainUnavailable } from '../../src/payments/chain/chain-reader.ts'
import { BASE } from '../../src/payments/networks/base.ts'
import { type Backoff, createBackoff } from '../../src/payments/recovery/backoff.ts'
import { resolvePayment } from '../../src/payments/recovery/resolve-payment.ts'
import { type Restored, restorePayments } from '../../src/payments/recovery/restore-lost-sales.ts'
import { type Recovery, runRecovery } from '../../src/payments/recovery/run-recovery.ts'
import type { Choices } from './choices.ts'
import { Broken, type Finding, findingOf, type Playable } from './finding.ts'
import { type Moves, RecoveryJudge } from './recovery-judge.ts'
import {
  AMOUNT,
  DEPTH,
  EPOCH_MS,
  newPayment,
  PAYEE,
  PacedChain,
  type RecoveryStore,
  type Use,
} from './recovery-world.ts'

/** What may happen beside runs of the recovery over rows that sales have left. */
export interface RecoveryFaults {
  readonly steps: number
  readonly store?: boolean
  /** Answers of the node fail, or all of them for a while. */
  readonly node?: boolean
  /** Answers of the node are behind, its logs are late, or it keeps no old state. */
  readonly behind?: boolean
  readonly reorganisations?: boolean
  /** The process stops, or the lock is lost, in the middle of a run. */
  readonly stops?: boolean
  /** Buyers repeat their calls, and the chain goes on, while the recovery runs. */
  readonly meanwhile?: boolean
}

export const ALL_RECOVERY_FAULTS: RecoveryFaults = {
  steps: 14,
  store: true,
  node: true,
  behind: true,
  reorganisations: true,
  stops: true,
  meanwhile: true,
}

const [MINUTE_MS, HOUR_MS] = [60_000, 3_600_000]
/** How long ago a sale was made. */
const AGES_MS = [0, 1_000, 10 * MINUTE_MS, 2 * HOUR_MS, 26 * HOUR_MS]
const LOOK_BACK = 1_800n
const LEASE_MS = 30_000
/** A look that is not of the loop of a replica. */
const OUTSIDE = -1
const MOST_QUESTIONS = 5_000
const OTHER_NETWORK = 'eip155:84532'
const UNRESOLVED = ['settling', 'in_doubt', 'refused']
const RESTORABLE = ['claimed', 'settling', 'in_doubt', 'refused', 'void']

/** Runs one schedule of the recovery; null when every promise was kept. */
export const runRecoverySchedule = (
  store: RecoveryStore,
  choices: Choices,
  faults: RecoveryFaults,
): Promise<Finding | null> => findingOf(new RecoverySchedule(store, choices, faults))

/** A run that is watched. */
interface Run extends Moves {
  readonly replica: number
  readonly looked: Set<string>
  /** Rows for which the node did not answer. */
  readonly failed: Set<string>
  readonly unknown: string[]
  missing: number
  asked: number
  isStopped: boolean
  hasFaults: boolean
  /** Something else was in its way than an answer about one row. */
  isDisturbed: boolean
}

/** The pause of a row after it was looked at in vain. */
interface Pause {
  readonly ms: number
  readonly until: number
}

class RecoverySchedule implements Playable {
  readonly trace: string[] = []
  readonly #store: RecoveryStore
  readonly #choices: Choices
  readonly #faults: RecoveryFaults
  readonly #chain: PacedChain
  readonly #judge: RecoveryJudge
  readonly #backoffs: Backoff[] = [createBackoff(), createBackoff()]
  readonly #pauses: Map<string, Pause>[] = [new Map(), new Map()]
  readonly #windows: Map<string, bigint>[] = [new Map(), new Map()]
  readonly #untouched = new Map<string, string>()
  #names = 0
  #isAway = false
  #underWay = 0
  /** A run that ended with the store may have left its lock, or its last rows have prolonged it. */
  #lockedUntil = 0
  #healing = false

  constructor(store: RecoveryStore, choices: Choices, faults: RecoveryFaults) {
    this.#store = store
    this.#choices = choices
    this.#faults = faults
    store.reset()
    const blockSeconds = choices.rarely(4) ? 1 : 2
    const first = choices.rarely(8) ? 5n : 100_000n
    this.#chain = new PacedChain(first, blockSeconds, () => store.nowMs)
    this.#judge = new RecoveryJudge(this.#chain)
  }

  async run(): Promise<void> {
    // Where the scan begins is written down first.
    await this.#recover(0)
    const { pick, rarely } = this.#choices
    const count = rarely(20) ? 120 : 2 + pick(8)
    // A backlog of one time, as a restored store has it.
    const backlogMs = count === 120 && rarely(2) ? AGES_MS[pick(AGES_MS.length)] : undefined
    for (let index = 0; index < count; index += 1) await this.#leaveRow(backlogMs)
    for (let step = 0; step < this.#faults.steps; step += 1) {
      if (pick(3) === 0) await this.#recover(pick(2))
      else await this.#disturb()
    }
  }

  #name(): Hex {
    this.#names += 1
    return `0x${this.#names.toString(16).padStart(64, '0')}`
  }

  get #now() {
    return this.#store.nowMs
  }

  /** A row as a sale left it, and what its authorization was used for. */
  async #leaveRow(backlogMs?: number): Promise<void> {
    const { pick, rarely } = this.#choices
    const { ledger } = this.#store
    const head = this.#chain.head
    const agoMs = backlogMs ?? (AGES_MS[pick(AGES_MS.length)] as number)
    const claimedAt = this.#now - agoMs
    const blocksAgo = BigInt(Math.ceil(agoMs / 1000 / this.#chain.blockSeconds))
    const claimed = head.number > blocksAgo ? head.number - blocksAgo : 0n
    const nonce = this.#name()
    const isElsewhere = rarely(10)
    const outcome = await ledger.claim(
      newPayment({
        payer: `0x${'c'.repeat(40)}`,
        nonce,
        claimedAt,
        // An estimate of the block takes two seconds for each.
        claimedBlock: this.#chain.blockSeconds === 2 && rarely(5) ? null : claimed,
        validBefore: Math.floor(claimedAt / 1000) + (rarely(3) ? 10 : 600),
        leaseUntil: claimedAt + LEASE_MS,
        ...(isElsewhere ? { network: OTHER_NETWORK } : {}),
      }),
    )
    if (outcome.kind !== 'claimed') throw new Error(outcome.kind)
    const { row } = outcome
    const use = isElsewhere ? undefined : this.#useFor(row, claimed)
    const said = use?.transaction ?? this.#name()
    const change = (
      [
        null,
        { state: 'in_doubt', ...NO_LEASE },
        { state: 'refused', ...NO_LEASE },
        { state: 'settled', transaction: said, settledAt: claimedAt + 1_000, ...NO_LEASE },
        { state: 'void', refusal: 'payment_expired', ...NO_LEASE },
        { state: 'claimed', ...NO_LEASE },
      ] satisfies (PaymentChange | null)[]
    )[backlogMs === undefined ? pick(6) : 3] as PaymentChange | null
    const left = change === null ? row : ((await ledger.move(row, change)) as PaymentRow)
    this.trace.push(
      `row ${nonce.slice(-3)} ${left.state}${isElsewhere ? ' on another network' : ''}, claimed ${agoMs} ms ago at ${left.claimedBlock}`,
    )
    if (isElsewhere || left.state === 'claimed') this.#untouched.set(nonce, textOf(left))
  }

  /** Uses the authorization of a row, around its claim, long before it, or not yet. */
  #useFor(row: PaymentRow, claimed: bigint): Use | undefined {
    const { pick, rarely } = this.#choices
    const when = pick(6)
    if (when < 2) return
    const { number } = this.#chain.head
    const far = LOOK_BACK + 100n
    const block = [
      claimed + 1n,
      claimed + 3n,
      claimed > 5n ? claimed - 5n : 1n,
      claimed > far ? claimed - far : 1n,
    ][when - 2] as bigint
    if (block > number || (row.claimedBlock === null && block < claimed)) return
    return this.#use(
      row,
      (['paid', 'paid', 'paid', 'elsewhere', 'canceled'] as const)[pick(5)] as 'paid',
      block,
      rarely(8) ? AMOUNT + 1n : AMOUNT,
    )
  }

  #use(
    { payer, nonce, ...row }: Pick<PaymentRow, 'payer' | 'nonce' | 'validBefore'>,
    kind: Use['kind'],
    block = this.#chain.head.number,
    amount = AMOUNT,
  ): Use | undefined {
    const isOver = this.#chain.block(block).timestamp >= endOf(row)
    if (this.#chain.useOf({ payer, nonce }) !== undefined || (kind !== 'canceled' && isOver)) return
    const place = { block, logIndex: this.#names % 5, transaction: this.#name() }
    const use: Use = { kind, payer, nonce: nonce as Hex, amount, ...place }
    this.#chain.uses.push(use)
    this.trace.push(`${nonce.slice(-3)} ${kind} in block ${block}`)
    return use
  }

  async #disturb(): Promise<void> {
    const { pick, rarely } = this.#choices
    switch (pick(8)) {
      case 0:
      case 1: {
        const ms = [1_000, 31_000, 61_000, 11 * MINUTE_MS, HOUR_MS, 25 * HOUR_MS][pick(6)] as number
        this.trace.push(`time passes: ${ms}`)
        this.#store.nowMs += ms
        return
      }
      case 2:
        return this.#happen()
      case 3: {
        const amount = [AMOUNT, 0n][pick(2)] as bigint
        const payer = rarely(3) ? BASE.contracts.channels.toLowerCase() : `0x${'e'.repeat(40)}`
        const nonce = rarely(3) ? this.#name() : null
        const place = { block: this.#chain.head.number, logIndex: 0, transaction: this.#name() }
        this.#chain.uses.push({ kind: nonce === null ? 'plain' : 'paid', payer, nonce, amount, ...place })
        this.trace.push(`a transfer of ${amount} comes from ${payer.slice(0, 6)}`)
        return
      }
      case 4:
        if (this.#faults.reorganisations === true) this.#takeBack()
        return
      case 5:
        if (this.#faults.behind !== true) return
        Object.assign(this.#chain.node, {
          behind: [0n, 5n][pick(2)],
          unindexed: [0n, 40n, 4_000n][pick(3)],
          kept: [10n ** 9n, 200n][pick(2)],
          most: [10n ** 9n, 700n][pick(2)],
        })
        return
      case 6:
        if (this.#faults.node === true) this.#isAway = !this.#isAway
        return
      default:
        return this.#repeat()
    }
  }

  /** Blocks that are not final are replaced: a use in them comes later, or never. */
  #takeBack(): void {
    const { head, final, uses } = this.#chain
    const at = uses.findIndex(({ block }) => final === null || block > final.number)
    const use = uses[at]
    if (use === undefined) return
    const comesAgain = this.#choices.pick(2) === 0
    if (comesAgain) Object.assign(use, { block: head.number, logIndex: use.logIndex + 1 })
    else uses.splice(at, 1)
    this.trace.push(`${use.nonce?.slice(-3)} is taken back${comesAgain ? ', and mined again' : ''}`)
  }

  /** A buyer acts on a row, or the chain uses its authorization. */
  async #happen(): Promise<void> {
    const { pick } = this.#choices
    const { ledger } = this.#store
    const rows = this.#store.rows()
    const row = rows[pick(Math.max(1, rows.length))]
    if (row === undefined || row.network !== PAYEE.network || this.#untouched.has(row.nonce)) return
    const act = pick(5)
    if (act < 3) return void this.#use(row, (['paid', 'elsewhere', 'canceled'] as const)[act] as 'paid')
    if (!UNRESOLVED.includes(row.state) || row.leaseUntil > this.#now) return
    const said = this.#chain.useOf(row)?.transaction ?? this.#name()
    this.trace.push(`${row.nonce.slice(-3)} is ${act === 3 ? 'taken by a repeat' : 'settled by a word'}`)
    if (act === 4)
      await ledger.move(row, { state: 'settled', transaction: said, settledAt: this.#now, ...NO_LEASE })
    else if (row.state !== 'settling')
      await ledger.move(row, {
        state: row.state === 'refused' ? 'settling' : row.state,
        owner: 'sale',
        leaseUntil: this.#now + LEASE_MS,
      })
  }

  /** A request asks the chain for one row, as a buyer's repeat does. */
  async #repeat(): Promise<void> {
    const rows = this.#store
      .rows()
      .filter(
        ({ state, network, leaseUntil }) =>
          ['in_doubt', 'refused', 'void'].includes(state) &&
          network === PAYEE.network &&
          leaseUntil <= this.#now,
      )
    const row = rows[this.#choices.pick(Math.max(1, rows.length))]
    if (row === undefined) return
    const run = this.#newRun(OUTSIDE)
    try {
      const { kind, row: known } = await resolvePayment(this.#optionsOf(run), row)
      const there = (await this.#store.ledger.find(row)) as PaymentRow
      this.trace.push(`a repeat of ${row.nonce.slice(-3)} finds it ${kind}`)
      const isSaid = kind === 'unused' || kind === 'unexplained' ? UNRESOLVED : [kind]
      if (row.state !== 'void' && !isSaid.includes(there.state) && !run.hasFaults)
        throw new Broken(`a row is said to be ${kind}, and it is ${there.state}`)
      if (!run.hasFaults && textOf(known) !== textOf(there))
        throw new Broken('a repeat gets an older row than is stored')
      const use = this.#chain.useOf(row)
      if (
        !run.hasFaults &&
        this.#isPlain &&
        use !== undefined &&
        this.#judge.isOurs(row, use) &&
        kind !== 'settled'
      )
        throw new Broken(`a payment on the chain is said to be ${kind}`)
    } catch (error) {
      this.#expectFault(error)
    }
  }

  #newRun(replica: number, isRestore = false): Run {
    const moved = { settled: 0, void: 0, found: 0, missing: 0 }
    return {
      replica,
      isRestore,
      looked: new Set(),
      failed: new Set(),
      isDisturbed: false,
      unknown: [],
      moved,
      missing: 0,
      asked: 0,
      isStopped: false,
      hasFaults: false,
    }
  }

  /** The node shows everything there is. */
  get #isPlain(): boolean {
    const { behind, unindexed, kept } = this.#chain.node
    return behind === 0n && unindexed === 0n && kept > 10n ** 6n && !this.#isAway
  }

  /** Rows that were being looked at when a run failed are looked at to the end. */
  async #quiet(): Promise<void> {
    for (let turns = 0; turns < 3; turns += 1) {
      await new Promise((resolve) => setImmediate(resolve))
      if (this.#underWay > 0) turns = 0
    }
  }

  #restart(replica: number): void {
    this.#backoffs[replica] = createBackoff()
    this.#pauses[replica] = new Map()
    this.#windows[replica] = new Map()
  }

  #expectFault(error: unknown): void {
    if (error instanceof Broken) throw error
    const isFault = error instanceof StoreUnavailable || error instanceof ChainUnavailable
    if (!isFault) throw new Broken(`a defect: ${(error as Error).message}`)
    this.trace.push(`it ends: ${error.message}`)
  }

  #optionsOf(run: Run) {
    return {
      ledger: this.#heldLedger(run),
      chain: this.#chain.reader((name, nonce) => this.#ask(run, name, nonce)),
      now: () => this.#now,
      payee: PAYEE,
    }
  }

  /** Called before each answer of the node. */
  async #ask(run: Run, name: string, nonce?: string): Promise<bigint> {
    const { pick, rarely } = this.#choices
    run.asked += 1
    if (run.asked > MOST_QUESTIONS) throw new Broken('a run asks the node without end')
    await this.#meanwhile(run)
    if (name === 'trace') this.#noteLook(run, nonce as string)
    if (this.#isAway || (!this.#healing && this.#faults.node === true && rarely(12))) {
      run.hasFaults = true
      if (name === 'trace') run.failed.add(nonce as string)
      else run.isDisturbed = true
      throw new ChainUnavailable(`the node does not answer ${name}`)
    }
    const { behind } = this.#chain.node
    return behind > 0n ? ([0n, behind][pick(2)] as bigint) : 0n
  }

  #noteLook(run: Run, nonce: string): void {
    if (run.isStopped && !run.hasFaults && run.looked.size === 0)
      throw new Broken('a run that is over looks at a row')
    run.looked.add(nonce)
    const pause = this.#pauses[run.replica]?.get(nonce)
    if (pause !== undefined && pause.until > this.#now && pause.until - this.#now <= HOUR_MS)
      throw new Broken('a row is looked at before its pause is over')
  }

  async #meanwhile(run: Run): Promise<void> {
    if (this.#healing) return
    const { rarely, pick } = this.#choices
    if (this.#faults.stops === true && !run.isStopped && rarely(60)) {
      Object.assign(run, { isStopped: true, hasFaults: true })
      this.trace.push('the process stops')
    }
    if (this.#faults.meanwhile !== true || run.isRestore || !rarely(20)) return
    Object.assign(run, { hasFaults: true, isDisturbed: true })
    if (pick(3) === 0) this.#store.nowMs += 40_000
    else await this.#happen()
  }

  /** The store as a run sees it: it may fail, and what is written to it is held against the chain. */
  #heldLedger(run: Run): Ledger {
    return new Proxy(this.#store.ledger, {
      get: (target, name: keyof Ledger) => {
        const work = target[name]
        if (typeof work !== 'function') return work
        return async (...args: unknown[]) => {
          this.#underWay += 1
          await this.#meanwhile(run)
          const fault = !this.#healing && this.#faults.store === true && this.#choices.rarely(60)
          const isDone = !fault || this.#choices.pick(2) === 1
          const act = async () =>
            isDone ? (work as (...args: unknown[]) => unknown).apply(target, args) : null
          const answer = await act().finally(() => {
            this.#underWay -= 1
          })
          if ((name === 'move' || name === 'moveUnflushed') && answer !== null)
            this.#noteMove(run, args as [PaymentRow, PaymentChange], answer as PaymentRow)
          if (!fault) return answer
          Object.assign(run, { hasFaults: true, isDisturbed: true })
          throw new StoreUnavailable('told to fail')
        }
      },
    })
  }

  #noteMove(run: Run, [seen, change]: readonly [PaymentRow, PaymentChange], row: PaymentRow): void {
    this.trace.push(`${row.nonce.slice(-3)} becomes ${row.state}, ${row.refusal ?? row.audit}`)
    this.#judge.judgeMove(run, [seen, change], row)
  }

  async #recover(replica: number): Promise<Recovery | null> {
    const run = this.#newRun(replica)
    const { rarely } = this.#choices
    if (!this.#healing && this.#faults.stops === true) {
      if (rarely(8)) run.isStopped = true
      if (run.isStopped || rarely(12)) this.#restart(replica)
    }
    const before = this.#store.rows()
    const [at, position] = [this.#now, await this.#position()]
    this.trace.push(`${replica} recovers${run.isStopped ? ', and is stopped' : ''}`)
    const { ledger } = this.#store
    const isHeld =
      !this.#healing && rarely(10) && (await ledger.acquireLock(LOCK, 'another', at, at + MINUTE_MS))
    try {
      const recovery = await runRecovery({
        ...this.#optionsOf(run),
        owner: `replica-${replica}`,
        backoff: this.#backoffs[replica] as Backoff,
        windows: this.#windows[replica] as Map<string, bigint>,
        goOn: async () => !run.isStopped,
        onMissing: (row) => {
          run.missing += 1
          if (row.audit !== null) throw new Broken('a missing payment is reported twice')
        },
        onUnknown: ({ transaction }) => void run.unknown.push(transaction),
      })
      if (isHeld && recovery !== null) throw new Broken('a run goes on though another process has its turn')
      if (!isHeld && recovery === null && at >= this.#lockedUntil)
        throw new Broken('a run does not begin, and no other process has its turn')
      if (recovery !== null) await this.#judgeRun(run, recovery, before, at, position)
      return recovery
    } catch (error) {
      this.#expectFault(error)
      if (!run.hasFaults) throw new Broken('a run fails without a fault')
      await this.#quiet()
      this.#lockedUntil = this.#now + 2 * MINUTE_MS
      this.#restart(replica)
      return null
    } finally {
      await this.#quiet()
      if (isHeld) await ledger.releaseLock(LOCK, 'another')
    }
  }

  #position = async () => {
    const said = await this.#store.ledger.findFact(`scanned-to/${PAYEE.payTo}`)
    return said === null ? null : BigInt(said)
  }

  /** What a run says it did is what it did, and nothing was left out. */
  async #judgeRun(
    run: Run,
    { reconciled, audited, scanned }: Recovery,
    before: readonly PaymentRow[],
    at: number,
    position: bigint | null,
  ): Promise<void> {
    const own = before.filter(({ network }) => network === PAYEE.network)
    const unresolved = own.filter((row) => UNRESOLVED.includes(row.state) && row.leaseUntil <= at)
    const unaudited = own.filter(
      ({ state, audit, settledAt }) =>
        state === 'settled' && audit === null && (settledAt ?? 0) <= at - 2 * Number(DEPTH) * BASE.blockMs,
    )
    if (run.missing !== run.moved.missing) throw new Broken('a missing payment is not reported')
    if (scanned.unknown !== run.unknown.length && scanned.complete)
      throw new Broken('another number of unknown transfers')
    if (run.isStopped && !run.hasFaults) {
      const [work] = [...unresolved, ...unaudited]
      if (run.looked.size > 0) throw new Broken('a run that was stopped goes on')
      if (work !== undefined && reconciled.complete && audited.complete)
        throw new Broken('a run that was stopped says that it is complete')
    }
    const areComplete = reconciled.complete && audited.complete
    if (run.isStopped || run.isDisturbed || !areComplete || !this.#isPlain) this.#restart(run.replica)
    else
      this.#notePauses(
        run,
        this.#chain.final === null ? unresolved : [...unresolved, ...unaudited],
        at,
        position,
      )
    if (run.hasFaults || run.isStopped || !this.#isPlain) return
    if (![reconciled, audited, scanned].every(({ complete }) => complete))
      throw new Broken('a run is not complete, and nothing was in its way')
    if (reconciled.settled + reconciled.void + reconciled.open !== unresolved.length)
      throw new Broken('a run counts other rows than there are in doubt')
    if (audited.found + audited.missing + audited.open < unaudited.length)
      throw new Broken('an audit leaves out a row')
    const { settled, void: voided, found, missing } = run.moved
    if (reconciled.settled !== settled || reconciled.void !== voided)
      throw new Broken('a run says that it moved other rows')
    if (audited.found !== found || audited.missing !== missing)
      throw new Broken('an audit says that it judged other rows')
    for (const row of unresolved) {
      const use = this.#chain.useOf(row)
      if (run.looked.has(row.nonce) && use !== undefined && this.#judge.isOurs(row, use))
        if ((await this.#store.ledger.find(row))?.state !== 'settled')
          throw new Broken('a payment on the chain is left in doubt')
    }
    await this.#judgeScan(run, position)
  }

  /** When each row that was looked at in vain is due again. */
  #notePauses(run: Run, rows: readonly PaymentRow[], at: number, position: bigint | null): void {
    const pauses = this.#pauses[run.replica] as Map<string, Pause>
    // By the scan, without a look at the row alone.
    const found = new Set(
      this.#store.rows().flatMap(({ audit, nonce }) => (audit === 'found' ? [nonce] : [])),
    )
    for (const { nonce } of rows) {
      const until = pauses.get(nonce)?.until ?? 0
      if ((until <= at || until > at + HOUR_MS) && !run.looked.has(nonce) && !found.has(nonce))
        throw new Broken('a run leaves out a row that is due')
    }
    for (const nonce of run.looked) {
      const ms = Math.min(Math.max(2 * (pauses.get(nonce)?.ms ?? 0), MINUTE_MS), HOUR_MS)
      pauses.delete(nonce)
      if (run.failed.has(nonce)) pauses.set(nonce, { ms, until: at + ms })
    }
    for (const row of this.#store.rows()) {
      const { nonce, state } = row
      if (!run.looked.has(nonce) || run.failed.has(nonce) || !UNRESOLVED.includes(state)) continue
      const overAt = endOf(row) * 1000 + 30_000
      const isUnused = this.#chain.useOf(row) === undefined
      if (isUnused && state === 'refused') pauses.set(nonce, { ms: 0, until: overAt })
      if (!isUnused && overAt <= at) pauses.set(nonce, { ms: 0, until: at + HOUR_MS })
    }
    // A row whose transfer the scan of this run has seen is due in the next one.
    for (const row of this.#store.rows()) {
      const use = this.#chain.useOf(row)
      if (use?.kind !== 'paid' || use.amount !== row.amount || !UNRESOLVED.includes(row.state)) continue
      if (position !== null && use.block > position && use.block <= (this.#chain.final?.number ?? 0n))
        pauses.delete(row.nonce)
    }
  }

  /** Every final transfer since the last scan that no row accounts for is reported, and no other. */
  async #judgeScan(run: Run, from: bigint | null): Promise<void> {
    const final = this.#chain.final?.number ?? 0n
    if ((await this.#position()) !== (from !== null && from > final ? from : final))
      throw new Broken('the scan does not get to the newest final block')
    const expected: string[] = []
    for (const use of this.#chain.uses) {
      const isSeen = from !== null && use.block > from && use.block <= final
      if (isSeen && ['paid', 'plain'].includes(use.kind) && use.amount > 0n && !(await this.#accounts(use)))
        expected.push(use.transaction)
    }
    if (expected.sort().join() !== run.unknown.sort().join())
      throw new Broken('the scan reports other transfers than come from nowhere')
  }

  async #accounts({ payer, nonce, amount }: Use): Promise<boolean> {
    if (nonce === null) return payer === BASE.contracts.channels.toLowerCase()
    const row = await this.#store.ledger.find(keyOf(payer, nonce))
    return row !== null && row.amount === amount && ['settled', ...UNRESOLVED].includes(row.state)
  }

  /** All faults end: after two days every row is what the chain says, and a backup gets back what it lacks. */
  async heal(): Promise<void> {
    this.#healing = true
    this.#isAway = false
    this.trace.push('everything heals')
    Object.assign(this.#chain.node, { behind: 0n, unindexed: 0n, kept: 10n ** 9n, most: 10n ** 9n })
    for (const ms of [2 * MINUTE_MS, 2 * HOUR_MS, 26 * HOUR_MS, 2 * HOUR_MS]) {
      this.#store.nowMs += ms
      await this.#recover(0)
    }
    const rows = this.#store.rows()
    for (const row of rows) this.#judgeEnd(row)
    await this.#judgeRestored()
  }

  #judgeEnd(row: PaymentRow): void {
    const untouched = this.#untouched.get(row.nonce)
    if (untouched !== undefined) {
      if (untouched !== textOf(row)) throw new Broken('a row that is not of the recovery was changed')
      return
    }
    const use = this.#chain.useOf(row)
    if (row.state === 'settled') {
      const isThere =
        use?.kind === 'paid' && use.amount === row.amount && use.block >= this.#judge.startOf(row)
      const mayBeMissing = this.#faults.behind === true && isThere && use.block <= (row.claimedBlock ?? 0n)
      if (row.audit !== (isThere ? 'found' : 'missing') && !(mayBeMissing && row.audit === 'missing'))
        throw new Broken(`the audit of a row ends as ${row.audit}`)
    }
    const isOpenForGood =
      row.claimedBlock === null && use !== undefined && use.block < this.#judge.startOf(row)
    if (UNRESOLVED.includes(row.state) && !isOpenForGood)
      throw new Broken(`a row stays ${row.state} without end`)
  }

  /** A backup is put back: some rows are gone, others are those of repeats since. */
  async #judgeRestored(): Promise<void> {
    const { pick } = this.#choices
    for (const row of this.#store.rows()) {
      if (row.network !== PAYEE.network || pick(3) === 0) continue
      this.#store.forget(row)
      const kind = (['lost', 'repeated', 'other'] as const)[pick(3)] as 'lost' | 'repeated' | 'other'
      this.trace.push(`a backup is put back, and ${row.nonce.slice(-3)} is ${kind}`)
      if (kind !== 'lost') await this.#claimAgain(row, kind)
    }
    const kept = new Map(this.#store.rows().map((row) => [row.nonce, row]))
    const since = EPOCH_MS - ([0, HOUR_MS, 30 * HOUR_MS][pick(3)] as number)
    this.#healing = false
    let said: Restored | null = null
    let rounds = 0
    for (; said === null; rounds += 1) {
      this.#healing = rounds > 3
      const run = this.#newRun(OUTSIDE, true)
      try {
        said = await restorePayments(this.#optionsOf(run), since)
      } catch (error) {
        this.#expectFault(error)
      }
    }
    this.#healing = true
    const { final, uses } = this.#chain
    let [restored, ignored] = [0, 0]
    for (const row of this.#store.rows()) {
      const had = kept.get(row.nonce)
      const isOfRestore = had === undefined || RESTORABLE.includes(had.state)
      if (!isOfRestore && textOf(row) !== textOf(had)) throw new Broken('a restore changes another row')
    }
    // What was begun before the store failed is left to the recovery.
    for (let run = 0; run < 2 && rounds > 1; run += 1) {
      this.#store.nowMs += HOUR_MS
      await this.#recover(0)
    }
    for (const use of uses) {
      const outcome = await this.#judgeUse(use, use.nonce === null ? undefined : kept.get(use.nonce), since)
      if (final === null || use.block > final.number) continue
      if (outcome === 'restored') restored += 1
      if (outcome === 'ignored') ignored += 1
    }
    if (rounds === 1 && said.restored !== restored) throw new Broken('a restore counts other payments')
    if (said.ignored < ignored) throw new Broken('a restore says nothing of a transfer that it left alone')
  }

  /** What a restore has to do with a transfer since the backup; an older one it may find, too. */
  async #judgeUse(
    { kind, payer, nonce, amount, transaction, logIndex, block }: Use,
    had: PaymentRow | undefined,
    since: number,
  ): Promise<'restored' | 'ignored' | null> {
    if (amount === 0n || kind === 'elsewhere' || kind === 'canceled') return null
    const isLate = this.#chain.block(block).timestamp * 1000 >= since
    if (nonce === null) return isLate && payer !== BASE.contracts.channels.toLowerCase() ? 'ignored' : null
    const row = await this.#store.ledger.find(keyOf(payer, nonce))
    const isRepeat = had !== undefined && had.amount === amount && RESTORABLE.includes(had.state)
    if (had !== undefined && !isRepeat) {
      const isAccounted = had.amount === amount && had.state === 'settled'
      return isLate && !isAccounted ? 'ignored' : null
    }
    if (row?.state !== 'settled') {
      if (isLate) throw new Broken('a lost payment is not restored')
      return null
    }
    if (row.transaction !== transaction || row.logIndex !== logIndex || row.audit !== 'found')
      throw new Broken('a restored row has another place on the chain')
    if (row.refusal !== null || row.owner !== null || row.leaseUntil !== 0)
      throw new Broken('a restored row is not free')
    const isNew = row.claimedBlock === block - 1n && row.binding === null && row.payTo === PAYEE.payTo
    if (had === undefined ? !isNew : row.binding === null)
      throw new Broken('a restored row is bound to another call')
    return 'restored'
  }

  async #claimAgain(row: PaymentRow, kind: 'repeated' | 'other'): Promise<void> {
    const { pick } = this.#choices
    const { ledger } = this.#store
    const outcome = await ledger.claim(
      newPayment({
        payer: row.payer,
        nonce: row.nonce,
        claimedAt: this.#now,
        claimedBlock: this.#chain.head.number,
        validBefore: row.validBefore,
        ...(kind === 'other' ? { amount: row.amount + 7n } : {}),
      }),
    )
    if (outcome.kind !== 'claimed') throw new Error(outcome.kind)
    const states = ['claimed', 'in_doubt', 'refused', 'void'] as const
    const state = states[pick(4)] as (typeof states)[number]
    await ledger.move(outcome.row, {
      state,
      refusal: state === 'void' ? 'payment_already_used' : null,
      ...NO_LEASE,
    })
  }
}

const LOCK = `reconcile ${PAYEE.network}`

const keyOf = (payer: string, nonce: string): PaymentKey => ({
  network: PAYEE.network,
  asset: PAYEE.asset,
  payer,
  nonce,
})

/** The members of a row have no order. */
const textOf = (row: PaymentRow): string =>
  JSON.stringify(Object.entries(row).toSorted(), (_, value) =>
    typeof value === 'bigint' ? String(value) : value,
  )
