// Sums the reports the test runs left in a folder and prints one line; fails where nothing ran or something failed.
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'

interface Report {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly numPendingTests: number
  /** False also where a file failed before its first test. */
  readonly success: boolean
}

const folder = process.argv[2] ?? 'ci-output'
let passed = 0
let failed = 0
let skipped = 0
const unsound: string[] = []
for (const file of globSync(`${folder}/*.tests.json`)) {
  const report = JSON.parse(readFileSync(file, 'utf8')) as Report
  passed += report.numPassedTests
  failed += report.numFailedTests
  skipped += report.numPendingTests
  if (!report.success) unsound.push(basename(file, '.tests.json'))
}
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`)
if (unsound.length > 0) console.log(`failed: ${unsound.join(', ')}`)
if (passed === 0 || unsound.length > 0) process.exitCode = 1
