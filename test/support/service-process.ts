import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Hex } from 'viem'
import { MAIN, type Running, run } from './command.ts'

/** What /sandbox.json gives away. */
export interface SandboxFacts {
  readonly chainId: number
  readonly rpcUrl: string | null
  readonly facilitatorUrl: string
  readonly token: Hex
  readonly payTo: Hex
  readonly buyer: { readonly address: Hex; readonly privateKey: Hex }
}

/** The service as a process of its own, with a directory for everything temporary it makes. */
export interface ServiceProcess extends Running {
  readonly scratch: string
}

export interface ScratchDir {
  readonly path: string
  remove(): void
}

/** A directory of this test alone. */
export function scratchDir(): ScratchDir {
  const path = mkdtempSync(join(tmpdir(), 'format-checker-e2e-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** Starts the service on a free port; `nodeArgs` stand before it. */
export function startProcess(
  scratch: string,
  env: Readonly<Record<string, string>> = {},
  nodeArgs: readonly string[] = [],
): ServiceProcess {
  const running = run([...nodeArgs, MAIN], {
    env: { PORT: '0', TMPDIR: scratch, LOG_LEVEL: 'warn', ...env },
  })
  return { ...running, scratch }
}

const FIRST_SALE = /^first paid check: (.*), paid 0\.001 USDC in transaction (0x[0-9a-f]{64})$/

/** Waits for the end of the start: its address, the first sale as it was printed, and what it gives away. */
export async function started(service: Running) {
  const [, url = ''] = await service.line(/^ {2}service +(http:\/\/127\.0\.0\.1:[0-9]+)$/)
  const [, verdict = '', transaction = ''] = await service.line(FIRST_SALE)
  const facts = (await (await fetch(`${url}/sandbox.json`)).json()) as SandboxFacts
  return { url, verdict, transaction: transaction as Hex, facts }
}
