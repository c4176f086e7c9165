import { CHECKS } from 'format-checker-checks/internal/checks'
import { expect, test } from 'vitest'
import { BASE } from '../../../../src/payments/networks/base.ts'
import { describe } from '../../src/buy/describe-purchase.ts'

const LIE = 'x\nNothing was signed.\r\npaid 0 USDC\u001b[2K'
const verdict = CHECKS.iban('DE1')
const refusal = { status: 402, code: LIE, detail: LIE }

test('words of a service are no lines of their own', () => {
  const bought = describe({
    kind: 'bought',
    verdict: { ...verdict, normalized: LIE, reason: LIE },
    settlement: { success: true, transaction: LIE, network: BASE.id },
    replayed: false,
    amount: '1000',
  })
  expect(bought.split('\n')).toHaveLength(4)
  expect(describe({ kind: 'refused', ...refusal }).split('\n')).toHaveLength(1)
  const inDoubt = describe({ kind: 'in_doubt', ...refusal, state: 'https://checks.example/payments/1/2' })
  expect(inDoubt.split('\n')).toHaveLength(3)
  expect([bought, inDoubt].join('').replaceAll('\n', '')).toMatch(/^\P{Cc}*$/u)
})

test('a later call over a channel has no transaction, and none is shown', () => {
  const settlement = { success: true, transaction: '', network: BASE.id }
  const words = describe({ kind: 'bought', verdict, settlement, replayed: false, amount: '1000' })
  expect(words).not.toContain('transaction')
})

test('an account without money is named', () => {
  const refused = { status: 402, code: 'payment_insufficient_funds', detail: 'The account holds too little.' }
  const words = describe({ kind: 'refused', ...refused, signed: true, payer: '0xabc' })
  expect(words.split('\n')[1]).toBe(
    'The paying account is 0xabc: send USDC to it, on the network of --network.',
  )
})

test('a sale is called paid by the receipt, or by the word of the service alone', () => {
  const settlement = { success: true, transaction: `0x${'0'.repeat(64)}`, network: BASE.id }
  const sale = { kind: 'bought', verdict, settlement, replayed: false, amount: '1000' } as const
  expect(describe(sale, true).split('\n')).toContain('paid 0.001 USDC')
  expect(describe(sale)).toContain('the service says: paid 0.001 USDC; nothing proves it')
})

test('clocks that differ are reported with both times', () => {
  const times = { own: '2026-12-31T00:00:00Z', service: '2026-12-01T00:00:00Z' }
  const words = describe({ kind: 'clocks_differ', ...times })
  for (const each of [...Object.values(times), 'Nothing was signed']) expect(words).toContain(each)
})
