import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fitTerminal } from '../../../src/cli/command-line/terminal-text.ts'

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
})
