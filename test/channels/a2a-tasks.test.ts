/** Tasks that are paid for over a channel, in both protocol versions. */
import type { PaymentRequired } from '@x402/core/types'
import { CHECKS } from 'format-checker-checks/internal/checks'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FacilitatorFault } from '../../src/payments/facilitators/facilitator-fault.ts'
import { freshAccount, signPayment } from '../support/chain-payments.ts'
import {
  IN_BAND,
  type Json,
  order,
  payingWith,
  paymentOf,
  payRequest,
  sendRequest,
  stateOf,
  taskOf,
  taskRequest,
  VERSIONS,
  verdictOf,
} from '../surfaces/a2a/a2a-client.ts'
import { type ChannelService, startChannelService } from './channel-service.ts'

const VALUE = 'GB82 WEST 1234 5698 7654 32'
const OTHER = 'DE89 3704 0044 0532 0130 00'

describe.each(VERSIONS)('a task of version %s', (version) => {
  let service: ChannelService
  beforeEach(async () => {
    service = await startChannelService()
  })
  afterEach(() => service.stop())

  const post = async (body: object): Promise<Json> => {
    const response = await fetch(`${service.url}/a2a`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'A2A-Version': version, ...IN_BAND },
      body: JSON.stringify(body),
    })
    return response.json()
  }
  const ask = async (value = VALUE): Promise<Json> =>
    taskOf(
      await post(
        sendRequest(version, {
          parts: [order('iban', value)],
          metadata: { 'format-checker/channels': true },
        }),
      ),
    )
  const requiredBy = (task: Json): PaymentRequired => paymentOf(task)['x402.payment.required']
  const pay = (task: Json, payload: object): Promise<Json> => post(payRequest(version, task.id, payload))
  const get = async (task: Json): Promise<Json> => {
    const { result } = await post(taskRequest(version, 'get', task.id))
    return result
  }
  const buyer = () => service.buyerAt(service.doors['a2a in two messages'])
  /** A buyer whose channel is open. */
  const opened = async () => {
    const opener = buyer()
    await opener.buy({ single: { type: 'iban', value: VALUE } })
    return opener
  }

  it('shows its verdict and its receipt, also when the channel has gone on', async () => {
    const payer = buyer()
    const task = await ask()
    const payload = await payer.sign(requiredBy(task))
    const paid = taskOf(await pay(task, payload))
    expect(stateOf(paid)).toBe('COMPLETED')
    expect(verdictOf(paid)).toEqual(CHECKS.iban(VALUE))
    const [settlement] = paymentOf(paid)['x402.payment.receipts']
    expect(settlement).toMatchObject({
      success: true,
      extra: { chargedAmount: '1000', channelState: { chargedCumulativeAmount: '1000' } },
    })
    await payer.hear(payload, { outcome: 'sold', results: [], charged: undefined, text: '', settlement })
    await payer.buy({ single: { type: 'iban', value: OTHER } })
    await service.bench.restart()
    expect(await get(task)).toEqual(paid)
    // The paying message again: its voucher is behind the channel by now.
    const again = taskOf(await pay(task, payload))
    expect(again.artifacts).toEqual(paid.artifacts)
    expect(paymentOf(again)).toMatchObject({
      'x402.payment.receipts': [settlement],
      'x402.payment.replayed': true,
    })
    expect(await payer.charged()).toBe(2_000n)
  })

  it('is paid for once, by whichever of two channels comes first', async () => {
    const payers = [await opened(), await opened()]
    const task = await ask(OTHER)
    const payloads = await Promise.all(payers.map((payer) => payer.sign(requiredBy(task))))
    const answers = await Promise.all(payloads.map((payload) => pay(task, payload)))
    for (const answer of answers) expect(verdictOf(taskOf(answer))).toEqual(CHECKS.iban(OTHER))
    const charged = await Promise.all(payers.map((payer) => payer.charged()))
    expect(charged.toSorted()).toEqual([1_000n, 2_000n])
    const shown = taskOf(answers[0])
    expect(paymentOf(await get(task))['x402.payment.receipts']).toEqual(
      paymentOf(shown)['x402.payment.receipts'],
    )
  })

  it('that a channel has paid for takes no single payment, and cannot be canceled', async () => {
    const payer = await opened()
    const task = await ask()
    await pay(task, await payer.sign(requiredBy(task)))
    const [terms] = requiredBy(task).accepts
    if (terms === undefined) throw new Error('no terms')
    const validBefore = String(Math.floor(service.bench.now() / 1000) + 100)
    const { payload } = await signPayment(freshAccount(), terms, { validBefore })
    const sent = service.bench.contract.sent.length
    expect(paymentOf(taskOf(await pay(task, payload)))['x402.payment.status']).toBe('payment-completed')
    expect(service.bench.contract.sent).toHaveLength(sent)
    const { error } = await post(taskRequest(version, 'cancel', task.id))
    expect(error.code).toBe(-32002)
  })

  it('that a single payment has paid for takes no deposit', async () => {
    const task = await ask()
    const sold = taskOf(await pay(task, await single(task)))
    expect(stateOf(sold)).toBe('COMPLETED')
    expect(taskOf(await pay(task, await buyer().sign(requiredBy(task))))).toEqual(sold)
    expect(service.bench.contract.sent).not.toContain('deposit')
  })

  /** A facilitator that answers its next call when the test says so. */
  const slowFacilitator = () => {
    const facilitator = service.bench.contract.facilitator as {
      settle: (...args: never[]) => Promise<unknown>
    }
    const { settle } = facilitator
    const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    facilitator.settle = async (...args) => {
      facilitator.settle = settle
      asked.resolve()
      await answer.promise
      return settle(...args)
    }
    return { asked: asked.promise, answer: answer.resolve }
  }
  const cancel = (task: Json): Promise<Json> => post(taskRequest(version, 'cancel', task.id))
  const single = async (task: Json): Promise<object> => {
    const [terms] = requiredBy(task).accepts
    if (terms === undefined) throw new Error('no terms')
    const validBefore = String(Math.floor(service.bench.now() / 1000) + 100)
    return (await signPayment(freshAccount(), terms, { validBefore })).payload
  }

  it.each([
    'canceled',
    'paid for otherwise',
  ])('that is %s while a deposit is sent leaves it uncharged', async (how) => {
    const task = await ask()
    const payer = buyer()
    const payload = await payer.sign(requiredBy(task))
    const facilitator = slowFacilitator()
    const paying = pay(task, payload)
    await facilitator.asked
    const other =
      how === 'canceled' ? (await cancel(task)).result : taskOf(await pay(task, await single(task)))
    expect(stateOf(other)).toBe(how === 'canceled' ? 'CANCELED' : 'COMPLETED')
    facilitator.answer()
    await paying
    expect(await get(task)).toEqual(other)
    expect(service.bench.contract.sent).toContain('deposit')
    expect(await service.bench.store.findChannel(await payer.id())).toBeNull()
    const next = await ask(OTHER)
    expect(stateOf(taskOf(await pay(next, await payer.sign(requiredBy(next)))))).toBe('COMPLETED')
    expect(await payer.charged()).toBe(1_000n)
    expect(service.bench.contract.sent.filter((act) => act === 'deposit')).toHaveLength(1)
  })

  it('can be paid for otherwise once the facilitator could not be reached with its deposit', async () => {
    const { facilitator } = service.bench.contract
    const { settle } = facilitator
    facilitator.settle = () => Promise.reject(new FacilitatorFault('not_sent', 'no connection'))
    const task = await ask()
    expect(paymentOf(taskOf(await pay(task, await buyer().sign(requiredBy(task)))))).toMatchObject({
      'format-checker/error': { code: 'facilitator_unavailable', charged: false },
    })
    facilitator.settle = settle
    expect(stateOf(taskOf(await pay(task, await single(task))))).toBe('COMPLETED')
  })

  it('whose deposit is in doubt says so, and is sold by its repeat', async () => {
    const task = await ask()
    const payload = await buyer().sign(requiredBy(task))
    service.bench.contract.faults.push({ lands: true, says: 'nothing', node: 'goes down' })
    const doubtful = taskOf(await pay(task, payload))
    expect(paymentOf(doubtful)['format-checker/error'].code).toBe('payment_in_doubt')
    service.bench.contract.world.isDown = false
    expect(stateOf(taskOf(await pay(task, payload)))).toBe('COMPLETED')
    expect(service.bench.contract.sent).toEqual(['deposit'])
  })

  it('stays to be paid for after a correction, with the terms to go on from', async () => {
    const payer = await opened()
    const task = await ask(OTHER)
    const forgetful = service.buyerAt(service.doors['a2a in two messages'], payer.account, payer.salt)
    const payload = await forgetful.sign(requiredBy(task))
    // Two prices on: the voucher of the forgetful one is no repetition.
    await payer.buy({ single: { type: 'iban', value: VALUE } })
    const corrected = taskOf(await pay(task, payload))
    expect(stateOf(corrected)).toBe('INPUT_REQUIRED')
    expect(paymentOf(corrected)).toMatchObject({
      'x402.payment.status': 'payment-required',
      'x402.payment.required': {
        accepts: [{ extra: { channelState: { chargedCumulativeAmount: '2000' } } }],
      },
      'format-checker/error': { code: 'channel_out_of_step', charged: false },
    })
    const required = requiredBy(corrected)
    const answer = { outcome: '', results: [], charged: undefined, text: '', required }
    expect(await forgetful.hear(payload, answer)).toBe(true)
    const paid = taskOf(await pay(task, await forgetful.sign(requiredBy(await get(task)))))
    expect(verdictOf(paid)).toEqual(CHECKS.iban(OTHER))
    expect(await payer.charged()).toBe(3_000n)
  })

  it('stays to be paid for when too many guesses came with the voucher, and is answered by the next one', async () => {
    const payer = await opened()
    const payload = await payer.sign(requiredBy(await ask()))
    const { bench } = service
    await bench.sell({ kind: 'object', payload }, bench.call(OTHER))
    for (let tried = 0; tried < 50; tried += 1)
      await bench.sell({ kind: 'object', payload }, bench.call(`guess ${tried}`, `stranger ${tried}`))
    const task = await ask(OTHER)
    const locked = taskOf(await pay(task, payload))
    expect(stateOf(locked)).toBe('INPUT_REQUIRED')
    expect(paymentOf(locked)['format-checker/error'].code).toBe('payment_locked')
    const answer = { outcome: '', results: [], charged: undefined, text: '', required: requiredBy(locked) }
    expect(await payer.hear(payload, answer)).toBe(true)
    const paid = taskOf(await pay(task, await payer.sign(requiredBy(await get(task)))))
    expect(verdictOf(paid)).toEqual(CHECKS.iban(OTHER))
    expect(paymentOf(paid)['x402.payment.replayed']).toBe(true)
    expect(await get(task)).toMatchObject({ artifacts: paid.artifacts })
    expect(await payer.charged()).toBe(2_000n)
  })

  it('is sent with its values and a voucher behind the channel: a task is kept, to be paid for', async () => {
    const payer = await opened()
    const forgetful = service.buyerAt(service.doors['a2a in band'], payer.account, payer.salt)
    const payload = await forgetful.payFor({ single: { type: 'iban', value: OTHER } })
    await payer.buy({ single: { type: 'iban', value: VALUE } })
    const message = { parts: [order('iban', OTHER)], metadata: payingWith(payload) }
    const task = taskOf(await post(sendRequest(version, message)))
    expect(stateOf(task)).toBe('INPUT_REQUIRED')
    const answer = { outcome: '', results: [], charged: undefined, text: '', required: requiredBy(task) }
    expect(await forgetful.hear(payload, answer)).toBe(true)
    const paid = taskOf(await pay(task, await forgetful.sign(requiredBy(await get(task)))))
    expect(verdictOf(paid)).toEqual(CHECKS.iban(OTHER))
  })
})
