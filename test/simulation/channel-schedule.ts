import type { ChannelRow } from '../../src/ledger/channels/channel-row.ts'
import type { Outcome, SignedDeposit, SignedVoucher, Wire } from '../model/channel-service.ts'
import { PROMISES } from '../support/promises.ts'
import { ChannelAnswers } from './channel-answers.ts'
import { type Hands, type Told, tryChannel } from './channel-trials.ts'
import { type ChannelSimulation, nextSum, pricesOf } from './channel-world.ts'
import type { Choices } from './choices.ts'
import { Broken, type Finding, findingOf, type Playable } from './finding.ts'
import { failCall, type PortFault } from './port-faults.ts'
import { FacilitatorFault, StoreUnavailable } from './service.ts'
import type { Transaction } from './simulated-contract.ts'
import { SlowCalls } from './slow-calls.ts'
import type { HeldCall } from './stage.ts'

/** What may happen in a schedule of a channel beside calls, deposits, refunds and claims. */
export interface ChannelFaults {
  readonly steps: number
  readonly store?: boolean
  readonly node?: boolean
  readonly crashes?: boolean
  readonly slow?: boolean
  readonly pauses?: boolean
  /** The payer withdraws, and takes out what is not claimed a day later. */
  readonly leaving?: boolean
  /** The payer uses one voucher for two calls. */
  readonly otherCalls?: boolean
  /** After everything has healed, one thing is in the way of a call. */
  readonly obstacles?: boolean
  /** As obstacles, with every thing there is. */
  readonly trials?: boolean
}

export const ALL_CHANNEL_FAULTS: ChannelFaults = {
  steps: 110,
  store: true,
  node: true,
  crashes: true,
  slow: true,
  pauses: true,
  leaving: true,
  otherCalls: true,
  obstacles: true,
}

const MOST_REQUESTS = 10
const DEPOSIT_SECONDS = 400
const DAY_MS = 86_400_000
/** Prices that may be charged and not claimed. */
const MOST_EXPOSED = 5
const BODIES = ['v', 'w'] as const

/** Runs one schedule of a channel; null when every promise was kept. */
export const runChannelSchedule = (
  simulation: ChannelSimulation,
  choices: Choices,
  faults: ChannelFaults,
): Promise<Finding | null> => findingOf(new ChannelSchedule(simulation, choices, faults))

interface Request {
  readonly replica: number
  readonly what: SignedVoucher | 'refund' | 'maintain'
  /** Of a refund: what it is signed for, and what is made of it. */
  readonly sum?: number
  readonly spoil?: ((payment: Wire) => unknown) | undefined
  /** A look of the loop that began while the payer was leaving and nothing else was at work. */
  readonly isWatch?: boolean
  /** The row when it began, if nothing else goes on. */
  before?: ChannelRow | null
  /** A run of the loop that the store ended. */
  isEnded?: true
  outcome?: Outcome | null
  defect?: unknown
}

const REPLIES = ['mined', 'mined, no reply', 'none', 'none', 'says mined', 'refused', 'later'] as const

class ChannelSchedule implements Playable {
  readonly trace: string[] = []
  readonly #simulation: ChannelSimulation
  readonly #choices: Choices
  readonly #faults: ChannelFaults
  readonly #requests = new Set<Request>()
  readonly #slow: SlowCalls
  readonly #hasFailed = [false, false]
  /** The body that each sum was answered for. */
  readonly #shown = new Map<number, string>()
  /** The bodies that each sum was sent with. */
  readonly #asked = new Map<number, Set<'v' | 'w'>>()
  #signed = 0
  #salts = 0
  /** What the payer knows to be charged, and the call it waits for. */
  #heard = 0
  #pending: SignedVoucher | null = null
  /** A refund was asked for: its money is the payer's again, mined or not. */
  #hasRefunded = false
  #isWatched = false
  #hasLeft = false
  #requestCount = 0
  #healing = false
  /** What is to happen to the request under way, and what it has asked. */
  #told: Told = {}
  #asks = new Map<string, number>()
  readonly #answers: ChannelAnswers

  constructor(simulation: ChannelSimulation, choices: Choices, faults: ChannelFaults) {
    this.#simulation = simulation
    this.#choices = choices
    this.#slow = new SlowCalls(choices)
    this.#faults = faults
    simulation.reset()
    this.#answers = new ChannelAnswers(simulation.service)
  }

  get #world() {
    return this.#simulation.world
  }

  get #stage() {
    return this.#simulation.service.stage
  }

  get #contract() {
    return this.#world.contract
  }

  get #seconds(): number {
    return Math.floor(this.#simulation.service.nowMs / 1000)
  }

  async run(): Promise<void> {
    this.#comeIn()
    for (let step = 0; step < this.#faults.steps; step += 1) {
      await this.#rest()
      this.#next()
    }
  }

  /** Everything waits for the schedule; what was answered and what is written keeps every promise. */
  async #rest(): Promise<void> {
    await this.#stage.quiet()
    await this.#collect()
    const [wrong] = this.#world.wrong
    if (wrong !== undefined) throw new Broken(wrong)
    await this.#judgeRow()
  }

  #next(): void {
    const { pick, rarely } = this.#choices
    const held = this.#slow.ready(this.#stage.held)
    if (this.#contract.withdrawAt > 0 && held.length === 0 && rarely(2)) {
      // A payer who leaves waits for the loop to look, and then for the end of the delay.
      if (pick(2) === 0) this.#look()
      else this.#leave()
    } else if (held.length === 0 || rarely(6)) {
      const world = pick(12)
      if (world > 3) this.#disturb(world)
      else if (this.#requestCount < MOST_REQUESTS) this.#comeIn()
      else if (held.length === 0) this.#disturb(4 + pick(8))
      else this.#goOn(held)
    } else this.#goOn(held)
  }

  #goOn(held: readonly HeldCall[]): void {
    const { pick, rarely } = this.#choices
    const call = held[pick(held.length)] as HeldCall
    if (this.#faults.slow === true && rarely(12)) {
      this.trace.push(`${call.replica} ${call.port} ${call.name} takes long`)
      this.#slow.add(call)
    } else this.#release(call, this.#faultFor(call))
  }

  #faultFor({ port }: HeldCall): PortFault | null {
    const { pick, rarely } = this.#choices
    if (port === 'ledger' && this.#faults.store === true && rarely(16))
      return pick(2) === 0 ? 'fail' : 'after'
    if (port === 'chain' && this.#faults.node === true && rarely(12)) return 'fail'
    return port === 'settle' && rarely(6) ? 'fail' : null
  }

  #release(call: HeldCall, fault: PortFault | null = null): void {
    const { replica, port, name, args } = call
    this.trace.push(`${replica} ${port} ${name}${fault === null ? '' : ` !${fault}`}`)
    if (port === 'ledger' && fault !== null) this.#hasFailed[replica] = true
    if (port === 'reply') this.#reply(call)
    else if (fault !== null) failCall(call, fault)
    else {
      if (port === 'sleep') this.#pass(Math.max(0, (args[0] as number) - this.#world.elapsedMs))
      call.go()
    }
  }

  #reply(call: HeldCall): void {
    const [transaction, choose, done] = call.args as [Transaction, (reply: unknown) => void, object]
    const kind = this.#healing ? REPLIES.indexOf(this.#told.reply ?? 'mined') : this.#choices.pick(6)
    const isThere = this.#contract.air.includes(transaction)
    this.trace[this.trace.length - 1] += ` ${REPLIES[kind]}`
    if (kind <= 1) {
      const isMined = !isThere || this.#mine(transaction)
      choose(
        kind === 0 && isMined
          ? done
          : kind === 1
            ? new FacilitatorFault('unknown', 'no reply in time')
            : { ...done, success: false, transaction: '', errorReason: 'reverted' },
      )
    } else if (kind === 4 || kind === 6) choose(done)
    else if (kind === 5 && isThere && transaction.what === 'deposit') {
      this.#contract.air = this.#contract.air.filter((each) => each !== transaction)
      choose({
        ...done,
        ...{ success: false, transaction: '' },
        errorReason: 'invalid_batch_settlement_evm_insufficient_balance',
      })
    } else choose(new FacilitatorFault('unknown', 'no reply in time'))
    call.go()
  }

  #mine(transaction: Transaction): boolean {
    const isMined = this.#contract.mine(transaction, this.#seconds)
    this.trace.push(`${transaction.what} is ${isMined ? '' : 'not '}mined`)
    const { used, refunds, claimed, hasPaidBack } = this.#contract
    if (transaction.what === 'deposit' && isMined && !hasPaidBack && !this.#hasRefunded) {
      const same = [...used.values()].filter((voucher) => voucher === transaction.voucher)
      if (same.length > 1) throw new Broken('two deposits were taken for one call')
    }
    if (new Set(refunds).size < refunds.length)
      throw new Broken('a second refund was paid for on one voucher')
    if (claimed > this.#signed) throw new Broken('more was claimed than the payer has signed for')
    return isMined
  }

  #pass(ms: number): void {
    this.#simulation.service.nowMs += ms
    this.#world.elapsedMs += ms
  }

  #comeIn(): void {
    const { pick, rarely } = this.#choices
    this.#requestCount += 1
    const replica = pick(2)
    const pending = this.#pending
    if (this.#heard > 0 && rarely(6)) this.#start({ replica, what: 'refund' })
    else if (pending === null) this.#ask(replica, this.#sign(rarely(4)))
    else if (this.#faults.otherCalls === true && rarely(6))
      this.#ask(replica, { ...pending, body: pending.body === 'v' ? 'w' : 'v' })
    else this.#askAgain(replica, pending)
  }

  #askAgain(replica: number, pending: SignedVoucher): void {
    const { rarely } = this.#choices
    // The payer did not hear of its deposit, and signs another one.
    const isAnother = pending.deposit !== null && rarely(4)
    const voucher = isAnother ? { ...pending, deposit: this.#newDeposit() } : pending
    this.#pending = voucher
    this.#ask(replica, voucher)
    if (!isAnother && rarely(4)) this.#ask(1 - replica, voucher)
  }

  /** The next call of the payer; a deposit comes along if it needs one, or wants one. */
  #sign(isToppedUp: boolean): SignedVoucher {
    const amount = this.#heard + 1
    const deposit = isToppedUp || amount > this.#contract.balance ? this.#newDeposit() : null
    this.#pending = { amount, body: BODIES[this.#choices.pick(2)] as 'v' | 'w', deposit }
    return this.#pending
  }

  #newDeposit(): SignedDeposit {
    this.#salts += 1
    return { salt: this.#salts, validBefore: this.#seconds + DEPOSIT_SECONDS }
  }

  #ask(replica: number, voucher: SignedVoucher): void {
    this.#signed = Math.max(this.#signed, voucher.amount)
    const asked = this.#asked.get(voucher.amount) ?? new Set()
    this.#asked.set(voucher.amount, asked.add(voucher.body))
    this.#start({ replica, what: voucher })
  }

  #start(request: Request): void {
    const { service } = this.#simulation
    const { replica, what } = request
    this.trace.push(`${replica} ${typeof what === 'string' ? what : `asks ${JSON.stringify(what)}`}`)
    this.#requests.add(request)
    this.#hasRefunded ||= what === 'refund'
    const run = (): Promise<Outcome | null> => {
      const isDue = !this.#healing && this.#choices.pick(2) === 1
      if (what === 'maintain') return service.maintain(replica, isDue).then(() => null)
      const { sum = this.#heard, spoil } = request
      return what === 'refund' ? service.refund(replica, sum, spoil) : service.ask(replica, what)
    }
    run().then(
      (outcome) => {
        request.outcome = outcome
      },
      (defect) => {
        if (what !== 'maintain' || !(defect instanceof StoreUnavailable)) request.defect = defect
        else Object.assign(request, { outcome: null, isEnded: true })
      },
    )
  }

  #disturb(which: number): void {
    const { pick, rarely } = this.#choices
    switch (which) {
      case 4: {
        const [transaction] = this.#contract.air
        if (transaction !== undefined) this.#mine(transaction)
        return
      }
      case 5: {
        // A settlement has a deadline shorter than a lease.
        if (this.#stage.held.some(({ port }) => port === 'settle' || port === 'reply')) return
        const ms = [1_000, 31_000, 61_000, 610_000, 3_601_000][pick(5)] as number
        this.trace.push(`time passes: ${ms}`)
        this.#pass(ms)
        return
      }
      case 6:
        if (this.#faults.crashes === true) this.#crash(pick(2))
        return
      case 7:
        if (this.#faults.node !== true) return
        this.#world.standing = this.#world.standing === null ? this.#contract.view() : null
        this.trace.push(`the node ${this.#world.standing === null ? 'moves' : 'stands still'}`)
        return
      case 8:
        if (this.#faults.pauses !== true) return
        this.#world.isPaused = !this.#world.isPaused
        this.trace.push(`new settlements are ${this.#world.isPaused ? '' : 'not '}paused`)
        return
      case 9:
        if (this.#faults.leaving === true && rarely(2)) this.#leave()
        return
      default:
        this.#look()
    }
  }

  #look(): void {
    const isWatch =
      this.#contract.withdrawAt > 0 && this.#world.standing === null && this.#requests.size === 0
    this.#start({ replica: this.#choices.pick(2), what: 'maintain', isWatch })
  }

  #crash(replica: number): void {
    this.trace.push(`${replica} crashes`)
    for (const request of this.#requests) if (request.replica === replica) this.#requests.delete(request)
    this.#simulation.service.restart(replica)
    this.#hasFailed[replica] = false
  }

  /** The payer begins to withdraw; after a day, in which the loop has looked, it takes out what is not claimed. */
  #leave(): void {
    if (this.#contract.balance === this.#contract.claimed) return
    if (this.#contract.withdrawAt === 0) {
      this.#contract.withdrawAt = this.#seconds
      this.#isWatched = false
      this.trace.push('the payer begins to withdraw')
    } else if (this.#isWatched && this.#world.standing === null && this.#requests.size === 0) {
      this.#pass(DAY_MS)
      this.#contract.withdraw()
      this.#hasLeft = true
      this.trace.push('the payer takes out what is not claimed')
    }
  }

  async #collect(): Promise<void> {
    for (const request of this.#requests) {
      if (request.defect !== undefined) throw new Broken(`a defect: ${(request.defect as Error).message}`)
      if (request.outcome === undefined) continue
      this.#requests.delete(request)
      await this.#judge(request, request.outcome)
    }
  }

  async #judge(request: Request, outcome: Outcome | null): Promise<void> {
    const { replica, what, isWatch, before, sum = this.#heard } = request
    if (outcome === null) {
      const row = await this.#row()
      const open = row === null ? 0 : Math.min(pricesOf(row.charged), this.#contract.balance)
      // A run that found another process's lock, or no node, has looked at nothing.
      const hasLooked = row === null || row.withdrawRequestedAt > 0
      if (isWatch === true && hasLooked && this.#contract.claimed >= open) this.#isWatched = true
      return
    }
    const said = 'code' in outcome ? outcome.code : outcome.kind
    this.trace.push(`${replica} answers: ${said}`)
    if (said === 'store_unavailable' && !this.#hasFailed[replica])
      throw new Broken('an answer blames the store, and it had not failed')
    const isRefund = typeof what === 'string'
    this.#answers.judge({
      amount: this.#simulation.service.amountOf(isRefund ? sum : what.amount),
      ...{ isRefund, outcome },
      quiet: before === undefined ? null : { before, after: await this.#row() },
    })
    if (isRefund) return
    if (outcome.kind === 'sold') await this.#judgeSold(what, outcome)
    else if ('code' in outcome && PROMISES[outcome.code] === 'never') await this.#judgeDenial(what, said)
    this.#learn(what, outcome)
  }

  async #judgeSold({ amount, body }: SignedVoucher, sale: Extract<Outcome, { kind: 'sold' }>): Promise<void> {
    const row = await this.#row()
    // The next voucher for a locked call gets its answer for nothing.
    if (row !== null && row.mismatches >= 50 && pricesOf(row.charged) === amount - 1) return
    if (pricesOf(row?.charged ?? 0n) < amount) throw new Broken('an answer was not charged')
    if ((this.#shown.get(amount) ?? body) !== body) throw new Broken('one voucher answered two calls')
    if (JSON.stringify(sale.verdicts[0]) !== JSON.stringify(this.#simulation.service.verdictOf(body)))
      throw new Broken('the verdict is for another value')
    this.#shown.set(amount, body)
    sale.delivered()
  }

  async #judgeDenial({ amount }: SignedVoucher, said: string): Promise<void> {
    const charged = pricesOf((await this.#row())?.charged ?? 0n)
    if (charged >= amount && this.#asked.get(amount)?.size === 1)
      throw new Broken(`${said} says "nothing was charged", and it was`)
  }

  /** What a payer takes from an answer, as the stock client does. */
  #learn(voucher: SignedVoucher, outcome: Outcome): void {
    if (!this.#healing && this.#choices.rarely(4)) {
      this.trace.push('the reply is lost')
      return
    }
    const { amount } = voucher
    const said = 'code' in outcome ? outcome.code : outcome.kind
    if (['sold', 'payment_already_used', 'replay_window_over'].includes(said)) {
      this.#heard = Math.max(this.#heard, amount)
      if (this.#pending !== null && this.#pending.amount <= this.#heard) this.#pending = null
    }
    if (!('code' in outcome)) return
    if (outcome.code === 'payment_expired' && this.#pending?.deposit != null)
      this.#pending = { ...this.#pending, deposit: this.#newDeposit() }
    if (outcome.code === 'channel_closing') this.#pending = null
    if (outcome.code === 'channel_out_of_step' && outcome.kind === 'unpaid') {
      const [offer] = outcome.quote.required('payment_required').accepts
      const state = offer?.extra?.voucherState as { signedMaxClaimable: string } | undefined
      this.#heard = state === undefined ? this.#contract.claimed : pricesOf(BigInt(state.signedMaxClaimable))
      this.#pending = null
    }
  }

  #row(): Promise<ChannelRow | null> {
    return this.#simulation.service.row()
  }

  /** What is written of the channel can be claimed, in each order in which transactions are mined. */
  async #judgeRow(): Promise<void> {
    const row = await this.#row()
    if (row === null) return
    const charged = pricesOf(row.charged)
    if (charged > this.#signed) throw new Broken('more was charged than the payer has signed for')
    if (row.calls > charged) throw new Broken('a call was charged twice')
    if (this.#contract.claimed > charged) throw new Broken('more was claimed than was charged')
    if (charged <= this.#contract.claimed) return
    if (charged - this.#contract.claimed > MOST_EXPOSED)
      throw new Broken('more was given on credit than the bound')
    if (charged > this.#contract.worstBalance())
      throw new Broken('a call was sold on money that is paid back')
  }

  /** All faults end: the payer repeats its call until the answer is definite, and buys once more. */
  async heal(): Promise<void> {
    await this.#rest()
    this.#healing = true
    this.trace.push('everything heals')
    Object.assign(this.#world, { standing: null, isPaused: false })
    this.#slow.clear()
    for (let replica = 0; replica < 2; replica += 1) this.#crash(replica)
    for (const transaction of [...this.#contract.air])
      if (this.#choices.pick(2) === 0) this.#mine(transaction)
      else this.#contract.air = this.#contract.air.filter((each) => each !== transaction)
    this.#pass(61_000)
    this.#world.isQuiet = true
    if (this.#pending !== null) await this.#insist(this.#pending)
    await this.#repeatCharged()
    await this.#claimAll()
    if (this.#contract.withdrawAt !== 0) return
    if (this.#faults.obstacles === true || this.#faults.trials === true) await this.#tryAll()
    await this.#buyOnceMore()
  }

  /** One request to its end, while nothing else goes on. */
  async #finish(request: Request, told: Told = {}): Promise<Outcome | null> {
    this.#told = told
    this.#asks = new Map()
    request.before = await this.#row()
    this.#start(request)
    for (let round = 0; round < 400; round += 1) {
      await this.#rest()
      const held = this.#stage.first()
      if (held === undefined) break
      const { port } = held
      const nth = this.#asks.get(port) ?? 0
      this.#asks.set(port, nth + 1)
      if (port === 'sleep' && told.reply === 'later')
        for (const transaction of this.#contract.air) this.#mine(transaction)
      this.#release(held, told.fail?.port === port && told.fail.nth === nth ? told.fail.fault : null)
    }
    if (request.outcome === undefined) throw new Broken('a request does not come to an end')
    return request.outcome
  }

  /** Sends a call until the answer is definite; gives its code, or `sold`. */
  async #insist(given: SignedVoucher): Promise<string> {
    let voucher = given
    let said = ''
    for (let round = 0; round < 9; round += 1) {
      this.#signed = Math.max(this.#signed, voucher.amount)
      const outcome = (await this.#finish({ replica: round % 2, what: voucher })) as Outcome
      said = 'code' in outcome ? outcome.code : outcome.kind
      if (said === 'payment_expired' && voucher.deposit !== null) {
        voucher = { ...voucher, deposit: this.#newDeposit() }
        continue
      }
      if (!UNCERTAIN.includes(said)) return said
      this.#pass(31_000 * 2 ** round)
      if (round % 3 === 1) await this.#maintain()
    }
    throw new Broken(`a channel is bricked: ${said}`)
  }

  async #maintain(): Promise<void> {
    await this.#finish({ replica: 0, what: 'maintain' })
  }

  async #repeatCharged(): Promise<void> {
    const charged = pricesOf((await this.#row())?.charged ?? 0n)
    if (charged === 0) return
    const said: string[] = []
    for (const body of this.#asked.get(charged) ?? [])
      said.push(await this.#insist({ amount: charged, body, deposit: null }))
    if (!said.includes('sold')) throw new Broken(`a charge is never answered: ${said}`)
  }

  /** What was charged and is in the channel is claimed. */
  async #claimAll(): Promise<void> {
    for (let round = 0; round < 3; round += 1) {
      this.#pass(7 * 3_600_000)
      await this.#maintain()
    }
    const charged = pricesOf((await this.#row())?.charged ?? 0n)
    const { claimed, balance } = this.#contract
    await this.#judgeBooks()
    if (!this.#hasLeft && charged > balance) throw new Broken('what is charged is not in the channel')
    if (claimed < Math.min(charged, balance)) throw new Broken('what is charged cannot be claimed')
    if (this.#hasLeft && claimed < charged) throw new Broken('a payer who left took what was charged')
  }

  /** The row and the deposits say what the chain says, and everything that was claimed has been paid out. */
  async #judgeBooks(): Promise<void> {
    const row = await this.#row()
    if (row === null) return
    const { balance, claimed, nonce, withdrawAt, paidOut, used } = this.#contract
    // A channel that is used up is read again at its next call.
    const isRead = row.balance !== row.totalClaimed
    if (pricesOf(row.totalClaimed) !== claimed || (isRead && pricesOf(row.balance) !== balance))
      throw new Broken('the row knows of other money in the channel')
    if (row.refundNonce !== BigInt(nonce) || (isRead && row.withdrawRequestedAt !== withdrawAt))
      throw new Broken('the row knows of another refund or withdrawal')
    if (paidOut !== claimed) throw new Broken('what was claimed is not paid out')
    if (this.#simulation.service.claimedWithoutRow(0) !== 0n)
      throw new Broken('a claim counts as of a channel without a row')
    for (const { nonce: name, state, owner, leaseUntil } of await this.#simulation.service.deposits()) {
      if (state === 'landed' && !used.has(name)) throw new Broken('a deposit counts as landed, and it is not')
      if (state === 'sending' || (used.has(name) && state !== 'landed'))
        throw new Broken(`a deposit stays ${state}`)
      if (owner !== null || leaseUntil !== 0) throw new Broken('a deposit that is over has an owner')
    }
  }

  async #tryAll(): Promise<void> {
    // A refund that is signed and not mined takes a part of what is there.
    const refunding = (await this.#row())?.refunding ?? 0n
    if (refunding > 0n || !(await this.#isPlain())) return
    const { service } = this.#simulation
    this.#contract.air = []
    const hands: Hands = {
      ...{ service, world: this.#world, choices: this.#choices, trace: this.trace },
      looks: () => this.#asks.get('chain') ?? 0,
      row: () => this.#row(),
      ask: async (voucher, told, replica = 0) => {
        this.#signed = Math.max(this.#signed, voucher.amount)
        return (await this.#finish({ replica, what: voucher }, told)) as Outcome
      },
      refund: async (sum, told, spoil) =>
        (await this.#finish({ replica: 0, what: 'refund', sum, spoil }, told)) as Outcome,
      maintain: async (told) => {
        const request: Request = { replica: 0, what: 'maintain' }
        await this.#finish(request, told)
        return request.isEnded !== true
      },
      pass: (ms) => this.#pass(ms),
      newDeposit: () => this.#newDeposit(),
    }
    await tryChannel(hands, this.#faults.trials === true)
    if (this.#faults.trials === true) await this.#claimAll()
  }

  /** A deposit that is in with the voucher of the next call pays for it, so that another one is not judged. */
  async #isPlain(): Promise<boolean> {
    const amount = nextSum(await this.#row(), this.#world)
    const known = await this.#simulation.service.deposits()
    return !known.some(({ voucher, state }) => state === 'landed' && pricesOf(voucher) >= amount)
  }

  async #buyOnceMore(): Promise<void> {
    const charged = Math.max(pricesOf((await this.#row())?.charged ?? 0n), this.#contract.claimed)
    const amount = charged + 1
    let said = 'channel_out_of_step'
    const refunding = (await this.#row())?.refunding ?? 0n
    if (amount <= this.#contract.balance) {
      said = await this.#insist({ amount, body: 'v', deposit: null })
      if (said !== 'sold' && refunding === 0n)
        throw new Broken(`what is in the channel buys nothing: ${said}`)
    }
    // Of what is in the channel, a refund that is signed and not mined takes a part.
    if (said === 'channel_out_of_step')
      said = await this.#insist({ amount, body: 'v', deposit: this.#newDeposit() })
    if (said !== 'sold') throw new Broken(`a channel is bricked: ${said}`)
  }
}

const UNCERTAIN = [
  'payment_in_doubt',
  'facilitator_unavailable',
  'chain_unavailable',
  'store_unavailable',
  'too_many_requests',
]
