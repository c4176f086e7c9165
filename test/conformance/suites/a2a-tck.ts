/**
 * The A2A protocol's own test kit, whose unpacked folder an argument names: `--tck FOLDER`.
 *
 * The kit sends plain text to an agent that answers everything at once, so a proxy makes its text into an order, and shows an
 * order that waits for its payment as working. What the kit wants and the specification leaves open is in a2a-tck-open.json:
 * a failure that is not in it fails the trial, and so does an entry that passes.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { membersIn } from '../../../scripts/a2a-members.ts'
import type { Trial } from '../target.ts'
import open from './a2a-tck-open.json' with { type: 'json' }

const PYTHON = '/usr/bin/python3'
const HANGING_MS = 600_000
const X402 = 'https://github.com/google-agentic-commerce/a2a-x402/blob/main/spec/v0.2'
const ORDER = { skill: 'iban', input: { value: 'DE89 3704 0044 0532 0130 00' } }

interface Request {
  readonly method?: unknown
  readonly params?: {
    readonly message?: { parts?: readonly { readonly text?: unknown }[]; taskId?: unknown }
  }
}

/** The request with an order in place of its text, if it is a first message of text alone. */
function ordered(body: string): string {
  const request = ((): Request | null => {
    try {
      return JSON.parse(body)
    } catch {
      return null
    }
  })()
  const message = request?.params?.message
  const isText = message?.parts?.every?.((part) => typeof part?.text === 'string' && part.text !== '')
  if (request === null || message === undefined || !isText || message.parts?.length === 0 || message.taskId)
    return body
  const kind = String(request.method).includes('/') ? { kind: 'data' } : {}
  const params = { ...request.params, message: { ...message, parts: [{ ...kind, data: ORDER }] } }
  return JSON.stringify({ ...request, params })
}

const WAITS = 'TASK_STATE_INPUT_REQUIRED'
const WORKS = 'TASK_STATE_WORKING'

async function startProxy(origin: string): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    try {
      const body = ordered((await buffer(request)).toString())
      const path = request.method === 'POST' && request.url === '/' ? '/a2a' : (request.url ?? '')
      const { host: _, 'content-length': __, connection: ___, ...headers } = request.headers
      const answer = await fetch(origin + path, {
        method: request.method ?? 'GET',
        headers: {
          ...(headers as Record<string, string>),
          'accept-encoding': 'identity',
          'a2a-extensions': X402,
        },
        ...(request.method === 'POST' ? { body: body.replaceAll(WORKS, WAITS) } : {}),
        redirect: 'manual',
      })
      const text = (await answer.text()).replaceAll(WAITS, WORKS).replaceAll(origin, url)
      const type = answer.headers.get('content-type')
      response.writeHead(answer.status, type === null ? {} : { 'content-type': type }).end(text)
    } catch {
      response.destroy()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The outcomes of the kit's tests, by name. */
async function runKit(folder: string, url: string): Promise<ReadonlyMap<string, string>> {
  const modules = await mkdtemp(join(tmpdir(), 'tck-'))
  try {
    // The kit imports a package that it does not use over JSON-RPC.
    await mkdir(join(modules, 'grpc_status'))
    await writeFile(join(modules, 'grpc_status', 'rpc_status.py'), '')
    const kit = spawn(
      PYTHON,
      [
        ...['-m', 'pytest', 'tests/mandatory', 'tests/optional', `--sut-url=${url}`, '--test-scope=all'],
        ...['--tb=no', '-q', '-p', 'no:cacheprovider', '-rA'],
      ],
      {
        cwd: folder,
        env: { ...process.env, PYTHONPATH: modules, PYTHONDONTWRITEBYTECODE: '1', NO_COLOR: '1' },
        stdio: ['ignore', 'pipe', 'inherit'],
        timeout: HANGING_MS,
      },
    )
    const said = (await buffer(kit.stdout)).toString()
    const outcomes = [...said.matchAll(/^(PASSED|FAILED|ERROR) (tests\/\S+::\S+)/gm)]
    if (outcomes.length === 0) throw new Error(`the kit did not run:\n${said.slice(-2000)}`)
    return new Map(outcomes.map(([, outcome = '', name = '']) => [name, outcome]))
  } finally {
    await rm(modules, { recursive: true, force: true })
  }
}

/** `folder`: of the unpacked kit; without it the trials are skipped. */
export const tckTrials = (folder: string | undefined): readonly Trial[] => {
  const trial = (name: string, run: (folder: string, origin: string) => Promise<void>): Trial => ({
    name,
    ...(folder === undefined ? { lacks: '--tck FOLDER' } : {}),
    run: ({ origin }) => run(folder ?? '', origin),
  })
  return [
    trial('A2A TCK 410ba92 holds but for what the specification leaves open', async (kit, origin) => {
      const proxy = await startProxy(origin)
      try {
        const outcomes = await runKit(kit, proxy.url)
        const failed = [...outcomes].filter(([, outcome]) => outcome !== 'PASSED').map(([name]) => name)
        const listed = open.flatMap(({ tests }) => tests)
        assert.deepEqual(failed.toSorted(), listed.toSorted())
      } finally {
        await proxy.stop()
      }
    }),
    trial('the table of A2A members is that of the kit’s a2a.proto', async (kit) => {
      const table = new URL('../../../src/surfaces/a2a/request/members.generated.json', import.meta.url)
      const proto = await readFile(join(kit, 'current_spec', 'a2a.proto'), 'utf8')
      assert.deepEqual(membersIn(proto), JSON.parse(await readFile(table, 'utf8')))
    }),
  ]
}
