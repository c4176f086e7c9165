import { expect, test } from 'vitest'
import { CHECKS } from '../../../../src/checks/checks.ts'
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
