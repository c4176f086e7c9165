/** What generators of types and clients make of the description, where they read less than the standard says. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ChannelReader } from '../../../src/payments/channels/chain/channel-reader.ts'
import { freshAccount } from '../../support/chain-payments.ts'
import { startPublicService } from '../../support/public-service.ts'
import { jsonOf } from './published.ts'

// biome-ignore lint/suspicious/noExplicitAny: what came over the wire is looked at member by member
type Json = any
let service: Awaited<ReturnType<typeof startPublicService>>
let document: Json
beforeAll(async () => {
  service = await startPublicService('checks.example', {
    authorizer: freshAccount(),
    reader: {} as ChannelReader,
  })
  document = await jsonOf(service, '/openapi.json')
})
afterAll(() => service.stop())

/** Every object of a document. */
const objectsIn = (part: Json): Json[] =>
  typeof part !== 'object' || part === null ? [] : [part, ...Object.values(part).flatMap(objectsIn)]

it('says the type of every enumeration and constant, without which generators make unknown of it', () => {
  const untyped = objectsIn(document).filter(
    (part) => (Array.isArray(part.enum) || 'const' in part) && part.type === undefined,
  )
  // Whether a call was charged is a word or a boolean.
  expect(untyped.map(({ enum: words }) => words)).toEqual([[false, true, 'unknown']])
})

it('has no members beside a reference, which generators drop or take for the whole', () => {
  const mixed = objectsIn(document).filter(
    (part) => typeof part.$ref === 'string' && Object.keys(part).length > 1,
  )
  expect(mixed).toEqual([])
})

it('leaves the details of a result open, also for generated types', () => {
  expect(document.components.schemas.Result.properties.details.additionalProperties).toBe(true)
})
