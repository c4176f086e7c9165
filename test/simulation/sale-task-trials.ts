/** Verdicts that are kept until they are paid for: what is shown of them, and until when. */
import { isDeepStrictEqual } from 'node:util'
import { VALUES } from './buyers.ts'
import { insist } from './finding.ts'
import { type QuietSales, sealedCall } from './quiet-sales.ts'
import { judgeAnswer } from './sale-answers.ts'
import { FacilitatorFault } from './service.ts'

const LIFE_MS = 600_000
const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
const REFUSED = {
  reply: { success: false, errorReason: 'invalid_network', transaction: '', network: 'eip155:8453' },
}
const DOUBT = { reply: new FacilitatorFault('unknown', 'x') }

async function hold(
  sales: QuietSales,
  value: string = VALUES[0],
  pendingOrder = 'pendingOrder',
): Promise<string> {
  const call = { ...sales.callOf('iban', [value], { surface: 'a2a' }), task: { pendingOrder } }
  const held = await sales.run(sales.service.hold(0, call))
  if (held.kind !== 'withheld') throw new Error(held.code)
  insist(held.expiresAt === sales.world.nowMs + LIFE_MS, 'a task ends at another time')
  const [payer, nowMs] = [sales.newBuyer().payer, sales.world.nowMs]
  const terms = { kind: 'unpaid', code: 'payment_required', quote: held.quote } as const
  judgeAnswer(terms, { call, nowMs, offer: sales.offerOf(1), payer, row: null })
  return held.taskId
}

const tasksOf = ({ service }: QuietSales, replica = 0) => service.tasks(replica)

const read = (sales: QuietSales, taskId: string, replica = 1) =>
  sales.run(tasksOf(sales, replica).read(taskId))

async function expectState(sales: QuietSales, taskId: string, expected: string): Promise<void> {
  const view = await read(sales, taskId)
  insist((view?.state ?? 'gone') === expected, `a task is ${view?.state}, not ${expected}`)
  if (view === null) return
  insist(view.pendingOrder === 'pendingOrder' && view.skill.id === 'iban', 'a task is shown as another one')
  insist(view.state === 'sold' || !('verdicts' in view), 'a verdict is shown that was not paid for')
  const [payer, nowMs] = [sales.newBuyer().payer, sales.world.nowMs]
  const terms = { kind: 'unpaid', code: 'payment_required', quote: view.quote } as const
  judgeAnswer(terms, { call: sealedCall(taskId), nowMs, offer: sales.offerOf(1), payer, row: null })
}

/** A task is paid for once, and then shown for as long as its payment is answered. */
async function payForTask(sales: QuietSales): Promise<void> {
  const taskId = await hold(sales)
  await expectState(sales, taskId, 'unpaid')
  const order = await sales.order({ call: sealedCall(taskId) })
  const sale = await sales.expect('sold', order)
  await expectState(sales, taskId, 'sold')
  const view = await read(sales, taskId)
  if (sale.kind !== 'sold' || view?.state !== 'sold') return
  insist(sale.taskId === taskId && !sale.replayed && !sale.rulesetChanged, 'a task is sold as another one')
  const expected = [sales.service.verdictOf(VALUES[0])]
  insist(isDeepStrictEqual([...sale.verdicts], expected), 'a verdict is of another value')
  insist(isDeepStrictEqual(view.verdicts, sale.verdicts), 'a task shows another verdict')
  insist(isDeepStrictEqual(view.settlement, sale.settlement), 'a task shows another receipt')
  const row = await sales.row(order)
  insist(
    row?.surface === 'a2a' && row.checkType === 'iban' && row.items === 1,
    'a task is written down as another call',
  )
  insist(!(await sales.run(tasksOf(sales).cancel(taskId))), 'a task that is paid for is canceled')
  insist(!(await sales.run(tasksOf(sales).fail(taskId, 'internal_error'))), 'a task that is paid for fails')
  const second = await sales.order({ call: sealedCall(taskId) })
  await sales.expectRefusal('payment_already_used', second)
  const other = await hold(sales, VALUES[1])
  await sales.expectRefusal('payment_already_used', { ...order, call: sealedCall(other) })
  const again = await sales.expect('sold', order, {}, 1)
  insist(again.kind === 'sold' && again.replayed, 'a repeat counts as a sale')
  // It is shown to the end of its replay window.
  const isDelivered = sales.choices.pick(2) === 0
  if (isDelivered) await sales.run((async () => again.kind === 'sold' && again.delivered())())
  sales.pass(isDelivered ? HOUR_MS : DAY_MS)
  await sales.run(sales.service.purge(0))
  await expectState(sales, taskId, 'sold')
  sales.pass(1)
  await sales.run(sales.service.purge(0))
  await expectState(sales, taskId, 'gone')
  await sales.expectRefusal('task_not_found', order)
}

/** An unpaid task lives for ten minutes. */
async function letTaskEnd(sales: QuietSales): Promise<void> {
  const [taskId, paid] = [await hold(sales), await hold(sales)]
  sales.pass(LIFE_MS - 1)
  await expectState(sales, taskId, 'unpaid')
  insist(
    (await sales.run(tasksOf(sales).pendingOrder(taskId))) === 'pendingOrder',
    'a task has another pending order',
  )
  const order = await sales.order({ call: sealedCall(paid) })
  await sales.expect('sold', order)
  sales.pass(1)
  await expectState(sales, paid, 'sold')
  await sales.expect('sold', order)
  await expectState(sales, taskId, 'gone')
  insist(
    (await sales.run(tasksOf(sales).pendingOrder(taskId))) === null,
    'a task that has ended has a pending order',
  )
  await sales.expectRefusal('task_not_found', await sales.order({ call: sealedCall(taskId) }))
  await sales.expectRefusal('task_not_found', await sales.order({ call: sealedCall('another task') }))
}

/** A task that is canceled, or has failed, shows so and is not sold. */
async function endTask(sales: QuietSales): Promise<void> {
  for (const isCanceled of [true, false]) {
    const taskId = await hold(sales)
    const end = () =>
      isCanceled ? tasksOf(sales).cancel(taskId) : tasksOf(sales).fail(taskId, 'payment_expired')
    insist(await sales.run(end()), 'a task cannot be ended')
    await expectState(sales, taskId, isCanceled ? 'canceled' : 'failed')
    const view = await read(sales, taskId)
    if (view?.state === 'failed')
      insist(
        view.code === 'payment_expired' && view.settlement === undefined,
        'a task has failed for another reason',
      )
    insist(
      (await sales.run(tasksOf(sales).pendingOrder(taskId))) === 'pendingOrder',
      'a task that has ended has another pending order',
    )
    await sales.expectRefusal('task_not_found', await sales.order({ call: sealedCall(taskId) }))
    insist(!(await sales.run(end())), 'a task ends twice')
  }
  insist(!(await sales.run(tasksOf(sales).cancel('another task'))), 'a task is canceled that never was')
}

/** A task shows what becomes of its payment. */
async function followPayment(sales: QuietSales): Promise<void> {
  const taskId = await hold(sales)
  const order = await sales.order({ call: sealedCall(taskId) })
  await sales.expect('facilitator_unavailable', order, { fail: { port: 'settle', nth: 0, fault: 'fail' } })
  await expectState(sales, taskId, 'unpaid')
  const kind = sales.choices.pick(3)
  if (kind === 0) {
    insist(
      await sales.run(tasksOf(sales).cancel(taskId)),
      'a task for which nothing was sent cannot be canceled',
    )
    await sales.expectRefusal('task_not_found', order)
    return
  }
  if (kind === 1) {
    await sales.expect('payment_refused', order, REFUSED)
    await expectState(sales, taskId, 'failed')
    const view = await read(sales, taskId)
    const settlement = {
      ...{ success: false, errorReason: 'payment_refused', payer: order.buyer.account.address },
      ...{ transaction: '', network: 'eip155:8453' },
    }
    if (view?.state === 'failed')
      insist(
        view.code === 'payment_refused' && isDeepStrictEqual(view.settlement, settlement),
        'a task has failed for another reason',
      )
    await sales.expect('sold', order)
    return expectState(sales, taskId, 'sold')
  }
  const doubtful = await sales.expect('payment_in_doubt', order, DOUBT)
  insist('taskId' in doubtful && doubtful.taskId === taskId, 'an answer does not name its task')
  await expectState(sales, taskId, 'working')
  insist(!(await sales.run(tasksOf(sales).cancel(taskId))), 'a task is canceled that may be paid for')
  const begun = sales.begin(order)
  await sales.drive({}, 'reply')
  sales.service.restart(0)
  await sales.drive()
  void begun
  sales.pass(121_000)
  await sales.expect('payment_expired', order, {}, 1)
  await expectState(sales, taskId, 'failed')
}

/** While a process works on the payment of a task, the task says so. */
async function watchTask(sales: QuietSales): Promise<void> {
  const taskId = await hold(sales)
  const order = await sales.order({ call: sealedCall(taskId) })
  const begun = sales.begin(order)
  await sales.drive({}, 'reply')
  const reading = tasksOf(sales, 1).read(taskId)
  await sales.drive({}, 'reply')
  insist((await reading)?.state === 'working', 'a task is not shown as one that is being paid for')
  await sales.drive()
  insist((await begun).kind === 'sold', 'a task is not sold')
  await expectState(sales, taskId, 'sold')
}

/** A call that is paid for at once is kept as a task of the same name at each repeat. */
async function keepTask(sales: QuietSales): Promise<void> {
  const call = sales.callOf('iban', [VALUES[0]], { surface: 'a2a', task: { pendingOrder: 'pendingOrder' } })
  const order = await sales.order({ call })
  const sale = await sales.expect('sold', order)
  const again = await sales.expect('sold', order, {}, 1)
  if (sale.kind !== 'sold' || again.kind !== 'sold') return
  const { taskId = '' } = sale
  insist(again.taskId === taskId, 'a repeat has another task')
  insist(
    /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(taskId),
    'a task has no UUID',
  )
  await expectState(sales, taskId, 'sold')
  const other = await sales.expect('sold', await sales.order({ call }))
  insist(other.kind === 'sold' && other.taskId !== taskId, 'two payments have one task')
  // In doubt it is named, and shows how the payment ends.
  const doubted = await sales.order({ call })
  const doubtful = await sales.expect('payment_in_doubt', doubted, DOUBT)
  const named = 'taskId' in doubtful ? doubtful.taskId : undefined
  insist(named !== undefined, 'an answer does not name its task')
  await expectState(sales, named as string, 'working')
  await sales.expect('sold', doubted)
  await expectState(sales, named as string, 'sold')
  // Another signature for the call of a plain sale gets a task, too.
  const buyer = sales.newBuyer()
  await sales.expect('sold', await sales.sign(buyer))
  sales.sentSince()
  const attached = await sales.expect('sold', await sales.sign(buyer, { call }))
  insist(sales.sentSince() === 0 && attached.kind === 'sold', 'a call is charged twice')
  if (attached.kind === 'sold') await expectState(sales, attached.taskId ?? '', 'sold')
}

export const TASK_TRIALS = [payForTask, letTaskEnd, endTask, followPayment, watchTask, keepTask]
