import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { termsFor } from '../../../../test/support/chain-payments.ts'
import { createWallet } from '../../src/buyer/wallet.ts'

const KEY = generatePrivateKey()
const { address } = privateKeyToAccount(KEY)

// --max-price times --batch may be more than the library's own ceiling, which is one dollar.
test.each([
  '1000',
  '1000000',
  '5000000',
])('signs for %s, which its caller has compared with the limits', async (amount) => {
  const terms = termsFor(`0x${'44'.repeat(20)}`, amount)
  const required = { x402Version: 2, resource: { url: 'https://checks.example/' }, accepts: [terms] }
  const { payload } = await createWallet(KEY).sign(required, terms)
  expect(payload).toMatchObject({ authorization: { from: address, to: terms.payTo, value: amount } })
})
