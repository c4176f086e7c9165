/**
 * Loaded before our service: SQLite flushes each commit by itself (`synchronous = FULL`), on the event loop, and ours flushes
 * nothing. What the flush of our own is worth shows beside it.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import Database from 'better-sqlite3'

const { pragma } = Database.prototype
Database.prototype.pragma = function (this: Database.Database, source, options) {
  return pragma.call(this, source.replace('synchronous = NORMAL', 'synchronous = FULL'), options)
}

fs.fdatasyncSync = () => {}
const fdatasync = (_file: number, done: fs.NoParamCallback) => setImmediate(done, null)
fs.fdatasync = Object.assign(fdatasync, { __promisify__: fs.fdatasync.__promisify__ })
syncBuiltinESMExports()
