/** The exchange that docs/a2a.md shows is the one that takes place. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { type Json, taskRequest, X402_V02 } from './a2a-client.ts'
import { startA2aService } from './a2a-service.ts'

const PAGE = readFileSync(new URL('../../../docs/a2a.md', import.meta.url), 'utf8')

/** The JSON blocks of the section, in order: ask, unpaid task, paying message, completed task. */
function shown(): [Json, Json, Json, Json] {
  const [, section = ''] = /## A worked exchange\n([\s\S]*?)\n## /.exec(PAGE) ?? []
  return [...section.matchAll(/```json\n([\s\S]*?)```/g)].map(([, block]) => JSON.parse(block ?? '')) as [
    Json,
    Json,
    Json,
    Json,
  ]
}

/** Without what differs from chain to chain. */
const plain = (json: Json): Json => JSON.parse(JSON.stringify(json).replace(/0x[0-9a-fA-F]{40,}/g, '0x'))

it('follows the page word for word', async () => {
  const [ask, unpaid, pay, completed] = shown()
  const service = await startA2aService({ newTaskId: () => unpaid.result.task.id })
  const headers = { 'A2A-Version': '1.0', 'A2A-Extensions': X402_V02 }
  expect(PAGE).toContain(`A2A-Extensions: ${X402_V02}`)

  expect(plain((await service.post(ask, headers)).json)).toMatchObject(plain(unpaid))
  const { accepts } = service.double.quote
    .single(service.registry.all[0]!, 'a2a')
    .required('payment_required')
  Object.assign(pay.params.message.metadata['x402.payment.payload'].accepted, accepts[0])
  const paid = (await service.post(pay, headers)).json
  expect(plain(paid)).toMatchObject(plain(completed))
  const asked = await service.post(taskRequest('1.0', 'get', unpaid.result.task.id))
  expect(asked.json.result).toEqual(paid.result.task)
  await service.close()
})
