import { type Task, TaskState } from '@a2a-js/sdk'
import { decodePaymentRequiredHeader } from '@x402/core/http'
import { afterAll, describe, expect, it } from 'vitest'
import { fakePayment } from '../../support/a2a-double.ts'
import { asHeader } from './a2a-client.ts'
import { startA2aService } from './a2a-service.ts'
import { buyInBand03, buyInBand10, client03, client10, message10, request10 } from './sdk-clients.ts'

const VALUE = 'DE89370400440532013000'
const ORDER = { skill: 'iban', input: { value: VALUE } }

describe('clients of other projects', async () => {
  const service = await startA2aService()
  afterAll(() => service.close())

  const verdict = () => service.registry.get('iban')?.check(VALUE)

  it('the SDK 1.3.0 discovers by card, sends, pays in band and gets the completed task', async () => {
    const { completed, shown } = await buyInBand10(service.url, ORDER, fakePayment)
    expect(completed.status?.state).toBe(TaskState.TASK_STATE_COMPLETED)
    expect(completed.artifacts[0]?.parts[0]?.content).toEqual({ $case: 'data', value: verdict() })
    expect(shown).toEqual(completed)
  })

  it('the SDK 0.3.13 discovers by card, sends, pays in band and gets the completed task', async () => {
    const { completed, shown } = await buyInBand03(service.url, ORDER, fakePayment)
    expect(completed.status.state).toBe('completed')
    expect(completed.artifacts?.[0]?.parts[0]).toEqual({ kind: 'data', data: verdict() })
    expect(shown).toEqual(completed)
  })

  it('the SDK 1.3.0 over a fetch that answers a 402 with a payment header needs no extension at all', async () => {
    const paying: typeof fetch = async (input, init) => {
      const first = await fetch(input, init)
      if (first.status !== 402) return first
      const required = decodePaymentRequiredHeader(first.headers.get('payment-required') ?? '')
      return fetch(input, { ...init, headers: { ...init?.headers, ...asHeader(fakePayment(required)) } })
    }
    const client = await client10(service.url, paying)
    const task = (await client.sendMessage(request10(message10(ORDER)))) as Task
    expect(task.status?.state).toBe(TaskState.TASK_STATE_COMPLETED)
    expect(task.artifacts[0]?.parts[0]?.content).toEqual({ $case: 'data', value: verdict() })
  })

  it('the SDK 1.3.0 can read what to do from a 402 it does not know', async () => {
    const client = await client10(service.url)
    await expect(client.sendMessage(request10(message10(ORDER)))).rejects.toMatchObject({ envelopeCode: 402 })
  })

  it('the SDK 0.3.13 gets help for a greeting', async () => {
    const client = await client03(service.url)
    const reply = await client.sendMessage({
      message: {
        kind: 'message',
        messageId: 'm-1',
        role: 'user',
        parts: [{ kind: 'text', text: 'Hello, what can you do?' }],
      },
    })
    expect(reply.kind).toBe('message')
    expect(JSON.stringify(reply)).toContain('pl-pesel')
  })
})
