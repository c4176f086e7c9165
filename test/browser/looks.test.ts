/** How the pages are to look at, to listen to and to load. */
import { expect, test } from 'vitest'
import { validIban } from '../support/identifiers.ts'
import { watchedPage } from './browser.ts'
import { listPageOf } from './list-page.ts'
import { CUT_OFF, SHEET, widthOf } from './pages.ts'
import { buy, panelOf } from './panel.ts'
import { sandboxStage } from './sandbox-stage.ts'

const IBAN = 'GB82 WEST 1234 5698 7654 32'

const sandbox = sandboxStage()

test.each([
  '/',
  '/lists',
  '/checks/iban',
  '/docs/how-it-works',
  '/status',
])('%s translated into a language that is read from the right is not wider than a phone; code stays as it is', async (path) => {
  const { page } = await watchedPage(sandbox.browser, { viewport: { width: 320, height: 640 } })
  await page.goto(`${sandbox.url}${path}`)
  await page.evaluate(`document.documentElement.dir = 'rtl'`)
  expect(await widthOf(page)).toBe(320)
  const directions = `[...document.querySelectorAll('code')].map((each) => getComputedStyle(each).direction)`
  expect(await page.evaluate(directions)).not.toContain('rtl')
  await page.context().close()
})

test('a verdict is not wider than the narrowest phone', async () => {
  const { page } = await watchedPage(sandbox.browser, { viewport: { width: 320, height: 640 } })
  await page.goto(sandbox.url)
  await buy(panelOf(page), 'iban', IBAN)
  expect(await widthOf(page)).toBe(320)
  await page.context().close()
})

test('a checked list on paper has all its rows and columns', async () => {
  const { page } = await watchedPage(sandbox.browser, { viewport: SHEET })
  await page.goto(`${sandbox.url}/lists`)
  const list = listPageOf(page)
  await list.values.fill(Array.from({ length: 60 }, (_, at) => validIban('DE', at + 1)).join('\n'))
  await list.buy('$0.06')
  await expect.poll(() => list.rows.count()).toBe(60)
  await page.emulateMedia({ media: 'print' })
  expect(await page.evaluate(CUT_OFF)).toEqual([])
  expect(await widthOf(page)).toBe(SHEET.width)
  expect(await list.form.isVisible(), 'the form').toBe(false)
  expect(await page.getByRole('banner').count(), 'the banner').toBe(0)
  expect(await page.getByText('No real money').isVisible()).toBe(false)
  expect(await list.title.isVisible()).toBe(true)
  await page.context().close()
})

test('the front page takes few bytes and few requests', async () => {
  const { page } = await watchedPage(sandbox.browser)
  const sizes: { readonly path: string; readonly bytes: number; readonly sent: number }[] = []
  const measured: Promise<void>[] = []
  page.on('requestfinished', (request) => {
    const measure = async () => {
      const response = await request.response()
      const [body, { responseBodySize }] = await Promise.all([response?.body(), request.sizes()])
      const { pathname } = new URL(request.url())
      sizes.push({ path: pathname, bytes: body?.length ?? 0, sent: responseBodySize })
    }
    measured.push(measure())
  })
  await page.goto(sandbox.url, { waitUntil: 'networkidle' })
  await Promise.all(measured)
  const bytes = sizes.reduce((sum, each) => sum + each.bytes, 0)
  const sent = sizes.reduce((sum, each) => sum + each.sent, 0)
  const paint = await page.evaluate(`performance.getEntriesByName('first-contentful-paint')[0]?.startTime`)
  console.log(
    `front page: ${sizes.length} requests, ${bytes} bytes, ${sent} on the wire, first paint after ${Math.round(Number(paint))} ms`,
  )
  expect(sizes.map(({ path }) => path)).toContain('/icon.svg')
  expect(bytes).toBeLessThan(104_500)
  expect(sent).toBeLessThan(35_000)
  // Page, three styles, fourteen modules, the examples, the status, and the icon twice.
  expect(sizes.length).toBeLessThanOrEqual(22)
  await page.context().close()
})

test('without scripts everything but the panel is there, and the panel says what to do', async () => {
  const { page, complaints } = await watchedPage(sandbox.browser, { javaScriptEnabled: false })
  await page.goto(sandbox.url)
  expect(await page.getByLabel('Value').isVisible()).toBe(false)
  expect(await page.getByText('The panel needs JavaScript.').isVisible()).toBe(true)
  await page.getByRole('link', { name: 'The command line below' }).click()
  expect(await page.getByText('curl -i -X POST').isVisible()).toBe(true)
  await page.getByRole('link', { name: /^IBAN/ }).click()
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('IBAN check')
  await page.locator('.fold > summary').filter({ hasText: 'Examples' }).waitFor()
  await page.locator('.example > summary').first().click()
  expect(await page.getByText('"type": "iban"').first().isVisible()).toBe(true)
  expect(await page.getByRole('link', { name: 'Is it up?' }).isVisible()).toBe(true)
  expect(complaints).toEqual([])
  await page.context().close()
})

test('the front page shows what the check answers to four values; choosing one sends nothing and moves nothing', async () => {
  const { page } = await watchedPage(sandbox.browser, { viewport: { width: 375, height: 667 } })
  await page.goto(sandbox.url, { waitUntil: 'networkidle' })
  const box = await page.locator('.hero .button', { hasText: 'Check your own: $0.001' }).boundingBox()
  expect((box?.y ?? 1_000) + (box?.height ?? 0), 'on the first screen of a phone').toBeLessThan(667)
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  const shown = page.locator('.explained').getByRole('tabpanel')
  const heightOf = () => page.evaluate('document.documentElement.scrollHeight')
  const height = await heightOf()
  const seen: (readonly [string, string, string])[] = []
  for (const tab of await page.locator('.explained').getByRole('tab').all()) {
    await tab.click()
    expect(await heightOf()).toBe(height)
    const rings = await shown.locator('mark').allInnerTexts()
    seen.push([
      await tab.innerText(),
      rings.join(''),
      await shown.locator('.code-line code').first().innerText(),
    ])
  }
  expect(seen).toEqual([
    ['Valid', '', 'ok'],
    ['Letter for digit', 'O', 'structure'],
    ['Wrong check digits', '89', 'checksum'],
    ['Too short', '?', 'length'],
  ])
  expect(asked).toEqual([])
  await page.context().close()
})

test('the front page takes six screens of a phone, and has a menu there', async () => {
  const { page } = await watchedPage(sandbox.browser, { viewport: { width: 375, height: 812 } })
  await page.goto(sandbox.url, { waitUntil: 'networkidle' })
  expect(Number(await page.evaluate('document.documentElement.scrollHeight')) / 812).toBeLessThanOrEqual(6)
  const docs = page.getByRole('navigation', { name: 'Site' }).getByRole('link', { name: 'Docs' })
  expect(await docs.isVisible()).toBe(false)
  await page.getByRole('button', { name: 'Menu' }).click()
  await docs.click()
  await page.getByRole('heading', { name: 'Documents', level: 1 }).waitFor()
  await page.context().close()
})

test('code is copied as it stands, and a screen reader says so', async () => {
  const { page } = await watchedPage(sandbox.browser, { permissions: ['clipboard-read', 'clipboard-write'] })
  await page.goto(sandbox.url)
  await page.getByRole('tab', { name: 'TypeScript' }).click()
  await page.getByRole('button', { name: 'Copy: Example, TypeScript' }).click()
  const copied = String(await page.evaluate('navigator.clipboard.readText()'))
  expect(copied).toContain(`await pay('${sandbox.url}/api/validate/iban'`)
  await page.getByRole('status').getByText('Copied').waitFor()
  await page.context().close()
})

test.each([
  ['/', '.chip input:checked + span'],
  ['/lists', '.chip input:checked + span'],
  ['/docs/paying-by-hand', '[role=tab][aria-selected=true]'],
])('%s marks what is chosen also where the system forces its own colours', async (path, chosen) => {
  const { page } = await watchedPage(sandbox.browser, { forcedColors: 'active' })
  await page.goto(`${sandbox.url}${path}`)
  const paint = (which: string) =>
    page.evaluate(
      `getComputedStyle(document.querySelector('${which}')).backgroundColor.match(/\\d+/g).slice(0, 3)`,
    )
  expect(await paint(chosen)).not.toEqual(await paint('body'))
  await page.context().close()
})
