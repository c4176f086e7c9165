/**
 * Every fenced block of README.md and docs/*.md is run against the sandbox, or says why it is not.
 *
 * Marks, as HTML comments before a block: `needs the outside world: <why>`, `run by scripts/walk-readme.sh` and `tried on two
 * chains`, by going-live.test.ts (not run here), `named: <name>` and `goes on below: <name>` (programs in parts, also across
 * pages), `says: <text>` (part of what a program prints), `prints` (what the block before it prints).
 */
import { spawnSync } from 'node:child_process'
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseYaml } from '@redocly/openapi-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { outcomeOf, ROOT } from '../support/command.ts'
import { type Block, blocksIn, markOf } from '../support/markdown-blocks.ts'
import { startTestService, type TestService } from '../support/sandbox-service.ts'
import { scratchDir } from '../support/service-process.ts'

const WRITTEN_FOR = 'http://127.0.0.1:4021'
const NOT_RUN = ['needs the outside world', 'run by scripts/walk-readme.sh', 'tried on two chains']

const pages = ['README.md', ...globSync('docs/*.md', { cwd: ROOT }).sort()].map((path) => {
  const text = readFileSync(join(ROOT, path), 'utf8')
  return { path, text, blocks: blocksIn(text) }
})

let service: TestService
/** Below the project, so that what a program imports is found. */
const workshop = join(ROOT, '.data', `snippets-${process.pid}`)
const scratch = scratchDir()
beforeAll(async () => {
  mkdirSync(workshop, { recursive: true })
  service = await startTestService()
})
afterAll(async () => {
  await service.stop()
  rmSync(workshop, { recursive: true, force: true })
  scratch.remove()
})

/** The text as it is meant for the service under test. */
const here = (text: string) =>
  text.replaceAll(WRITTEN_FOR, service.url).replaceAll(/format-checker buy\b/g, `$& --url ${service.url}`)

async function runShell({ text }: Block): Promise<string> {
  const { code, stdout, stderr } = await outcomeOf(['-e', '-c', here(text)], {
    program: '/bin/sh',
    env: { HOME: scratch.path, npm_config_update_notifier: 'false' },
  })
  expect(code, stderr.join('\n')).toBe(0)
  return stdout.join('\n')
}

async function runProgram(block: Block, blocks: readonly Block[]): Promise<string> {
  const file = join(workshop, `${block.line}.${block.language === 'ts' ? 'ts' : 'mjs'}`)
  writeFileSync(file, wholeOf(block, blocks))
  const { code, stdout, stderr } = await outcomeOf([file])
  expect(code, stderr.join('\n')).toBe(0)
  return stdout.join('\n')
}

/** Puts the block it goes on below in front of a block. */
function wholeOf(block: Block, blocks: readonly Block[]): string {
  const below = markOf(block, 'goes on below')
  const all = [...blocks, ...pages.flatMap((page) => page.blocks)]
  const first = all.find((each) => below !== undefined && markOf(each, 'named') === below)
  expect(first === undefined, 'the block it goes on below').toBe(below === undefined)
  return here(`${first?.text ?? ''}\n${block.text}\n`)
}

/** Runs a program of another language, with what it says. */
async function runForeign(block: Block, program: string, args: readonly string[]): Promise<void> {
  const file = join(workshop, `${block.line}.${block.language}`)
  // PHP begins with its opening tag, not with an empty line.
  writeFileSync(file, here(block.text))
  const env = { HOME: scratch.path, GOCACHE: join(scratch.path, 'go'), GO111MODULE: 'off' }
  const { code, stdout, stderr } = await outcomeOf([...args, file], { program, env })
  expect(code, stderr.join('\n')).toBe(0)
  expect(stdout.join('\n')).toContain(markOf(block, 'says'))
}

/** Languages that a contributor's machine may lack; CI has them all. */
const OPTIONAL = ['go', 'php']
const isMissing = (language: string): boolean =>
  OPTIONAL.includes(language) &&
  process.env.CI === undefined &&
  spawnSync(language, ['--help']).error !== undefined

/** Runs a program that needs Python's standard library only; of another the syntax is checked. */
async function runPython(block: Block, blocks: readonly Block[]): Promise<void> {
  const { line } = block
  const says = markOf(block, 'says')
  const file = join(workshop, `${line}.py`)
  writeFileSync(file, wholeOf(block, blocks))
  if (says !== undefined) {
    const { code, stdout, stderr } = await outcomeOf([file], { program: 'python3' })
    expect(code, stderr.join('\n')).toBe(0)
    expect(stdout.join('\n')).toContain(says)
    return
  }
  const args = ['-m', 'py_compile', file]
  const { code, stderr } = await outcomeOf(args, {
    program: 'python3',
    env: { PYTHONPYCACHEPREFIX: scratch.path },
  })
  expect(code, stderr.join('\n')).toBe(0)
}

async function post(url: string, headers: Record<string, string>, body: string): Promise<unknown> {
  const response = await fetch(url, { method: 'POST', headers, body })
  expect(response.status).toBe(200)
  return response.json()
}

/** As a host does with its configuration: it says hello to each server, and asks for the tools. */
async function useAsHost(json: string): Promise<void> {
  const { mcpServers } = JSON.parse(json) as { mcpServers: Record<string, { type: string; url: string }> }
  for (const { type, url } of Object.values(mcpServers)) {
    expect(type).toBe('http')
    const ask = (method: string, params: object) =>
      post(
        url,
        { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      )
    const hello = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'host', version: '1' },
    }
    expect(await ask('initialize', hello)).toMatchObject({
      result: { protocolVersion: hello.protocolVersion },
    })
    const { result } = (await ask('tools/list', {})) as { result: { tools: unknown[] } }
    expect(result.tools).toHaveLength(7)
  }
}

/** Sends a request line and headers with the JSON block that follows as its body. */
async function sendRequest({ text }: Block, next: Block | undefined): Promise<void> {
  const [request = '', ...lines] = text.split('\n')
  const [, path = ''] = /^POST (\/\S+)$/.exec(request) ?? []
  expect(path, 'a request line of POST and a path').not.toBe('')
  expect(next?.language, 'the body as a block of JSON').toBe('json')
  const headers = Object.fromEntries(lines.map((line) => line.split(/: (.*)/, 2) as [string, string]))
  const answer = await post(`${service.url}${path}`, headers, next?.text ?? '')
  expect(answer).toHaveProperty('result')
}

/** What may differ from run to run. */
const masked = (text: string) => text.replaceAll(/0x[0-9a-fA-F]{40,64}/g, '0x')

describe.each(pages)('$path', ({ blocks }) => {
  const named = blocks.map((block, at) => [`line ${block.line}, ${block.language}`, block, at] as const)

  test('has no block that nothing holds', () => {
    const known = ['sh', 'js', 'ts', 'json', 'http', 'py', 'go', 'php', 'yaml', 'text']
    expect(blocks.filter(({ language }) => !known.includes(language)).map(({ line }) => line)).toEqual([])
    for (const block of blocks) {
      for (const mark of NOT_RUN.slice(0, 1)) expect(markOf(block, mark), 'why').not.toBe('')
    }
  })

  const toRun = named.filter(([, block]) => NOT_RUN.every((mark) => markOf(block, mark) === undefined))
  for (const [name, block, at] of toRun) {
    test.skipIf(isMissing(block.language))(name, async () => {
      const next = blocks[at + 1]
      switch (block.language) {
        case 'sh': {
          const printed = await runShell(block)
          expect(printed).not.toBe('')
          if (next?.marks.includes('prints')) {
            expect(masked(printed)).toBe(masked(next.text))
          }
          return
        }
        case 'js':
        case 'ts':
          return expect(await runProgram(block, blocks)).toContain(markOf(block, 'says') ?? 'valid: true')
        case 'py':
          return runPython(block, blocks)
        case 'go':
          return runForeign(block, 'go', ['run'])
        case 'php':
          return runForeign(block, 'php', [])
        case 'http':
          return sendRequest(block, next)
        case 'json':
          return JSON.parse(block.text).mcpServers === undefined ? undefined : useAsHost(here(block.text))
        case 'yaml':
          return expect(parseYaml(block.text)).toBeTypeOf('object')
      }
    })
  }
})

describe('what is shown in several places', () => {
  test('README and docs/clients.md show the same programs', () => {
    const programsOf = (name: string) =>
      pages
        .find(({ path }) => path === name)
        ?.blocks.filter(({ language }) => language === 'js')
        .map(({ text }) => text) ?? []
    for (const program of programsOf('README.md')) expect(programsOf('docs/clients.md')).toContain(program)
  })

  test('the walk through README follows every block it leaves to it', () => {
    const walk = readFileSync(join(ROOT, 'scripts/walk-readme.sh'), 'utf8')
    const left = pages.flatMap(({ path, blocks }) =>
      blocks.filter((block) => markOf(block, 'run by scripts/walk-readme.sh') !== undefined).map(() => path),
    )
    expect(left).toEqual(['README.md'])
    expect(walk).toContain('block sh 1')
  })
})
