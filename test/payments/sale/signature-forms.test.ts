import type { PaymentPayload } from '@x402/core/types'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { rawPaymentOf } from '../../support/bench-buyer.ts'
import { eventually } from '../../support/eventually.ts'
import { type SaleBench, startSaleBench } from '../../support/sale-bench.ts'

let bench: SaleBench
beforeEach(async () => {
  bench = await startSaleBench()
})
afterEach(() => bench.stop())

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const word = (number: bigint) => number.toString(16).padStart(64, '0')
const partsOf = (signature: string) => ({
  r: signature.slice(2, 66),
  s: BigInt(`0x${signature.slice(66, 130)}`),
  parity: signature.endsWith('1b') ? 0 : 1,
})

/** As wallets write it that leave 27 out, or that pack the parity into s (EIP-2098). */
const FORMS: Readonly<Record<string, (signature: string) => string>> = {
  'v of 0 or 1': (signature) => `${signature.slice(0, -2)}0${partsOf(signature).parity}`,
  'EIP-2098': (signature) => {
    const { r, s, parity } = partsOf(signature)
    return `0x${r}${word(s | (BigInt(parity) << 255n))}`
  },
}

const rewritten = (payload: PaymentPayload, write: (signature: string) => string) => {
  const { signature, ...rest } = payload.payload as { signature: string }
  return rawPaymentOf({ ...payload, payload: { ...rest, signature: write(signature) } })
}
const signatureOf = (payload: unknown) => (payload as PaymentPayload).payload.signature

describe.each(Object.entries(FORMS))('a signature with %s', (_, write) => {
  test('is brought into form, whichever parity it has, and whatever s begins with', async () => {
    const seen = new Set<string>()
    while (!(seen.has('0 7') && seen.has('1 7'))) {
      const { payload } = await (await bench.buyer()).sign()
      const { parity, s } = partsOf(String(signatureOf(payload)))
      const kind = `${parity} ${word(s).charAt(0)}`
      if (seen.has(kind)) continue
      seen.add(kind)
      expect(await bench.sell(rewritten(payload, write))).toMatchObject({ kind: 'sold', replayed: false })
      expect(signatureOf(bench.facilitator.settled.at(-1))).toBe(signatureOf(payload))
    }
  })

  test('is the same payment as in form, at once and later', async () => {
    const { payload, rawPayment } = await (await bench.buyer()).sign()
    const release = bench.facilitator.hold()
    const first = bench.sell(rewritten(payload, write))
    await eventually(() => bench.facilitator.settled.length).toBe(1)
    const copies = [rawPayment, ...Object.values(FORMS).map((form) => rewritten(payload, form))]
    const under = copies.map((copy) => bench.sell(copy))
    release()
    expect(await first).toMatchObject({ kind: 'sold' })
    for (const sale of await Promise.all(under)) expect(sale).toMatchObject({ kind: 'sold', replayed: true })
    for (const copy of copies) expect(await bench.sell(copy)).toMatchObject({ kind: 'sold', replayed: true })
    expect(await bench.charged()).toBe(1)
  })

  test('is refused if s is in the upper half, or if it is not the payer’s', async () => {
    const { payload } = await (await bench.buyer()).sign()
    const high = (signature: string) => {
      const { r, s, parity } = partsOf(signature)
      return write(`0x${r}${word(ORDER - s)}${parity === 0 ? '1c' : '1b'}`)
    }
    const other = (signature: string) =>
      write(`${signature.slice(0, -2)}${signature.endsWith('1b') ? '1c' : '1b'}`)
    for (const spoilt of [high, other])
      expect(await bench.sell(rewritten(payload, spoilt))).toMatchObject({
        code: 'payment_invalid_signature',
      })
    expect(bench.facilitator.verified).toHaveLength(0)
  })
})

test('the bytes of a contract wallet are handed on as they came', async () => {
  bench.reader.hasCode = async () => true
  const endings = ['00', '01', '1b'].map((v) => `${'12'.repeat(64)}${v}${'34'.repeat(20)}`)
  for (const bytes of endings) {
    bench.facilitator.verdicts.push({ isValid: true })
    const { payload } = await (await bench.buyer()).sign()
    await bench.sell(rewritten(payload, () => `0x${bytes}`))
    expect(signatureOf(bench.facilitator.settled.at(-1))).toBe(`0x${bytes}`)
  }
})
