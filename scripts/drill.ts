// Plays what the runbook describes against parts of this machine, and says pass or fail: `npm run drill -- restore`, or
// `npm run drill -- update` from this version to one with made-up migrations and back, or `npm run drill -- update v1.2.0`
// from the store of a released version first, with both running.
// Nothing of a live service is read or touched. Exit code 1 if the drill failed.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs')

/** The tests that play each drill. */
const DRILLS: Readonly<Record<string, readonly string[]>> = {
  restore: ['test/e2e/rehearse-restore.test.ts', 'test/payments/recovery/older-backup.test.ts'],
  rotate: ['test/e2e/rotation.test.ts', 'test/app/keys/secret-key.test.ts'],
  // Needs the programs of PostgreSQL.
  failover: ['test/postgres/lagging-standby.test.ts', 'test/postgres/sales.test.ts'],
  update: ['test/faults/rolling-restart.test.ts'],
  pause: [
    'test/e2e/live-node.test.ts',
    'test/main/live/self-settling.test.ts',
    'test/main/live/signer.test.ts',
  ],
}

interface Report {
  readonly testResults: readonly {
    readonly message: string
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[]
  }[]
}

const [name = '', version] = process.argv.slice(2)
const files = DRILLS[name]
if (files === undefined || (name !== 'update' && version !== undefined)) {
  console.error(
    `usage: npm run drill -- ${Object.keys(DRILLS).join('|')} [released VERSION before an update]`,
  )
  process.exitCode = 2
} else {
  const passed = version === undefined ? play(files) : playFrom(version, files)
  console.log(`${name}: ${passed ? 'pass' : 'fail'}`)
  process.exitCode = passed ? 0 : 1
}

/** Whether a tag or commit is the first release or a later version; a store of anything else cannot be brought forward. */
function isReleased(commit: string): boolean {
  const git = (...args: string[]) => spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' })
  const [first = ''] = git('tag', '--list', 'v*', '--sort=version:refname').stdout.split('\n')
  return first !== '' && git('merge-base', '--is-ancestor', first, commit).status === 0
}

/** Plays with the code of a tag or commit as the version that is updated. */
function playFrom(commit: string, names: readonly string[]): boolean {
  if (!isReleased(commit)) {
    console.error(
      `"${commit}" is not a released version: a store from before the first release is refused. ` +
        'Without a version, `npm run drill -- update` updates this one and goes back.',
    )
    return false
  }
  const clone = mkdtempSync(join(tmpdir(), 'format-checker-version-'))
  const options = { cwd: clone, stdio: ['ignore', 'ignore', 'inherit'] as 'inherit'[] }
  try {
    execFileSync('git', ['clone', '--quiet', ROOT, '.'], options)
    execFileSync('git', ['checkout', '--quiet', commit], options)
    execFileSync('npm', ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'], options)
  } catch {
    rmSync(clone, { recursive: true, force: true })
    console.error(`"${commit}" cannot be installed: it must be a tag or commit of this repository`)
    return false
  }
  try {
    return play(names, { PREVIOUS_VERSION: clone })
  } finally {
    rmSync(clone, { recursive: true, force: true })
  }
}

function play(names: readonly string[], env: Readonly<Record<string, string>> = {}): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'format-checker-drill-'))
  const file = join(folder, 'report.json')
  try {
    const run = spawnSync(
      process.execPath,
      [VITEST, 'run', ...names, '--reporter=json', `--outputFile=${file}`],
      {
        cwd: ROOT,
        env: { ...process.env, ...env },
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    )
    const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as Report
    for (const { message, assertionResults } of testResults) {
      if (message !== '') console.log(message)
      for (const { status, fullName } of assertionResults) console.log(`${status.padEnd(7)} ${fullName}`)
    }
    return run.status === 0 && testResults.length === names.length
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
