import { type Hex, parseTransaction } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { countedOf } from '../../src/ledger/treasury/treasury-row.ts'
import { AGGREGATOR } from '../../src/payments/chain/settlement-calls.ts'
import { dollarsOf } from '../../src/payments/facilitators/self/treasury/treasury.ts'
import {
  judgeFault,
  judgeSettlement,
  type SettleOutcome,
} from '../../src/payments/sale/table/settle-outcome.ts'
import { TOKEN } from '../../src/sandbox/addresses.ts'
import { type SignedPayment, signPayment, termsFor } from '../support/chain-payments.ts'
import type { Choices } from './choices.ts'
import { Broken, type Finding, findingOf, type Playable } from './finding.ts'
import { failCall } from './port-faults.ts'
import {
  DAILY_LOSS_LIMIT,
  ETH_USD,
  FINALITY,
  MAX_COST,
  MOST_IN_BATCH,
  passTime,
  type SettlementSimulation,
  type SettlementWorld,
} from './settlement-world.ts'
import { keyOf, type SignedByUs, transfersOf } from './simulated-node.ts'
import { SlowCalls } from './slow-calls.ts'
import type { HeldCall } from './stage.ts'

/** What may happen in a schedule beside settlements that gather. */
export interface SettlementFaults {
  readonly steps: number
  readonly store?: boolean
  /** Requests to the node fail, or their answers are lost. */
  readonly node?: boolean
  readonly crashes?: boolean
  /** Answers of the node are some blocks behind. */
  readonly behind?: boolean
  /** The newest block is taken back, and the node forgets what waits. */
  readonly reorganisations?: boolean
  /** Another program sends with the same key. */
  readonly foreign?: boolean
  /** A process goes on though another was let in. */
  readonly lockLost?: boolean
  /** The price of gas rises and falls, also beyond what is allowed. */
  readonly prices?: boolean
  /** The node gives receipts with the broadcast, or says that it took too long. */
  readonly sync?: boolean
  /** Payers cancel, have money for one payment, and have authorizations that end. */
  readonly poor?: boolean
  /** A payer burns gas when mined. */
  readonly burners?: boolean
  /** Payers with code; the chain may have no aggregator. */
  readonly code?: boolean
  readonly slow?: boolean
}

export const ALL_SETTLEMENT_FAULTS: SettlementFaults = {
  steps: 160,
  store: true,
  node: true,
  crashes: true,
  behind: true,
  reorganisations: true,
  foreign: true,
  lockLost: true,
  prices: true,
  sync: true,
  poor: true,
  burners: true,
  code: true,
  slow: true,
}

const PAY_TO: Hex = `0x${'b'.repeat(40)}`
const PRICE = 1_000n
const TERMS = termsFor(PAY_TO, String(PRICE))
const VALID_SECONDS = 120
const MOST_SALES = 9
/** Each of them offers what is late, and is a block. */
const ROUNDS_TO_PAY = 10
const ROUND_SECONDS = 7
const BASE_FEES = [1_000_000n, 4_000_000n, 20_000_000n] as const
/** Beyond what a sale may cost. */
const TOO_DEAR = 200_000_000n
/** The last one has code where a schedule gives it some. */
const PAYERS: readonly PrivateKeyAccount[] = Array.from({ length: 5 }, (_, index) =>
  privateKeyToAccount(`0x${String(index + 1).padStart(64, '7')}`),
)

/** One payment that is to be settled. */
interface Sale {
  readonly payment: SignedPayment
  readonly replica: number
  outcome: SettleOutcome | null
}

/** Runs one schedule; null when every promise was kept. */
export const runSettlementSchedule = (
  simulation: SettlementSimulation,
  choices: Choices,
  faults: SettlementFaults,
): Promise<Finding | null> => findingOf(new SettlementSchedule(simulation, choices, faults))

class SettlementSchedule implements Playable {
  readonly trace: string[] = []
  readonly #simulation: SettlementSimulation
  readonly #world: SettlementWorld
  readonly #choices: Choices
  readonly #faults: SettlementFaults
  readonly #slow: SlowCalls
  readonly #sales: Sale[] = []
  /** What may disturb this schedule, each by its name. */
  readonly #disturbances: readonly (() => void)[]
  #coded: Hex | null = null
  /** The node does not lie, and nothing is taken back. */
  #isCalm = false
  #hasTakenBack = false
  #hasLostLock = false
  /** Number of the newest block there was. */
  #highest = 0
  #healing = false

  constructor(simulation: SettlementSimulation, choices: Choices, faults: SettlementFaults) {
    this.#simulation = simulation
    this.#choices = choices
    this.#faults = faults
    this.#world = simulation.reset()
    this.#slow = new SlowCalls(choices)
    const { node } = this.#world
    node.onReceived = (transaction) => this.#judgeReceived(transaction)
    node.onGarbage = () => {
      this.#broken ??= 'the node gets what is no transaction'
    }
    node.onFailedPart = (_, why) => {
      if (why === 'used' && this.#isCalm) this.#broken ??= 'gas was spent on a payment that was made before'
    }
    const isPoor = faults.poor === true && choices.rarely(2)
    for (const { address } of PAYERS) node.fund(address, isPoor ? PRICE : 1_000n * PRICE)
    if (faults.code === true) {
      if (choices.rarely(4)) node.code.delete(AGGREGATOR.toLowerCase())
      if (choices.rarely(2)) {
        this.#coded = (PAYERS.at(-1) as PrivateKeyAccount).address
        node.code.set(this.#coded.toLowerCase(), '0xef0100')
      }
    }
    if (faults.burners === true && choices.rarely(2))
      node.burners.add((PAYERS[1] as PrivateKeyAccount).address.toLowerCase())
    const kinds: readonly (readonly [happens: boolean | undefined, ...what: (() => void)[]])[] = [
      [faults.crashes, this.#crash],
      [faults.behind, this.#fallBehind],
      [faults.reorganisations, this.#takeBack, this.#evict],
      [faults.foreign, this.#takeNonce],
      [faults.lockLost, this.#loseLock],
      [faults.prices, this.#changePrice],
      [faults.sync, this.#changeSync],
      [faults.poor, this.#cancel],
    ]
    const some = kinds.filter(([happens]) => happens === true).filter(() => choices.rarely(3))
    this.#isCalm =
      faults.node !== true &&
      some.every(([, what]) => what === this.#crash || what === this.#changePrice || what === this.#cancel)
    this.#disturbances = [
      ...[this.#mine, this.#mine, this.#mine, this.#passTime, this.#maintain],
      ...some.flatMap(([, ...what]) => what),
    ]
  }

  async run(): Promise<void> {
    for (let step = 1; step <= this.#faults.steps; step += 1) {
      await this.#rest()
      await this.#next()
    }
  }

  async #rest(): Promise<void> {
    await this.#world.stage.quiet()
    const books = await this.#simulation.books()
    if (countedOf(books) > DAILY_LOSS_LIMIT) throw new Broken('reserved and lost pass the daily loss limit')
    if (books.overrun > 0n) throw new Broken('a transaction cost more than was reserved for it')
    const { spent, earned } = this.#truth()
    if (spent - earned > DAILY_LOSS_LIMIT) throw new Broken('a day costs more than the daily loss limit')
    if (this.#broken !== null) throw new Broken(this.#broken)
  }

  /** What a listener saw: it is called inside of the code, which must not get the exception. */
  #broken: string | null = null

  async #next(): Promise<void> {
    const { pick, rarely } = this.#choices
    const held = this.#slow.ready(this.#world.stage.held)
    if (held.length === 0 || rarely(8)) {
      if (this.#sales.length < MOST_SALES && (held.length === 0 || rarely(2))) return this.#ask(1 + pick(3))
      return this.#disturbances[pick(this.#disturbances.length)]?.()
    }
    const call = held[pick(held.length)] as HeldCall
    if (this.#faults.slow === true && rarely(10)) return this.#slow.add(call)
    this.#release(call)
  }

  #release(call: HeldCall): void {
    const fault = this.#faultFor(call)
    this.trace.push(`${call.replica} ${call.port} ${call.name}${fault === null ? '' : ` !${fault}`}`)
    if (call.port === 'sleep') {
      passTime(this.#world, Math.max(0, (call.args[0] as number) - this.#world.elapsedMs))
      call.go()
    } else if (fault === null) call.go()
    else if (call.port === 'ledger') failCall(call, fault)
    else if (fault === 'fail') call.fail(new Error('no answer'))
    else call.goThenFail(new Error('no answer'))
  }

  #faultFor({ port }: HeldCall): 'fail' | 'after' | null {
    if (this.#healing || port === 'sleep') return null
    if (!(port === 'ledger' ? this.#faults.store : this.#faults.node)) return null
    if (!this.#choices.rarely(25)) return null
    return (['fail', 'after'] as const)[this.#choices.pick(2)] as 'fail' | 'after'
  }

  async #ask(count: number): Promise<void> {
    const replica = this.#choices.pick(2)
    for (let index = 0; index < count; index += 1) {
      const payer = PAYERS[this.#choices.pick(PAYERS.length)] as PrivateKeyAccount
      const nonce: Hex = `0x${String(this.#sales.length + 1).padStart(64, '9')}`
      const validBefore = String(Math.floor(this.#world.nowMs / 1000) + VALID_SECONDS)
      const payment = await signPayment(payer, TERMS, { nonce, validBefore })
      await this.#simulation.beginRow(payment)
      this.#settle({ payment, replica, outcome: null })
    }
  }

  #settle(sale: Sale): void {
    const { payment, replica } = sale
    this.#sales.push(sale)
    this.trace.push(`${replica} settles ${this.#sales.length}`)
    const { payload, requirements, transfer } = payment
    const authorization = { from: transfer.from.toLowerCase() as Hex }
    this.#simulation
      .facilitator(replica)
      .settle(payload, requirements)
      .then((reply) => judgeSettlement(reply, TERMS, authorization.from), judgeFault)
      .then((outcome) => this.#judge(sale, outcome))
  }

  #judge(sale: Sale, outcome: SettleOutcome): void {
    sale.outcome = outcome
    this.trace.push(`${sale.replica} answers ${this.#sales.indexOf(sale) + 1}: ${outcome.kind}`)
    const { from: payer, nonce } = sale.payment.transfer
    const use = this.#world.node.useOf({ payer, nonce })
    if (outcome.kind === 'settled' && use !== outcome.transaction && !this.#hasTakenBack)
      this.#broken ??= 'an answer names a transaction that did not pay'
    if ((outcome.kind === 'not_sent' || outcome.kind === 'refused') && typeof use === 'string')
      this.#broken ??= 'an answer says that nothing was sent, and it was paid'
  }

  /** What every transaction must be that a node gets to see. */
  #judgeReceived(transaction: SignedByUs): void {
    const { hash, gas, maxFeePerGas, to } = transaction
    const transfers = transfersOf(transaction)
    this.trace.push(`the node gets ${transaction.nonce} with ${this.#named(transfers)}`)
    if (!this.#world.journaled.has(hash)) this.#broken ??= 'a transaction was sent that is not in the journal'
    for (const transfer of transfers) {
      if (this.#world.noted.get(keyOf(transfer))?.has(hash) !== true)
        this.#broken ??= 'a transaction was sent whose hash is not on the rows it pays'
      if (to !== TOKEN && transfer.payer.toLowerCase() === this.#coded?.toLowerCase())
        this.#broken ??= 'a payer with code was in a batch'
    }
    if (transfers.length > MOST_IN_BATCH) this.#broken ??= 'a batch is larger than allowed'
    if (gas * maxFeePerGas > MAX_COST * BigInt(Math.max(1, transfers.length)))
      this.#broken ??= 'a transaction may cost more than allowed'
    if (new Set(transfers.map(keyOf)).size !== transfers.length)
      this.#broken ??= 'a batch makes one transfer twice'
  }

  /** The numbers of the sales that transfers belong to. */
  #named(transfers: readonly { readonly nonce: Hex }[]): string {
    const numberOf = (nonce: Hex) =>
      this.#sales.findIndex(({ payment }) => payment.transfer.nonce === nonce) + 1
    return transfers.length === 0 ? 'nothing' : transfers.map(({ nonce }) => numberOf(nonce)).join(', ')
  }

  readonly #mine = () => {
    const count = this.#world.node.mine(1 + this.#choices.pick(3))
    this.trace.push(`a block with ${count}`)
  }

  readonly #passTime = () => {
    const ms = [500, 2_000, 7_000, 40_000][this.#choices.pick(4)] as number
    this.trace.push(`time passes: ${ms}`)
    passTime(this.#world, ms)
  }

  readonly #maintain = () => {
    const replica = this.#choices.pick(2)
    this.trace.push(`${replica} maintains`)
    void this.#simulation
      .facilitator(replica)
      .maintain()
      .catch(() => {})
  }

  readonly #crash = () => {
    const replica = this.#choices.pick(2)
    this.trace.push(`${replica} crashes`)
    this.#simulation.restart(replica)
  }

  readonly #fallBehind = () => {
    this.#world.node.behind = this.#choices.pick(3)
    this.trace.push(`the node is ${this.#world.node.behind} blocks behind`)
  }

  readonly #takeBack = () => {
    const { node } = this.#world
    const isKept = this.#choices.pick(2) === 0
    this.#highest = Math.max(this.#highest, node.height)
    if (node.height + Number(FINALITY) <= this.#highest) return
    if (node.dropBlock(isKept)) this.#hasTakenBack = true
    this.trace.push(`a block is taken back, its transactions ${isKept ? 'wait' : 'are gone'}`)
  }

  readonly #evict = () => {
    this.#world.node.evict()
    this.trace.push('the node forgets what waits')
  }

  readonly #takeNonce = () => {
    this.#world.node.takeNonce()
    this.trace.push('another program takes a nonce')
  }

  readonly #loseLock = () => {
    this.#simulation.loseLock()
    this.#hasLostLock = true
    this.trace.push('the lock is lost')
  }

  readonly #changePrice = () => {
    const { pick, rarely } = this.#choices
    this.#world.node.baseFee = (rarely(6) ? TOO_DEAR : BASE_FEES[pick(BASE_FEES.length)]) as bigint
    this.trace.push(`gas costs ${this.#world.node.baseFee}`)
  }

  readonly #changeSync = () => {
    this.#world.node.sync = (['none', 'at once', 'late'] as const)[this.#choices.pick(3)] as 'none'
    this.trace.push(`receipts with the broadcast: ${this.#world.node.sync}`)
  }

  readonly #cancel = () => {
    const sale = this.#sales[this.#choices.pick(Math.max(1, this.#sales.length))]
    if (sale === undefined) return
    const { from: payer, nonce } = sale.payment.transfer
    if (this.#world.node.useOf({ payer, nonce }) !== undefined) return
    this.#world.node.cancel({ payer, nonce })
    this.trace.push(`its payer cancels ${this.#sales.indexOf(sale) + 1}`)
  }

  /** All faults end: everything that was signed is mined or given up, booked, and one more payment is settled. */
  async heal(): Promise<void> {
    this.#healing = true
    this.trace.push('everything heals')
    const { node } = this.#world
    Object.assign(node, { behind: 0, sync: 'none', baseFee: BASE_FEES[0] })
    node.burners.clear()
    this.#slow.clear()
    for (let replica = 0; replica < 2; replica += 1) this.#simulation.restart(replica)
    await this.#judgeAnswered()
    passTime(this.#world, VALID_SECONDS * 1000 + 1_000)
    await this.#untilEmpty()
    await this.#settleLast()
    await this.#untilEmpty()
    this.#judgeDenials()
    await this.#judgeBooks()
  }

  /** What was answered is paid while its authorization lasts, whatever blocks were taken back. */
  async #judgeAnswered(): Promise<void> {
    const { poor, foreign, lockLost } = this.#faults
    if (poor === true || foreign === true || lockLost === true) return
    const end = this.#world.node.time + ROUNDS_TO_PAY * ROUND_SECONDS
    const answered = this.#sales.filter(
      ({ payment, outcome }) => outcome?.kind === 'settled' && Number(payment.transfer.validBefore) > end,
    )
    for (let round = 0; round < ROUNDS_TO_PAY; round += 1) await this.#tendAndMine(round % 2)
    for (const { payment } of answered) {
      const { from: payer, nonce } = payment.transfer
      if (typeof this.#world.node.useOf({ payer, nonce }) !== 'string')
        throw new Broken('what was answered as settled was taken back and not paid again')
    }
  }

  async #tendAndMine(replica: number): Promise<void> {
    await this.#tendNow(replica)
    this.#world.node.mine(100)
    passTime(this.#world, ROUND_SECONDS * 1_000)
  }

  async #untilEmpty(): Promise<void> {
    for (let round = 0; round < 40; round += 1) {
      await this.#tendAndMine(round % 2)
      if ((await this.#simulation.pending()).length === 0) return
    }
    const left = (await this.#simulation.pending()).map(
      ({ raw }) => parseTransaction(raw as `0x02${string}`).nonce,
    )
    throw new Broken(`the journal never ends: ${left.length} left`)
  }

  async #tendNow(replica: number): Promise<void> {
    void this.#simulation
      .facilitator(replica)
      .maintain()
      .catch(() => {})
    await this.#letAllGo()
  }

  async #letAllGo(): Promise<void> {
    for (let calls = 0; calls < 4_000; calls += 1) {
      await this.#rest()
      const held = this.#world.stage.first()
      if (held === undefined) return
      this.#release(held)
      // A block every two seconds.
      if (held.port === 'sleep') this.#world.node.mine(100)
    }
    throw new Broken('a settlement does not come to an end')
  }

  async #settleLast(): Promise<void> {
    const payer = privateKeyToAccount(`0x${'8'.padStart(64, '7')}`)
    this.#world.node.fund(payer.address, PRICE)
    const validBefore = String(Math.floor(this.#world.nowMs / 1000) + VALID_SECONDS)
    const payment = await signPayment(payer, TERMS, { nonce: `0x${'8'.repeat(64)}`, validBefore })
    await this.#simulation.beginRow(payment)
    const sale: Sale = { payment, replica: 0, outcome: null }
    this.#settle(sale)
    await this.#letAllGo()
    const { reserved, lost } = await this.#simulation.books()
    if (sale.outcome?.kind !== 'settled' && lost + reserved < DAILY_LOSS_LIMIT / 2n)
      throw new Broken('no payment is settled any more')
  }

  /** What was answered as not sent is never paid afterwards. */
  #judgeDenials(): void {
    for (const { payment, outcome } of this.#sales) {
      const { from: payer, nonce } = payment.transfer
      const isPaid = typeof this.#world.node.useOf({ payer, nonce }) === 'string'
      if (isPaid && (outcome?.kind === 'not_sent' || outcome?.kind === 'refused'))
        throw new Broken('what was answered as not sent was paid afterwards')
      if (!isPaid && outcome?.kind === 'settled' && !this.#hasTakenBack)
        throw new Broken('what was answered as settled was not paid')
    }
  }

  /** What our transactions on the chain have cost and brought in. */
  #truth(): Record<'spent' | 'earned', bigint> {
    const ours = this.#world.node.mined().filter(({ transaction }) => !transaction.isForeign)
    return {
      spent: ours.reduce((sum, { gasUsed, price }) => sum + dollarsOf(gasUsed * price, ETH_USD), 0n),
      earned: ours.reduce((sum, { logs }) => sum + (BigInt(logs.length) / 2n) * PRICE, 0n),
    }
  }

  /**
   * Every nonce of ours is booked once, with what it cost and brought in; nothing stays reserved. What was reserved by a
   * process that ended before it signed goes when its nonce is used, which a block that is taken back puts off.
   */
  async #judgeBooks(): Promise<void> {
    const books = await this.#simulation.books()
    const ours = this.#world.node.mined().filter(({ transaction }) => !transaction.isForeign)
    const hasForeign = ours.length < this.#world.node.mined().length
    const next = this.#world.node.nonce
    if (!hasForeign && this.#simulation.reservedNonces().some((nonce) => nonce < next))
      throw new Broken('something stays reserved')
    if (!this.#hasTakenBack && !hasForeign && books.reserved !== 0n)
      throw new Broken('something stays reserved')
    // Two processes under one lock may reserve for one nonce before and after it is booked, which books it twice.
    if (this.#hasTakenBack || this.#hasLostLock) return
    const { spent, earned } = this.#truth()
    if (books.earned !== earned)
      throw new Broken(`the books say that ${books.earned} was earned, and it was ${earned}`)
    if (books.spent !== spent)
      throw new Broken(`the books say that ${books.spent} was spent, and it was ${spent}`)
  }
}
