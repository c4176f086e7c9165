import { homedir, userInfo } from 'node:os'
import { join } from 'node:path'

/** The path of a file in the user's state directory. An empty HOME counts as unset. */
export const stateFile = (...names: readonly string[]): string =>
  join(homedir() || userInfo().homedir, '.local', 'state', 'format-checker', ...names)
