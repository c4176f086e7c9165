import { existsSync } from 'node:fs'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

/** Ends what hangs, and decides no test: beside other suites a page takes many times longer than alone. */
const HANGING_MS = 300_000

/** Without windows a page takes half the processor time. */
const WITHOUT_WINDOWS = '/usr/bin/chromium-headless-shell'
const WITH_WINDOWS = '/usr/bin/chromium'

/** A browser that sends no requests of its own; its profile is new each time. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: existsSync(WITHOUT_WINDOWS) ? WITHOUT_WINDOWS : WITH_WINDOWS,
    timeout: HANGING_MS,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })

/** What a page did without showing it. */
export interface Watched {
  readonly page: Page
  /** Every address it asked for. */
  readonly requests: string[]
  /** Violations of its policy, errors, and whatever it wrote to the console but answers the panel waits for. */
  readonly complaints: string[]
}

/** The browser says so on its own for a 402, which here is the question for the price. */
const EXPECTED = /^Failed to load resource: the server responded with a status of (?:402|503) /

/** A new page, watched from its first byte. */
export async function watchedPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Watched> {
  const context = await browser.newContext(options)
  context.setDefaultTimeout(HANGING_MS)
  const page = await context.newPage()
  const requests: string[] = []
  const complaints: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  page.on('pageerror', ({ message }) => complaints.push(message))
  page.on('console', (line) => {
    if (!EXPECTED.test(line.text())) complaints.push(line.text())
  })
  await page.addInitScript(`addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    console.error('policy: ' + violatedDirective + ' ' + blockedURI))`)
  return { page, requests, complaints }
}

/** What was asked for elsewhere than at this address. */
export const foreign = ({ requests }: Watched, url: string): readonly string[] =>
  requests.filter((each) => !each.startsWith(`${url}/`))
