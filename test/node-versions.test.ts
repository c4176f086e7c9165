/** What is said of Node comes from package.json: the documents, the line before the start, and the packed command. */
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './support/command.ts'

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const { engines, devDependencies } = JSON.parse(read('package.json'))
const [least = ''] = /[\d.]+/.exec(engines.node) ?? []
const [brought = ''] = devDependencies.node.split('.')
/** Of the packed command, which needs no TypeScript. */
const [, ofCommand = ''] = /OLDEST = \[([\d, ]+)\]/.exec(read('scripts/pack.ts')) ?? []

test('README names the least Node of the service and the one that npm ci brings', () => {
  expect(read('README.md')).toContain(`brings Node ${brought},`)
  expect(read('README.md').replaceAll('\n', ' ')).toContain(`your own must be Node ${least} or newer`)
})

test.each([
  [`${Number.parseInt(least, 10) - 1}.99.0`, 1],
  [`${least}.0`, 0],
])('the line before the start, on Node %s', (version, code) => {
  const { status, stderr } = spawnSync(
    process.execPath,
    [
      '-e',
      `Object.defineProperty(process.versions, 'node', { value: '${version}' }); require('./bin/check-node.js')`,
    ],
    { cwd: ROOT, encoding: 'utf8' },
  )
  expect(status).toBe(code)
  expect(stderr.includes(`format-checker needs Node ${least} or newer, and this is ${version}`)).toBe(
    code === 1,
  )
})

test('no page names another Node', () => {
  const pages = globSync(['*.md', 'docs/*.md', 'packages/*/README.md'], { cwd: ROOT })
  const named = pages.flatMap((path) => read(path).match(/(?<=Node )\d+\.\d+/g) ?? [])
  expect(named.length).toBeGreaterThan(3)
  expect(new Set(named)).toEqual(new Set([least, ofCommand.replace(', ', '.')]))
})
