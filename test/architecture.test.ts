import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  findBreaches,
  findPackageBreaches,
  importersOf,
  mutualRooms,
  type SourceFile,
} from './support/import-law.ts'

const ROOT = join(import.meta.dirname, '..')

const read = (pattern: string, folder: string): readonly SourceFile[] =>
  globSync(pattern, { cwd: folder }).map((path) => ({
    path: path.replaceAll('\\', '/'),
    text: readFileSync(join(folder, path), 'utf8'),
  }))
const sources = read('**/*.ts', join(ROOT, 'src'))
const packaged = read('packages/*/src/**/*.ts', ROOT)

describe('the layers', () => {
  test('hold: no file imports from its right', () => {
    expect(sources.length).toBeGreaterThan(100)
    expect(findBreaches(sources)).toEqual([])
  })

  test.each([
    ['checks/iban/check-iban.ts', `import { loadSkillFolders } from '../../catalog/load.ts'`],
    ['checks/iban/check-iban.ts', `import { createHash } from 'node:crypto'`],
    ['checks/iban/check-iban.ts', `import { ERRORS } from '../../errors.ts'`],
    ['catalog/load.ts', `import type { Sale } from '../payments/ports/sale.ts'`],
    ['ledger/rows.ts', `import type { Sale } from '../payments/ports/sale.ts'`],
    ['payments/sale/sell.ts', `import { pathOf } from '../../http/request-target.ts'`],
    ['payments/sale/sell.ts', `import { createLog } from '../../log.ts'`],
    ['payments/sale/sell.ts', `import { readConfig } from '../../config.ts'`],
    ['payments/sale/sell.ts', `const key = process.env.SECRET_KEY`],
    ['payments/sale/sell.ts', `import { address } from '../../config/validators.ts'`],
    ['config/settings.ts', `const key = process.env.SECRET_KEY`],
    ['config/settings.ts', `import { ConfigError } from '../config.ts'`],
    ['http/cors.ts', `import { CHECKS } from '../checks/checks.ts'`],
    ['surfaces/rest/listing.ts', `import { toolOf } from '../mcp/tools.ts'`],
    ['surfaces/call/counter.ts', `import { toolOf } from '../mcp/tools.ts'`],
    ['surfaces/rest/listing.ts', `export { buildApp } from '../../app.ts'`],
    ['surfaces/rest/listing.ts', `const late = await import('../../sandbox/sandbox.ts')`],
    ['app.ts', `import { startSandbox } from './sandbox/sandbox.ts'`],
    ['app.ts', `import { serve } from './main/serve.ts'`],
    ['sandbox/sandbox.ts', `import { buildApp } from '../app.ts'`],
    ['receipts/verify-receipt.ts', `import type { Sale } from '../payments/ports/sale.ts'`],
    ['main/serve.ts', `import { buy } from '../../packages/command/src/buy/buy.ts'`],
    ['errors.ts', `import { CHECKS } from './checks/checks.ts'`],
    ['values/hex.ts', `import { CHECKS } from '../checks/checks.ts'`],
    ['values/hex.ts', `import { memoize } from '../caches/memoize.ts'`],
    ['main/serve.ts', `import { readConfig } from '../config'`],
    ['payments/networks/base.ts', `import { USDC_DECIMALS } from '../chain/usdc.ts'`],
    ['checks/iban/check-iban.ts', `import { BASE } from '../../payments/networks/base.ts'`],
  ])('are noticed when %s says: %s', (path, text) => {
    expect(findBreaches([{ path, text }])).toHaveLength(1)
  })

  test.each([
    ['payments/sale/sell.ts', `import type { Log } from '../../log.ts'`],
    ['caches/memoize.ts', `import { boundedCache } from './bounded-cache.ts'`],
    ['surfaces/rest/listing.ts', `import { PRICE } from '../../catalog/price.ts'`],
    ['surfaces/rest/validate.ts', `import type { Counter } from '../call/counter.ts'`],
    ['main/serve.ts', `import { startSandbox } from '../sandbox/sandbox.ts'`],
    ['config.ts', `const environment = process.env`],
    ['main/serve.ts', `process.env.NO_PROXY = '*'`],
    ['config.ts', `import { SETTINGS } from './config/settings.ts'`],
    ['config/settings.ts', `import { address } from './validators.ts'`],
    ['main/serve.ts', `import { requiredText } from '../config/validators.ts'`],
    ['config/validators.ts', `import { NETWORKS } from '../payments/networks/networks.ts'`],
    ['receipts/verify-receipt.ts', `import { listResult } from '../catalog/list-result.ts'`],
  ])('let %s say: %s', (path, text) => {
    expect(findBreaches([{ path, text }])).toEqual([])
  })

  test('hold for packages: they import the shared rooms alone', () => {
    expect(packaged.length).toBeGreaterThan(50)
    expect(findPackageBreaches(packaged)).toEqual([])
  })

  test.each([
    ['../../../src/payments/ports/sale.ts', 1],
    ['../../../src/log.ts', 1],
    ['../../../src/errors.ts', 0],
    ['../../checks/src/a.ts', 1],
    ['../../../src/checks/verdict.ts', 0],
    ['../../../src/payments/networks/network.ts', 0],
    ['./buyer/wallet.ts', 0],
  ])('judge a package that imports %s', (specifier, breaches) => {
    const file = { path: 'packages/command/src/a.ts', text: `import { a } from '${specifier}'` }
    expect(findPackageBreaches([file])).toHaveLength(breaches)
  })
})

describe('the rooms of a layer', () => {
  test.each(['payments', 'ledger'])('never import each other both ways: %s', (layer) => {
    expect(mutualRooms(sources, layer)).toEqual([])
    const sale = { path: 'payments/sale/sell.ts', text: `import { a } from '../tasks/tasks.ts'` }
    const tasks = { path: 'payments/tasks/tasks.ts', text: `import type { B } from '../sale/sell.ts'` }
    expect(mutualRooms([sale, tasks], 'payments')).toEqual(['sale tasks'])
  })
})

describe('own settlement', () => {
  const SELF = 'payments/facilitators/self'

  test('is opened in two places, and the rest knows its port alone', () => {
    expect(importersOf(sources, SELF).toSorted()).toEqual([
      'main/live/own-facilitator.ts',
      'sandbox/chain/anvil-backend.ts',
    ])
  })

  test('has rooms that never import each other both ways', () => {
    expect(mutualRooms(sources, SELF)).toEqual([])
  })

  test('knows nothing of the sale', () => {
    const rooms = ['sale', 'recovery', 'channels'].map((room) => `payments/${room}`)
    for (const room of rooms)
      expect(importersOf(sources, room).filter((path) => path.startsWith(SELF))).toEqual([])
  })
})

test('an answer of a port begins in one place, so that none lacks the headers of every answer', () => {
  const begins = (path: string, text: string) =>
    /^(?:http|surfaces|app)\b/.test(path) && /\.(?:writeHead|setHeader|appendHeader)\(/.test(text)
  expect(begins('surfaces/rest/reply.ts', 'res.writeHead(200)')).toBe(true)
  expect(sources.filter(({ path, text }) => begins(path, text)).map(({ path }) => path)).toEqual([
    'http/body/send.ts',
  ])
})

describe('the source files', () => {
  test('stay short: only tables of data pass 220 lines', () => {
    const long = [...sources, ...packaged]
      .filter(({ text }) => text.split('\n').length > 220)
      .map(({ path }) => path)
    expect(
      long.filter((path) => !DATA_TABLES.includes(path)),
      'move one idea of each file to a file of its own; DATA_TABLES is for files that are one table',
    ).toEqual([])
  })
})

/** Files that are one table: splitting them would only hide it. */
const DATA_TABLES = ['errors.ts', 'checks/advice/hints.ts', 'command-line/commands.ts']
