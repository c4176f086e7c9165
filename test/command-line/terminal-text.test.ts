import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fitTerminal, printableJson } from '../../src/command-line/terminal-text.ts'

test('breaks between words at 80 columns and loses none', () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[a-z]{1,20}$/), { minLength: 1, maxLength: 60 }), (words) => {
      const fitted = fitTerminal(words.join(' '))
      expect(fitted.split(/[ \n]/)).toEqual(words)
      for (const line of fitted.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
    }),
  )
})

test('leaves a long word whole on a line of its own', () => {
  expect(fitTerminal(`see ${'x'.repeat(90)} there`)).toBe(`see\n${'x'.repeat(90)}\nthere`)
})

test('lets no service write over what the reader sees', () => {
  expect(fitTerminal('paid\u001b[2K\rnothing\u0007')).toBe('paid[2Knothing')
  // They turn the direction of what follows, and end lines.
  expect(fitTerminal('paid\u202e\u2066 gnihton\u2028\u2029\u200b')).toBe('paid gnihton')
})

test('JSON says the same in characters that move nothing on a terminal, and amounts as text', () => {
  const words = `\u0000\u001b[2J\u007f\u0085\u009b2J\u009f "\\u00e9`
  const json = printableJson({ [words]: [words, 12n] })
  expect(json).toMatch(/^\P{Cc}*$/u)
  expect(JSON.parse(json)).toEqual({ [words]: [words, '12'] })
})
