import type { Browser } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { type SandboxFacts, scratchDir, started, startProcess } from '../support/service-process.ts'
import { openBrowser } from './browser.ts'

/** For a test file: a browser, and the sandbox as a process of its own. */
export function sandboxStage() {
  let url: string
  let facts: SandboxFacts
  let browser: Browser
  let stop: () => Promise<void>
  beforeAll(async () => {
    const scratch = scratchDir()
    const service = startProcess(scratch.path)
    ;[{ url, facts }, browser] = await Promise.all([started(service), openBrowser()])
    stop = async () => {
      await browser.close()
      service.child.kill('SIGTERM')
      await service.ended
      scratch.remove()
    }
  })
  afterAll(() => stop())

  return {
    get url() {
      return url
    },
    get facts() {
      return facts
    },
    get browser() {
      return browser
    },
  }
}
