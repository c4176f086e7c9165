/** Sales in two messages: the value in the first, the payment in the second, and what may happen between and in them. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { PaymentRequired } from '@x402/core/types'
import type { PrivateKeyAccount } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type SignedTransfer, signPayment } from '../support/chain-payments.ts'
import {
  IN_BAND,
  type Json,
  order,
  payingWith,
  paymentOf,
  sendRequest,
  stateOf,
  taskOf,
  taskRequest,
  verdictOf,
} from '../surfaces/a2a/a2a-client.ts'
import { VALUE } from './bench/order.ts'
import { type Stage, startStage } from './bench/stage.ts'
import { PRICE } from './bench/world.ts'
import { MOMENTS, MORTAL, meet, nonceOf } from './rows/kill-rows.ts'

const CALLS = 3
const PATIENCE_MS = 300_000

let stage: Stage
beforeAll(async () => {
  stage = await startStage()
})
afterAll(() => stage.stop())

async function post(url: string, body: unknown): Promise<Json> {
  const response = await fetch(`${url}/a2a`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'A2A-Version': '1.0', ...IN_BAND },
    body: JSON.stringify(body),
  })
  return response.json()
}

const postOrNothing = (url: string, body: unknown): Promise<Json> => post(url, body).catch(() => undefined)

/** The first message: a task that waits for its payment. */
async function orderAt(url: string): Promise<{ id: string; required: PaymentRequired }> {
  const task = taskOf(await post(url, sendRequest('1.0', { parts: [order('iban', VALUE)] })))
  expect(stateOf(task)).toBe('INPUT_REQUIRED')
  return { id: task.id, required: paymentOf(task)['x402.payment.required'] }
}

/** The second message. */
async function payment(
  payer: PrivateKeyAccount,
  { id, required }: { readonly id: string; readonly required: PaymentRequired },
  fields: Partial<SignedTransfer> = {},
) {
  const [terms] = required.accepts
  if (terms === undefined) throw new Error('no terms')
  const signed = await signPayment(payer, terms, fields)
  const message = sendRequest('1.0', {
    taskId: id,
    parts: [{ text: 'Here is the payment.' }],
    metadata: payingWith(signed.payload),
  })
  return { message, nonce: signed.transfer.nonce }
}

/** Sends a paying message until its task is over. */
async function insist(url: string, message: unknown): Promise<Json> {
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    const answer = await postOrNothing(url, message)
    const task = answer === undefined ? undefined : taskOf(answer)
    const over = task !== undefined && ['COMPLETED', 'FAILED'].includes(stateOf(task))
    if (over || Date.now() > deadline) return task
    await sleep(1_000)
  }
}

/** Sends a paying message until the process dies at it; on a slow machine the payment may be in doubt before. */
async function sendUntilDead(url: string, message: unknown): Promise<void> {
  for (;;) {
    const answer = await postOrNothing(url, message)
    if (answer === undefined) return
    expect(stateOf(taskOf(answer))).toBe('WORKING')
    await sleep(1_000)
  }
}

const charged = async (payer: PrivateKeyAccount) =>
  CALLS - Number((await stage.world.balance(payer.address)) / PRICE)

function expectCompleted(task: Json, id: string) {
  expect(stateOf(task)).toBe('COMPLETED')
  expect(task.id).toBe(id)
  expect(verdictOf(task)).toMatchObject({ type: 'iban', valid: true })
}

describe.concurrent('SIGKILL between taking the verdict and the reply, then the paying message again', () => {
  test.for(MOMENTS)('%s: the same task completed after a restart, one charge', async ([, moment]) => {
    const target = await stage.ownFile(MORTAL)
    const payer = await stage.world.buyer(CALLS)
    const asked = await orderAt(target.url)
    const { message, nonce } = await payment(payer, asked, nonceOf(moment))
    meet(stage, moment, nonce, target.service)
    await sendUntilDead(target.url, message)
    await target.service.ended()
    await target.service.start({ MAY_DIE: 'no' })
    expectCompleted(await insist(target.url, message), asked.id)
    expectCompleted(taskOf(await post(target.url, taskRequest('1.0', 'get', asked.id))), asked.id)
    expect(await charged(payer)).toBe(1)
  })

  test.for(MOMENTS)('%s: the same task completed by other replicas, one charge', async ([, moment]) => {
    const [others, victim] = await Promise.all([stage.replicas(), stage.ownReplica()])
    const payer = await stage.world.buyer(CALLS)
    const asked = await orderAt(victim.url)
    const { message, nonce } = await payment(payer, asked, nonceOf(moment))
    meet(stage, moment, nonce, victim.service)
    await sendUntilDead(victim.url, message)
    await victim.service.ended()
    expectCompleted(await insist(others.url, message), asked.id)
    expect(await charged(payer)).toBe(1)
  })
})

describe.concurrent('between the two messages', () => {
  test.for(['stop', 'kill'] as const)('a restart changes nothing (%s)', async (how) => {
    const target = await stage.ownFile()
    const payer = await stage.world.buyer(CALLS)
    const asked = await orderAt(target.url)
    await target.service[how]()
    await target.service.start()
    const { message } = await payment(payer, asked)
    expectCompleted(taskOf(await post(target.url, message)), asked.id)
    expect(await charged(payer)).toBe(1)
  })

  test('another replica takes the payment, and a third shows the task', async () => {
    const { services } = await stage.replicas()
    const [one, two, three] = services.map(({ url }) => url) as [string, string, string]
    const payer = await stage.world.buyer(CALLS)
    const asked = await orderAt(one)
    const { message } = await payment(payer, asked)
    expectCompleted(taskOf(await post(two, message)), asked.id)
    expectCompleted(taskOf(await post(three, taskRequest('1.0', 'get', asked.id))), asked.id)
    expect(await charged(payer)).toBe(1)
  })

  test('a verdict whose life is over is not paid for', async () => {
    const target = await stage.ownFile()
    const payer = await stage.world.buyer(CALLS)
    const asked = await orderAt(target.url)
    await target.service.stop()
    const ahead = 11 * 60
    await target.service.start({ CLOCK_SHIFT_MS: String(ahead * 1_000) })
    // Valid by both clocks, so that its time is no reason to refuse it.
    const validBefore = String(Math.floor(Date.now() / 1000) + ahead + 100)
    const { message, nonce } = await payment(payer, asked, { validBefore })
    const answer = await post(target.url, message)
    expect(answer.error).toMatchObject({ code: -32001 })
    expect(stage.world.facilitator.asked(nonce)).toBe(0)
    expect(await charged(payer)).toBe(0)
  })
})

describe.concurrent('two paying messages race for one task on two replicas', () => {
  test('the same message twice: the same completed task from both, one charge', async () => {
    const { services } = await stage.replicas()
    const payer = await stage.world.buyer(CALLS)
    const asked = await orderAt((services[0] as { url: string }).url)
    const { message, nonce } = await payment(payer, asked)
    const tasks = await Promise.all(services.map(({ url }) => insist(url, message)))
    for (const task of tasks) expectCompleted(task, asked.id)
    expect(stage.world.facilitator.asked(nonce)).toBe(1)
    expect(await charged(payer)).toBe(1)
  })

  test('two payers: one is charged and has the task; the other is refused, or shown the same task, and not charged', async () => {
    const { services } = await stage.replicas()
    const [one, two] = services.map(({ url }) => url) as [string, string]
    const payers = [await stage.world.buyer(CALLS), await stage.world.buyer(CALLS)] as const
    const asked = await orderAt(one)
    const messages = await Promise.all(payers.map((payer) => payment(payer, asked)))
    const tasks = await Promise.all([insist(one, messages[0]?.message), insist(two, messages[1]?.message)])
    const completed = tasks.filter((task) => stateOf(task) === 'COMPLETED')
    expect(completed.length).toBeGreaterThan(0)
    for (const task of completed) expectCompleted(task, asked.id)
    const charges = await Promise.all(payers.map(charged))
    expect(charges.toSorted()).toEqual([0, 1])
    // Who has paid is never the one that is refused.
    expectCompleted(tasks[charges.indexOf(1)] ?? {}, asked.id)
  })
})
