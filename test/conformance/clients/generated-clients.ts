/** Clients that generators make of `/openapi.json` compile under strict types, and buy. */
import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { runNode } from '../command.ts'
import type { Target, Trial } from '../target.ts'

const HERE = resolve(import.meta.dirname, '..')
const PACKAGES = join(HERE, 'node_modules')
const TSC = join(HERE, '../../node_modules/.bin/tsc')

/** Generates into a folder of its own beside the packages, compiles what buys with the result, and buys. */
async function buyWith(
  target: Target,
  program: string,
  generate: (folder: string) => readonly string[],
): Promise<void> {
  const folder = mkdtempSync(join(HERE, '.generated-'))
  try {
    cpSync(join(import.meta.dirname, 'generated'), folder, { recursive: true })
    const document = await (await fetch(`${target.origin}/openapi.json`)).text()
    writeFileSync(join(folder, 'openapi.json'), document)
    await run(generate(folder))
    const rules = { extends: '../../../tsconfig.json', files: [program], include: [] }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(rules))
    await run([TSC, '--project', folder])
    const env = { SERVICE: target.origin, BUYER_KEY: target.privateKey }
    const { codes, valid } = JSON.parse(await run([join(folder, program)], env))
    assert.deepEqual([codes, valid], [['ok', 'ok', 'invalid_character'], 2])
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function run(args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const { exitCode, stdout, stderr } = await runNode(args, { env })
  assert.equal(exitCode, 0, stdout + stderr)
  return stdout
}

export const generatedTrials: readonly Trial[] = [
  {
    name: 'openapi-typescript 7.13.0 and openapi-fetch 0.17.0: the client compiles under strict types and buys',
    run: (target) =>
      buyWith(target, 'buy-openapi-fetch.ts', (folder) => [
        join(PACKAGES, 'openapi-typescript/bin/cli.js'),
        join(folder, 'openapi.json'),
        ...['-o', join(folder, 'schema.ts')],
      ]),
  },
  {
    name: 'orval 8.38.0: the client compiles under strict types and buys',
    run: (target) =>
      buyWith(target, 'buy-orval.ts', (folder) => {
        const output = { target: join(folder, 'orval.ts'), client: 'fetch', baseUrl: target.origin }
        const config = { checks: { input: join(folder, 'openapi.json'), output } }
        writeFileSync(join(folder, 'orval.config.mjs'), `export default ${JSON.stringify(config)}`)
        return [join(PACKAGES, 'orval/dist/bin/orval.mjs'), '--config', join(folder, 'orval.config.mjs')]
      }),
  },
  {
    name: 'spectral 6.16.3 has nothing to say of /openapi.json',
    async run({ origin }) {
      const folder = mkdtempSync(join(HERE, '.generated-'))
      try {
        writeFileSync(join(folder, 'ruleset.yaml'), 'extends: ["spectral:oas"]\n')
        const spectral = join(PACKAGES, '@stoplight/spectral-cli/dist/index.js')
        const rules = ['--ruleset', join(folder, 'ruleset.yaml'), '--fail-severity', 'hint']
        await run([spectral, 'lint', `${origin}/openapi.json`, ...rules])
      } finally {
        rmSync(folder, { recursive: true })
      }
    },
  },
]
