/** One buyer buys the same value many times at once; afterwards the limit of unpaid requests stands where it stood. */
import assert from 'node:assert/strict'
import { VALUE } from '../doors/exchange.ts'
import { startSandbox } from '../sandbox.ts'
import type { Target, Trial } from '../target.ts'

// Named in variables because this folder's packages are absent when the product is type-checked.
const FETCH = '@x402/fetch'

const PURCHASES = 60
const WORKERS = 8
/** Fewer than the purchases, and more than the workers have under way. */
const UNPAID_PER_MINUTE = 30

const order = (): RequestInit => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ value: VALUE }),
})

async function buyAll({ origin, privateKey }: Target): Promise<readonly Response[]> {
  const { wrapFetchWithPayment } = await import(FETCH)
  const { x402Client } = await import('@x402/core/client')
  const { registerExactEvmScheme } = await import('@x402/evm/exact/client')
  const { privateKeyToAccount } = await import('viem/accounts')
  const wallet = new x402Client()
  registerExactEvmScheme(wallet, { signer: privateKeyToAccount(privateKey) })
  const pay: typeof fetch = wrapFetchWithPayment(fetch, wallet)
  const answers: Response[] = []
  let left = PURCHASES
  const work = async () => {
    while (left-- > 0) {
      const answer = await pay(`${origin}/api/validate/iban`, order())
      await answer.arrayBuffer()
      answers.push(answer)
    }
  }
  await Promise.all(Array.from({ length: WORKERS }, work))
  return answers
}

/** How many unpaid requests are answered with terms before the first 429. */
async function asksLeft(origin: string): Promise<number> {
  for (let asks = 0; ; asks++) {
    const answer = await fetch(`${origin}/api/validate/iban`, order())
    await answer.arrayBuffer()
    if (answer.status === 429) return asks
    assert.equal(answer.status, 402)
  }
}

export const sideBySideTrials: readonly Trial[] = [
  {
    name: '@x402/fetch 2.27.0 buys one value 60 times with eight workers, and the limit stands where it stood',
    // Of its own service, because that of the other trials has no limit.
    async run() {
      const target = await startSandbox({ RATE_LIMIT_UNPAID: String(UNPAID_PER_MINUTE) })
      try {
        const answers = await buyAll(target)
        assert.deepEqual(
          answers.map(({ status }) => status),
          Array(PURCHASES).fill(200),
        )
        const charged = answers.filter(({ headers }) => headers.get('Payment-Replayed') === null).length
        assert.ok(charged > 0)
        // A minute that ends meanwhile can only let more through.
        assert.ok((await asksLeft(target.origin)) >= UNPAID_PER_MINUTE)
      } finally {
        await target.stop()
      }
    },
  },
]
