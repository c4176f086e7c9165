import type { Browser } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { openBrowser } from './browser.ts'
import { type LiveService, startLiveService } from './live-service.ts'

/** For a test file: a browser, and a service in live mode over a local chain. */
export function liveStage() {
  let live: LiveService
  let browser: Browser
  beforeAll(async () => {
    ;[live, browser] = await Promise.all([startLiveService(), openBrowser()])
  })
  afterAll(async () => {
    await browser.close()
    await live.stop()
  })

  return {
    get live() {
      return live
    },
    get browser() {
      return browser
    },
  }
}
