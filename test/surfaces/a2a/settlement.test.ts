/** The SDK's clients against the whole service: a wallet signs, the chain settles, the task is completed. */
import { type Task, TaskState } from '@a2a-js/sdk'
import { x402Client } from '@x402/core/client'
import type { PaymentRequired } from '@x402/core/types'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment } from '@x402/fetch'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { payloadFor } from '../../support/payment-header.ts'
import { realRegistry } from '../../support/registry.ts'
import { startTestService, type TestService } from '../../support/sandbox-service.ts'
import {
  IN_BAND,
  type Json,
  order,
  payingWith,
  payRequest,
  sendRequest,
  stateOf,
  taskOf,
  taskRequest,
  VERSIONS,
  verdictOf,
} from './a2a-client.ts'
import { buyInBand03, buyInBand10, client10, message10, request10, type Sign } from './sdk-clients.ts'

const VALUE = 'DE89370400440532013000'
const ORDER = { skill: 'iban', input: { value: VALUE } }

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const verdict = () => realRegistry().get('iban')?.check(VALUE)

/** Signs what was offered, as the wallet of a new buyer. */
async function wallet(): Promise<Sign> {
  const buyer = await service.newBuyer()
  const client = new x402Client()
  client.register('eip155:*', new ExactEvmScheme(buyer))
  return (required: PaymentRequired) => client.createPaymentPayload(required)
}

async function post(body: unknown, headers: Record<string, string> = {}): Promise<Json> {
  const response = await fetch(`${service.url}/a2a`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  return response.json()
}

async function paidWith(act: () => Promise<unknown>): Promise<bigint> {
  const before = await service.balance(service.sandbox.payTo)
  await act()
  return (await service.balance(service.sandbox.payTo)) - before
}

describe('with real settlement', () => {
  it('the SDK 1.3.0 buys in band', async () => {
    const sign = await wallet()
    const paid = await paidWith(async () => {
      const { completed, shown } = await buyInBand10(service.url, ORDER, sign)
      expect(completed.status?.state).toBe(TaskState.TASK_STATE_COMPLETED)
      expect(completed.artifacts[0]?.parts[0]?.content).toEqual({ $case: 'data', value: verdict() })
      expect(shown).toEqual(completed)
    })
    expect(paid).toBe(1000n)
  })

  it('the SDK 0.3.13 buys in band', async () => {
    const sign = await wallet()
    const paid = await paidWith(async () => {
      const { completed, shown } = await buyInBand03(service.url, ORDER, sign)
      expect(completed.status.state).toBe('completed')
      expect(completed.artifacts?.[0]?.parts[0]).toEqual({ kind: 'data', data: verdict() })
      expect(shown).toEqual(completed)
    })
    expect(paid).toBe(1000n)
  })

  it('the SDK 1.3.0 over @x402/fetch buys with no extension at all', async () => {
    const buyer = await service.newBuyer()
    const payer = new x402Client().register('eip155:*', new ExactEvmScheme(buyer))
    const paid = await paidWith(async () => {
      const client = await client10(service.url, wrapFetchWithPayment(fetch, payer) as typeof fetch)
      const task = (await client.sendMessage(request10(message10(ORDER)))) as Task
      expect(task.status?.state).toBe(TaskState.TASK_STATE_COMPLETED)
      expect(task.artifacts[0]?.parts[0]?.content).toEqual({ $case: 'data', value: verdict() })
    })
    expect(paid).toBe(1000n)
  })

  describe.each(VERSIONS)('over %s', (version) => {
    const send = (message: Parameters<typeof sendRequest>[1]) => post(sendRequest(version, message), IN_BAND)
    const ask = async () => taskOf(await send({ parts: [order('iban', VALUE)] }))
    const payload = async () => payloadFor(await service.newBuyer(), service.sandbox.payTo)
    const pay = async (taskId: string, signed: object) =>
      taskOf(await post(payRequest(version, taskId, signed), IN_BAND))

    it('one message with value and payment is enough, and its repetition is the same task, charged once', async () => {
      const signed = await payload()
      const message = { parts: [order('iban', VALUE)], metadata: payingWith(signed) }
      const paid = await paidWith(async () => {
        const first = taskOf(await send(message))
        const again = taskOf(await send(message))
        expect(stateOf(first)).toBe('COMPLETED')
        expect(verdictOf(first)).toEqual(verdict())
        expect([again.id, again.contextId, again.artifacts]).toEqual([
          first.id,
          first.contextId,
          first.artifacts,
        ])
        expect((await post(taskRequest(version, 'get', first.id))).result).toEqual(first)
      })
      expect(paid).toBe(1000n)
    })

    it('two payments at once for one task settle one of them', async () => {
      const [one, other] = [await payload(), await payload()]
      const paid = await paidWith(async () => {
        const { id } = await ask()
        const tasks = await Promise.all([pay(id, one), pay(id, other)])
        for (const task of tasks) expect(['COMPLETED', 'WORKING']).toContain(stateOf(task))
        expect(tasks.map(stateOf)).toContain('COMPLETED')
        expect(stateOf((await post(taskRequest(version, 'get', id))).result)).toBe('COMPLETED')
      })
      expect(paid).toBe(1000n)
    })

    it('an empty purse fails the task and charges nothing', async () => {
      const signed = await payloadFor(await service.newBuyer(0n), service.sandbox.payTo)
      const { id } = await ask()
      const failed = await pay(id, signed)
      expect(stateOf(failed)).toBe('FAILED')
      expect(failed.status.message.metadata['x402.payment.error']).toBe('INSUFFICIENT_FUNDS')
      expect((await post(taskRequest(version, 'get', id))).result).toEqual(failed)
    })

    it('a task canceled before it is paid charges nothing', async () => {
      const { id } = await ask()
      expect(stateOf((await post(taskRequest(version, 'cancel', id))).result)).toBe('CANCELED')
      expect(await paidWith(async () => pay(id, await payload()))).toBe(0n)
    })
  })

  it('leaves the value in no file and no log line', async () => {
    expect(service.logged.join('\n')).not.toContain(VALUE)
    expect(JSON.stringify(service.rows())).not.toContain(VALUE)
  })
})
