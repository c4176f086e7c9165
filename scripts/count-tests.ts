// Sums the reports the test runs left in a folder and prints one line; fails where nothing ran or something failed.
import { globSync, readFileSync } from 'node:fs'

interface Report {
  readonly numPassedTests: number
  readonly numFailedTests: number
}

const folder = process.argv[2] ?? 'ci-output'
let passed = 0
let failed = 0
for (const file of globSync(`${folder}/*.tests.json`)) {
  const report = JSON.parse(readFileSync(file, 'utf8')) as Report
  passed += report.numPassedTests
  failed += report.numFailedTests
}
console.log(`${passed} passed, ${failed} failed`)
if (passed === 0 || failed > 0) process.exitCode = 1
