/**
 * Messages written from the documents before the reader. Those called tuned were looked at while it was built or mended;
 * the held-out ones were measured at the end.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type Route, skillRouter } from '../../../../../src/surfaces/a2a/request/route-skill.ts'
import { realRegistry } from '../../../../support/registry.ts'

interface Text {
  readonly text: string
  readonly kind: 'order' | 'natural' | 'worst' | 'several'
  readonly type?: string
  readonly value?: string
}

const skills = realRegistry()
const router = skillRouter(skills)

function route(text: string): Route {
  const parts = [
    { content: { $case: 'text', value: text }, metadata: undefined, filename: '', mediaType: '' },
  ]
  return router({ parts, metadata: undefined } as never)
}

const isQuoted = ({ text }: Text) => route(text).kind === 'order'

/** What a client over a paying fetch would pay for. */
function isSold({ text }: Text): boolean {
  const found = route(text)
  return found.kind === 'order' && found.asked?.certain !== false
}

function isWrong({ text, type, value = '' }: Text): boolean {
  const found = route(text)
  if (found.kind !== 'order') return false
  const { skill, value: read } = found.ordered.items[0]
  return skill.id !== type || JSON.stringify(skill.check(read)) !== JSON.stringify(skill.check(value))
}

describe.each([
  'texts-tuned',
  'texts-held-out',
  'texts-tuned-2',
  'texts-held-out-2',
])('the messages of %s', (name) => {
  const all: readonly Text[] = JSON.parse(
    readFileSync(new URL(`../../../../vectors/${name}.json`, import.meta.url), 'utf8'),
  )
  const of = (kind: Text['kind']) => all.filter((each) => each.kind === kind)
  const orders = of('order')
  const texts = (some: readonly Text[]) => some.map(({ text }) => text)

  it('are never quoted with another value or type', () => {
    expect(texts(orders.filter(isWrong))).toEqual([])
  })

  it('that clearly order are quoted: nine in ten in band, three in four over a paying fetch', () => {
    expect(orders.filter(isQuoted).length / orders.length).toBeGreaterThanOrEqual(0.9)
    expect(orders.filter(isSold).length / orders.length).toBeGreaterThanOrEqual(0.75)
  })

  it.each([
    ['natural', 0.05],
    ['worst', 0.2],
  ] as const)('that order nothing (%s) are sold over a paying fetch to at most %d', (kind, most) => {
    const some = of(kind)
    expect(
      some.filter(isSold).length / some.length,
      texts(some.filter(isSold)).join('\n'),
    ).toBeLessThanOrEqual(most)
  })

  it('with several values get help', () => {
    expect(texts(of('several').filter(isQuoted))).toEqual([])
  })
})
