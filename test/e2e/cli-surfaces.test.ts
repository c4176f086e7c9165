import { CHECKS } from 'format-checker-checks/internal/checks'
import { CHECK_TYPES } from 'format-checker-checks/verdict'
import { generatePrivateKey } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { SURFACES } from '../../src/command-line/commands.ts'
import { buyStage, inDoubt } from '../support/buy-stage.ts'
import { CLI, outcomeOf } from '../support/command.ts'
import { validValue } from '../support/identifiers.ts'
import { LACKS } from '../support/platform.ts'

const CANARY = 'CANARY-4f1d-8e20'
const IN_DOUBT = inDoubt('1')

const stage = buyStage()
const { environment, buy } = stage

/** What the service's books and the chain say was sold and paid meanwhile. */
async function sales(act: () => Promise<unknown>) {
  const { spent, earned } = await stage.moved(act)
  expect(spent).toBe(earned)
  return Number(earned) / 1_000
}

/** In a shell, with the results sent into a device that is always full. */
async function intoFullDisk(...args: readonly string[]) {
  const words = [process.execPath, CLI, ...args].map((word) => `'${word}'`)
  const { code, stderr } = await outcomeOf(['-c', `${words.join(' ')} > /dev/full`], {
    program: '/bin/sh',
    env: environment(),
  })
  return { code, stderr }
}

describe.skipIf(LACKS.fullDevice)('results that cannot be written', () => {
  const stderr = ['format-checker: the results cannot be written to the output (ENOSPC)']

  test('of a purchase: the exit code says that a payment may have been made', async () => {
    const purchase = ['buy', 'iban', validValue('iban', 77), '--quiet', '--url', stage.service.url]
    const sold = await sales(async () => expect(await intoFullDisk(...purchase)).toEqual({ code: 3, stderr }))
    expect(sold).toBe(1)
  })

  test('of anything else: not done', async () => {
    expect(await intoFullDisk('try', 'email', 'jan@example.pl')).toEqual({ code: 1, stderr })
    const shown = ['buy', 'iban', CANARY, '--dry-run', '--url', stage.service.url]
    expect(await intoFullDisk(...shown)).toEqual({ code: 1, stderr })
  })
})

describe('before anything is paid', () => {
  test('--dry-run shows the terms, signs nothing and needs no key', async () => {
    const sold = await sales(async () => {
      const { code, stdout, stderr } = await buy(['iban', CANARY, '--dry-run'], {
        env: { BUYER_PRIVATE_KEY: '' },
      })
      expect([code, stderr]).toEqual([0, []])
      expect(stdout).toContain('price    0.001 USDC')
      expect(stdout).toContain(`pay to   ${stage.service.sandbox.payTo}`)
      expect(stdout.at(-1)).toBe('Nothing was signed.')
    })
    expect(sold).toBe(0)
  })

  test('above --max-price: nothing is signed', async () => {
    const { length } = stage.proxy.paying
    const { code, stderr } = await buy(['iban', 'x', '--max-price', '0.0009'], { url: stage.proxy.url })
    expect([code, stderr]).toEqual([1, ['The price, 0.001 USDC, is above --max-price. Nothing was signed.']])
    expect(stage.proxy.paying).toHaveLength(length)
  })

  test('a buyer without money learns so; the value is not repeated', async () => {
    const { code, stdout, stderr } = await buy(['iban', CANARY], {
      env: { BUYER_PRIVATE_KEY: generatePrivateKey() },
    })
    expect([code, stdout]).toEqual([1, []])
    expect(stderr.join(' ')).toMatch(/insufficient_funds: .*Nothing was charged/i)
    expect(stderr.join(' ')).not.toContain(CANARY)
  })

  test('a value too long is refused by the service before any payment', async () => {
    const { length } = stage.proxy.paying
    const { code, stderr } = await buy(['iban', 'x'.repeat(513)], { url: stage.proxy.url })
    expect([code, stderr[0]?.split(':')[0]]).toEqual([1, 'value_too_long'])
    expect(stage.proxy.paying).toHaveLength(length)
  })
})

describe.each(SURFACES)('over %s', (surface) => {
  const over = (...args: readonly string[]) => [...args, '--surface', surface]

  const types = surface === 'rest' ? CHECK_TYPES : (['eu-vat'] as const)

  test.each(types)('%s: the verdict of the check, for one price on the chain', async (type) => {
    const value = validValue(type, 7)
    const sold = await sales(async () => {
      const { code, stdout, stderr } = await buy(over(type, value, '--json'))
      expect([code, stderr]).toEqual([0, []])
      expect(JSON.parse(stdout.join(''))).toMatchObject({
        kind: 'bought',
        verdict: JSON.parse(JSON.stringify(CHECKS[type](value))),
        settlement: { success: true, payer: stage.service.buyer.address },
        replayed: false,
        amount: '1000',
      })
    })
    expect(sold).toBe(1)
  })

  test('a lost answer: the same signed request again, one charge, the verdict', async () => {
    const earlier = stage.proxy.paying.length
    stage.proxy.next('lose-request', 'lose-answer')
    const sold = await sales(async () => {
      const { code, stdout } = await buy(over('pl-nip', '5260250274', '--json'), { url: stage.proxy.url })
      expect(code).toBe(0)
      expect(JSON.parse(stdout.join(''))).toMatchObject({
        kind: 'bought',
        verdict: { valid: true },
        replayed: true,
      })
    })
    expect(sold).toBe(1)
    const sent = stage.proxy.paying.slice(earlier)
    expect(sent).toHaveLength(3)
    expect(new Set(sent.map(({ payment }) => payment)).size).toBe(1)
  })

  test('in doubt to the end: exit code 3, six requests with one payment, and where to look', async () => {
    const earlier = stage.proxy.paying.length
    stage.proxy.next('lose-answer', ...Array<typeof IN_DOUBT>(5).fill(IN_DOUBT))
    const sold = await sales(async () => {
      const { code, stdout, stderr } = await buy(over('pl-regon', CANARY), { url: stage.proxy.url })
      expect([code, stdout]).toEqual([3, []])
      expect(stderr[0]).toMatch(/^It is not known whether this was paid\./)
      const state = new RegExp(`^${stage.proxy.url}/payments/0x[0-9a-fA-F]{40}/0x[0-9a-f]{64}$`)
      expect(stderr.at(-1)).toMatch(state)
      for (const line of stderr.slice(0, -1)) expect(line.length).toBeLessThanOrEqual(80)
      expect(stderr.join(' ')).not.toContain(CANARY)
      expect(await (await fetch(stderr.at(-1) ?? '')).json()).toMatchObject({ state: 'settled' })
    })
    expect(sold).toBe(1)
    expect(new Set(stage.proxy.paying.slice(earlier).map(({ payment }) => payment)).size).toBe(1)
    expect(stage.proxy.paying.length - earlier).toBe(6)
  })
})
