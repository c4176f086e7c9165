/** Loaded before the service: notes when each step of a sale begins and ends, and tells it to who asks. */
import fs from 'node:fs'
import http from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import Database from 'better-sqlite3'

const stamps: (readonly [step: string, ms: number])[] = []
const stamp = (step: string) => void stamps.push([step, performance.now()])

const { emit } = http.Server.prototype
http.Server.prototype.emit = function (this: http.Server, ...event: [string, ...unknown[]]) {
  if (event[0] === 'request') stamp('request')
  return emit.apply(this, event as never)
} as typeof emit

const { end } = http.ServerResponse.prototype
http.ServerResponse.prototype.end = function (this: http.ServerResponse, ...given: unknown[]) {
  const ended = end.apply(this, given as never)
  stamp('answered')
  return ended
} as typeof end

const { end: send, emit: hear } = http.ClientRequest.prototype
http.ClientRequest.prototype.end = function (this: http.ClientRequest, ...given: unknown[]) {
  stamp('asked')
  return send.apply(this, given as never)
} as typeof send
http.ClientRequest.prototype.emit = function (this: http.ClientRequest, ...event: [string, ...unknown[]]) {
  if (event[0] === 'response') stamp('told')
  return hear.apply(this, event as never)
} as typeof hear

const { prepare } = Database.prototype
Database.prototype.prepare = function (this: Database.Database, sql: string) {
  const statement = prepare.call(this, sql)
  const step = { 'begin immediate': 'transaction', commit: 'committed' }[sql]
  if (step === undefined) return statement
  const run = statement.run.bind(statement) as () => Database.RunResult
  statement.run = () => {
    const ran = run()
    stamp(step)
    return ran
  }
  return statement
} as typeof prepare

const { fdatasync, fdatasyncSync } = fs
fs.fdatasyncSync = (file) => {
  fdatasyncSync(file)
  stamp('flushed')
}
const beside = (file: number, done: fs.NoParamCallback) =>
  fdatasync(file, (error) => {
    stamp('flushed')
    done(error)
  })
fs.fdatasync = Object.assign(beside, { __promisify__: fdatasync.__promisify__ })
syncBuiltinESMExports()

process.on('message', () => process.send?.(stamps.splice(0)))
