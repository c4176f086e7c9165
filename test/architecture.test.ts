import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { PUBLISHED } from '../scripts/checks-entries.ts'
import { BRIDGES, ROOMS } from '../scripts/doors.ts'
import {
  bridgesAmong,
  findBreaches,
  findPackageBreaches,
  importersOf,
  mutualRooms,
  namesOf,
  pastDoors,
  type SourceFile,
  unusedDoors,
} from './support/import-law.ts'

const ROOT = join(import.meta.dirname, '..')

const read = (pattern: string, folder: string): readonly SourceFile[] =>
  globSync(pattern, { cwd: folder }).map((path) => ({
    path: path.replaceAll('\\', '/'),
    text: readFileSync(join(folder, path), 'utf8'),
  }))
const sources = [
  ...read('**/*.ts', join(ROOT, 'src')),
  ...read('**/*.ts', join(ROOT, 'packages/checks/src')).map((file) => ({
    ...file,
    path: `checks/${file.path}`,
  })),
]
const packaged = read('packages/!(checks)/src/**/*.ts', ROOT)
/** The scripts of pages import lists from where the site serves them. */
const scripts = read('surfaces/site/assets/*.js', join(ROOT, 'src')).map(({ path, text }) => ({
  path,
  text: text.replaceAll("'./lists/", "'../../../lists/"),
}))

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
    ['checks/iban/check-iban.ts', `import { CHECKS } from 'format-checker-checks'`],
    ['http/cors.ts', `import { CHECKS } from 'format-checker-checks'`],
    ['catalog/skill.ts', `import { CHECKS } from '../../packages/checks/src/light-checks.ts'`],
    ['catalog/skill.ts', `import { CHECKS } from 'format-checker-checks/iban/check-iban.ts'`],
    ['surfaces/rest/listing.ts', `import { toolOf } from '../mcp/tools.ts'`],
    ['surfaces/call/counter.ts', `import { toolOf } from '../mcp/tools.ts'`],
    ['surfaces/rest/listing.ts', `export { buildApp } from '../../app.ts'`],
    ['surfaces/rest/listing.ts', `const late = await import('../../sandbox/sandbox.ts')`],
    ['app.ts', `import { startSandbox } from './sandbox/sandbox.ts'`],
    ['app.ts', `import { serve } from './main/serve.ts'`],
    ['sandbox/sandbox.ts', `import { buildApp } from '../app.ts'`],
    ['receipts/verify-receipt.ts', `import type { Sale } from '../payments/ports/sale.ts'`],
    ['main/serve.ts', `import { buy } from '../../packages/command/src/buy/buy.ts'`],
    ['errors.ts', `import { CHECKS } from 'format-checker-checks'`],
    ['values/hex.ts', `import { CHECKS } from 'format-checker-checks'`],
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
    ['catalog/skill.ts', `import { CHECKS } from 'format-checker-checks/internal/checks'`],
    ['surfaces/rest/listing.ts', `import { PRICE } from '../../catalog/price.ts'`],
    ['surfaces/rest/validate.ts', `import type { Counter } from '../call/counter.ts'`],
    ['main/serve.ts', `import { startSandbox } from '../sandbox/sandbox.ts'`],
    ['config.ts', `const environment = process.env`],
    ['main/serve.ts', `process.env.NO_PROXY = '*'`],
    ['main.ts', `delete process.env.DEBUG`],
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
    ['format-checker-checks/verdict', 0],
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

describe('the doors of a room', () => {
  const all = [...sources, ...scripts, ...packaged]

  test('are the only way in, and each is used', () => {
    expect(scripts.some(({ text }) => text.includes('../lists/'))).toBe(true)
    expect(pastDoors(all, ROOMS)).toEqual([])
    const published = PUBLISHED.map(([, module]) => `checks/${module}`)
    expect(
      unusedDoors(all, ROOMS).filter((door) => !published.includes(door)),
      'remove them from scripts/rooms.json, or from the exports of the checks',
    ).toEqual([])
  })

  test('of the parts of A2A are at most three each, and no two parts import each other', () => {
    for (const part of ['text', 'request', 'task', 'reply'])
      expect(ROOMS[`surfaces/a2a/${part}`]?.doors.length, part).toBeLessThanOrEqual(3)
    expect(mutualRooms(sources, 'surfaces/a2a')).toEqual([])
  })

  const room = { part: 'wing', does: '', doors: ['door.ts'] } as const
  const rooms = { ledger: { ...room, part: 'heart' }, 'payments/channels': room } as const

  test.each([
    ['app.ts', './ledger/door.ts', 0],
    ['app.ts', './ledger/store/sql.ts', 1],
    ['ledger/store/sql.ts', '../sqlite.ts', 0],
    ['../packages/command/src/a.ts', '../../../src/ledger/sqlite.ts', 1],
    ['packages/command/src/a.ts', '../../../src/ledger/sqlite.ts', 1],
  ])('are judged where %s imports %s', (path, specifier, breaches) => {
    expect(pastDoors([{ path, text: `import { a } from '${specifier}'` }], rooms)).toHaveLength(breaches)
  })

  test.each(
    Object.entries(ROOMS).flatMap(([room, { most, reasons = {} }]) =>
      most === undefined ? [] : [{ room, most, reasons }],
    ),
  )('let at most $most names out of $room, and others by a reason', ({ room, most, reasons }) => {
    const names = namesOf(all, ROOMS, room).map((name) => name.split(' ')[1] ?? '')
    expect(Object.keys(reasons).filter((name) => !names.includes(name))).toEqual([])
    expect(names.filter((name) => !(name in reasons)).length).toBeLessThanOrEqual(most)
  })

  test.each([
    [`import { a, type B } from './ledger/door.ts'\nimport type { B } from './ledger/door.ts'`, ['a', 'B']],
    [`import {\n  a as c,\n} from './ledger/door.ts'\nawait import('./ledger/door.ts')`, ['a']],
    [`await import('./ledger/door.ts')`, ['*']],
  ])('are counted by name: %s', (text, names) => {
    const found = namesOf([{ path: 'app.ts', text }], rooms, 'ledger')
    expect(found.map((name) => name.split(' ')[1])).toEqual(names.sort())
  })

  test('lead from the heart into a wing in the listed files alone', () => {
    expect(bridgesAmong(all, ROOMS)).toEqual(BRIDGES)
    const text = `import type { A } from '../payments/channels/door.ts'`
    expect(bridgesAmong([{ path: 'ledger/a.ts', text }], rooms)).toEqual(['ledger/a.ts'])
    expect(bridgesAmong([{ path: 'main/a.ts', text }], rooms)).toEqual([])
    expect(unusedDoors([{ path: 'main/a.ts', text }], rooms)).toEqual(['ledger/door.ts'])
  })
})

test('the way of a paid A2A call, as it is documented, is at most fifteen files that are there', () => {
  const guide = readFileSync(join(ROOT, 'docs/how-it-works.md'), 'utf8')
  const way = [...guide.matchAll(/^\| `src\/(.+?\.ts)` \| (?:what|whether|which|the|how|when)/gm)].map(
    ([, path]) => path,
  )
  expect(way[0]).toBe('app/public/http-app.ts')
  expect(way.length).toBeLessThanOrEqual(15)
  expect(way.filter((path) => !sources.some((file) => file.path === path))).toEqual([])
})

describe('own settlement', () => {
  const SELF = 'payments/facilitators/self'

  test('is opened where a service is put together, and the rest knows its port alone', () => {
    const importers = importersOf(sources, SELF)
    expect(importers.length).toBeGreaterThan(0)
    expect(importers.filter((path) => !/^(?:main|sandbox|cli)\//.test(path))).toEqual([])
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

describe('payment channels', () => {
  /** Two of the domains are called after other channels. */
  const NOT_OF_PAYMENTS = 'checks/email/top-level-domains.ts'
  /** Lines of code that name channels, vouchers or refunds, in files that are not named after them. */
  const namedIn = (files: readonly SourceFile[]) =>
    files
      .filter(({ path }) => path !== NOT_OF_PAYMENTS && !/channel|voucher|deposit|refund/i.test(path))
      .map(({ text }) => text.split('\n').filter(isOfChannels).length)
      .filter((lines) => lines > 0)
  const isOfChannels = (line: string) =>
    !/^\s*(?:\/\/|\/?\*)/.test(line) && /channel|voucher|refund/i.test(line)
  const countIn = (files: readonly SourceFile[]) => {
    const counts = namedIn(files)
    return { lines: counts.reduce((sum, lines) => sum + lines, 0), files: counts.length }
  }
  const HEART = Object.entries(ROOMS).flatMap(([room, { part }]) => (part === 'heart' ? [`${room}/`] : []))
  const ofHeart = sources.filter(({ path }) => HEART.some((room) => path.startsWith(room)))

  const MOST_OF_HEART = { lines: 52, files: 25 }

  /**
   * The bound of 80 lines in 25 files is the heart's, which needs to know one port of the sale, one path and their tables.
   * Wings, `app`, `main` and the command have channels as a subject: settings, alerts, the operator's view and pages name
   * them because they speak of them.
   */
  test('are known to the heart outside their own files in few lines and files, never more', () => {
    expect(ofHeart.length).toBeGreaterThan(200)
    expect(countIn(ofHeart), 'lower it, or move what is new to a file of channels').toEqual(MOST_OF_HEART)
    expect(MOST_OF_HEART.lines).toBeLessThanOrEqual(80)
    expect(MOST_OF_HEART.files).toBeLessThanOrEqual(25)
  })

  /** May only be lowered: what is theirs moves to files of their own. */
  const MOST = { lines: 262, files: 74 }

  test('are known in all of src outside their own files in as few lines and files as before', () => {
    expect(countIn(sources), 'lower MOST, or move what is new to a file of channels').toEqual(MOST)
  })

  test('are not counted in comments and in their own files', () => {
    const text = '// a channel\n/** Refunds. */\n * vouchers\nconst channel = 1\n'
    expect(namedIn([{ path: 'payments/channels/a.ts', text }])).toEqual([])
    expect(namedIn([{ path: NOT_OF_PAYMENTS, text }])).toEqual([])
    expect(namedIn([{ path: 'payments/a.ts', text }])).toEqual([1])
  })
})

test('an answer of a port begins in one place, so that none lacks the headers of every answer', () => {
  const begins = (path: string, text: string) =>
    /^(?:http|surfaces|app)\b/.test(path) && /\.(?:writeHead|setHeader|appendHeader)\(/.test(text)
  expect(begins('surfaces/rest/reply.ts', 'res.writeHead(200)')).toBe(true)
  expect(sources.filter(({ path, text }) => begins(path, text)).map(({ path }) => path)).toHaveLength(1)
})

describe('the source files', () => {
  test('stay short: only tables of data pass 220 lines', () => {
    const long = [...sources, ...packaged].filter(({ text }) => linesBesideTable(text) > 220)
    expect(
      long.map(({ path }) => path),
      'move one idea of each file to a file of its own',
    ).toEqual([])
  })

  test('are measured without their largest table, which a split would only hide', () => {
    const rows = Array.from({ length: 300 }, (_, at) => `  a${at}: ${at},`).join('\n')
    expect(linesBesideTable(`const A = 1\nexport const B = {\n${rows}\n} as const\n`)).toBe(2)
    expect(linesBesideTable(`export function b() {\n${rows}\n}\n`)).toBe(303)
  })
})

/** The lines of a source beside its largest constant. */
function linesBesideTable(text: string): number {
  const linesOf = (part: string) => part.split('\n').length
  const tables = text.match(/^(?:export )?const \w+[^\n(]*[[{]\n[\s\S]*?^[\]}][^\n]*$/gm) ?? []
  return linesOf(text) - Math.max(0, ...tables.map(linesOf))
}
