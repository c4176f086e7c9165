import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { StartupError } from '../../catalog/startup-error.ts'

/** The package with anvil for this machine, if Foundry publishes one. */
const PACKAGE = `@foundry-rs/anvil-${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`

/**
 * Finds an anvil that runs: the one npm installed, else the one on PATH. Each is started once, since the machine may lack the
 * C library it needs. Throws {@link StartupError} if none runs.
 */
export function findAnvil(candidates: readonly (string | undefined)[] = [installedAnvil(), 'anvil']): string {
  const anvil = candidates.find((path) => path !== undefined && runs(path))
  if (anvil !== undefined) return anvil
  throw new StartupError(
    `the sandbox needs anvil, and none runs on this machine; "npm install --no-save ${PACKAGE}" or Foundry (https://getfoundry.sh) brings it`,
  )
}

function installedAnvil(): string | undefined {
  try {
    const manifest = createRequire(import.meta.url).resolve(`${PACKAGE}/package.json`)
    return join(manifest, '..', 'bin', process.platform === 'win32' ? 'anvil.exe' : 'anvil')
  } catch {
    return undefined
  }
}

function runs(path: string): boolean {
  return spawnSync(path, ['--version'], { stdio: 'ignore', timeout: 5_000 }).status === 0
}
