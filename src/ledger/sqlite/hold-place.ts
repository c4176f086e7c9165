import { statSync } from 'node:fs'

/**
 * The function throws if one of these open files was removed or replaced since: writes to it are lost when the process
 * ends.
 */
export function holdPlace(...paths: readonly string[]): () => void {
  const identify = (path: string) => {
    const found = statSync(path, { throwIfNoEntry: false })
    return found && `${found.dev} ${found.ino}`
  }
  const opened = paths.map((path) => [path, identify(path)] as const)
  return () => {
    for (const [path, identity] of opened)
      if (identify(path) !== identity)
        throw new Error(`${path} was removed or replaced below the running process`)
  }
}
