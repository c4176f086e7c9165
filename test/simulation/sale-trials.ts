/** What a sale is put through on an empty store, while nothing else goes on: payments, answers and rows. */
import { isDeepStrictEqual } from 'node:util'
import { PAYMENT_MUTATIONS } from '../support/payment-mutations.ts'
import { VALUES } from './buyers.ts'
import type { Choices } from './choices.ts'
import { type Finding, findingOf, insist } from './finding.ts'
import { type Order, QuietSales, type Signing, saidBy } from './quiet-sales.ts'
import { LIMIT_TRIALS } from './sale-limit-trials.ts'
import { OUTCOME_TRIALS } from './sale-outcome-trials.ts'
import { TASK_TRIALS } from './sale-task-trials.ts'
import type { PaymentRow, Sale, SimulatedService } from './service.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

export type SaleTrial = (sales: QuietSales) => Promise<void>

/** Calls of every shape on every surface. */
const CALLS = (sales: QuietSales) => [
  sales.callOf(),
  sales.callOf('email', ['a@example.com'], { surface: 'a2a' }),
  sales.callOf('pl-nip', ['5260001246'], { surface: 'mcp' }),
  sales.callOf('iban', VALUES, { shape: 'list' }),
  sales.callOf('iban', [VALUES[0]], { shape: 'list' }),
  sales.callOf('iban', [VALUES[0], VALUES[0]], { shape: 'list', surface: 'mcp' }),
  sales.mixedCall('rest'),
  sales.mixedCall('a2a'),
  sales.callOf('iban', [VALUES[1]], { surface: 'a2a', task: { pendingOrder: 'pendingOrder' } }),
]

/** What is written of a sale at rest. */
function judgeRow(order: Order, row: PaymentRow | null, expected: Partial<PaymentRow>): void {
  const { call, payload, buyer } = order
  if (row === null) throw new Error('no row')
  const { validBefore, value, to } = (payload.payload as { authorization: Record<string, string> })
    .authorization
  const { binding, salt, bindingKey, claimedBlock, taskKey, ...written } = row
  insist(binding !== null && salt !== null && bindingKey !== null, 'a row is not bound to its call')
  insist(claimedBlock !== null, 'a row does not say after which block it was claimed')
  if (call.kind !== 'value') return
  insist((taskKey !== null) === (call.task !== undefined), 'a row has another task')
  const { shape, items, type: checkType, surface } = call
  const rulesets = new Set(items.map(({ skill }) => skill.ruleset))
  const ruleset = rulesets.size === 1 ? items[0].skill.ruleset : written.ruleset
  insist(rulesets.size === 1 || /^mixed:[0-9a-f]{16}$/.test(ruleset), 'a list has another ruleset')
  const { network, asset } = row
  const all: Partial<PaymentRow> = {
    ...{ network, asset, payer: buyer.payer, nonce: order.nonce, amount: BigInt(value as string) },
    ...{
      payTo: (to as string).toLowerCase(),
      validBefore: Number(validBefore),
      state: 'settled',
      attempts: 1,
    },
    ...{ owner: null, leaseUntil: 0, refusal: null, doubt: null, logIndex: null, audit: null },
    ...{ surface, checkType, ruleset, shape, items: items.length, signatureMac: null, identifier: null },
    ...{ mismatches: 0, awaitsAnswer: true, deliveredAt: null, transaction: row.transaction },
    ...expected,
  }
  for (const [name, value] of Object.entries(all))
    insist(isDeepStrictEqual(written[name as keyof typeof written], value), `a row has another ${name}`)
}

/** The terms, a sale, its repeats, and other calls under its payment. */
const buyAndRepeat: SaleTrial = async (sales) => {
  for (const call of CALLS(sales)) {
    const order = await sales.order({ call })
    const terms = await sales.send(order, { kind: 'none' })
    insist(saidBy(terms) === 'payment_required', 'a call without a payment has no terms')
    insist((await sales.row(order)) === null && sales.sentSince() === 0, 'terms leave a row')
    const at = sales.world.nowMs
    const first = await sales.expect('sold', order)
    insist(sales.sentSince() === 1, 'a sale is not settled once')
    const row = await sales.row(order)
    judgeRow(order, row, { claimedAt: at, settlingAt: at, settledAt: at })
    sales.pass(5_000)
    await expectRepeat(sales, order, first)
    insist(isDeepStrictEqual(await sales.row(order), row), 'a repeat changes its row')
    for (const other of CALLS(sales).filter((each) => !isSameCall(each, call))) {
      const refused = await sales.expectRefusal(
        'payment_already_used',
        { ...order, call: other },
        { client: `c ${other.surface} ${other.type} ${other.items.length}` },
      )
      insist('final' in refused && refused.final === true, 'another purchase gets no terms')
    }
    await deliver(sales, order)
    insist((await sales.row(order))?.awaitsAnswer === false, 'a call that was answered awaits an answer')
  }
}

const textOf = ({ shape, type, items }: Extract<Order['call'], { kind: 'value' }>) =>
  JSON.stringify([shape, type, items.map(({ skill, value }) => [skill.id, value])])
const isSameCall = (one: Order['call'], other: Order['call']) =>
  one.kind === 'value' && other.kind === 'value' && textOf(one) === textOf(other)

async function expectRepeat(sales: QuietSales, order: Order, first: Sale, replica = 1): Promise<void> {
  sales.sentSince()
  const again = await sales.expect('sold', order, {}, replica)
  insist(sales.sentSince() === 0, 'a repeat is settled')
  if (first.kind !== 'sold' || again.kind !== 'sold') return
  insist(again.replayed && !first.replayed, 'a repeat counts as a sale, or a sale as a repeat')
  insist(!again.rulesetChanged && !first.rulesetChanged, 'an answer says that its rules have changed')
  insist(isDeepStrictEqual(again.settlement, first.settlement), 'a repeat has another receipt')
  insist(isDeepStrictEqual(again.taskId, first.taskId), 'a repeat has another task')
}

async function deliver(sales: QuietSales, order: Order): Promise<void> {
  const sale = await sales.expect('sold', order)
  const run = async () => sale.kind === 'sold' && sale.delivered()
  await sales.run(run())
  insist((await sales.row(order))?.deliveredAt === sales.world.nowMs, 'a delivery is not written down')
  const again = await sales.expect('sold', order)
  sales.pass(1_000)
  await sales.run((async () => again.kind === 'sold' && again.delivered())())
  const at = sales.world.nowMs - 1_000
  insist((await sales.row(order))?.deliveredAt === at, 'a repeat is written down as a delivery')
}

/** Every spelling of a payment is the same payment, or is refused. */
const misspell: SaleTrial = async (sales) => {
  const [known, refused] = [await sales.order(), await sales.order()]
  await sales.expect('sold', known)
  sales.world.verify = async () => ({ isValid: false })
  sales.world.expected.delete(refused.nonce)
  for (const { name, meaning, write } of PAYMENT_MUTATIONS) {
    if (!sales.choices.rarely(8)) continue
    const isSame = meaning === 'same'
    const order = isSame ? known : refused
    const sale = await sales.send(order, { kind: 'text', text: write(order.payload) }, { client: name })
    if (isSame) insist(sale.kind === 'sold' && sale.replayed, `${name}: ${saidBy(sale)}`)
    else insist(sale.kind === 'unpaid' && (await sales.row(order)) === null, `${name}: ${saidBy(sale)}`)
  }
  // In another spelling it is settled as it was signed.
  const spelt = await sales.order()
  const text = JSON.stringify(spelt.payload).replace(
    /0x[0-9a-fA-F]+/g,
    (hex) => `0x${hex.slice(2).toUpperCase()}`,
  )
  await sales.expect('sold', { ...spelt, payload: JSON.parse(text) })
  const order = await sales.order()
  const longest = `${JSON.stringify(order.payload)}${' '.repeat(24_576 - JSON.stringify(order.payload).length)}`
  const encode = (text: string) => ({ kind: 'text', text: Buffer.from(text).toString('base64') }) as const
  const tooLong = await sales.send(order, encode(`${longest} `))
  insist(saidBy(tooLong) === 'payment_malformed', 'a text of any length is read')
  insist((await sales.send(order, encode(longest))).kind === 'sold', 'a long text is not read')
  const inBody = await sales.order()
  insist(
    (await sales.send(inBody, { kind: 'object', payload: inBody.payload })).kind === 'sold',
    'an object is not read',
  )
}

type Part = Record<string, unknown>
type Bend = (payment: Part) => unknown

const bend =
  (path: string, value: unknown): Bend =>
  (payment) => {
    const names = path.split('.')
    const last = names.pop() as string
    const part = names.reduce((each, name) => each[name] as Part, payment)
    part[last] = value
  }
const OTHER_ADDRESS = `0x${'5'.repeat(40)}`
const MALFORMED: readonly Bend[] = [
  ...[
    ['x402Version', 'two'],
    ['accepted', null],
    ['accepted.network', 'base'],
    ['payload', null],
    ['payload.authorization', null],
    ['payload.signature', 5],
    ['payload.signature', 'x'],
    ['payload.signature', `0x${'1'.repeat(16_384)}`],
    ['extensions', { 'payment-identifier': { info: { id: 'short' } } }],
    ['extensions', { 'payment-identifier': { info: { id: 5 } } }],
    ...['from', 'to', 'nonce'].flatMap((name) =>
      [OTHER_ADDRESS.slice(1), `${OTHER_ADDRESS}5`, `x${OTHER_ADDRESS}`, 5].map((value) => [
        `payload.authorization.${name}`,
        value,
      ]),
    ),
    ...['value', 'validAfter', 'validBefore'].flatMap((name) =>
      ['', '-1', '1.5', '01', 'x1', '1x', -1, 1.5, 2 ** 53, String(2n ** 256n), `1${'0'.repeat(78)}`].map(
        (value) => [`payload.authorization.${name}`, value],
      ),
    ),
  ].map(([path, value]) => bend(path as string, value)),
]
const MISMATCHED: readonly Bend[] = (
  [
    ['accepted.network', 'eip155:1'],
    ['accepted.scheme', 'upto'],
    ['accepted.asset', OTHER_ADDRESS],
    ['accepted.asset', 'x'],
    ['accepted.asset', `${OTHER_ADDRESS}5`],
    ['accepted.extra', null],
    ['accepted.extra.name', 5],
    ['accepted.extra.version', 2],
    ['accepted.amount', '999'],
    ['accepted.payTo', OTHER_ADDRESS],
    ['accepted.maxTimeoutSeconds', 121],
    ['payload', { other: 1 }],
  ] as const
).map(([path, value]) => bend(path, value))
/** Signed for, and not what is offered. */
const SIGNED_OTHERWISE: readonly Signing[] = [
  { fields: { value: '999' } },
  { fields: { value: '1001' } },
  { fields: { to: OTHER_ADDRESS as `0x${string}` } },
]

/** What is wrong with a payment is named. */
const makeMistakes: SaleTrial = async (sales) => {
  const bent = async (spoil: Bend): Promise<Order> => {
    const order = await sales.order()
    const payload = structuredClone(order.payload)
    spoil(payload as unknown as Part)
    return { ...order, payload }
  }
  await sales.expectRefusal('payment_version_unsupported', await bent(bend('x402Version', 3)))
  for (const spoil of MALFORMED)
    if (sales.choices.rarely(3)) await sales.expectRefusal('payment_malformed', await bent(spoil))
  for (const spoil of MISMATCHED) await sales.expectRefusal('payment_terms_mismatch', await bent(spoil))
  for (const signing of SIGNED_OTHERWISE)
    await sales.expectRefusal('payment_terms_mismatch', await sales.order(signing))
  // The number of values decides the price.
  const list = sales.callOf('iban', VALUES, { shape: 'list' })
  await sales.expectRefusal('payment_terms_mismatch', { ...(await sales.order()), call: list })
  const v1 = ({ network, scheme }: { network?: string; scheme?: string }) =>
    bent((payment) => {
      Object.assign(payment, { x402Version: 1, scheme: scheme ?? 'exact', network: network ?? 'base' })
      delete payment.accepted
    })
  await sales.expectRefusal('payment_terms_mismatch', await v1({ network: 'base-sepolia' }))
  await sales.expectRefusal('payment_terms_mismatch', await v1({ scheme: 'upto' }))
  await sales.expect('sold', await v1({}))
  for (const id of [null, undefined]) {
    const order = await sales.order({ identifier: 'x' })
    const extensions = { 'payment-identifier': { info: { id }, schema: {} } }
    await sales.expect('sold', { ...order, payload: { ...order.payload, extensions } })
  }
}

/** Seconds of beginning and end beside the clock, and what is said. */
const WINDOWS: readonly (readonly [string, number, number])[] = [
  ['payment_not_yet_valid', -2, 120],
  ['payment_not_yet_valid', 60, 120],
  ['sold', -3, 120],
  ['payment_expired', -100, 9],
  ['sold', -100, 10],
  ['sold', -100, 420],
  ['payment_valid_too_long', -100, 421],
]

const meetTheClock: SaleTrial = async (sales) => {
  sales.pass(sales.choices.pick(1_000))
  for (const [expected, after, before] of WINDOWS) {
    const fields = { validAfter: String(sales.seconds + after), validBefore: String(sales.seconds + before) }
    const order = await sales.order({ fields })
    if (expected === 'sold') await sales.expect(expected, order)
    else await sales.expectRefusal(expected, order)
  }
}

/** A sale is repeated for an hour after its delivery, and for a day before it. */
const waitForReplay: SaleTrial = async (sales) => {
  const isDelivered = sales.choices.pick(2) === 0
  const order = await sales.order()
  const first = await sales.expect('sold', order)
  if (isDelivered) await sales.run((async () => first.kind === 'sold' && first.delivered())())
  sales.pass(isDelivered ? HOUR_MS : DAY_MS)
  await expectRepeat(sales, order, first)
  sales.pass(1)
  const late = await sales.expectRefusal('replay_window_over', order)
  insist(
    ('final' in late && late.final === true) === isDelivered,
    'a payment that was never answered is final',
  )
  const other = { ...order, call: sales.callOf('iban', [VALUES[1]]) }
  await sales.expectRefusal('replay_window_over', other)
  await sales.run(sales.service.purge(0))
  await sales.expectRefusal('replay_window_over', order)
}

/** A second signature for a call that was not answered yet gets the first answer, and later another one. */
const signAgain: SaleTrial = async (sales) => {
  const buyer = sales.newBuyer()
  const first = await sales.sign(buyer)
  const sale = await sales.expect('sold', first)
  sales.pass(1_000)
  const second = await sales.sign(buyer)
  sales.sentSince()
  const again = await sales.expect('sold', second, {}, 1)
  insist(sales.sentSince() === 0 && (await sales.row(second)) === null, 'a call is charged twice')
  if (sale.kind !== 'sold' || again.kind !== 'sold') return
  insist(
    isDeepStrictEqual(again.settlement, sale.settlement) && again.replayed,
    'a second payment has another receipt',
  )
  // Another call, another payer and another shape are charged.
  const others = [
    await sales.sign(buyer, { call: sales.callOf('iban', [VALUES[1]]) }),
    await sales.sign(buyer, { call: sales.callOf('iban', [VALUES[0]], { shape: 'list' }) }),
    await sales.order(),
  ]
  for (const order of others) {
    await sales.expect('sold', order)
    insist(sales.sentSince() === 1, 'another call is not charged')
  }
  await sales.run((async () => again.delivered())())
  const third = await sales.sign(buyer)
  // It may have come in before the answer left.
  await sales.expect('sold', third)
  insist(sales.sentSince() === 0, 'a call is charged for in the moment of its answer')
  sales.pass(1)
  await sales.expect('sold', await sales.sign(buyer))
  insist(sales.sentSince() === 1, 'a call that was answered is not sold again')
}

/** A payment identifier names one call. */
const identify: SaleTrial = async (sales) => {
  const buyer = sales.newBuyer()
  const identifier = 'payment-identifier-1'
  const first = await sales.sign(buyer, { identifier })
  const sale = await sales.expect('sold', first)
  await sales.run((async () => sale.kind === 'sold' && sale.delivered())())
  insist((await sales.row(first))?.identifier !== null, 'an identifier is not kept')
  sales.pass(1_000)
  sales.sentSince()
  await sales.expect('sold', await sales.sign(buyer, { identifier }))
  insist(sales.sentSince() === 0, 'an identifier is charged twice')
  const other = sales.callOf('iban', [VALUES[1]])
  await sales.expectRefusal(
    'payment_identifier_conflict',
    await sales.sign(buyer, { identifier, call: other }),
  )
  // A repeat is answered without it, under another one, and under one that is malformed.
  const { extensions: _, ...payload } = first.payload
  await sales.expect('sold', { ...first, payload })
  for (const id of ['payment-identifier-9', 'short', 5]) {
    const extensions = { 'payment-identifier': { info: { id }, schema: {} } }
    await sales.expect('sold', { ...first, payload: { ...payload, extensions } })
  }
  insist(sales.sentSince() === 0, 'a repeat under another identifier is charged')
  await sales.expect('sold', await sales.order({ identifier }))
  await sales.expect('sold', await sales.sign(buyer, { identifier: 'payment-identifier-2' }))
  insist(sales.sentSince() === 2, 'another identifier is not charged')
}

/** A store from before a sale learns of it from the chain, and the buyer gets the answer. */
const restore: SaleTrial = async (sales) => {
  const order = await sales.order()
  await sales.expect('sold', order)
  sales.service.forgetRows()
  await sales.service.restore()
  sales.sentSince()
  const others: readonly Signing[] = [{ fields: { value: '999', nonce: order.nonce } }]
  for (const signing of others)
    await sales.expect('payment_already_used', await sales.sign(order.buyer, signing))
  const isLate = sales.choices.pick(2) === 0
  sales.pass(DAY_MS + (isLate ? 1 : 0) - (sales.world.nowMs - ((await sales.row(order))?.settledAt ?? 0)))
  await sales.expect(isLate ? 'replay_window_over' : 'sold', order)
  insist(sales.sentSince() === 0, 'a payment that is restored is sent')
  if (isLate) return
  const row = await sales.row(order)
  insist(row?.binding !== null && row?.owner === null && row.taskKey === null, 'a restored row is not bound')
  await sales.expect('payment_already_used', { ...order, call: sales.callOf('iban', [VALUES[1]]) })
  await sales.expect('sold', order, {}, 1)
}

/** Without a restore, a payment that is on the chain is not sold again, and is not denied. */
const loseRows: SaleTrial = async (sales) => {
  const order = await sales.order()
  await sales.expect('sold', order)
  sales.service.forgetRows()
  sales.sentSince()
  const isOld = sales.choices.pick(2) === 0
  const { validBefore } = (order.payload.payload as { authorization: Record<string, string> }).authorization
  const end = Number(validBefore) + 86_400
  sales.pass((end + (isOld ? 1 : 0)) * 1000 - sales.world.nowMs)
  const said = isOld ? 'payment_already_used' : 'payment_in_doubt'
  for (let tries = 0; tries < 3; tries += 1) await sales.expect(said, order)
  const fourth = await sales.expect('too_many_requests', order)
  insist(
    'retryAfterSeconds' in fourth && fourth.retryAfterSeconds === 60,
    'a search is repeated at another time',
  )
  insist(sales.sentSince() === 0 && (await sales.row(order)) === null, 'an old payment is sent again')
  sales.pass(60_000)
  await sales.expect(isOld ? said : 'payment_already_used', order)
  // An old one that is unused is simply over.
  await sales.expectRefusal(
    'payment_expired',
    await sales.order({ fields: { validBefore: String(sales.seconds - 60) } }),
  )
}

const changeRules: SaleTrial = async (sales) => {
  const order = await sales.order()
  await sales.expect('sold', order)
  sales.service.changeRulesets('older')
  const again = await sales.expect('sold', order)
  insist(again.kind === 'sold' && again.rulesetChanged, 'an answer hides that its rules have changed')
}

const TRIALS: readonly SaleTrial[] = [
  ...[
    buyAndRepeat,
    misspell,
    makeMistakes,
    meetTheClock,
    waitForReplay,
    signAgain,
    identify,
    restore,
    loseRows,
  ],
  ...[changeRules, ...OUTCOME_TRIALS, ...LIMIT_TRIALS, ...TASK_TRIALS],
]

/** Some trials, each on an empty store; or every one. Null if every promise was kept. */
export async function runSaleTrials(
  service: SimulatedService,
  choices: Choices,
  { isEvery }: { readonly isEvery: boolean },
): Promise<Finding | null> {
  const chosen = isEvery ? TRIALS : [TRIALS[choices.pick(TRIALS.length)] as SaleTrial]
  const trace: string[] = []
  for (const trial of chosen) {
    trace.push(`a trial: ${trial.name}`)
    const sales = new QuietSales(service, choices, trace)
    const finding = await findingOf({ trace, run: () => trial(sales), heal: async () => {} })
    if (finding !== null) return finding
  }
  return null
}
