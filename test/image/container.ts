import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, type Running, run } from '../support/command.ts'

const CACHE = join(ROOT, 'node_modules/.cache/image')

/** Builds the image and returns the folder of its files. */
export const buildImage = (): string =>
  execFileSync(join(ROOT, 'test/image/build.sh'), [CACHE], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
    .trim()
    .split('\n')
    .at(-1) as string

export const removeContainers = () =>
  execFileSync(
    'buildah',
    ['--root', join(CACHE, 'storage'), '--runroot', join(CACHE, 'run'), 'rm', '--all'],
    {
      stdio: 'ignore',
    },
  )

/** What the Dockerfile runs: the service, and the question for its health. */
const dockerfile = readFileSync(join(ROOT, 'Dockerfile'), 'utf8')
export const COMMAND = JSON.parse(/^CMD (\[.*\])$/m.exec(dockerfile)?.[1] ?? '[]') as string[]
export const HEALTH = JSON.parse(/^ {2}CMD (\[.*\])$/m.exec(dockerfile)?.[1] ?? '[]') as string[]

/** A volume of limited size that belongs to the user of the image. */
export function mountVolume(path: string, megabytes: number): () => void {
  mkdirSync(path)
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,uid=1000,gid=1000,mode=700`, 'tmpfs', path])
  return () => void execFileSync('umount', ['--lazy', path])
}

/** The root read-only, but for /data, /tmp and the kernel's folders; then user 1000 without a way to more rights. */
const ENTER = `set -e
mount --make-rprivate /
mount --bind "$1" "$1"
mount -t proc proc "$1/proc"
mount --bind /dev "$1/dev"
mount -t tmpfs -o size=16m tmpfs "$1/tmp"
mount --bind "$2" "$1/data"
mount -o remount,bind,ro "$1"
root=$1; shift 2
exec chroot --userspec=1000:1000 --groups=1000 "$root" /usr/bin/setpriv --no-new-privs sh -c 'cd /app && exec "$@"' sh "$@"`

/** Runs a command in the image; what runs has the number of the process that is returned. */
export const runInImage = (
  image: string,
  volume: string,
  command: readonly string[],
  settings: Readonly<Record<string, string>>,
): Running =>
  run(['--mount', 'sh', '-c', ENTER, 'sh', image, volume, ...command], {
    program: 'unshare',
    env: {
      PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      NODE_COMPILE_CACHE: '',
      ...settings,
    },
  })
