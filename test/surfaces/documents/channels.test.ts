/** The documents of a service with payment channels; those of one without are in test/channels/off.test.ts. */
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ChannelReader } from '../../../src/payments/channels/chain/channel-reader.ts'
import { freshAccount } from '../../support/chain-payments.ts'
import { startPublicService } from '../../support/public-service.ts'
import { expectSmall, jsonOf, textOf } from './published.ts'

let service: Awaited<ReturnType<typeof startPublicService>>
beforeAll(async () => {
  service = await startPublicService('checks.example', {
    authorizer: freshAccount(),
    reader: {} as ChannelReader,
  })
})
afterAll(() => service.stop())

it('the description has the address of refunds, nothing for a strict linter, and its size', async () => {
  const source = await textOf(service, '/openapi.json')
  const config = await createConfig({ extends: ['recommended-strict'] })
  const problems = await lintFromString({ source, config })
  expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([])
  expect(JSON.parse(source).paths['/api/channel'].get.operationId).toBe('refund_channel')
  expectSmall(source)
})

it('its 402 fits the description', async () => {
  const { components } = await jsonOf(service, '/openapi.json')
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, formats: { uri: true } })
  const schemas = JSON.parse(
    JSON.stringify(components.schemas).replaceAll('#/components/schemas/', '#/$defs/'),
  )
  const isPaymentRequired = ajv.compile({ $ref: '#/$defs/PaymentRequired', $defs: schemas })
  const response = await fetch(`${service.url}/api/channel`)
  expect(response.status).toBe(402)
  const body = await response.json()
  expect([isPaymentRequired(body), isPaymentRequired.errors]).toEqual([true, null])
})

it('the description has every status of refunds', async () => {
  const { paths } = await jsonOf(service, '/openapi.json')
  const { responses } = paths['/api/channel'].get
  expect(Object.keys(responses)).toEqual(['200', '402', '405', '429', '431', '500', '503'])
  expect((await fetch(`${service.url}/api/channel`, { method: 'POST' })).status).toBe(405)
})

it('every document that speaks of payment names them', async () => {
  expect((await jsonOf(service, '/api/types')).protocol).toBe(
    'x402 version 2, scheme exact; batch-settlement at /api/channel/validate/{type} and batch',
  )
  expect(await jsonOf(service, '/.well-known/x402')).toMatchObject({
    channels: {
      terms: { scheme: 'batch-settlement' },
      refunds: 'https://checks.example/api/channel',
      resource: 'https://checks.example/api/channel/validate/{type}',
      askWith: { metadata: { 'format-checker/channels': true } },
    },
  })
  expect(await textOf(service, '/llms.txt')).toContain('https://checks.example/api/channel/validate/')
  const { skills } = await jsonOf(service, '/.well-known/agent-card.json')
  expect(skills[0].description).toContain('batch-settlement')
})
