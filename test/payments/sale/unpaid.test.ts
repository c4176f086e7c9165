import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type BenchBuyer, rawPaymentOf } from '../../support/bench-buyer.ts'
import type { SignedTransfer } from '../../support/chain-payments.ts'
import { type SaleBench, startSaleBench } from '../../support/sale-bench.ts'

let bench: SaleBench
let buyer: BenchBuyer
beforeAll(async () => {
  bench = await startSaleBench()
  buyer = await bench.buyer()
})
afterAll(() => bench.stop())

type Members = Record<string, unknown>
type Json = Members & {
  accepted: Members & { payTo: string; asset: string; extra: Members }
  payload: Members & {
    signature: string
    authorization: Members & { nonce: string; from: string; to: string }
  }
}

/** A payload signed well, then changed in one place. */
async function changed(change: (payload: Json) => void, fields: Partial<SignedTransfer> = {}) {
  const payload = structuredClone((await buyer.sign(fields)).payload) as unknown as Json
  change(payload)
  return rawPaymentOf(payload)
}

const text = (content: string) => ({ kind: 'text', text: content }) as const
const base64 = (content: string) => text(Buffer.from(content).toString('base64'))
const flip = (signature: string, at: number) =>
  `${signature.slice(0, at)}${signature[at] === '0' ? '1' : '0'}${signature.slice(at + 1)}`
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const withV = (signature: string, v: string) => `${signature.slice(0, -2)}${v}`

/** Refused at the door: nothing is claimed, nothing is asked of anybody, no check runs. */
async function expectFree(run: () => Promise<unknown>) {
  const before = [bench.facilitator.settled.length, bench.checkRuns(), await bench.charged()]
  await run()
  expect([bench.facilitator.settled.length, bench.checkRuns(), await bench.charged()]).toEqual(before)
}

describe('a call without payment', () => {
  test('gets the quote, which is computed once and looks at no store', async () => {
    bench.faults.push({ method: 'find', when: 'before' })
    const first = await bench.sell({ kind: 'none' })
    const second = await bench.sell({ kind: 'none' })
    bench.faults.length = 0
    expect(first).toMatchObject({ kind: 'unpaid', code: 'payment_required' })
    if (first.kind !== 'unpaid' || second.kind !== 'unpaid') return
    expect(second.quote.required('payment_required')).toBe(first.quote.required('payment_required'))
    expect(first.quote.required('payment_required')).toMatchObject({
      x402Version: 2,
      resource: { url: 'https://checks.example/api/validate/iban' },
      accepts: [
        { scheme: 'exact', network: 'eip155:8453', amount: '1000', payTo: expect.stringMatching(/^0x/i) },
      ],
    })
  })
})

describe('a payment that cannot be read', () => {
  test.each([
    ['an empty text', text('')],
    ['no base64', text('{}')],
    ['base64 with a space', text('e30 e30=')],
    ['base64url', text('eyJ4IjoiPz8_In0')],
    ['bytes that are no JSON', base64('payment')],
    ['half a JSON', base64('{"x402Version":2')],
    ['a number', base64('2')],
    ['null', base64('null')],
    ['an array', base64('[{}]')],
    ['an empty object', base64('{}')],
    ['version "2"', base64('{"x402Version":"2","accepted":{},"payload":{}}')],
    ['deep nesting', base64('['.repeat(10_000) + ']'.repeat(10_000))],
    ['a payload that is a string', base64('{"x402Version":2,"accepted":{},"payload":"x"}')],
    ['an object of another shape', { kind: 'object', payload: { x402Version: 2 } } as const],
    ['an undefined object', { kind: 'object', payload: undefined } as const],
  ])('%s', async (_, rawPayment) => {
    await expectFree(async () =>
      expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'unpaid', code: 'payment_malformed' }),
    )
  })

  test.each([
    ['no authorization members', (p: Json) => Object.assign(p.payload, { authorization: {} })],
    ['an authorization that is a list', (p: Json) => Object.assign(p.payload, { authorization: [] })],
    ['a null authorization', (p: Json) => Object.assign(p.payload, { authorization: null })],
    ['no signature', (p: Json) => Reflect.deleteProperty(p.payload, 'signature')],
    ['a signature that is a number', (p: Json) => Object.assign(p.payload, { signature: 7 })],
    ['an odd signature', (p: Json) => (p.payload.signature += 'a')],
    ['a signature of 20 kB', (p: Json) => (p.payload.signature = `0x${'ab'.repeat(10_000)}`)],
    ['a nonce of 31 bytes', (p: Json) => (p.payload.authorization.nonce = `0x${'ab'.repeat(31)}`)],
    ['a nonce of 33 bytes', (p: Json) => (p.payload.authorization.nonce = `0x${'ab'.repeat(33)}`)],
    ['a nonce without 0x', (p: Json) => (p.payload.authorization.nonce = 'ab'.repeat(32))],
    ['a payer that is no address', (p: Json) => (p.payload.authorization.from = '0x12')],
    ['a hexadecimal value', (p: Json) => (p.payload.authorization.value = '0x3e8')],
    ['a value with a space', (p: Json) => (p.payload.authorization.value = ' 1000')],
    ['a value with a leading zero', (p: Json) => (p.payload.authorization.value = '01000')],
    ['a negative value', (p: Json) => (p.payload.authorization.value = '-1000')],
    ['a negative validAfter', (p: Json) => (p.payload.authorization.validAfter = '-1')],
    ['a negative validBefore', (p: Json) => (p.payload.authorization.validBefore = '-1')],
    ['a fractional validBefore', (p: Json) => (p.payload.authorization.validBefore = 1.5)],
    [
      'a validBefore over 256 bits',
      (p: Json) => (p.payload.authorization.validBefore = (2n ** 256n).toString()),
    ],
  ])('an authorization with %s', async (_, change) => {
    const rawPayment = await changed(change)
    await expectFree(async () =>
      expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'unpaid', code: 'payment_malformed' }),
    )
  })
})

describe('another version', () => {
  test.each([0, 3, 2.5, -1])('%d is named as the reason', async (x402Version) => {
    const rawPayment = base64(JSON.stringify({ x402Version, scheme: 'exact', payload: {} }))
    await expectFree(async () =>
      expect(await bench.sell(rawPayment)).toMatchObject({
        kind: 'unpaid',
        code: 'payment_version_unsupported',
      }),
    )
  })
})

describe('a payment for other terms', () => {
  const OTHER = `0x${'77'.repeat(20)}`
  test.each([
    ['scheme', (p: Json) => (p.accepted.scheme = 'upto')],
    ['network', (p: Json) => (p.accepted.network = 'eip155:84532')],
    ['amount', (p: Json) => (p.accepted.amount = '999')],
    ['asset', (p: Json) => (p.accepted.asset = OTHER)],
    ['payee', (p: Json) => (p.accepted.payTo = OTHER)],
    ['time-out', (p: Json) => (p.accepted.maxTimeoutSeconds = 60)],
    ['domain name', (p: Json) => (p.accepted.extra.name = 'USDC')],
    ['domain version', (p: Json) => (p.accepted.extra.version = '1')],
    ['no domain', (p: Json) => Reflect.deleteProperty(p.accepted, 'extra')],
    [
      'Permit2',
      (p: Json) => {
        const { authorization, ...rest } = p.payload
        Object.assign(p, { payload: { ...rest, permit2Authorization: authorization } })
      },
    ],
  ])('differing in: %s', async (_, change) => {
    const rawPayment = await changed(change)
    await expectFree(async () =>
      expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'unpaid', code: 'payment_terms_mismatch' }),
    )
  })

  test.each([
    ['less', { value: '999' }],
    ['more', { value: '2000' }],
    ['another account', { to: OTHER as `0x${string}` }],
  ])('signed over %s', async (_, fields) => {
    const { rawPayment } = await buyer.sign(fields)
    await expectFree(async () =>
      expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'unpaid', code: 'payment_terms_mismatch' }),
    )
  })
})

describe('a signature that is not the payer’s', () => {
  const onSignature = (change: (signature: string) => string) => (p: Json) => {
    p.payload.signature = change(p.payload.signature)
  }
  test.each([
    ['with a flipped digit of r', onSignature((s) => flip(s, 10))],
    ['with a flipped digit of s', onSignature((s) => flip(s, 100))],
    ['with the other parity as v', onSignature((s) => withV(s, s.endsWith('1b') ? '01' : '00'))],
    ['with v 29', onSignature((s) => withV(s, '1d'))],
    ['with the other v', onSignature((s) => withV(s, s.endsWith('1b') ? '1c' : '1b'))],
    [
      'with s in the upper half',
      onSignature((s) => {
        const high = (ORDER - BigInt(`0x${s.slice(66, 130)}`)).toString(16).padStart(64, '0')
        return `${s.slice(0, 66)}${high}${s.endsWith('1b') ? '1c' : '1b'}`
      }),
    ],
    ['with r zero', onSignature((s) => `0x${'0'.repeat(64)}${s.slice(66)}`)],
    ['with s zero', onSignature((s) => `${s.slice(0, 66)}${'0'.repeat(64)}${s.slice(130)}`)],
    ['two bytes short', onSignature((s) => s.slice(0, -4))],
    ['of two bytes', onSignature(() => '0xabcd')],
    [
      'in 64 bytes, with the other parity',
      onSignature((s) => {
        const odd = s.endsWith('1b') ? 8 : 0
        return `${s.slice(0, 66)}${(Number.parseInt(s.charAt(66), 16) | odd).toString(16)}${s.slice(67, 130)}`
      }),
    ],
    ['over another payer', (p: Json) => (p.payload.authorization.from = `0x${'12'.repeat(20)}`)],
    ['over another nonce', (p: Json) => (p.payload.authorization.nonce = `0x${'12'.repeat(32)}`)],
    ['over another time', (p: Json) => (p.payload.authorization.validAfter = '1')],
  ])('%s', async (_, change) => {
    const rawPayment = await changed(change)
    await expectFree(async () =>
      expect(await bench.sell(rawPayment)).toMatchObject({
        kind: 'unpaid',
        code: 'payment_invalid_signature',
      }),
    )
  })
})

describe('an authorization out of its time', () => {
  const inSeconds = (seconds: number) => String(bench.clock.seconds() + seconds)
  test.each([
    ['expired', () => ({ validBefore: inSeconds(-1) }), 'payment_expired'],
    ['expiring within ten seconds', () => ({ validBefore: inSeconds(8) }), 'payment_expired'],
    [
      'not yet valid',
      () => ({ validAfter: inSeconds(60), validBefore: inSeconds(200) }),
      'payment_not_yet_valid',
    ],
    ['valid from this second', () => ({ validAfter: inSeconds(0) }), 'payment_not_yet_valid'],
    ['valid for a year', () => ({ validBefore: inSeconds(31_536_000) }), 'payment_valid_too_long'],
    ['valid without end', () => ({ validBefore: (2n ** 256n - 1n).toString() }), 'payment_valid_too_long'],
  ] as const)('%s', async (_, fields, code) => {
    const { rawPayment } = await buyer.sign(fields())
    await expectFree(async () =>
      expect(await bench.sell(rawPayment)).toMatchObject({
        kind: 'unpaid',
        code,
        serverTime: expect.closeTo(bench.clock.seconds(), -1),
      }),
    )
  })

  test('is sold up to the edges: a clock five minutes ahead, and ten seconds left', async () => {
    // The facilitator's own code reads the machine's clock, which goes on while the bench's is held.
    onTestFinished(() => void vi.restoreAllMocks())
    vi.spyOn(Date, 'now').mockImplementation(bench.clock.now)
    for (const fields of [{ validBefore: inSeconds(415) }, { validBefore: inSeconds(14) }])
      expect(await bench.sell((await (await bench.buyer()).sign(fields)).rawPayment)).toMatchObject({
        kind: 'sold',
        replayed: false,
      })
  })
})

describe('one payment in many forms', () => {
  let paid: Json
  beforeEach(async () => {
    const { payload, rawPayment } = await (await bench.buyer()).sign()
    paid = payload as unknown as Json
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold', replayed: false })
  })

  const upper = (hex: string) => `0x${hex.slice(2).toUpperCase()}`
  test.each([
    [
      'upper-case nonce and signature',
      (p: Json) => {
        p.payload.authorization.nonce = upper(p.payload.authorization.nonce)
        p.payload.signature = upper(p.payload.signature)
      },
    ],
    [
      'lower-case addresses',
      (p: Json) => {
        p.accepted.payTo = p.accepted.payTo.toLowerCase()
        p.accepted.asset = p.accepted.asset.toLowerCase()
        p.payload.authorization.from = p.payload.authorization.from.toLowerCase()
        p.payload.authorization.to = upper(p.payload.authorization.to)
      },
    ],
    ['a value that is a number', (p: Json) => (p.payload.authorization.value = 1000)],
    [
      'junk beside it',
      (p: Json) => {
        p.junk = 1
        p.accepted.junk = 2
        p.accepted.extra.junk = 3
        p.payload.authorization.junk = 4
        p.extensions = { junk: 'zzz' }
      },
    ],
    ['another resource', (p: Json) => (p.resource = { url: 'https://evil.example/?x=1' })],
  ])('%s', async (_, change) => {
    const before = await bench.charged()
    const form = structuredClone(paid)
    change(form)
    expect(await bench.sell(rawPaymentOf(form))).toMatchObject({ kind: 'sold', replayed: true })
    expect(await bench.sell({ kind: 'object', payload: form })).toMatchObject({
      kind: 'sold',
      replayed: true,
    })
    expect(await bench.charged()).toBe(before)
  })

  test('missing padding', async () => {
    for (const pad of ['', 'a', 'ab'])
      expect(
        await bench.sell(text((rawPaymentOf({ ...paid, pad }) as { text: string }).text.replace(/=+$/, ''))),
      ).toMatchObject({ kind: 'sold', replayed: true })
  })
})

describe('what is sent to the facilitator', () => {
  test('is rebuilt from parsed members and our own words', async () => {
    const canary = 'canary-7b1f'
    const { payload } = await (await bench.buyer()).sign()
    const before = bench.facilitator.settled.length
    await bench.sell(
      rawPaymentOf({
        ...payload,
        [canary]: canary,
        resource: { url: `https://${canary}.example`, description: canary },
        accepted: {
          ...payload.accepted,
          [canary]: canary,
          extra: { ...payload.accepted.extra, [canary]: canary },
        },
        payload: { ...payload.payload, [canary]: canary },
        extensions: {
          [canary]: canary,
          'payment-identifier': { info: { id: `${canary}-0123456789` }, schema: {} },
        },
      }),
    )
    const sent = bench.facilitator.settled[before]
    expect(sent).toBeDefined()
    expect(JSON.stringify(sent)).not.toContain(canary)
    expect(sent?.resource?.url).toBe('https://checks.example/api/validate/iban')
  })
})
