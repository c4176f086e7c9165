/** Sales on an empty store, one request after another, while nothing else goes on. */
import { isDeepStrictEqual } from 'node:util'
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import type { CheckType } from 'format-checker-checks/verdict'
import { type Hex, toHex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type {
  Call,
  Item,
  RawPayment,
  SealedCall,
  SurfaceName,
  ValueCall,
} from '../../src/payments/ports/sale.ts'
import { rawPaymentOf } from '../support/bench-buyer.ts'
import { type SignedTransfer, signPayment } from '../support/chain-payments.ts'
import { VALUES } from './buyers.ts'
import type { Choices } from './choices.ts'
import { Broken, insist } from './finding.ts'
import { failCall, type PortFault } from './port-faults.ts'
import { judgeAnswer, urlOf } from './sale-answers.ts'
import {
  AMOUNT,
  FacilitatorFault,
  type PaymentRow,
  type Sale,
  type SimulatedService,
  type World,
} from './service.ts'
import type { HeldCall, Port } from './stage.ts'

/** What happens to a request on its way; by default a facilitator settles, and says so. */
export interface Told {
  readonly reply?: object
  /** The transfer is on the chain before any reply. */
  readonly lands?: boolean
  /** The call of a port, counted from 0, that fails. */
  readonly fail?: { readonly port: Port; readonly nth: number; readonly fault: PortFault }
  /** The address of the client. */
  readonly client?: string
}

/** A payer, its key, and what it signs. */
export interface Buyer {
  readonly account: PrivateKeyAccount
  /** In lower case. */
  readonly payer: Hex
}

export interface Order {
  readonly buyer: Buyer
  readonly call: Call
  readonly nonce: Hex
  /** As it is sent. */
  readonly payload: PaymentPayload
}

export interface Signing {
  readonly call?: Call
  readonly fields?: Partial<SignedTransfer>
  /** What is offered, as the buyer would read it. */
  readonly accepted?: Partial<PaymentRequirements>
  /** Signed by another key than the payer's. */
  readonly isByOther?: boolean
  readonly identifier?: unknown
}

const VALID_SECONDS = 120
const MONEY = 1_000_000n
const NETWORK = 'eip155:8453'
/** What is reported only if the store fails. */
const FAILURES: readonly string[] = ['repeat_failed', 'settlement_not_recorded']

const accounts = new Map<number, PrivateKeyAccount>()
function accountOf(number: number): PrivateKeyAccount {
  const account = accounts.get(number) ?? privateKeyToAccount(toHex(number, { size: 32 }))
  accounts.set(number, account)
  return account
}

export const saidBy = (sale: Sale): string => (sale.kind === 'sold' ? 'sold' : sale.code)

export class QuietSales {
  readonly service: SimulatedService
  readonly world: World
  readonly choices: Choices
  readonly trace: string[]
  /** Calls of ports during the last request, by port and name. */
  readonly calls: string[] = []
  /** Settlements that a facilitator received since this was asked last. */
  #sent = 0
  #buyers = 0
  #nonces = 0

  constructor(service: SimulatedService, choices: Choices, trace: string[]) {
    this.service = service
    this.world = service.reset()
    this.choices = choices
    this.trace = trace
    this.world.judgesSignatures = true
    this.world.onReceived = () => {
      this.#sent += 1
    }
  }

  get seconds(): number {
    return Math.floor(this.world.nowMs / 1000)
  }

  sentSince(): number {
    const sent = this.#sent
    this.#sent = 0
    return sent
  }

  /** What was reported since this was asked last, with status and code of the symptom. */
  reportsSince(): string {
    const reports: readonly object[] = this.world.reports.splice(0)
    return reports.map(({ error: _, ...each }: { error?: unknown }) => Object.values(each).join(' ')).join()
  }

  one<T>(list: readonly T[]): T {
    return list[this.choices.pick(list.length)] as T
  }

  newBuyer(money = MONEY): Buyer {
    this.#buyers += 1
    const account = accountOf(this.#buyers)
    const payer = account.address.toLowerCase() as Hex
    this.world.chain.allow(payer, '0x', 0, money)
    return { account, payer }
  }

  /** A call of one value, or of several. */
  callOf(
    type: CheckType = 'iban',
    values: readonly string[] = [VALUES[0]],
    more: Partial<ValueCall> = {},
  ): ValueCall {
    const skill = this.#skill(type)
    const items = values.map((value): Item => ({ skill, value })) as [Item, ...Item[]]
    return { kind: 'value', shape: 'single', type, items, surface: 'rest', client: 'c', ...more }
  }

  /** A list of values of different types. */
  mixedCall(surface: SurfaceName): ValueCall {
    const items: [Item, Item] = [
      { skill: this.#skill('iban'), value: VALUES[0] },
      { skill: this.#skill('email'), value: 'a@example.com' },
    ]
    return { kind: 'value', shape: 'list', type: 'mixed', items, surface, client: 'c' }
  }

  #skill(type: CheckType) {
    const skill = this.service.registry.get(type)
    if (skill === undefined) throw new Error(`no skill ${type}`)
    return skill
  }

  /** What the service offers for a number of items. */
  offerOf(items: number): PaymentRequirements {
    return { ...this.service.terms.requirements, amount: String(AMOUNT * BigInt(items)) }
  }

  async sign(buyer: Buyer, signing: Signing = {}): Promise<Order> {
    const { call = this.callOf(), fields = {}, accepted = {}, identifier } = signing
    this.#nonces += 1
    const offer = { ...this.offerOf(itemsOf(call)), ...accepted }
    const { account } = signing.isByOther === true ? { account: accountOf(999) } : buyer
    const { payload, transfer, signature } = await signPayment(account, offer, {
      from: buyer.account.address,
      to: this.service.terms.requirements.payTo as Hex,
      validBefore: String(this.seconds + VALID_SECONDS),
      nonce: toHex(this.#nonces, { size: 32 }),
      ...fields,
    })
    const lower = Object.fromEntries(
      Object.entries(transfer).map(([name, text]) => [name, text.toLowerCase()]),
    )
    this.world.expected.set(transfer.nonce, {
      payload: { signature: signature.toLowerCase(), authorization: lower },
      requirements: this.offerOf(itemsOf(call)),
      url: urlOf(call),
    })
    this.world.chain.allow(buyer.payer, transfer.nonce, Number(transfer.validBefore), MONEY)
    const extensions =
      identifier === undefined
        ? {}
        : { 'payment-identifier': { info: { required: false, id: identifier }, schema: {} } }
    return { buyer, call, nonce: transfer.nonce, payload: { ...payload, extensions } }
  }

  /** A new payer with a payment for a call. */
  async order(signing: Signing = {}): Promise<Order> {
    return this.sign(this.newBuyer(), signing)
  }

  row({ buyer, nonce }: Pick<Order, 'buyer' | 'nonce'>): Promise<PaymentRow | null> {
    return this.service.row({ payer: buyer.payer, nonce, validBefore: 0 })
  }

  /** Sends a call with its payment, and holds the answer against what is written. */
  async ask(order: Order, told: Told = {}, replica = 0): Promise<Sale> {
    return this.send(order, rawPaymentOf(order.payload), told, replica)
  }

  async send(order: Order, payment: RawPayment, told: Told = {}, replica = 0): Promise<Sale> {
    const call = { ...order.call, ...(told.client !== undefined && { client: told.client }) } as Call
    const sale = await this.run(this.service.buy(replica, call, payment), told)
    this.trace.push(`${replica} answers: ${saidBy(sale)}`)
    const { chain, wrong } = this.world
    const row = await this.row(order)
    if (wrong.length > 0) throw new Broken(wrong.join())
    const failed = this.world.reports.find(({ event }) => FAILURES.includes(event))
    insist(
      failed === undefined || told.fail !== undefined,
      `${failed?.event} is reported of a store that works`,
    )
    judgeAnswer(sale, {
      call,
      nowMs: this.world.nowMs,
      offer: this.offerOf(itemsOf(call)),
      payer: order.buyer.payer,
      row,
    })
    if (sale.kind === 'sold' && row?.state === 'settled')
      insist(
        row.transaction === chain.transactionOf(order.buyer.payer, order.nonce),
        'a row has another transaction',
      )
    return sale
  }

  /** Sends it, and waits for nothing. */
  begin({ call, payload }: Order, replica = 0): Promise<Sale> {
    return this.service.buy(replica, call, rawPaymentOf(payload))
  }

  /** Sends it, and insists on the answer. */
  async expect(expected: string, order: Order, told: Told = {}, replica = 0): Promise<Sale> {
    const sale = await this.ask(order, told, replica)
    if (saidBy(sale) !== expected) throw new Broken(`an answer is ${saidBy(sale)}, not ${expected}`)
    return sale
  }

  /** A refused payment: nothing is sent, and nothing is written down. */
  async expectRefusal(expected: string, order: Order, told: Told = {}): Promise<Sale> {
    const before = await this.row(order)
    this.sentSince()
    const sale = await this.expect(expected, order, told)
    insist(this.sentSince() === 0, `${expected}, and a settlement is sent`)
    insist(
      isDeepStrictEqual(withoutCount(await this.row(order)), withoutCount(before)),
      `${expected}, and a row is written`,
    )
    return sale
  }

  pass(ms: number): void {
    this.world.nowMs += ms
    this.world.elapsedMs += ms
    this.world.chain.mine(this.seconds)
  }

  async run<T>(request: Promise<T>, told: Told = {}): Promise<T> {
    let ended: { readonly result: T } | { readonly error: unknown } | undefined
    request.then(
      (result) => {
        ended = { result }
      },
      (error) => {
        ended = { error }
      },
    )
    await this.drive(told)
    if (ended === undefined) throw new Broken('a request does not come to an end')
    if ('error' in ended) throw ended.error
    return ended.result
  }

  /** Lets every call of a port go on until none is held, or only those that `stopAt` names. */
  async drive(told: Told = {}, stopAt: Port | null = null): Promise<void> {
    const asks = new Map<Port, number>()
    this.calls.length = 0
    for (let round = 0; round < 2_000; round += 1) {
      await this.world.stage.quiet()
      const call = this.#next(stopAt)
      if (call === undefined || (stopAt !== null && call.port === 'sleep')) return
      const nth = asks.get(call.port) ?? 0
      asks.set(call.port, nth + 1)
      this.calls.push(`${call.port} ${call.name}`)
      const isFailing = told.fail?.port === call.port && told.fail.nth === nth
      if (isFailing && told.fail !== undefined) failCall(call, told.fail.fault)
      else this.#release(call, told)
    }
    throw new Broken('the code does not come to rest')
  }

  /** A sleep only if nothing else is held: the one that ends first. */
  #next(stopAt: Port | null): HeldCall | undefined {
    const { held } = this.world.stage
    const isReady = ({ port }: HeldCall) => port !== 'sleep' && port !== stopAt
    const dueOf = ({ args }: HeldCall) => args[0] as number
    const sleeps = () => held.filter(({ port }) => port === 'sleep')
    return held.find(isReady) ?? sleeps().toSorted((one, other) => dueOf(one) - dueOf(other))[0]
  }

  #release(call: HeldCall, { reply, lands = reply === undefined }: Told): void {
    if (call.port === 'sleep') this.pass(Math.max(0, (call.args[0] as number) - this.world.elapsedMs))
    if (call.port === 'reply') {
      const [{ payer, nonce }, choose] = call.args as [{ payer: Hex; nonce: Hex }, (reply: unknown) => void]
      if (lands) this.land(payer, nonce)
      choose(reply ?? this.success(payer, nonce))
    }
    call.go()
  }

  /** The transfer is on the chain. */
  land(payer: Hex, nonce: Hex): void {
    const { chain, expected } = this.world
    const amount = BigInt(expected.get(nonce)?.requirements.amount ?? AMOUNT)
    chain.use(payer, nonce, 'paid', amount, this.seconds)
  }

  success(payer: Hex, nonce: Hex): object {
    const transaction = this.world.chain.transactionOf(payer, nonce)
    if (transaction === null) return new FacilitatorFault('unknown', 'not on the chain')
    return { success: true, payer, transaction, network: NETWORK }
  }
}

const withoutCount = (row: PaymentRow | null) =>
  row === null ? null : { ...row, mismatches: 0, awaitsAnswer: false }

const itemsOf = (call: Call): number => (call.kind === 'value' ? call.items.length : 1)

export const sealedCall = (taskId: string): SealedCall => ({
  kind: 'sealed',
  surface: 'a2a',
  taskId,
  client: 'c',
})
