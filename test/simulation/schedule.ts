import { type Authorized, askedValue, type Request, sameAsked, VALUES, valueOfTask } from './buyers.ts'
import type { Choices } from './choices.ts'
import { Broken, type Finding, findingOf, type Playable } from './finding.ts'
import { failCall, type PortFault } from './port-faults.ts'
import { promiseOf } from './promises.ts'
import { judgeAnswer } from './sale-answers.ts'
import type { Faults } from './sale-faults.ts'
import {
  AMOUNT,
  type Asked,
  FacilitatorFault,
  type Recovery,
  type Sale,
  type SimulatedService,
  type World,
} from './service.ts'
import { SlowCalls } from './slow-calls.ts'
import type { HeldCall } from './stage.ts'

const HOUR_MS = 3_600_000
const VALID_SECONDS = 120
const MOST_REQUESTS = 7
const OTHER_WALLET = `0x${'d'.repeat(40)}` as const
let counter = 0

/** Runs one schedule; null when every promise was kept. */
export const runSchedule = (
  service: SimulatedService,
  choices: Choices,
  faults: Faults,
): Promise<Finding | null> => findingOf(new Schedule(service, choices, faults))

class Schedule implements Playable {
  readonly trace: string[] = []
  readonly #service: SimulatedService
  readonly #choices: Choices
  readonly #faults: Faults
  readonly #world: World
  readonly #authorized: Authorized[] = []
  readonly #requests = new Set<Request>()
  readonly #shown = new Set<string>()
  /** By transaction. */
  readonly #receipts = new Map<string, string>()
  readonly #payer: `0x${string}`
  readonly #money: bigint
  /** What else may happen around the requests. */
  readonly #more: readonly (() => void)[]
  readonly #slow: SlowCalls
  /** By replica: whether the store was told to fail since its start. */
  readonly #hasFailed = [false, false]
  #tasks: string[] = []
  #isAway = false
  #step = 0
  #requestCount = 0
  #healing = false

  constructor(service: SimulatedService, choices: Choices, faults: Faults) {
    this.#service = service
    this.#choices = choices
    this.#slow = new SlowCalls(choices)
    this.#faults = faults
    this.#more = [
      ...(faults.pauses === true ? [this.#pause] : []),
      ...(faults.away === true ? [this.#goAway] : []),
    ]
    this.#world = service.reset()
    // The same names for the same seed: which of two claims is the first may follow from their nonces.
    counter = 1
    this.#payer = `0x${counter.toString(16).padStart(40, 'c')}`
    this.#money = faults.poor === true && choices.rarely(2) ? AMOUNT : 1_000n * AMOUNT
    this.#world.onReceived = ({ nonce }) => {
      const authorized = this.#authorized.find(({ signed }) => signed.nonce === nonce) as Authorized
      authorized.sends.push(this.#step)
      if (this.#useOf(authorized) === null) authorized.air = true
    }
  }

  async run(): Promise<void> {
    if (this.#faults.tasks === true && this.#choices.rarely(3)) await this.#holdVerdicts()
    await this.#comeIn()
    if (this.#faults.rivals === true && this.#choices.rarely(3)) this.#comeInAgain()
    for (this.#step = 1; this.#step <= this.#faults.steps; this.#step += 1) {
      await this.#world.stage.quiet()
      await this.#collect()
      await this.#next()
    }
  }

  #comeInAgain(): void {
    const [first] = this.#authorized
    const [request] = this.#requests
    if (first === undefined || request === undefined) return
    this.#ask(1 - request.replica, this.#sign(first.asked, first))
  }

  async #holdVerdicts(): Promise<void> {
    const isTwice = this.#faults.pauses === true && this.#choices.rarely(2)
    for (const value of isTwice ? [VALUES[0], VALUES[0]] : VALUES.slice(0, 2)) {
      const held = this.#service.holdVerdict(0, value)
      await this.#letAllGo()
      const taskId = await held
      valueOfTask.set(taskId, value)
      this.#tasks.push(taskId)
    }
  }

  /** Lets every call under way go on, until none is held. */
  async #letAllGo(): Promise<void> {
    for (let round = 0; round < 400; round += 1) {
      await this.#world.stage.quiet()
      const held = this.#world.stage.first()
      if (held === undefined) return
      this.#release(held)
    }
    throw new Broken('a request does not come to an end')
  }

  async #next(): Promise<void> {
    const { pick, rarely } = this.#choices
    const held = this.#slow.ready(this.#world.stage.held)
    if (held.length === 0 || rarely(6)) {
      const world = pick(13 + 2 * this.#more.length)
      if (world > 12) return this.#more[(world - 13) >> 1]?.()
      if (world > 4) return this.#disturb(world)
      if (this.#requestCount < MOST_REQUESTS) return this.#comeIn()
      if (held.length === 0) return this.#disturb(5 + pick(8))
    }
    const call = held[pick(held.length)] as HeldCall
    if (this.#faults.slow === true && rarely(10)) {
      this.trace.push(`${call.replica} ${call.port} ${call.name} takes long`)
      this.#slow.add(call)
    } else this.#release(call, this.#faultFor(call))
  }

  #faultFor({ port }: HeldCall): PortFault | null {
    const { pick, rarely } = this.#choices
    if (port === 'ledger' && this.#faults.store === true && rarely(14))
      return pick(2) === 0 ? 'fail' : 'after'
    if (port === 'chain' && this.#faults.node === true && rarely(10)) return 'fail'
    if (port === 'settle' && (this.#isAway || rarely(6))) return 'fail'
    return null
  }

  #release(call: HeldCall, fault: PortFault | null = null): void {
    this.trace.push(
      `${call.replica} ${call.port} ${call.name}${describe(call)}${fault === null ? '' : ` !${fault}`}`,
    )
    if (call.port === 'ledger' && fault !== null) this.#hasFailed[call.replica] = true
    if (call.port === 'sleep') {
      const due = call.args[0] as number
      const pass = Math.max(0, due - this.#world.elapsedMs - (this.#world.patienceMs[call.replica] as number))
      this.#pass(pass)
      call.go()
    } else if (call.port === 'reply') this.#reply(call)
    else if (fault !== null) failCall(call, fault)
    else call.go()
  }

  #pass(ms: number): void {
    this.#world.nowMs += ms
    this.#world.elapsedMs += ms
    this.#world.chain.mine(this.#chainSeconds())
  }

  #chainSeconds(): number {
    return Math.floor(this.#world.nowMs / 1000) - this.#world.lateBlockSeconds
  }

  #reply(call: HeldCall): void {
    const [{ nonce }, choose] = call.args as [{ nonce: string }, (reply: unknown) => void]
    const authorized = this.#authorized.find(({ signed }) => signed.nonce === nonce) as Authorized
    const isFirst = authorized.sends.length === 1
    const settle = () => {
      if (authorized.air) this.#land(authorized)
      const transaction = this.#transactionOf(authorized)
      if (!this.#isCharged(authorized) || transaction === null) return this.#fault('unknown')
      return { success: true, payer: authorized.signed.payer, transaction, network: 'eip155:8453' }
    }
    const kind = this.#healing ? 0 : this.#choices.pick(this.#faults.word === true ? 7 : 5)
    const used = this.#useOf(authorized) !== null
    const reply = (() => {
      switch (kind) {
        case 1:
        case 2:
          return this.#fault('unknown')
        case 3:
          return {
            success: false,
            errorReason: 'settlement_simulation_failed',
            transaction: '',
            network: 'eip155:8453',
          }
        case 4:
          if (!isFirst || used) return this.#fault('unknown')
          authorized.air = false
          return {
            success: false,
            errorReason: 'invalid_exact_evm_insufficient_balance',
            transaction: '',
            network: 'eip155:8453',
          }
        case 5:
          if (isFirst && !used) authorized.air = false
          return new FacilitatorFault('not_sent', 'too many requests', { answered: true })
        case 6:
          return new FacilitatorFault('not_sent', 'too many requests', { answered: true })
        default:
          return settle()
      }
    })()
    this.trace[this.trace.length - 1] +=
      ` ${['settled', 'none', 'none', 'doubtful', 'refused', 'says not sent', 'says not sent, and sends'][kind]}`
    choose(reply)
    call.go()
  }

  #fault(effect: 'unknown'): Error {
    return new FacilitatorFault(effect, 'no reply in time')
  }

  #land(authorized: Authorized): void {
    authorized.air = false
    const { payer, nonce } = authorized.signed
    if (!this.#world.chain.use(payer, nonce, 'paid', AMOUNT, this.#chainSeconds())) return
    this.trace.push('the transfer lands')
    const denial = authorized.denials.at(-1)
    const send = authorized.sends.at(-1) ?? 0
    if (denial !== undefined && denial > send)
      throw new Broken('charged after an answer that said "nothing was charged"')
  }

  async #comeIn(): Promise<void> {
    const { pick, rarely } = this.#choices
    this.#requestCount += 1
    const replica = pick(2)
    const first = this.#authorized[0]
    if (first === undefined) return this.#ask(replica, this.#sign(this.#askForFirst(), null))
    const asking = this.#authorized.filter((each) => !this.#isAnsweredByAnother(each))
    const authorized = (asking[pick(asking.length)] ?? first) as Authorized
    if (this.#faults.newSignatures === true && rarely(4) && authorized.deliveries.length === 0)
      return this.#ask(replica, this.#sign(authorized.asked, authorized, authorized.signed.payer))
    if (this.#faults.paidTasks === true && this.#tasks.length > 0 && rarely(4))
      return this.#ask(replica, this.#sign(first.asked, null))
    if (this.#faults.wallets === true && this.#tasks.length > 0 && rarely(4))
      return this.#ask(replica, this.#sign(first.asked, null, OTHER_WALLET))
    if (this.#faults.differing === true && authorized.asked.kind === 'value' && rarely(5))
      return this.#ask(replica, authorized, { kind: 'value', value: VALUES[1] })
    if (this.#faults.otherCalls === true && rarely(4))
      return this.#ask(replica, this.#sign({ kind: 'value', value: VALUES[1] }, null))
    // Payer, nonce and signature are public only once the transfer is on the chain.
    if (this.#faults.strangers === true && rarely(5) && this.#isCharged(authorized)) {
      const times = rarely(3) ? 8 : 1
      for (let time = 0; time < times; time += 1)
        this.#ask(
          replica,
          authorized,
          { kind: 'value', value: `${VALUES[2]} ${time}`, client: 'stranger' },
          true,
        )
      return
    }
    if (this.#tasks.length > 0 && rarely(3))
      return this.#ask(replica, authorized, { kind: 'task', taskId: this.#tasks[1] as string })
    if (this.#faults.tasks === true && authorized.asked.kind === 'value' && rarely(5))
      return this.#ask(replica, authorized, { ...authorized.asked, inband: true })
    return this.#ask(replica, authorized)
  }

  #askForFirst(): Asked {
    if (this.#tasks.length > 0) return { kind: 'task', taskId: this.#tasks[0] as string }
    return { kind: 'value', value: VALUES[0] }
  }

  #sign(asked: Asked, insteadOf: Authorized | null, payer = this.#payer): Authorized {
    counter += 1
    const signed = {
      payer,
      nonce: `0x${counter.toString(16).padStart(64, '0')}` as const,
      validBefore: Math.floor(this.#world.nowMs / 1000) + VALID_SECONDS,
    }
    const authorized: Authorized = {
      signed,
      asked,
      tried: [asked],
      sends: [],
      denials: [],
      deliveries: [],
      answeredTasks: new Set(),
      air: false,
      cameIn: this.#step,
      cameInMs: this.#world.nowMs,
      spentElsewhere: false,
      insteadOf,
    }
    this.#world.chain.allow(signed.payer, signed.nonce, signed.validBefore, this.#money)
    this.#authorized.push(authorized)
    return authorized
  }

  #ask(replica: number, authorized: Authorized, asked = authorized.asked, isStranger = false): void {
    const request: Request = { replica, authorized, asked, isStranger, cameIn: this.#step }
    this.trace.push(
      `${replica} ${isStranger ? 'a stranger' : 'the buyer'} asks: ${this.#authorized.indexOf(authorized)} ${JSON.stringify(asked).slice(0, 60)}`,
    )
    if (!isStranger && !authorized.tried.some((each) => sameAsked(each, asked))) authorized.tried.push(asked)
    this.#requests.add(request)
    this.#service.sell(replica, asked, authorized.signed).then(
      (sale) => {
        request.sale = sale
      },
      (defect) => {
        request.defect = defect
      },
    )
  }

  readonly #pause = () => {
    this.#world.isPaused = !this.#world.isPaused
    this.trace.push(`new settlements are ${this.#world.isPaused ? '' : 'not '}paused`)
  }

  readonly #goAway = () => {
    this.#isAway = !this.#isAway
    this.trace.push(`the facilitator is ${this.#isAway ? 'away' : 'there'}`)
  }

  async #disturb(which: number): Promise<void> {
    const { pick, rarely } = this.#choices
    switch (which) {
      case 5: {
        const authorized = this.#authorized.find(({ air }) => air)
        if (authorized !== undefined) this.#land(authorized)
        return
      }
      case 6: {
        const ms = [1_000, 31_000, 130_000, 605_000][pick(4)] as number
        if (this.#world.stage.held.some(({ port }) => port === 'reply')) return
        this.trace.push(`time passes: ${ms}`)
        return this.#pass(ms)
      }
      case 7: {
        if (this.#faults.crashes !== true) return
        const replica = pick(2)
        this.trace.push(`${replica} crashes`)
        for (const request of this.#requests) if (request.replica === replica) this.#requests.delete(request)
        return this.#restart(replica)
      }
      case 8:
        this.trace.push('the recovery loop runs')
        this.#service.recover(pick(2)).catch(() => {})
        return
      case 9:
        if (this.#faults.elsewhere === true && rarely(2)) return this.#spendElsewhere()
        return
      case 10:
        if (this.#faults.lateBlocks === true) {
          this.#world.lateBlockSeconds = [0, 60][pick(2)] as number
          this.trace.push(`new blocks are ${this.#world.lateBlockSeconds} s late`)
        }
        return
      case 11:
        return this.#losePower()
      default:
        if (this.#faults.longWaits === true && rarely(3)) {
          if (this.#world.stage.held.some(({ port }) => port === 'reply')) return
          this.trace.push('an hour passes, and housekeeping runs')
          this.#pass(HOUR_MS + 1_000)
        }
        this.#service.purge(pick(2)).catch(() => {})
    }
  }

  /** The replicas fail with the store's machine, or live on. */
  #losePower(): void {
    if (this.#faults.power !== true) return
    const isWithReplicas = this.#choices.pick(2) === 0
    this.trace.push(`the store loses power${isWithReplicas ? ', and the replicas with it' : ''}`)
    this.#service.losePower()
    if (!isWithReplicas) return
    this.#requests.clear()
    for (let replica = 0; replica < 2; replica += 1) this.#restart(replica)
  }

  #restart(replica: number): void {
    this.#service.restart(replica)
    this.#hasFailed[replica] = false
  }

  #spendElsewhere(): void {
    const { pick } = this.#choices
    const authorized = this.#authorized[0] as Authorized
    if (this.#useOf(authorized) !== null) return
    const use = (['foreign', 'canceled'] as const)[pick(2)] as 'foreign' | 'canceled'
    if (this.#world.chain.use(this.#payer, authorized.signed.nonce, use, AMOUNT, this.#chainSeconds())) {
      authorized.spentElsewhere = true
      authorized.air = false
      this.trace.push(`the authorization is used elsewhere: ${use}`)
    }
  }

  /** Takes the answers that came, and holds each against its promise. */
  async #collect(): Promise<void> {
    for (const request of this.#requests) {
      if (request.defect !== undefined) throw new Broken(`a defect: ${(request.defect as Error).message}`)
      if (request.sale === undefined) continue
      this.#requests.delete(request)
      this.#judge(request, request.sale)
      await this.#judgeNamedTask(request.sale)
    }
  }

  #judge(request: Request, sale: Sale): void {
    const { authorized } = request
    const said = sale.kind === 'sold' ? 'sold' : sale.code
    this.trace.push(`${request.replica} answers: ${said}`)
    this.#judgeWords(request, sale)
    const promise = promiseOf(sale)
    const paid = this.#isCharged(authorized)
    if (promise === 'charged' && !paid) throw new Broken(`${said} says that it was charged, and it was not`)
    if (promise === 'never') {
      if (paid && !authorized.spentElsewhere)
        throw new Broken(`${said} says "nothing was charged", and it was`)
      authorized.denials.push(this.#step)
    }
    if (said === 'store_unavailable' && !this.#hasFailed[request.replica])
      throw new Broken('an answer blames the store, and it had not failed')
    if (sale.kind === 'declined' && sale.code === 'replay_window_over' && !request.isStranger)
      this.#judgeWindow(authorized)
    if (sale.kind === 'sold') this.#judgeSold(request, sale)
  }

  /** What an answer says of the call and the terms, and what a facilitator was asked for. */
  #judgeWords({ asked, authorized: { signed } }: Request, sale: Sale): void {
    const { callOf, terms } = this.#service
    const { wrong } = this.#world
    judgeAnswer(sale, {
      call: callOf(asked),
      nowMs: null,
      offer: terms.requirements,
      payer: signed.payer,
      row: null,
    })
    if (wrong.length > 0) throw new Broken(wrong.join())
    if (sale.kind !== 'sold') return
    const { transaction } = sale.settlement
    const receipt = JSON.stringify(sale.settlement)
    if ((this.#receipts.get(transaction) ?? receipt) !== receipt)
      throw new Broken('a repeat has another receipt')
    this.#receipts.set(transaction, receipt)
  }

  async #judgeNamedTask(sale: Sale): Promise<void> {
    if (sale.kind === 'unpaid' || sale.taskId === undefined) return
    if ((await this.#service.taskRow(sale.taskId)) === null)
      throw new Broken('an answer names a task that is not stored')
  }

  #judgeWindow(authorized: Authorized): void {
    const isYoung = this.#world.nowMs - authorized.cameInMs < 20 * HOUR_MS
    if (authorized.deliveries.length === 0 && isYoung)
      throw new Broken('the replay window is over before the answer was ever delivered')
  }

  #judgeSold({ authorized, asked }: Request, sale: Extract<Sale, { kind: 'sold' }>): void {
    const value = askedValue(asked)
    const compact = value.replaceAll(' ', '')
    if (JSON.stringify(sale.verdicts[0]) !== JSON.stringify(this.#service.verdictOf(value)))
      throw new Broken('the verdict is for another value')
    const transactions = this.#authorized.map((each) => this.#transactionOf(each))
    if (!transactions.includes(sale.settlement.transaction as `0x${string}`))
      throw new Broken('the receipt names a transaction that is not on the chain')
    const own = this.#transactionOf(authorized)
    if (asked.kind === 'task' && sale.settlement.transaction === own)
      authorized.answeredTasks.add(asked.taskId)
    if (authorized.answeredTasks.size > 1) throw new Broken('one authorization pays for two tasks')
    const lost = !this.#healing && this.#choices.rarely(4)
    if (lost) {
      this.trace.push('the reply is lost')
      return
    }
    sale.delivered()
    const source = this.#authorized.find((each) => this.#transactionOf(each) === sale.settlement.transaction)
    for (const each of new Set([authorized, source])) each?.deliveries.push(this.#step)
    this.#shown.add(compact)
    this.#judgeShown([])
  }

  #judgeShown(ofTasks: readonly string[]): void {
    const visible = new Set([...this.#shown, ...ofTasks])
    const charges = this.#authorized.filter((each) => this.#isCharged(each)).length
    if (visible.size > charges) throw new Broken('more verdicts are shown than were paid for')
  }

  #useOf({ signed: { payer, nonce } }: Authorized) {
    return this.#world.chain.usedFor(payer, nonce)
  }

  #transactionOf({ signed: { payer, nonce } }: Authorized) {
    return this.#world.chain.transactionOf(payer, nonce)
  }

  #isCharged(authorized: Authorized): boolean {
    return this.#useOf(authorized) === 'paid'
  }

  /** All faults end: every buyer repeats its request until the answer is definite. */
  async heal(): Promise<void> {
    this.#healing = true
    this.trace.push('everything heals')
    this.#world.nodeHead = null
    this.#world.isPaused = false
    this.#isAway = false
    this.#slow.clear()
    for (let replica = 0; replica < 2; replica += 1) this.#restart(replica)
    for (const request of this.#requests) this.#requests.delete(request)
    for (const authorized of this.#authorized)
      if (authorized.air && this.#choices.pick(2) === 0) this.#land(authorized)
    this.#world.lateBlockSeconds = 0
    this.#pass(31_000)
    await this.#judgeTasks()
    for (const authorized of [...this.#authorized].reverse())
      if (this.#isPaidTask(authorized) || !this.#isAnsweredByAnother(authorized))
        await this.#comesToAnEnd(authorized)
    await this.#judgeTasks()
    this.#judgeDoubleCharge()
    this.#judgePaidTasks()
    await this.#everyRowEnds()
  }

  async #comesToAnEnd(authorized: Authorized): Promise<void> {
    for (let round = 0; round < 8; round += 1) {
      this.#step += 1
      this.#ask(round % 2, authorized, authorized.tried[round % authorized.tried.length])
      const [request] = this.#requests as unknown as [Request]
      await this.#letAllGo()
      await this.#collect()
      const { sale } = request
      if (sale?.kind === 'sold') return
      const isCharged = this.#isCharged(authorized)
      if (sale?.kind === 'unpaid' && !isCharged) return
      if (sale?.kind === 'declined') {
        const isDone = !isCharged || authorized.deliveries.length > 0
        if (isDone && ['payment_already_used', 'replay_window_over', 'task_not_found'].includes(sale.code))
          return
      }
      this.#pass(31_000 * 2 ** round)
      if (round === 4) await this.#recoverNow()
    }
    throw new Broken(
      this.#isCharged(authorized) ? 'a charge is never answered' : 'a buyer never gets a definite answer',
    )
  }

  /** Another authorization of the buyer brought the answer to this call: there is no reason to send it once more. */
  #isAnsweredByAnother(authorized: Authorized): boolean {
    if (this.#isCharged(authorized)) return false
    return this.#authorized.some(
      ({ asked, deliveries }) => deliveries.length > 0 && sameAsked(asked, authorized.asked),
    )
  }

  /** A signature for a task gets an answer of its own, although another one was answered. */
  #isPaidTask({ asked }: Authorized): boolean {
    return this.#faults.paidTasks === true && asked.kind === 'task'
  }

  async #recoverNow(): Promise<Recovery | null> {
    const run = this.#service.recover(0).catch(() => null)
    await this.#letAllGo()
    return run
  }

  async #judgeTasks(): Promise<void> {
    const visible: string[] = []
    for (const taskId of this.#tasks) {
      const reading = this.#service.readTask(0, taskId)
      await this.#letAllGo()
      const view = await reading
      if (view?.state === 'sold') visible.push(askedValue({ kind: 'task', taskId }).replaceAll(' ', ''))
    }
    this.#judgeShown(visible)
  }

  /** A second signature for a call whose answer had not arrived must not be charged beside the first. */
  #judgeDoubleCharge(): void {
    for (const authorized of this.#authorized) {
      const first = authorized.insteadOf
      if (first === null || !this.#isCharged(authorized) || !this.#isCharged(first)) continue
      const isRival = authorized.cameIn === first.cameIn
      const wasUnderWay =
        (isRival || first.sends.some((step) => step <= authorized.cameIn)) &&
        authorized.cameInMs - first.cameInMs < 500_000
      // A buyer who was told "nothing was charged" may try the one again and pay with the other too.
      if (isRival && first.denials.length + authorized.denials.length > 0) continue
      const wasDenied = first.denials.some((step) => step <= authorized.cameIn)
      if (
        wasUnderWay &&
        !wasDenied &&
        first.tried.length + authorized.tried.length === 2 &&
        sameAsked(first.asked, authorized.asked)
      )
        throw new Broken('one call was charged twice')
    }
  }

  /**
   * A task whose verdict was delivered is not sold to a signature that came in after that. A first signature may have
   * bought another task instead, if its payment for this one was lost with the replica.
   */
  #judgePaidTasks(): void {
    for (const first of this.#authorized)
      for (const later of this.#authorized) {
        const { asked } = first
        if (asked.kind !== 'task' || !sameAsked(asked, later.asked)) continue
        const isSold =
          first.deliveries.some((step) => step < later.cameIn) && first.answeredTasks.has(asked.taskId)
        if (first !== later && isSold && later.tried.length === 1 && this.#isCharged(later))
          throw new Broken('a task that was paid for was sold again')
      }
  }

  /** Once every authorization has expired, the recovery loop leaves no row without an end. */
  async #everyRowEnds(): Promise<void> {
    this.#pass(2 * HOUR_MS)
    await this.#recoverNow()
    this.#pass(2 * HOUR_MS)
    await this.#recoverNow()
    for (const { signed } of this.#authorized) {
      const state = (await this.#service.row(signed))?.state as string | undefined
      if (state !== undefined && ['in_doubt', 'settling', 'refused'].includes(state))
        throw new Broken(`a row stays ${state} without end`)
    }
    for (const authorized of this.#authorized) await this.#judgeEnd(authorized)
    if ((await this.#service.unknownTransfers()) > 0) throw new Broken('a payment has no row that says so')
    const { reconciled, audited } = (await this.#recoverNow()) ?? {}
    const isDone = { settled: 0, void: 0, open: 0, complete: true }
    if (JSON.stringify(reconciled) !== JSON.stringify(isDone)) throw new Broken('the recovery is never done')
    if (JSON.stringify(audited) !== JSON.stringify({ found: 0, missing: 0, open: 0, complete: true }))
      throw new Broken('the audit is never done')
    await this.#judgeRestored()
  }

  /** A backup from before all payments gets the row of each that is on the chain, once. */
  async #judgeRestored(): Promise<void> {
    const charged = this.#authorized.filter((each) => this.#isCharged(each))
    this.#service.forgetRows()
    for (const expected of [charged.length, 0]) {
      const { restored, ignored } = await this.#service.restore()
      if (restored !== expected || ignored !== 0) throw new Broken('a restore finds other payments')
    }
    for (const each of charged) {
      if ((await this.#service.row(each.signed)) === null) throw new Broken('a payment is not restored')
      await this.#judgeEnd(each)
    }
  }

  /** A row says in the end what the chain says, and nothing works on it. */
  async #judgeEnd(authorized: Authorized): Promise<void> {
    const row = await this.#service.row(authorized.signed)
    if (row === null || row.state === 'claimed') return
    const use = this.#useOf(authorized)
    if ((row.state === 'settled') !== (use === 'paid'))
      throw new Broken(`a row is ${row.state}, and its authorization ${use ?? 'unused'}`)
    if (row.owner !== null || row.leaseUntil !== 0) throw new Broken('a row that is over has an owner')
    const { transaction, logIndex, audit, refusal } = row
    const isPlaced = transaction === this.#transactionOf(authorized) && logIndex === 0 && audit === 'found'
    if (row.state === 'settled' && !isPlaced) throw new Broken('a row has another place on the chain')
    const reason = use === 'foreign' ? 'payment_spent_elsewhere' : 'payment_expired'
    if (row.state === 'void' && refusal !== reason) throw new Broken(`a row is void as ${refusal}`)
  }
}

function describe({ name, args }: HeldCall): string {
  const state = name.startsWith('move') ? (args[1] as { state?: string }).state : undefined
  return state === undefined ? '' : ` ${state}`
}
