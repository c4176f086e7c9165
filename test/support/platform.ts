import { existsSync } from 'node:fs'

const isWindows = process.platform === 'win32'

/** What this machine lacks. A test of it begins with `test.skipIf`, so that it counts as skipped there. */
export const LACKS = {
  /** Modes of files: `chmod` protects nothing. */
  modes: isWindows,
  /** Signals that a program can handle: SIGTERM ends it at once. */
  signals: isWindows,
  unixSockets: isWindows,
  /** A POSIX shell, and scripts that name their interpreter. */
  shell: isWindows,
  proc: !existsSync('/proc/self/cmdline'),
  /** A device that takes nothing, as a full disk. */
  fullDevice: !existsSync('/dev/full'),
} as const
