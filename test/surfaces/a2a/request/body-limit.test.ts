import { describe, expect, it } from 'vitest'
import { BODY_LIMIT, isListRequest } from '../../../../src/surfaces/a2a/request/body-limit.ts'

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
  })
})
