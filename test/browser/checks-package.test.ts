/** The package of the checks, loaded by a browser as it is. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { checkIban } from 'format-checker-checks/iban'
import { expect, test } from 'vitest'
import { packInto } from '../pack/packed.ts'
import { scratchDir } from '../support/service-process.ts'
import { openBrowser, watchedPage } from './browser.ts'

test('a page runs one check without a bundler', async () => {
  const scratch = scratchDir()
  packInto(scratch.path)
  const asked: string[] = []
  const server = createServer(({ url = '/' }, response) => {
    if (!url.endsWith('.js'))
      return response.setHeader('Content-Type', 'text/html').end('<title>page</title>')
    asked.push(url)
    response.setHeader('Content-Type', 'text/javascript')
    return response.end(readFileSync(join(scratch.path, 'checks/build', url)))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const browser = await openBrowser()
  const { page } = await watchedPage(browser)
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  const value = 'GB82 WEST 1234 5698 7654 32'
  const verdict = await page.evaluate(
    `import('/iban/check-iban.js').then(({ checkIban }) => JSON.stringify(checkIban(${JSON.stringify(value)})))`,
  )
  expect(verdict).toBe(JSON.stringify(checkIban(value)))
  expect(asked.filter((url) => /email|eu-vat|\/pl\//.test(url))).toEqual([])
  await browser.close()
  server.close()
  scratch.remove()
})
