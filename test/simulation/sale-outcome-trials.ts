/** What a facilitator, the node and the store may do with one payment, and what is said and written of it. */

import { insist } from './finding.ts'
import type { Order, QuietSales, Told } from './quiet-sales.ts'
import { saidBy } from './quiet-sales.ts'
import { AMOUNT, ChainUnavailable, FacilitatorFault, type PaymentRow } from './service.ts'

const NETWORK = 'eip155:8453'
const LEASE_MS = 30_000
const WAIT_MS = 25_000
const MOST_TRIES = 10

/** What is written of a payment that no process works on. */
async function expectRow(sales: QuietSales, order: Order, expected: Partial<PaymentRow>): Promise<void> {
  const row = await sales.row(order)
  for (const [name, value] of Object.entries({ owner: null, leaseUntil: 0, ...expected }))
    insist(
      row?.[name as keyof PaymentRow] === value,
      `a row has another ${name}: ${row?.[name as keyof PaymentRow]}`,
    )
}

const refusal = (errorReason: unknown, transaction: unknown = ''): Told => ({
  reply: { success: false, errorReason, transaction, network: NETWORK },
})
const doubt = new FacilitatorFault('unknown', 'no reply in time', { symptom: { status: 502 } })
const answered = () =>
  new FacilitatorFault('not_sent', 'too many requests', { answered: true, symptom: { status: 429 } })

/** Reasons that prove that nothing was sent, by what the buyer reads; docs/evidence/sale-states.md. */
export const REFUSALS: readonly (readonly [code: string, reasons: readonly string[]])[] = [
  [
    'payment_invalid_signature',
    [
      ...['invalid_exact_evm_signature', 'invalid_exact_evm_payload_signature'],
      ...['invalid_exact_evm_failed_to_parse_signature', 'eip6492_factory_not_allowed'],
    ],
  ],
  ['payment_not_yet_valid', ['invalid_exact_evm_payload_authorization_valid_after']],
  ['payment_expired', ['invalid_exact_evm_payload_authorization_valid_before']],
  ['payment_insufficient_funds', ['invalid_exact_evm_insufficient_balance', 'insufficient_funds']],
  [
    'payment_refused',
    [
      ...['invalid_exact_evm_authorization_value', 'invalid_exact_evm_payload_authorization_value'],
      ...['invalid_exact_evm_payload_authorization_value_mismatch', 'invalid_exact_evm_recipient_mismatch'],
      ...[
        'invalid_exact_evm_payload_recipient_mismatch',
        'invalid_exact_evm_network_mismatch',
        'invalid_network',
      ],
      ...['invalid_exact_evm_missing_eip712_domain', 'invalid_exact_evm_token_name_mismatch'],
      ...['invalid_exact_evm_token_version_mismatch', 'invalid_exact_evm_eip3009_not_supported'],
    ],
  ],
]

/** A refusal that proves something is written down, and sent again up to three times in all. */
async function beRefused(sales: QuietSales): Promise<void> {
  for (const [code, reasons] of REFUSALS)
    for (const reason of reasons) {
      const order = await sales.order()
      const sale = await sales.expect(code, order, refusal(reason, sales.one(['', null, undefined])))
      insist('settlement' in sale && sale.settlement !== undefined, 'a refusal does not say what was refused')
      await expectRow(sales, order, { state: 'refused', refusal: code, attempts: 1, transaction: null })
      const other = { ...order, call: sales.callOf('iban', ['DE89 3704 0044 0532 0130 00']) }
      await sales.expectRefusal('payment_already_used', other)
      if (sales.choices.pick(2) === 0) {
        await sales.expect('sold', order)
        await expectRow(sales, order, { state: 'settled', refusal: null, attempts: 2 })
        continue
      }
      for (const attempts of [2, 3]) {
        await sales.expect(code, order, refusal(reason))
        await expectRow(sales, order, { state: 'refused', attempts })
        sales.pass(30_000)
      }
      await sales.expectRefusal(code, order)
      sales.pass(60_000)
    }
}

/** What proves nothing is looked up on the chain, and is in doubt until it tells. */
async function beInDoubt(sales: QuietSales): Promise<void> {
  const settled = (more: object) => ({
    reply: { success: true, transaction: `0x${'ab'.repeat(32)}`, network: NETWORK, ...more },
  })
  const ofAnother = [
    ...[{ network: 'eip155:1' }, { payer: `0x${'5'.repeat(40)}` }, { payer: 5 }, { amount: '999' }],
    ...[{ transaction: 'x' }, { transaction: '' }],
  ]
  const doubtful: readonly (readonly [symptom: string, told: Told])[] = [
    [' invalid_network', refusal('invalid_network', `0x${'ab'.repeat(32)}`)],
    [' invalid_network', refusal('invalid_network', 'x')],
    [' invalid_network', { reply: { success: 'true', errorReason: 'invalid_network' } }],
    [' other_reason', refusal('x')],
    ['', refusal(undefined)],
    [' settlement_pending', refusal('settlement_pending')],
    [' nonce_already_used', refusal('nonce_already_used')],
    [' 502', { reply: doubt }],
    ['', { reply: [] }],
    ['', { reply: new Error('x') }],
    ...ofAnother.map((more) => [' success_of_another_payment', settled(more)] as const),
  ]
  for (const [symptom, told] of doubtful) {
    const order = await sales.order()
    sales.reportsSince()
    await sales.expect('payment_in_doubt', order, told)
    const report = sales.reportsSince()
    insist(report === `settlement_doubtful${symptom}`, `a doubtful settlement is reported as ${report}`)
    await expectRow(sales, order, { state: 'in_doubt', doubt: null, attempts: 1, transaction: null })
    const other = { ...order, call: sales.callOf('iban', ['DE89 3704 0044 0532 0130 00']) }
    await sales.expectRefusal('payment_already_used', other)
    const isIn = sales.choices.pick(2) === 0
    if (isIn) sales.land(order.buyer.payer, order.nonce)
    sales.sentSince()
    const sale = await sales.expect('sold', order, {}, 1)
    insist(sale.kind === 'sold' && sale.replayed === isIn, 'a repeat counts as a sale, or a sale as a repeat')
    insist(sales.sentSince() === (isIn ? 0 : 1), 'what is in doubt is sent in vain, or is not sent again')
  }
  for (const more of [{ payer: null }, { amount: '1000' }, { payer: undefined }, { amount: null }]) {
    const order = await sales.order()
    sales.land(order.buyer.payer, order.nonce)
    const reply = { ...sales.success(order.buyer.payer, order.nonce), ...more }
    await sales.expect('sold', order, { reply })
  }
  const order = await sales.order()
  sales.land(order.buyer.payer, order.nonce)
  const { payer } = order.buyer
  const transaction = sales.world.chain.transactionOf(payer, order.nonce)?.toUpperCase().replace('0X', '0x')
  const reply = { success: true, payer: payer.toUpperCase(), transaction, network: NETWORK }
  await sales.expect('sold', order, { reply })
}

/** What is in doubt is sent ten times in all; then the chain is waited for. */
async function repeatInDoubt(sales: QuietSales): Promise<void> {
  const order = await sales.order({ fields: { validBefore: String(sales.seconds + 400) } })
  for (let attempts = 1; attempts <= MOST_TRIES; attempts += 1) {
    await sales.expect('payment_in_doubt', order, { reply: doubt }, attempts % 2)
    await expectRow(sales, order, { state: 'in_doubt', attempts })
    insist(sales.sentSince() === 1, 'what is in doubt is not sent once by each repeat')
  }
  await sales.expectRefusal('payment_in_doubt', order)
  const kind = sales.choices.pick(4)
  if (kind === 0) {
    sales.land(order.buyer.payer, order.nonce)
    await sales.expect('sold', order)
    return
  }
  const use = (['paid', 'foreign', 'canceled', null] as const)[kind]
  if (use === 'foreign' || use === 'canceled')
    sales.world.chain.use(order.buyer.payer, order.nonce, use, AMOUNT, sales.seconds)
  else sales.pass(400_000)
  if (use === null) await sales.expect('payment_in_doubt', order)
  sales.pass(2_000)
  for (let tries = 0; tries < 2; tries += 1) {
    await sales.expect('payment_expired', order)
    await expectRow(sales, order, {
      state: 'void',
      refusal: use === 'foreign' ? 'payment_spent_elsewhere' : 'payment_expired',
    })
  }
  insist(sales.sentSince() === 0, 'what is over is sent')
  await sales.expect('sold', await sales.sign(order.buyer))
}

/** A facilitator's word that it did nothing is written down, and not believed. */
async function beDenied(sales: QuietSales): Promise<void> {
  const order = await sales.order()
  sales.reportsSince()
  await sales.expect('payment_in_doubt', order, { reply: answered() })
  insist(sales.reportsSince() === 'settlement_unconfirmed 429', 'a denial is not reported')
  await expectRow(sales, order, { state: 'in_doubt', doubt: 'denied', attempts: 1 })
  const isDenied = sales.choices.pick(2) === 0
  await sales.expect('payment_in_doubt', order, { reply: isDenied ? answered() : doubt })
  await expectRow(sales, order, { state: 'in_doubt', doubt: isDenied ? 'denied' : null, attempts: 2 })
  await sales.expect('payment_in_doubt', order, { reply: answered() })
  await expectRow(sales, order, { state: 'in_doubt', doubt: isDenied ? 'denied' : null, attempts: 3 })
  await sales.expect('sold', order)
}

/** What certainly was not sent leaves a claim that any request may take. */
async function beUnsent(sales: QuietSales): Promise<void> {
  const refused = new FacilitatorFault('not_sent', 'refused', { symptom: { code: 'ECONNREFUSED' } })
  const faults = [
    ['facilitator_unavailable', ' ECONNREFUSED', { reply: refused }],
    ['chain_unavailable', ' chain_unavailable', { reply: new ChainUnavailable('x') }],
    ['facilitator_unavailable', '', { fail: { port: 'settle', nth: 0, fault: 'fail' } }],
  ] as const
  for (const [code, symptom, told] of faults) {
    const order = await sales.order()
    sales.reportsSince()
    await sales.expect(code, order, told)
    const report = sales.reportsSince()
    insist(report === `${code}${symptom}`, `${code} is reported as ${report}`)
    await expectRow(sales, order, { state: 'claimed', attempts: 0, refusal: null })
    const began = sales.world.elapsedMs
    const other = { ...order, call: sales.callOf('iban', ['DE89 3704 0044 0532 0130 00']) }
    const next = sales.choices.pick(2) === 0 ? order : other
    await sales.expect('sold', next, {}, 1)
    insist(sales.world.elapsedMs === began, 'a claim that was released is waited for')
    await expectRow(sales, next, { state: 'settled', attempts: 1 })
  }
  // After a refusal it is as it was.
  const order = await sales.order()
  await sales.expect('payment_refused', order, refusal('invalid_network'))
  await sales.expect('facilitator_unavailable', order, { reply: refused })
  await expectRow(sales, order, { state: 'refused', attempts: 1, refusal: 'payment_refused' })
  await sales.expect('sold', order)
}

/** While new sales are paused, what is known is answered. */
async function bePaused(sales: QuietSales): Promise<void> {
  const { world } = sales
  const known = await sales.order()
  await sales.expect('sold', known)
  const doubted = await sales.order()
  await sales.expect('payment_in_doubt', doubted, { reply: doubt })
  for (const code of [
    'chain_unavailable',
    'facilitator_unavailable',
    'clock_wrong',
    'sales_paused',
  ] as const) {
    const order = await sales.order()
    Object.assign(world, { isPaused: true, pauseCode: code })
    await sales.expectRefusal(code, order)
    await sales.expectRefusal(
      code,
      await sales.sign(known.buyer, { call: sales.callOf('email', ['a@b.example']) }),
    )
    await sales.expect('sold', known)
    sales.sentSince()
    await sales.expect('payment_in_doubt', doubted)
    insist(sales.sentSince() === 0, 'a payment is sent while sales are paused')
    world.isPaused = false
    await sales.expect('sold', order)
    // A pause that begins while a settlement is on its way names itself.
    const late = await sales.order()
    const { onReceived } = world
    world.onReceived = (signed) => {
      world.isPaused = true
      onReceived(signed)
    }
    await sales.expect(code, late, { reply: new FacilitatorFault('not_sent', 'refused') })
    Object.assign(world, { isPaused: false, onReceived })
  }
}

/** A payer without money is refused before anything is written, or once the chain shows it. */
async function bePoor(sales: QuietSales): Promise<void> {
  const poor = sales.newBuyer(AMOUNT - 1n)
  const task = sales.callOf('iban', ['DE89 3704 0044 0532 0130 00'], {
    surface: 'a2a',
    task: { pendingOrder: 'pendingOrder' },
  })
  const plain = await sales.sign(poor)
  const refused = await sales.expectRefusal('payment_insufficient_funds', plain)
  insist(
    'settlement' in refused && refused.settlement !== undefined,
    'a refusal does not say what was refused',
  )
  const kept = await sales.expectRefusal('payment_insufficient_funds', await sales.sign(poor, { call: task }))
  insist(!('settlement' in kept) || kept.settlement === undefined, 'an answer shows more than its task')
  await sales.expectRefusal('payment_insufficient_funds', plain)
  const fourth = await sales.expectRefusal('too_many_requests', plain)
  insist(
    'retryAfterSeconds' in fourth && fourth.retryAfterSeconds === 60,
    'a refusal is repeated at another time',
  )
  // A node that does not answer refuses no one.
  const unknown = await sales.order()
  await sales.expect('sold', unknown, { fail: { port: 'chain', nth: 0, fault: 'fail' } })
  const buyer = sales.newBuyer(AMOUNT)
  await sales.expect('sold', await sales.sign(buyer))
  const call = sales.callOf('iban', ['DE89 3704 0044 0532 0130 00'])
  const second = await sales.sign(buyer, { call })
  const told = sales.one([{ reply: doubt }, refusal('settlement_pending'), { reply: answered() }])
  const isShown = told.reply === doubt
  await sales.expect(isShown ? 'payment_insufficient_funds' : 'payment_in_doubt', second, told)
  await expectRow(sales, second, { state: isShown ? 'refused' : 'in_doubt' })
  // The very payment that was refused has emptied the account.
  const spent = sales.newBuyer(AMOUNT)
  const order = await sales.sign(spent)
  await sales.expect('sold', order, { ...refusal('insufficient_funds'), lands: true })
  await expectRow(sales, order, { state: 'settled', refusal: null })
}

/** The node fails once while a doubtful settlement is looked up. */
async function loseNode(sales: QuietSales): Promise<void> {
  for (let nth = 0; nth < 6; nth += 1) {
    const order = await sales.order()
    const sale = await sales.ask(order, { reply: doubt, fail: { port: 'chain', nth, fault: 'fail' } })
    insist(saidBy(sale) === 'payment_in_doubt', `a node that fails is answered as ${saidBy(sale)}`)
    await expectRow(sales, order, { state: 'in_doubt', attempts: 1 })
    await sales.expect('sold', order)
  }
}

/** The store fails once on the way: nothing is denied that was sent, and no request waits for the end of a lease. */
async function loseStore(sales: QuietSales): Promise<void> {
  const known = sales.newBuyer()
  await sales.expect('sold', await sales.sign(known, { call: sales.callOf('email', ['a@b.example']) }))
  for (const buyer of [known, null])
    for (let nth = 0; nth < 9; nth += 1) {
      const order = await sales.sign(buyer ?? sales.newBuyer(), { call: sales.callOf('iban', [`DE${nth}`]) })
      const fault = sales.one(['fail', 'after'] as const)
      sales.sentSince()
      const sale = await sales.ask(order, { fail: { port: 'ledger', nth, fault } })
      const sent = sales.sentSince()
      const said = saidBy(sale)
      insist(
        sent > 0 ? said === 'sold' : said === 'store_unavailable',
        `a store that fails is answered as ${said}`,
      )
      const began = sales.world.elapsedMs
      await sales.expect('sold', order, {}, 1)
      insist(sales.world.elapsedMs === began, 'a claim is waited for after the store has failed')
      insist(sent + sales.sentSince() === 1, 'a payment is sent twice')
      await expectRow(sales, order, { state: 'settled', attempts: 1 })
    }
}

/** A process that does not come back is waited for until its lease ends. */
async function crash(sales: QuietSales): Promise<void> {
  const { service, world } = sales
  for (const isOver of [false, true]) {
    const order = await sales.order()
    const began = world.nowMs
    void sales.begin(order)
    await sales.drive({}, 'reply')
    const row = await sales.row(order)
    insist(row?.state === 'settling' && row.leaseUntil === began + LEASE_MS, 'a settlement has another lease')
    service.restart(0)
    sales.pass(LEASE_MS - WAIT_MS - (isOver ? 0 : 1))
    await sales.expect(isOver ? 'sold' : 'payment_in_doubt', order, {}, 1)
    insist(
      world.nowMs === began + LEASE_MS - (isOver ? 0 : 1) + (isOver ? 0 : 250),
      'a request waits for another time',
    )
    if (!isOver) {
      sales.pass(1_000)
      await sales.expect('sold', order, {}, 1)
    }
    await expectRow(sales, order, { state: 'settled', attempts: 2 })
  }
}

/** Two requests with one payment: the one waits for the other. */
async function comeTwice(sales: QuietSales): Promise<void> {
  const other = sales.callOf('iban', ['DE89 3704 0044 0532 0130 00'])
  for (const replica of [0, 1]) {
    const order = await sales.order()
    sales.sentSince()
    const first = sales.begin(order)
    await sales.drive({}, 'reply')
    const second = sales.begin(order, replica)
    const third = sales.begin({ ...order, call: other }, replica)
    await sales.drive({}, 'reply')
    await sales.drive()
    const [one, two, three] = [await first, await second, await third]
    insist(one.kind === 'sold' && !one.replayed, 'the first of two requests is not sold to')
    insist(two.kind === 'sold' && two.replayed, 'a copy of a request counts as a sale')
    insist(saidBy(three) === 'payment_already_used', `another call gets ${saidBy(three)}`)
    insist(sales.sentSince() === 1, 'a copy of a request is sent')
  }
}

/** While one payment of a call is in doubt, another one is not charged for it. */
async function rival(sales: QuietSales): Promise<void> {
  const buyer = sales.newBuyer()
  const first = await sales.sign(buyer)
  await sales.expect('payment_in_doubt', first, { reply: doubt })
  sales.pass(1_000)
  const second = await sales.sign(buyer)
  await sales.expectRefusal('payment_in_doubt', second)
  const isIn = sales.choices.pick(2) === 0
  if (isIn) sales.land(buyer.payer, first.nonce)
  else sales.pass(121_000 + 2_000)
  const next = isIn ? second : await sales.sign(buyer)
  sales.sentSince()
  const sale = await sales.expect('sold', next, {}, 1)
  insist(sales.sentSince() === (isIn ? 0 : 1), 'a call is charged twice, or not at all')
  const paidBy = sales.world.chain.transactionOf(buyer.payer, isIn ? first.nonce : next.nonce)
  insist(sale.kind === 'sold' && sale.settlement.transaction === paidBy, 'a receipt is of another payment')
  await expectRow(sales, first, { state: isIn ? 'settled' : 'void' })
  // A refusal of the first does not hold the second up, unless the chain shows that it was charged.
  const refusedBuyer = sales.newBuyer()
  const refused = await sales.sign(refusedBuyer)
  await sales.expect('payment_refused', refused, refusal('invalid_network'))
  const wasWrong = sales.choices.pick(2) === 0
  if (wasWrong) sales.land(refusedBuyer.payer, refused.nonce)
  sales.sentSince()
  await sales.expect('sold', await sales.sign(refusedBuyer))
  insist(sales.sentSince() === (wasWrong ? 0 : 1), 'a refused payment is not looked up')
  await refuseMany(sales)
}

/** Of many refused payments for one call, the newest three are looked up before another one. */
async function refuseMany(sales: QuietSales): Promise<void> {
  const buyer = sales.newBuyer()
  await sales.expect('sold', await sales.sign(buyer, { call: sales.callOf('email', ['a@b.example']) }))
  for (let count = 0; count < 5; count += 1) {
    await sales.expect('payment_refused', await sales.sign(buyer), refusal('invalid_network'))
    const looked = sales.calls.filter((call) => call === 'chain trace').length
    insist(looked === Math.min(count, 3), `${looked} refused payments are looked up`)
    sales.pass(30_000)
  }
}

/** SETTLEMENT_PROOF=chain: the facilitator's word releases nothing. */
async function awaitProof(sales: QuietSales): Promise<void> {
  const { world, service } = sales
  world.proofOnChain = true
  for (const replica of [0, 1]) service.restart(replica)
  await sales.expect('sold', await sales.order())
  const order = await sales.order()
  const reply = { success: true, transaction: `0x${'ab'.repeat(32)}`, network: NETWORK }
  const began = world.elapsedMs
  await sales.expect('payment_in_doubt', order, { reply })
  insist(world.elapsedMs - began === 20_000, 'a transfer is waited for another time')
  await expectRow(sales, order, { state: 'in_doubt', attempts: 1 })
  sales.land(order.buyer.payer, order.nonce)
  sales.sentSince()
  await sales.expect('sold', order)
  insist(sales.sentSince() === 0, 'what is on the chain is sent again')
  // Its refusals are not believed either.
  const refused = await sales.order()
  await sales.expect('sold', refused, { ...refusal('invalid_network'), lands: true })
  const unpaid = await sales.order()
  await sales.expect('payment_refused', unpaid, refusal('invalid_network'))
  // A success was reported, so an empty account is no reason to refuse.
  const buyer = sales.newBuyer(AMOUNT)
  await sales.expect('sold', await sales.sign(buyer))
  const call = sales.callOf('email', ['a@b.example'])
  await sales.expect('payment_in_doubt', await sales.sign(buyer, { call }), { reply })
}

export const OUTCOME_TRIALS = [
  ...[beRefused, beInDoubt, repeatInDoubt, beDenied, beUnsent, bePaused, bePoor, loseNode, loseStore, crash],
  ...[comeTwice, rival, awaitProof],
]
