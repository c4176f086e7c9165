import { type Hex, parseUnits } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { PaymentKey } from '../../src/ledger/payments/payment-row.ts'
import { budgetFor, countedOf } from '../../src/ledger/treasury/treasury-row.ts'
import { dollarsOf } from '../../src/payments/facilitators/self/treasury/treasury.ts'
import { createNewPayers, type NewPayers } from '../../src/payments/sale/limits/new-payers.ts'
import {
  judgeFault,
  judgeSettlement,
  type SettleOutcome,
} from '../../src/payments/sale/table/settle-outcome.ts'
import { DAY_MS } from '../../src/values/utc-days.ts'
import { signPayment, termsFor } from '../support/chain-payments.ts'
import { type Choices, givenChoices } from './choices.ts'
import { Broken, type Finding, findingOf, type Playable } from './finding.ts'
import { ETH_USD, passTime, type SettlementSimulation, type SettlementWorld } from './settlement-world.ts'
import { SlowCalls } from './slow-calls.ts'
import type { HeldCall } from './stage.ts'

/** What a stranger may do, and what may happen beside it. */
export interface AttackFaults {
  readonly steps: number
  readonly crashes?: boolean
  readonly slow?: boolean
  /** Millionths of a dollar. */
  readonly lossLimit?: bigint
}

export const ALL_ATTACK_FAULTS: AttackFaults = { steps: 400, crashes: true, slow: true }

const PAY_TO: Hex = `0x${'b'.repeat(40)}`
const PRICE = 1_000n
const TERMS = termsFor(PAY_TO, String(PRICE))
const VALID_SECONDS = 120
/** Of 36,000 millionths for sales, a quarter is three sales at their dearest. */
const DAILY_LOSS_LIMIT = 48_000n
/** What a settlement may cost: three times the price, as by default. */
const DEAREST = 3n * PRICE
const REGULARS = 2
/** At this price a settlement alone costs 0.86 of what it brings in. */
const BASE_FEE = 2_500_000n
/** Gas of the stranger for each payer: money for it, and its code or its money taken away. */
const STRANGERS_GAS = 45_000n

const accountOf = (number: number): PrivateKeyAccount =>
  privateKeyToAccount(`0x6${String(number).padStart(63, '0')}`)
const addressOf = (account: PrivateKeyAccount) => account.address.toLowerCase() as Hex

type Who = 'regular' | 'new_payer' | 'stranger'

/**
 * What a stop for new payers costs the stranger who needs the least for it, in millionths of a dollar: one payer takes what
 * is open to everyone with payments sent at once, and then each takes what a payer can. And what a sale alone leaves.
 */
export async function costOfStop(
  simulation: SettlementSimulation,
  lossLimit: bigint,
): Promise<{ readonly cost: bigint; readonly leftOfSale: bigint }> {
  const attack = new AttackSchedule(simulation, givenChoices([]), { steps: 0, lossLimit })
  await attack.run()
  const leftOfSale = -attack.lost() / BigInt(REGULARS)
  for (let client = 0; !attack.isStopped(); client += 1) {
    const left = budgetFor('overdrawn', lossLimit) - (await attack.counted())
    if (left > DEAREST) await attack.strike(Number(left / DEAREST), 'empties', `192.0.2.${client}`)
    else await attack.strike(8, 'code', `192.0.2.${client}`)
    await attack.letAllGo()
  }
  return { cost: dollarsOf(BigInt(attack.strangers) * STRANGERS_GAS * BASE_FEE, ETH_USD), leftOfSale }
}

/** Runs one schedule; null when every promise was kept. */
export const runAttackSchedule = (
  simulation: SettlementSimulation,
  choices: Choices,
  faults: AttackFaults,
): Promise<Finding | null> => findingOf(new AttackSchedule(simulation, choices, faults))

/** Payments over the two processes, each asked at the door as a sale is, beside a stranger whose payments fail when mined. */
class AttackSchedule implements Playable {
  readonly trace: string[] = []
  readonly #simulation: SettlementSimulation
  readonly #world: SettlementWorld
  readonly #choices: Choices
  readonly #faults: AttackFaults
  readonly #slow: SlowCalls
  readonly #lossLimit: bigint
  readonly #doors: NewPayers[] = []
  readonly #paid = new Set<string>()
  readonly #regulars = Array.from({ length: REGULARS }, (_, index) => accountOf(index + 1))
  readonly #underWay = new Set<string>()
  /** Whose money is gone before the next block. */
  readonly #emptied = new Set<Hex>()
  #accounts = REGULARS
  #nonces = 0
  #broken: string | null = null
  /** Payers of the stranger that were sent. */
  strangers = 0

  constructor(simulation: SettlementSimulation, choices: Choices, faults: AttackFaults) {
    this.#simulation = simulation
    this.#choices = choices
    this.#faults = faults
    this.#lossLimit = faults.lossLimit ?? DAILY_LOSS_LIMIT
    const maxCost = (DEAREST * parseUnits('1', 12)) / ETH_USD
    this.#world = simulation.reset({ maxCost, lossLimit: this.#lossLimit })
    this.#slow = new SlowCalls(choices)
    this.#world.node.baseFee = BASE_FEE
    for (let replica = 0; replica < 2; replica += 1) this.#open(replica)
  }

  /** Restarts lose what a process counted. */
  #open(replica: number): void {
    const hasSettled = async ({ payer }: PaymentKey) => this.#paid.has(payer)
    this.#doors[replica] = createNewPayers({ hasSettled })
  }

  async run(): Promise<void> {
    for (const regular of this.#regulars) {
      await this.buy('regular', regular)
      await this.letAllGo()
    }
    for (let step = 0; step < this.#faults.steps; step += 1) {
      await this.#rest()
      await this.#next()
    }
  }

  async #rest(): Promise<void> {
    await this.#world.stage.quiet()
    if (this.#broken !== null) throw new Broken(this.#broken)
    if ((await this.counted()) > this.#lossLimit) throw new Broken('what counts passes the daily loss limit')
    if (this.lost() > this.#lossLimit) throw new Broken('a day costs more than the daily loss limit')
    const regulars = this.#regulars.map(addressOf)
    for (const { payers, said, isSecond } of this.#world.reserves.splice(0)) {
      const isAlone = payers.length === 1 && regulars.includes(payers[0] as Hex)
      if (isAlone && !isSecond && said !== 'admitted' && said !== 'covered')
        throw new Broken('a payer who has paid is refused for what a stranger did')
    }
  }

  /** Against the day. */
  async counted(): Promise<bigint> {
    return countedOf(await this.#simulation.books())
  }

  /** What the chain took from the operator beyond what it brought in, in millionths of a dollar. */
  lost(): bigint {
    return this.#world.node.mined().reduce((sum, { gasUsed, price, logs }) => {
      return sum + dollarsOf(gasUsed * price, ETH_USD) - (BigInt(logs.length) / 2n) * PRICE
    }, 0n)
  }

  async #next(): Promise<void> {
    const { pick, rarely } = this.#choices
    const held = this.#slow.ready(this.#world.stage.held)
    if (held.length === 0 || rarely(10)) {
      const acts = [
        this.#strike,
        this.#strike,
        this.#mine,
        this.#mine,
        this.#buyAsRegular,
        this.#buyAsNewPayer,
      ]
      const more = [this.#maintain, this.#passTime, ...(this.#faults.crashes === true ? [this.#crash] : [])]
      return [...acts, ...more][pick(acts.length + more.length)]?.()
    }
    const call = held[pick(held.length)] as HeldCall
    if (this.#faults.slow === true && rarely(10)) return this.#slow.add(call)
    this.#release(call)
  }

  #release(call: HeldCall): void {
    if (call.port === 'sleep')
      passTime(this.#world, Math.max(0, (call.args[0] as number) - this.#world.elapsedMs))
    call.go()
  }

  fresh(): PrivateKeyAccount {
    this.#accounts += 1
    return accountOf(this.#accounts)
  }

  /** Several payments of one payer, each of which fails once it is mined. */
  readonly #strike = async (): Promise<void> => {
    const { pick } = this.#choices
    await this.strike(1 + pick(6), ['code', 'empties'][pick(2)] as 'code', `192.0.2.${pick(8)}`)
  }

  async strike(count: number, by: 'code' | 'empties', client: string): Promise<void> {
    const payer = this.fresh()
    this.trace.push(`a stranger sends ${count} that ${by === 'code' ? 'burn' : 'have no money'} when mined`)
    this.strangers += 1
    this.#world.node.fund(payer.address, BigInt(count) * PRICE)
    if (by === 'code') this.#world.node.burners.add(addressOf(payer))
    else this.#emptied.add(payer.address)
    for (let index = 0; index < count; index += 1) await this.buy('stranger', payer, client)
  }

  readonly #buyAsRegular = async (): Promise<void> => {
    const free = this.#regulars.filter((each) => !this.#underWay.has(addressOf(each)))
    if (free.length > 0) await this.buy('regular', free[this.#choices.pick(free.length)] as PrivateKeyAccount)
  }

  readonly #buyAsNewPayer = async (): Promise<void> => {
    await this.buy('new_payer', this.fresh())
  }

  /** Null if the door says no: the checks of a new payer in src/payments/sale/claim/check-new-payer.ts. */
  async buy(who: Who, account: PrivateKeyAccount, client = '198.51.100.1'): Promise<'sent' | 'paused'> {
    const replica = this.#choices.pick(2)
    const payer = addressOf(account)
    if (who !== 'stranger') this.#world.node.fund(account.address, 1_000n * PRICE)
    this.#nonces += 1
    const nonce: Hex = `0x${String(this.#nonces).padStart(64, '0')}`
    const validBefore = String(Math.floor(this.#world.nowMs / 1000) + VALID_SECONDS)
    const payment = await signPayment(account, TERMS, { nonce, validBefore })
    const { network, asset } = payment.requirements
    const door = this.#doors[replica] as NewPayers
    const isNew = await door.includes({ network, asset, payer, nonce })
    const facilitator = this.#simulation.facilitator(replica)
    const mustWait =
      facilitator.settlementState().isSpent ||
      door.failures.waitSeconds(client, this.#world.nowMs) > 0 ||
      !door.hasCapacity()
    if (isNew && mustWait) return 'paused'
    await this.#simulation.beginRow(payment)
    this.#underWay.add(payer)
    const leave = isNew ? door.enter() : undefined
    facilitator
      .settle(payment.payload, payment.requirements)
      .then((reply) => judgeSettlement(reply, TERMS, payer), judgeFault)
      .then((outcome) => {
        leave?.()
        this.#underWay.delete(payer)
        const hasFailed = outcome.kind === 'doubtful' && !outcome.pending
        if (isNew && hasFailed) door.failures.note(client, this.#world.nowMs)
        this.#judge(who, payer, outcome, this.#world.node.useOf({ payer, nonce }))
      })
    return 'sent'
  }

  #judge(who: Who, payer: Hex, outcome: SettleOutcome, use: Hex | null | undefined): void {
    this.trace.push(`a ${who} is ${outcome.kind}`)
    if (outcome.kind === 'settled') this.#paid.add(payer)
    if (outcome.kind === 'settled' && who === 'stranger')
      this.#broken ??= 'a payment that failed was answered'
    if (outcome.kind === 'settled' && use !== outcome.transaction)
      this.#broken ??= 'an answer names a transaction that did not pay'
  }

  readonly #mine = (): void => {
    for (const payer of this.#emptied) this.#world.node.fund(payer, 0n)
    const count = this.#world.node.mine(1 + this.#choices.pick(3))
    this.trace.push(`a block with ${count}`)
  }

  readonly #maintain = (): void => {
    void this.#simulation
      .facilitator(this.#choices.pick(2))
      .maintain()
      .catch(() => {})
  }

  readonly #passTime = (): void => passTime(this.#world, [500, 2_000, 7_000][this.#choices.pick(3)] as number)

  readonly #crash = (): void => {
    const replica = this.#choices.pick(2)
    this.trace.push(`${replica} crashes`)
    this.#simulation.restart(replica)
    this.#open(replica)
    this.#underWay.clear()
  }

  async letAllGo(): Promise<void> {
    for (let calls = 0; calls < 6_000; calls += 1) {
      await this.#rest()
      const held = this.#world.stage.first()
      if (held === undefined) return
      this.#release(held)
      if (held.port === 'sleep') this.#mine()
    }
    throw new Broken('a settlement does not come to an end')
  }

  async #tendBoth(): Promise<void> {
    for (let replica = 0; replica < 2; replica += 1) {
      void this.#simulation
        .facilitator(replica)
        .maintain()
        .catch(() => {})
      await this.letAllGo()
    }
  }

  /** While new payers wait, those who have paid are settled; the next day, and no later, new payers are as well. */
  async heal(): Promise<void> {
    this.trace.push('the stranger goes')
    this.#slow.clear()
    await this.letAllGo()
    passTime(this.#world, VALID_SECONDS * 1_000 + 1_000)
    for (let rounds = 0; rounds < 3; rounds += 1) await this.#tendBoth()
    await this.#insistSold('regular', this.#regulars[0] as PrivateKeyAccount)
    const counted = await this.counted()
    const isStopped = (await this.buy('new_payer', this.fresh())) === 'paused'
    await this.letAllGo()
    const fits = counted + 2n * DEAREST <= budgetFor('balanced', this.#lossLimit)
    if (isStopped && fits) throw new Broken('new payers wait, and the budget is enough for them')
    passTime(this.#world, DAY_MS - (this.#world.nowMs % DAY_MS))
    await this.#tendBoth()
    await this.#insistSold('new_payer', this.fresh())
  }

  /** Whether a process has refused a new payer until the day ends. */
  isStopped(): boolean {
    return [0, 1].some((replica) => this.#simulation.facilitator(replica).settlementState().isSpent)
  }

  async #insistSold(who: Who, account: PrivateKeyAccount): Promise<void> {
    const answer = await this.buy(who, account)
    await this.letAllGo()
    if (answer === 'paused' || !this.#paid.has(addressOf(account)))
      throw new Broken(`a ${who} is not sold to after the stranger has gone`)
  }
}
