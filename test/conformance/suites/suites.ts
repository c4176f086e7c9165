/**
 * The published conformance suites of the protocol.
 *
 * The baselines hold the scenarios that need tools made for the suite (`test_simple_text` and the like), or features
 * this server does not declare; everything else has to pass, and an entry that passes fails the run.
 */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runNode } from '../command.ts'
import type { Trial } from '../target.ts'

function suite(name: string, pkg: string, baseline: string, args: readonly string[]): Trial {
  return {
    name: `${name} holds but for its baseline`,
    async run({ url }) {
      const out = await mkdtemp(join(tmpdir(), 'conformance-'))
      const { exitCode, stdout, stderr } = await runNode([
        `node_modules/${pkg}/dist/index.js`,
        'server',
        '--url',
        url,
        ...args,
        '--expected-failures',
        `suites/${baseline}`,
        '--output-dir',
        out,
      ])
      await rm(out, { recursive: true, force: true })
      assert.equal(exitCode, 0, stdout.slice(-6000) + stderr.slice(-2000))
    },
  }
}

export const suiteTrials: readonly Trial[] = [
  suite('conformance 0.1.16', 'conformance-0.1', 'baseline-0.1.yml', ['--suite', 'active']),
  suite('conformance 0.2.0-alpha.12, 2026-07-28', 'conformance-0.2', 'baseline-2026-07-28.yml', [
    '--requirements',
    '2026-07-28',
  ]),
  suite('conformance 0.2.0-alpha.12, 2025-11-25', 'conformance-0.2', 'baseline-2025-11-25.yml', [
    '--requirements',
    '2025-11-25',
  ]),
  suite('conformance 0.2.0-alpha.12, 2025-06-18', 'conformance-0.2', 'baseline-2025-06-18.yml', [
    '--spec-version',
    '2025-06-18',
  ]),
]
