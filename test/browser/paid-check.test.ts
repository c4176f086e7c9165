import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CHECK_TYPES, type CheckType } from 'format-checker-checks/verdict'
import type { Hex } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Example } from '../../src/catalog/skill.ts'
import { ROOT } from '../support/command.ts'
import { lookAtChain } from '../support/usdc-chain.ts'
import { foreign, type Watched, watchedPage } from './browser.ts'
import { buy, type Panel, panelOf } from './panel.ts'
import { sandboxStage } from './sandbox-stage.ts'
import { translatable } from './translatable.ts'

const CASES = CHECK_TYPES.flatMap((type) => {
  const examples: readonly Example[] = JSON.parse(
    readFileSync(join(ROOT, 'skills', type, 'assets', 'examples.json'), 'utf8'),
  )
  return [true, false].map((valid) => {
    const found = examples.find(({ output }) => output.valid === valid)
    if (found === undefined) throw new Error(`no example for ${type}`)
    return { type, valid, ...found }
  })
})

let watched: Watched
let panel: Panel

const sandbox = sandboxStage()
beforeEach(async () => {
  watched = await watchedPage(sandbox.browser)
  panel = panelOf(watched.page)
  await watched.page.goto(sandbox.url)
  return async () => {
    // The page closes with nothing to complain of, having sent no other request.
    expect(watched.complaints).toEqual([])
    expect(foreign(watched, sandbox.url)).toEqual([])
    await watched.page.context().close()
  }
})

const balances = async () => {
  const chain = lookAtChain(sandbox.facts.rpcUrl ?? '')
  return {
    buyer: await chain.balance(sandbox.facts.buyer.address),
    payee: await chain.balance(sandbox.facts.payTo),
  }
}

describe('the panel buys', () => {
  test.each(CASES)('a check of $type, valid: $valid', async ({ type, valid, input, output }) => {
    const before = await balances()
    await panel.ask(type, input.value)
    expect(await panel.fact(panel.terms, 'Price').innerText()).toContain('$0.001 in USDC')
    expect(await panel.fact(panel.terms, 'To').innerText()).toBe(sandbox.facts.payTo)
    expect(await balances()).toEqual(before)

    await panel.pay.click()
    expect(await panel.fact(panel.wallet, 'Transfer').innerText()).toBe('0.001 USDC')
    await panel.wallet.getByRole('button', { name: 'Sign' }).click()
    await (valid ? panel.valid : panel.invalid).waitFor()

    const shown = await panel.panel.innerText()
    expect(shown).toContain(output.reason)
    expect(await panel.panel.getByRole('link', { name: output.details.code, exact: true }).count()).toBe(1)
    expect(shown).toContain(output.normalized ?? output.reason)
    for (const each of output.details.notChecked) expect(shown).toContain(each)
    expect(shown).toContain(output.details.ruleset)
    expect(await panel.panel.locator('dd:empty').count()).toBe(0)

    const chain = lookAtChain(sandbox.facts.rpcUrl ?? '')
    expect(await chain.transfers((await panel.transaction()) as Hex)).toEqual([
      { from: sandbox.facts.buyer.address, to: sandbox.facts.payTo, value: 1000n },
    ])
    const after = await balances()
    expect(before.buyer - after.buyer).toBe(1000n)
    expect(after.payee - before.payee).toBe(1000n)
    for (const address of watched.requests) expect(decodeURIComponent(address)).not.toContain(input.value)
    expect(watched.page.url()).toBe(`${sandbox.url}/`)
  })

  test('a value of its own, which is in no text that a translator of the browser may send on', async () => {
    await buy(panel, 'pl-pesel', '90090515836')
    expect(await panel.panel.locator('code', { hasText: 'curl -X POST' }).textContent()).toContain(
      '90090515836',
    )
    expect(await translatable(watched.page, '90090515836')).toEqual([])
  })

  test('with the keyboard alone', async () => {
    const { page } = watched
    await panel.panel.getByRole('radio', { name: 'IBAN' }).focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.type('526-025-02-74')
    await page.keyboard.press('Enter')
    await panel.terms.waitFor()
    await page.keyboard.press('Enter')
    await panel.wallet.waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await panel.valid.waitFor()
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Valid')
    expect(await panel.progress.innerText()).toBe('Valid. Paid $0.001.')
  })

  test('two checks one after the other, each for a price of its own', async () => {
    const before = await balances()
    await buy(panel, 'iban', 'GB82 WEST 1234 5698 7654 32')
    const first = await panel.transaction()
    await buy(panel, 'iban', 'GB82 WEST 1234 5698 7654 32')
    expect(await panel.transaction()).not.toBe(first)
    expect((await balances()).payee - before.payee).toBe(2000n)
  })
})

describe('the panel pays nothing', () => {
  test('when the person declines in the wallet, and can go on', async () => {
    const before = await balances()
    await panel.ask('iban', 'GB82 WEST 1234 5698 7654 32')
    await panel.pay.click()
    await panel.wallet.getByRole('button', { name: 'Decline' }).click()
    await expect
      .poll(() => panel.progress.innerText())
      .toContain('You declined to sign the payment in the wallet.')
    expect(await balances()).toEqual(before)
    await panel.pay.click()
    await panel.wallet.getByRole('button', { name: 'Sign' }).click()
    await panel.valid.waitFor()
  })

  test('when the wallet is closed with the Escape key', async () => {
    await panel.ask('iban', 'GB82 WEST 1234 5698 7654 32')
    await panel.pay.click()
    await panel.wallet.waitFor()
    await watched.page.keyboard.press('Escape')
    await expect.poll(() => panel.progress.innerText()).toContain('You declined')
  })

  test('for a value the service does not take, and says why', async () => {
    watched.complaints.length = 0
    await panel.ask('email', 'x'.repeat(513))
    await panel.panel.getByRole('heading', { name: 'Value too long' }).waitFor()
    const code = panel.panel.getByRole('link', { name: 'value_too_long' })
    expect(await code.getAttribute('href')).toBe('/errors#value_too_long')
    // The browser reports every 400 on its own.
    expect(watched.complaints.splice(0)).toEqual([expect.stringContaining('400')])
  })

  test('when the value is changed while the wallet still asks', async () => {
    const before = await balances()
    await panel.ask('iban', 'GB82 WEST 1234 5698 7654 32')
    await panel.pay.click()
    await panel.wallet.waitFor()
    await watched.page.evaluate(
      `value.value = 'DE'; value.dispatchEvent(new Event('input', { bubbles: true }))`,
    )
    await panel.wallet.getByRole('button', { name: 'Sign' }).click()
    await expect.poll(() => panel.wallet.count()).toBe(0)
    await buy(panel, 'iban', 'GB82 WEST 1234 5698 7654 32')
    expect((await balances()).payee - before.payee).toBe(1000n)
  })
})

test('a link from the page of a check chooses its type and its first example', async () => {
  const { page } = watched
  const types: readonly CheckType[] = ['pl-pesel', 'email']
  for (const type of types) {
    await page.goto(`${sandbox.url}/checks/${type}`)
    await page.getByRole('link', { name: 'Check it: $0.001' }).click()
    expect(await panel.panel.getByRole('radio', { checked: true }).getAttribute('value')).toBe(type)
    const example = CASES.find((each) => each.type === type && each.valid)
    await expect.poll(() => panel.panel.getByLabel('Value').inputValue()).toBe(example?.input.value)
  }
})
