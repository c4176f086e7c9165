import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { CHECK_TYPES } from 'format-checker-checks/verdict'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ERRORS, type ErrorCode } from '../../../src/errors.ts'
import { UNPAID_CODES } from '../../support/promises.ts'
import { realRegistry } from '../../support/registry.ts'
import { startTestService, type TestService } from '../../support/sandbox-service.ts'
import { expectSmall, jsonOf, textOf } from './published.ts'

/** Headers that the description of a status must name. */
const HEADERS_OF: Readonly<Record<string, readonly string[]>> = {
  200: ['PAYMENT-RESPONSE'],
  402: ['PAYMENT-REQUIRED', 'PAYMENT-RESPONSE', 'X-PAYMENT-RESPONSE'],
  409: ['PAYMENT-RESPONSE'],
  429: ['Retry-After', 'PAYMENT-RESPONSE'],
  503: ['Retry-After'],
}

const registry = realRegistry()
let service: TestService
// biome-ignore lint/suspicious/noExplicitAny: what came over the wire is looked at member by member
type Json = any
let document: Json
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, formats: { uri: true } })
beforeAll(async () => {
  service = await startTestService()
  document = await jsonOf(service, '/openapi.json')
  ajv.addSchema(withComponents({ $defs: document.components.schemas }), COMPONENTS)
})
afterAll(() => service.stop())

const COMPONENTS = 'https://components.example/'

/** A schema of the document that finds its components by their absolute name. */
const withComponents = (schema: object): object =>
  JSON.parse(JSON.stringify(schema).replaceAll('#/components/schemas/', `${COMPONENTS}#/$defs/`))

/** Compiles a schema of the document. */
const validatorOf = (schema: object) => ajv.compile(withComponents(schema))

/** A shared answer in place of the reference to it. */
const resolved = (response: { $ref?: string }) =>
  response.$ref === undefined ? response : document.components.responses[response.$ref.split('/').pop() ?? '']

describe('/openapi.json', () => {
  it('has nothing to say for a strict linter', async () => {
    const config = await createConfig({ extends: ['recommended-strict'] })
    const problems = await lintFromString({ source: await textOf(service, '/openapi.json'), config })
    expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([])
  })

  it('describes version 1.2.0 under the public address', () => {
    expect(document.openapi).toBe('3.1.0')
    expect(document.info.version).toBe('1.2.0')
    expect(document.servers).toEqual([{ url: service.url }])
    expect(document.info['x-guidance'].length).toBeLessThan(4000)
    expect(document.info.contact.url).toBe(`${service.url}/docs/terms`)
    expect(document.info.termsOfService).toBe(`${service.url}/docs/terms`)
  })

  it('has exactly the listing, an operation for each check and its lists, that of several types, and the state of a payment', () => {
    const operations = Object.entries<object>(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, { operationId }]) => `${method} ${path} ${operationId}`),
    )
    expect(operations).toEqual([
      'get /api/types list_types',
      ...CHECK_TYPES.map((type) => `post /api/validate/${type} validate_${type.replaceAll('-', '_')}`),
      ...CHECK_TYPES.map(
        (type) => `post /api/validate/${type}/batch validate_${type.replaceAll('-', '_')}_batch`,
      ),
      'post /api/validate/batch validate_batch',
      'get /payments/{payer}/{nonce} get_payment_state',
    ])
  })

  it('declares no member of a result as required, and all of them in what is answered', () => {
    const { Result, Verdict } = document.components.schemas
    expect(Object.keys(Result.properties)).toEqual(['type', 'valid', 'normalized', 'reason', 'details'])
    expect(Result).not.toHaveProperty('required')
    const [result, members] = Verdict.allOf
    expect(result).toEqual({ $ref: '#/components/schemas/Result' })
    expect(members.required).toEqual(Object.keys(Result.properties))
    for (const [name, { type }] of Object.entries<Json>(Result.properties))
      expect(members.properties[name].type).toEqual(type)
    for (const { schema } of Object.values<Json>(document.components.responses.Sold.content))
      expect(schema).toEqual({ $ref: '#/components/schemas/Verdict' })
  })

  it('describes a result once and stays small', async () => {
    const names = Object.keys(document.components.schemas)
    expect(names.filter((name) => name.startsWith('Result'))).toEqual(['Result'])
    expectSmall(await textOf(service, '/openapi.json'))
  })

  it('has schemas that compile under the strict rules of JSON Schema 2020-12', () => {
    for (const schema of Object.values<object>(document.components.schemas)) validatorOf(schema)
  })

  it('shows every code that REST can answer with, under its status', () => {
    const shown = new Set<string>()
    for (const item of Object.values<Json>(document.paths)) {
      for (const { responses } of Object.values<Json>(item)) {
        for (const [status, response] of Object.entries<Json>(responses)) {
          for (const { schema } of Object.values<Json>(resolved(response).content ?? {}))
            for (const code of schema.allOf?.[1].properties.code.enum ?? []) shown.add(`${status} ${code}`)
        }
      }
    }
    const elsewhere = ['request_timeout', 'task_not_found', 'host_not_allowed', 'not_found']
    const expected = (Object.keys(ERRORS) as ErrorCode[])
      .filter((code) => !elsewhere.includes(code))
      .filter((code) => ERRORS[code].status !== 402)
      .map((code) => `${ERRORS[code].status} ${code}`)
    expect([...shown].toSorted()).toEqual(expected.toSorted())
    expect(document.components.schemas.PaymentRequired.allOf[1].properties.code.enum).toEqual(UNPAID_CODES)
  })
})

describe('the operation of a list', () => {
  it('answers every status of a check, but for the one of an unknown type', () => {
    const { responses } = document.paths['/api/validate/batch'].post
    const ofCheck = Object.keys(document.paths['/api/validate/iban'].post.responses)
    expect(Object.keys(responses)).toEqual(ofCheck.filter((status) => status !== '404'))
  })

  it.each([
    ['405', { method: 'GET' }],
    ['415', { method: 'POST', body: 'x', headers: { 'Content-Type': 'text/plain' } }],
  ])('describes the %s that is answered', async (status, init) => {
    const response = await fetch(`${service.url}/api/validate/batch`, init)
    expect(String(response.status)).toBe(status)
    const described = resolved(document.paths['/api/validate/batch'].post.responses[status])
    const validate = validatorOf(described.content['application/problem+json'].schema)
    expect(validate(await response.json()), JSON.stringify(validate.errors)).toBe(true)
  })
})

describe('the shared 405', () => {
  it('is true of paths that answer GET', () => {
    expect(document.components.responses.Status405.description).not.toContain('POST')
  })
})

describe('the shared 413', () => {
  it('says the limit of a check and of a list', () => {
    const { description } = document.components.responses.Status413
    expect(description).toContain('8 kB')
    expect(description).toContain('1 MB')
  })
})

describe('the shared 402', () => {
  it('is the one that is answered for the first check', async () => {
    const { value } =
      document.components.responses.Status402.content['application/problem+json'].examples.payment_required
    const [skill] = registry.all
    const unpaid = await service.check(skill?.id ?? '', 'x')
    expect(unpaid.status).toBe(402)
    expect(await unpaid.json()).toEqual(value)
  })
})

describe.each(registry.all.map((skill) => [skill.id, skill] as const))('the operation of %s', (id, skill) => {
  const operation = () => document.paths[`/api/validate/${id}`].post

  it('answers every status of the interface', () => {
    const statuses = Object.keys(operation().responses)
    expect(statuses).toEqual([
      '200',
      '400',
      '402',
      '404',
      '405',
      '409',
      '413',
      '415',
      '429',
      '431',
      '500',
      '503',
    ])
    for (const [status, reference] of Object.entries<{ $ref?: string }>(operation().responses)) {
      const { content, headers } = resolved(reference)
      const type = status === '200' ? 'application/json' : 'application/problem+json'
      expect(Object.keys(content)).toEqual([type])
      expect(Object.keys(headers ?? {})).toEqual(expect.arrayContaining([...(HEADERS_OF[status] ?? [])]))
    }
    expect(operation().security).toEqual([])
  })

  it('has examples that its schemas hold', () => {
    for (const reference of Object.values<{ $ref?: string }>(operation().responses)) {
      for (const { schema, examples } of Object.values<{ schema: object; examples: object }>(
        resolved(reference).content,
      )) {
        const validate = validatorOf(schema)
        for (const { value } of Object.values(examples ?? {})) {
          expect(validate(value), JSON.stringify(validate.errors)).toBe(true)
        }
      }
    }
  })

  it('shows a request that its schema allows', () => {
    const { schema, examples } = operation().requestBody.content['application/json']
    expect(examples.example.value).toEqual(skill.examples[0]?.input)
    expect(validatorOf(schema)(examples.example.value)).toBe(true)
  })

  it('answers what the shared schema of a result says', () => {
    const { schema } = document.components.responses.Sold.content['application/json']
    const validate = validatorOf(schema)
    for (const { output } of skill.examples)
      expect(validate(output), JSON.stringify(validate.errors)).toBe(true)
  })
})
