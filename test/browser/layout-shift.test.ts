/** No page jumps after its first paint, and none sends more bytes than it needs. */
import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { watchedPage } from './browser.ts'
import { EVIDENCE, PAGES } from './pages.ts'
import { sandboxStage } from './sandbox-stage.ts'

/** Good is 0.1 by web.dev/cls, which sums the worst five seconds; this is the sum of all. */
const MOST_SHIFT = 0.05
const MOST_BYTES = 60_000
/** How long after its load a page is watched. */
const WATCHED_MS = 5_000

const VIEWPORTS = [
  { width: 375, height: 812 },
  { width: 412, height: 915 },
  { width: 1440, height: 900 },
]

/** Starts before the first paint. A shift right after an input of the person does not count. */
const OBSERVE = `
  window.shifts = []
  new PerformanceObserver((list) => {
    for (const { value, startTime, hadRecentInput, sources } of list.getEntries())
      if (!hadRecentInput) window.shifts.push({ value, at: Math.round(startTime), of: sources.map(({ node }) => node?.nodeName + '.' + node?.className).join(' ') })
  }).observe({ type: 'layout-shift', buffered: true })`

/**
 * To the end of the page at once; gives the times, as those of shifts, before it and once it is shown. Chromium leaves a
 * scroll out of its shifts, but on a busy machine it has called one a shift of the whole body.
 */
const SCROLL = `new Promise((shown) => {
  const from = Math.floor(performance.now())
  scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' })
  requestAnimationFrame(() => requestAnimationFrame(() => shown([from, Math.ceil(performance.now())])))
})`

const sandbox = sandboxStage()

interface Seen {
  readonly shifts: readonly { readonly value: number; readonly at: number; readonly of: string }[]
  readonly bytes: number
}

async function watch(options: BrowserContextOptions, load: (page: Page) => Promise<unknown>): Promise<Seen> {
  const { page } = await watchedPage(sandbox.browser, options)
  await page.addInitScript(OBSERVE)
  const sizes: Promise<number>[] = []
  page.on('requestfinished', (request) => {
    sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize))
  })
  await load(page)
  await page.waitForTimeout(WATCHED_MS)
  const [from, to] = (await page.evaluate(SCROLL)) as [number, number]
  await page.waitForTimeout(500)
  const shifts = ((await page.evaluate('window.shifts')) as Seen['shifts']).filter(
    ({ at, of }) => of !== 'BODY.' || at < from || at > to,
  )
  const bytes = (await Promise.all(sizes)).reduce((sum, each) => sum + each, 0)
  await page.context().close()
  return { shifts, bytes }
}

const sum = ({ shifts }: Seen) => shifts.reduce((total, { value }) => total + value, 0)

/** Dark changes colours alone, so one width shows that it moves nothing. */
const WAYS: readonly BrowserContextOptions[] = [
  ...VIEWPORTS.map((viewport) => ({ viewport, colorScheme: 'light' as const })),
  ...VIEWPORTS.slice(0, 1).map((viewport) => ({ viewport, colorScheme: 'dark' as const })),
]

/** Three at a time: most of it is waiting, and a busy machine paints late. */
const GROUPS = [...PAGES, ...EVIDENCE, '/no-such-page'].reduce<string[][]>((groups, path, at) => {
  if (at % 3 === 0) groups.push([path])
  else groups.at(-1)?.push(path)
  return groups
}, [])

test.each(
  GROUPS.map((paths) => [paths.join(' and '), paths] as const),
)('%s stay where they were painted, and are small', async (_, paths) => {
  await Promise.all(
    paths.map(async (path) => {
      const seen = await Promise.all(
        WAYS.map((each) => watch(each, (page) => page.goto(`${sandbox.url}${path}`))),
      )
      for (const [at, each] of seen.entries()) {
        const { viewport, colorScheme } = WAYS[at] ?? {}
        expect
          .soft(sum(each), `${path} ${viewport?.width} ${colorScheme} ${JSON.stringify(each.shifts)}`)
          .toBeLessThanOrEqual(MOST_SHIFT)
      }
      expect.soft(seen[0]?.bytes, path).toBeLessThan(MOST_BYTES)
    }),
  )
})

test('a page that jumps is seen to jump', async () => {
  const jump = `setTimeout(() => document.querySelector('main').prepend(Object.assign(document.createElement('p'), { style: 'height: 300px' })), 300)`
  const seen = await watch({}, async (page) => {
    await page.goto(`${sandbox.url}/pricing`)
    await page.evaluate(jump)
  })
  expect(sum(seen)).toBeGreaterThan(MOST_SHIFT)
})
