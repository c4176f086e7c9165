import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Installs the peer libraries by their lock file, where they are missing. */
export function installPeers(): void {
  const folder = fileURLToPath(new URL('.', import.meta.url))
  if (existsSync(new URL('node_modules', import.meta.url))) return
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) throw new Error('the peers could not be installed')
}
