import { statSync } from 'node:fs'

/**
 * Keeps in mind which files are open; the function it returns throws once another file, or none, has their names. What
 * is written to a file that was removed or replaced below the process is gone when the process ends.
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
