/**
 * Lighthouse over pages of a sandbox, five times each, with the browser of the suite and simulated throttling of a phone:
 *
 *   npm ci --ignore-scripts --prefix test/lighthouse && node test/lighthouse/run.ts [--runs 5] [--write] [path …]
 *
 * Prints the medians and the audits that are not whole; ends non-zero if one is below its goal. No step of CI needs it.
 */
import { execFile } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs, promisify } from 'node:util'
import { parse } from 'csv-parse/sync'
import { median } from '../../bench/median.ts'
import { csvTable } from '../../scripts/csv-table.ts'
import { startSandbox } from '../conformance/sandbox.ts'

/** Percent. */
const GOALS = { performance: 95, accessibility: 100, seo: 100 } as const
type Category = keyof typeof GOALS
const CATEGORIES = Object.keys(GOALS) as Category[]
const PAGES = ['/', '/lists', '/checks/iban', '/docs', '/docs/how-it-works', '/status']
/** Of the suite (test/browser/browser.ts). */
const BROWSER = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((path) => existsSync(path))
const CLI = new URL('node_modules/lighthouse/cli/index.js', import.meta.url).pathname
const REPORT = new URL('../../docs/evidence/lighthouse.csv', import.meta.url)

interface Report {
  readonly categories: Readonly<
    Record<
      Category,
      {
        readonly score: number
        readonly auditRefs: readonly { readonly id: string; readonly weight: number }[]
      }
    >
  >
  /** How fast the machine was: a laptop has some 1,500, and simulated figures are worse on a busy one. */
  readonly environment: { readonly benchmarkIndex: number }
  readonly audits: Readonly<Record<string, { readonly score: number | null; readonly displayValue?: string }>>
}

const { values, positionals } = parseArgs({
  options: { runs: { type: 'string', default: '5' }, write: { type: 'boolean', default: false } },
  allowPositionals: true,
})

async function reportOf(url: string): Promise<Report> {
  const args = [CLI, url, '--output=json', '--quiet', `--only-categories=${CATEGORIES.join(',')}`]
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...args, '--chrome-flags=--headless --no-sandbox --disable-gpu'],
    { env: { ...process.env, CHROME_PATH: BROWSER ?? '' }, maxBuffer: 2 ** 26 },
  )
  return JSON.parse(stdout)
}

/** What takes points, in any of the runs. */
const lost = (reports: readonly Report[]) =>
  new Set(
    reports.flatMap(({ categories, audits }) =>
      CATEGORIES.flatMap((category) =>
        categories[category].auditRefs
          .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 0.9)
          .map(({ id }) => `${id} ${audits[id]?.displayValue ?? ''}`.trim()),
      ),
    ),
  )

const rows: string[][] = []
const sandbox = await startSandbox()
try {
  for (const path of positionals.length > 0 ? positionals : PAGES) {
    const reports: Report[] = []
    for (let run = 0; run < Number(values.runs); run += 1)
      reports.push(await reportOf(`${sandbox.origin}${path}`))
    const scores = CATEGORIES.map((category) =>
      Math.round(100 * median(reports.map(({ categories }) => categories[category].score))),
    )
    const speed = Math.round(median(reports.map(({ environment }) => environment.benchmarkIndex)))
    console.log(
      path,
      CATEGORIES.map((category, at) => `${category} ${scores[at]}`).join(', '),
      `machine ${speed}`,
      ...lost(reports),
    )
    rows.push([path, ...scores.map(String), [...lost(reports)].join('; '), String(speed)])
  }
} finally {
  await sandbox.stop()
}
if (values.write) {
  const day = new Date().toISOString().slice(0, 10)
  const heads = ['page', ...CATEGORIES, 'audits below 90', 'speed of the machine', 'day']
  const measured = rows.map((row) => [...row, day])
  const kept = existsSync(REPORT) ? parse(readFileSync(REPORT, 'utf8'), { fromLine: 2 }) : []
  const others = (kept as string[][]).filter(([page]) => !rows.some(([path]) => path === page))
  writeFileSync(REPORT, csvTable(heads, [...others, ...measured].toSorted()))
}
const missed = rows.some((row) => CATEGORIES.some((category, at) => Number(row[at + 1]) < GOALS[category]))
process.exitCode = missed ? 1 : 0
