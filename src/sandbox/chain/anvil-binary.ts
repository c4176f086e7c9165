import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/**
 * Finds an anvil that runs on this machine: the one npm installed, else the one on PATH.
 *
 * Each is started once with --version, since the binary needs a C library that the machine may lack. Undefined if no
 * anvil runs.
 */
export function findAnvil(): string | undefined {
  return [installedAnvil(), 'anvil'].find((path) => path !== undefined && runs(path))
}

function installedAnvil(): string | undefined {
  try {
    const manifest = createRequire(import.meta.url).resolve('@foundry-rs/anvil-linux-amd64/package.json')
    return join(manifest, '..', 'bin', 'anvil')
  } catch {
    return undefined
  }
}

function runs(path: string): boolean {
  return spawnSync(path, ['--version'], { stdio: 'ignore', timeout: 5_000 }).status === 0
}
