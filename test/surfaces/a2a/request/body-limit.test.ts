import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { BODY_LIMIT, isListRequest, mayBeList } from '../../../../src/surfaces/a2a/request/body-limit.ts'

const LIST = { data: { skill: 'iban', input: { values: ['x', 'y'] } } }
const request = (...parts: readonly object[]) => ({ params: { message: { parts } } })

describe('a request with a list', () => {
  it('is one with short texts beside its data', () => {
    expect(isListRequest(request(LIST))).toBe(true)
    expect(isListRequest(request(LIST, { text: '1 '.repeat(BODY_LIMIT / 2) }))).toBe(true)
    expect(isListRequest(request({ text: JSON.stringify(LIST.data) }))).toBe(true)
  })

  it('is not one with more text than a single order may have, in one part or in many', () => {
    expect(isListRequest(request(LIST, { text: '1 '.repeat(BODY_LIMIT) }))).toBe(false)
    expect(isListRequest(request(LIST, ...Array(250).fill({ text: '1 '.repeat(2_000) })))).toBe(false)
  })

  it('is not one with more members than a list needs, in its data or in a text that spells them', () => {
    // With `more` there are twelve members around its elements, and three that a text is counted by.
    const many = (count: number) => ({ ...LIST.data, more: Array(count).fill(1) })
    const [most, over] = [many(19_985), many(19_986)]
    expect([most, over].map((data) => isListRequest(request({ data })))).toEqual([true, false])
    expect(isListRequest(request({ text: JSON.stringify(over) }))).toBe(false)
    const spelt = (count: number) => JSON.stringify({ values: Array(count).fill(1) })
    // There are eleven members around the text of the arguments, and two of its own.
    const call = (count: number) => ({ data: { name: 'validate_iban', arguments: spelt(count) } })
    expect([19_987, 19_988].map((count) => isListRequest(request(call(count))))).toEqual([true, false])
  })

  it('has a list of values, or several data parts', () => {
    const single = { data: { skill: 'iban', input: { value: 'x' } } }
    const lists = [
      [LIST],
      [{ data: { parameters: { values: [] } } }],
      [{ data: { name: 'validate_iban', arguments: { values: [] } } }],
      [{ data: { tool: 'validate_iban', args: { values: [] } } }],
      [{ data: { function: { name: 'validate_iban', arguments: { values: [] } } } }],
      [{ text: '{"method":"tools/call","params":{"name":"validate_iban","arguments":{"values":[]}}}' }],
      [{ text: '```json\n{"skill":"iban","input":{"values":[]}}\n```' }],
      [{ data: { name: 'validate_iban', arguments: '{"values":[]}' } }],
      [{ text: '{"function":{"name":"validate_iban","arguments":"{\\"values\\":[]}"}}' }],
      [{ data: { skill: 'iban', values: [] } }],
      [{ data: { type: 'iban', values: ['x'] } }],
      [{ text: '{"function":{"name":"validate_iban","values":[]}}' }],
      [single, single],
      [{ text: 'x' }, LIST],
    ]
    const others = [
      [],
      [single],
      [single, { text: 'x' }],
      [single, 7],
      [single, { data: [] }],
      [single, { data: 'x' }],
    ]
    const odd = [
      [{ data: { input: { values: 'x' } } }],
      [{ data: { input: [] } }],
      [{ data: { values: [] } }],
    ]
    expect(lists.map((parts) => isListRequest({ params: { message: { parts } } }))).toEqual(
      lists.map(() => true),
    )
    for (const parts of [...others, ...odd])
      expect([parts, isListRequest({ params: { message: { parts } } })]).toEqual([parts, false])
    for (const request of [{}, { params: { message: { parts: 'x' } } }])
      expect(isListRequest(request)).toBe(false)
  })

  it('is read with any text beside its data up to the limit, and only strings count', () => {
    expect(isListRequest(request(LIST, { text: 'x'.repeat(BODY_LIMIT) }))).toBe(true)
    expect(isListRequest(request(LIST, { text: 'x'.repeat(BODY_LIMIT + 1) }))).toBe(false)
    expect(isListRequest(request(LIST, { text: 7 }, {}))).toBe(true)
  })

  it('announces its length, or has a payment', () => {
    const may = (headers: IncomingMessage['headers']) => {
      const headersDistinct = Object.fromEntries(
        Object.entries(headers).map(([name, text]) => [name, [text]]),
      )
      return mayBeList({ headers, headersDistinct } as IncomingMessage)
    }
    expect([BODY_LIMIT, BODY_LIMIT + 1].map((length) => may({ 'content-length': `${length}` }))).toEqual([
      false,
      true,
    ])
    expect([may({}), may({ 'payment-signature': 'e30=' })]).toEqual([false, true])
  })
})
