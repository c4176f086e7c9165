/** What holds up clients that cost more than they pay, to the millisecond. */
import { createPaidCalls } from '../../src/payments/sale/paid-calls.ts'
import { countSales, countWithheld, createSaleCounters } from '../../src/payments/sale/sale-counters.ts'
import { VALUES } from './buyers.ts'
import { insist } from './finding.ts'
import { type Order, type QuietSales, saidBy, type Told } from './quiet-sales.ts'
import { REFUSALS } from './sale-outcome-trials.ts'
import { AMOUNT, ChainUnavailable, FacilitatorFault, type Sale } from './service.ts'

const MINUTE_MS = 60_000
/** docs/limits.md. */
const [FREE_TRIES, MOST_TRIES] = [5, 50]
const [FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS] = [10, 3_600]
const MOST_NEW_PAYERS = 192
const MOST_COPIES = 64

const REFUSED: Told = {
  reply: { success: false, errorReason: 'invalid_network', transaction: '', network: 'eip155:8453' },
}

/** The client must wait for so many seconds. */
async function expectWait(sales: QuietSales, seconds: number, order: Order, told: Told = {}): Promise<void> {
  const sale = await sales.expectRefusal('too_many_requests', order, told)
  const said = 'retryAfterSeconds' in sale ? sale.retryAfterSeconds : undefined
  insist(said === seconds, `a client must wait for ${said} s, not ${seconds} s`)
}

/** The fourth payment in a minute after three that were refused must wait, for what is left of it. */
async function refusePayer(sales: QuietSales): Promise<void> {
  const buyer = sales.newBuyer()
  const known = await sales.sign(buyer)
  await sales.expect('sold', known)
  const call = (text: string) => sales.callOf('iban', [text])
  for (const value of ['x', 'y', 'z']) {
    await sales.expect('payment_refused', await sales.sign(buyer, { call: call(value) }), REFUSED)
    sales.pass(1_000)
  }
  const order = await sales.sign(buyer, {
    call: call('w'),
    fields: { validBefore: String(sales.seconds + 300) },
  })
  await expectWait(sales, 57, order)
  await sales.expect('sold', known)
  sales.pass(56_999)
  await expectWait(sales, 1, order)
  sales.pass(1)
  await sales.expect('sold', order)
  // The second of them is still in the minute: one more refusal makes three.
  await sales.expect('payment_refused', await sales.sign(buyer, { call: call('v') }), REFUSED)
  await expectWait(sales, 1, await sales.sign(buyer, { call: call('u') }))
  await sales.expect('sold', await sales.order())
}

/** A contract wallet's signature is judged by the facilitator, once, and at its client's account. */
async function askForWallet(sales: QuietSales): Promise<void> {
  const { world } = sales
  let [asked, judged] = [0, 0]
  const valid = async () => {
    judged += 1
    return { isValid: true }
  }
  world.hasCode = async () => {
    asked += 1
    return false
  }
  world.verify = valid
  const order = await sales.order({ isByOther: true })
  await sales.expectRefusal('payment_invalid_signature', order)
  await sales.expectRefusal(
    'payment_terms_mismatch',
    await sales.order({ isByOther: true, fields: { value: '999' } }),
  )
  insist(asked === 1 && judged === 0, 'a payer without code is judged by the facilitator')
  world.hasCode = async () => Promise.reject(new ChainUnavailable('x'))
  sales.reportsSince()
  await sales.expectRefusal('chain_unavailable', order)
  insist(sales.reportsSince() === 'chain_unavailable', 'a node that fails is not reported')
  world.hasCode = async () => true
  for (const [code, reasons] of [...REFUSALS, ['payment_refused', ['x', undefined]] as const])
    for (const invalidReason of reasons) {
      world.verify = async () => ({ isValid: false, ...(invalidReason !== undefined && { invalidReason }) })
      await sales.expectRefusal(code, order)
    }
  world.verify = valid
  await sales.expect('sold', order)
  insist(
    judged === 1 && (await sales.row(order))?.signatureMac !== null,
    'a signature that was accepted is not kept',
  )
  await sales.expect('sold', order, {}, 1)
  insist(judged === 1, 'a signature is judged twice')
  const { payload } = order.payload as unknown as { payload: { signature: string } }
  const other = {
    ...order,
    payload: { ...order.payload, payload: { ...payload, signature: `${payload.signature}00` } },
  }
  await sales.expectRefusal('payment_already_used', other)
  const plain = await sales.order()
  await sales.expect('sold', plain)
  await sales.expectRefusal(
    'payment_invalid_signature',
    await sales.sign(plain.buyer, { isByOther: true, fields: { nonce: plain.nonce } }),
  )
}

/** Three requests that cost the facilitator an answer that it did not give, or a settlement, and the client must wait. */
async function refuseWallets(sales: QuietSales): Promise<void> {
  const { world } = sales
  world.hasCode = async () => true
  const isVerified = sales.choices.pick(2) === 0
  const order = () => sales.order({ isByOther: true })
  for (let tries = 0; tries < 3; tries += 1) {
    if (isVerified) {
      const each = await order()
      await sales.expect('payment_in_doubt', each, { reply: new FacilitatorFault('unknown', 'x') })
      continue
    }
    const code = tries === 0 ? 'chain_unavailable' : 'facilitator_unavailable'
    const fault = tries === 0 ? new ChainUnavailable('x') : new FacilitatorFault('unknown', 'x')
    world.verify = () => Promise.reject(fault)
    sales.reportsSince()
    await sales.expectRefusal(code, await order())
    const symptom = tries === 0 ? ' chain_unavailable' : ''
    insist(sales.reportsSince() === `${code}${symptom}`, `${code} is not reported`)
  }
  world.verify = async () => ({ isValid: true })
  await expectWait(sales, 60, await order())
  await sales.expect('sold', await sales.order())
  await sales.expect('sold', await order(), { client: 'd' })
  sales.pass(MINUTE_MS - 1)
  await expectWait(sales, 1, await order())
  sales.pass(1)
  await sales.expect('sold', await order())
}

/** A client that guesses what was bought must wait for longer and longer; the buyer at another address need not. */
async function guess(sales: QuietSales): Promise<void> {
  const order = await sales.order()
  await sales.expect('sold', order)
  const wrong = { ...order, call: sales.callOf('iban', [VALUES[1]]) }
  for (let tries = 0; tries < FREE_TRIES; tries += 1) await sales.expectRefusal('payment_already_used', wrong)
  for (let seconds = FIRST_PAUSE_SECONDS; ; seconds = Math.min(2 * seconds, LONGEST_PAUSE_SECONDS)) {
    await expectWait(sales, seconds, order)
    await sales.expect('sold', order, { client: 'd' })
    sales.pass(seconds * 1000 - 1)
    await expectWait(sales, 1, wrong)
    sales.pass(1)
    await sales.expect('sold', order)
    await sales.expectRefusal('payment_already_used', wrong)
    if (seconds === LONGEST_PAUSE_SECONDS) break
  }
  await expectWait(sales, LONGEST_PAUSE_SECONDS, order)
}

/** After too many guesses of all clients, nothing is said any more but to a payer that signs again. */
async function lock(sales: QuietSales): Promise<void> {
  const isRefused = sales.choices.pick(2) === 0
  const order = await sales.order()
  const sale = await sales.expect(isRefused ? 'payment_refused' : 'sold', order, isRefused ? REFUSED : {})
  if (sale.kind === 'sold') await sales.run((async () => sale.delivered())())
  const wrong = { ...order, call: sales.callOf('iban', [VALUES[1]]) }
  for (let tries = 0; tries < MOST_TRIES - 1; tries += 1)
    await sales.expectRefusal('payment_already_used', wrong, { client: `e${Math.floor(tries / FREE_TRIES)}` })
  if (!isRefused) await sales.expect('sold', order)
  const said = isRefused ? 'payment_refused' : 'payment_locked'
  await sales.expectRefusal(said, wrong, { client: 'f' })
  for (let tries = 0; tries < FREE_TRIES; tries += 1) await sales.expectRefusal(said, order, { client: 'g' })
  // To be right is no longer free, or it would be known who is.
  await expectWait(sales, FIRST_PAUSE_SECONDS, order, { client: 'g' })
  sales.pass(1_000)
  sales.sentSince()
  await sales.expect('sold', await sales.sign(order.buyer))
  insist(sales.sentSince() === (isRefused ? 1 : 0), 'a locked call is charged again')
  await sales.expect('sold', await sales.sign(order.buyer, { call: wrong.call }))
  insist(sales.sentSince() === 1, 'another call is not charged')
}

/** Of a payer's settlements at once, only those are sent that its account covers. */
async function share(sales: QuietSales): Promise<void> {
  for (const covered of [1, 2]) {
    const buyer = sales.newBuyer(BigInt(covered + 1) * AMOUNT)
    await sales.expect('sold', await sales.sign(buyer))
    const orders: Order[] = []
    for (const value of ['x', 'y', 'z'].slice(0, covered + 1))
      orders.push(await sales.sign(buyer, { call: sales.callOf('iban', [value]) }))
    const begun: Promise<Sale>[] = []
    for (const order of orders) {
      begun.push(sales.begin(order))
      await sales.drive({}, 'reply')
    }
    const last = await (begun.at(-1) as Promise<Sale>)
    insist(saidBy(last) === 'too_many_requests', `more is sent than an account covers: ${saidBy(last)}`)
    insist('retryAfterSeconds' in last && last.retryAfterSeconds === 2, 'a payer must wait for another time')
    await sales.drive()
    for (const each of begun.slice(0, -1))
      insist((await each).kind === 'sold', 'what an account covers is not sold')
    const after = await sales.sign(buyer, { call: sales.callOf('iban', ['w']) })
    await sales.expect('payment_insufficient_funds', after, {
      ...REFUSED,
      reply: new FacilitatorFault('unknown', 'x'),
    })
  }
}

/** Of payers who have never paid, so many at once are sent to the facilitator. */
async function comeNew(sales: QuietSales): Promise<void> {
  const { world } = sales
  const known = sales.newBuyer()
  await sales.expect('sold', await sales.sign(known))
  world.judgesSignatures = false
  const order = await sales.order()
  const begun: Promise<Sale>[] = []
  const copyFor = (number: number): Order => {
    const from = `0x${'e'.repeat(32)}${number.toString(16).padStart(8, '0')}` as const
    const payload = structuredClone(order.payload)
    Object.assign((payload.payload as { authorization: object }).authorization, { from })
    world.chain.allow(from, order.nonce, sales.seconds + 120, AMOUNT)
    return { ...order, payload, buyer: { ...order.buyer, payer: from } }
  }
  world.expected.clear()
  for (let number = 0; number < MOST_NEW_PAYERS; number += 1) begun.push(sales.begin(copyFor(number)))
  await sales.drive({}, 'reply')
  const late = copyFor(MOST_NEW_PAYERS)
  const refused = sales.begin(late)
  await sales.drive({}, 'reply')
  insist(
    saidBy(await refused) === 'facilitator_unavailable',
    'any number of new payers is sent to the facilitator',
  )
  const again = sales.begin(await sales.sign(known, { call: sales.callOf('iban', ['x']) }))
  world.expected.clear()
  await sales.drive()
  insist((await again).kind === 'sold', 'new payers hold up those who have paid')
  for (const each of begun) insist((await each).kind === 'sold', 'a new payer is not sold to')
  await sales.expect('sold', late)
}

/** Copies of a request wait for the one that does the work, up to a number. */
async function copy(sales: QuietSales): Promise<void> {
  const order = await sales.order()
  const begun = [sales.begin(order)]
  await sales.drive({}, 'reply')
  for (let number = 0; number < MOST_COPIES + 1; number += 1) begun.push(sales.begin(order))
  await sales.drive({}, 'reply')
  const late = await (begun.at(-1) as Promise<Sale>)
  insist(saidBy(late) === 'payment_in_doubt', 'any number of copies wait')
  await sales.drive()
  const sold = await Promise.all(begun.slice(0, -1))
  insist(
    sold.every(({ kind }) => kind === 'sold'),
    'a copy is not answered',
  )
  insist(
    sold.filter((sale) => sale.kind === 'sold' && !sale.replayed).length === 1,
    'a copy counts as a sale',
  )
}

/** What a node cannot tell of a payment that is over is asked three times a minute. */
async function askInVain(sales: QuietSales): Promise<void> {
  const order = await sales.order()
  await sales.expect('payment_in_doubt', order, { reply: new FacilitatorFault('unknown', 'x') })
  const row = await sales.row(order)
  sales.pass((row?.validBefore ?? 0) * 1000 + MINUTE_MS - 1 - sales.world.nowMs)
  const fail = { port: 'chain', nth: 0, fault: 'fail' } as const
  for (let tries = 0; tries < 4; tries += 1) await sales.expectRefusal('payment_in_doubt', order, { fail })
  sales.pass(1)
  for (let tries = 0; tries < 3; tries += 1) await sales.expectRefusal('payment_in_doubt', order, { fail })
  await expectWait(sales, 60, order)
  sales.pass(MINUTE_MS)
  await sales.expect('payment_expired', order)
  for (let tries = 0; tries < 5; tries += 1) await sales.expectRefusal('payment_expired', order)
  insist(
    !sales.calls.some((call) => call.startsWith('chain')),
    'the node is asked for a payment that is over',
  )
}

/** Each answer is counted once, by what it says, and is written with the next flush. */
async function count(sales: QuietSales): Promise<void> {
  const seen: string[] = []
  const written: object[] = []
  let fails = true
  const ledger = {
    addCounts: async (counts: readonly object[]) => {
      if (fails) throw new Error('x')
      written.push(...counts)
    },
  }
  const { world, service } = sales
  const counters = createSaleCounters(ledger, (...each) => void seen.push(each.join()))
  const sell = countSales(
    (...given) => service.buy(0, ...given),
    counters,
    () => world.nowMs,
  )
  const hold = countWithheld(
    (call) => service.hold(0, call),
    counters,
    () => world.nowMs,
  )
  const order = await sales.order()
  const payment = { kind: 'object', payload: order.payload } as const
  for (const raw of [{ kind: 'none' }, payment, payment] as const) await sales.run(sell(order.call, raw))
  const task = sales.callOf('iban', [VALUES[0]], { surface: 'a2a' })
  const held = await sales.run(hold({ ...task, task: { pendingOrder: 'pendingOrder' } }))
  if (held.kind !== 'withheld') throw new Error(held.code)
  const sealed = { kind: 'sealed', surface: 'a2a', client: 'c', taskId: held.taskId } as const
  await sales.run(sell(sealed, { kind: 'none' }))
  const buyer = await sales.order({ call: sealed })
  await sales.run(sell(sealed, { kind: 'object', payload: buyer.payload }))
  const expected = [
    'rest,iban,payment_required',
    'rest,iban,sold',
    'rest,iban,replayed',
    'a2a,iban,payment_required',
  ]
  expected.push('a2a,task,payment_required', 'a2a,iban,sold')
  insist(seen.join(' ') === expected.join(' '), `answers are counted as ${seen.join(' ')}`)
  await counters.flush()
  fails = false
  sales.pass(86_400_000)
  await sales.run(sell(order.call, { kind: 'none' }))
  for (let flush = 0; flush < 2; flush += 1) await counters.flush()
  const days = written.map((each) => Object.values(each).join()).toSorted()
  const cell = (day: string, rest: string) => `2027-01-${day},${rest},1`
  const cells = [...expected.map((rest) => cell('15', rest)), cell('16', 'rest,iban,payment_required')]
  insist(days.join(' ') === cells.toSorted().join(' '), `counts are written as ${days.join(' ')}`)
}

/** A process ends once no call runs that may charge, and begins no other one. */
async function shutDown(sales: QuietSales): Promise<void> {
  const calls = createPaidCalls()
  const sell = calls.count((order: Order) => sales.begin(order))
  const [one, other] = [sell(await sales.order()), sell(await sales.order())]
  let isOver = false
  const end = calls.finish(MINUTE_MS).then(() => {
    isOver = true
  })
  await sales.drive({}, 'reply')
  insist(!isOver, 'a process ends while a call runs')
  const late = sell(await sales.order())
  await sales.drive()
  await Promise.all([one, other, late, end])
  insist((await late).kind === 'sold', 'a call is refused before its process has ended')
  insist(
    saidBy(await sell(await sales.order())) === 'shutting_down',
    'a call begins after its process has ended',
  )
  const idle = createPaidCalls()
  await idle.finish(MINUTE_MS)
  const hanging = createPaidCalls()
  void hanging.count(() => new Promise<Sale>(() => {}))()
  await hanging.finish(1)
}

export const LIMIT_TRIALS = [
  ...[
    refusePayer,
    askForWallet,
    refuseWallets,
    guess,
    lock,
    share,
    comeNew,
    copy,
    askInVain,
    count,
    shutDown,
  ],
]
