// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are pieces of source code
/** One seeded bug: the text that is replaced once in a file of `src`, and what stands there then. */
export interface Mutant {
  readonly file: string
  readonly from: string
  readonly to: string
  /** The bug in words. */
  readonly what: string
  /** The ordinary test that fails on it, if neither model nor simulation sees it. */
  readonly test?: string
  /** Why it changes nothing that can be observed. */
  readonly equivalent?: string
}

type Otherwise = Pick<Mutant, 'test' | 'equivalent'>

const SALE = 'payments/sale/'
const TABLE = `${SALE}table/sale-table.ts`
const RECORD = `${SALE}settle/record-outcome.ts`
const CLAIM = `${SALE}claim/claim-payment.ts`
const REUSE = `${SALE}claim/reuse-earlier-payment.ts`
const SETTLE = `${SALE}settle/settle-payment.ts`
const FENCE = `${SALE}claim/fence.ts`
const OBSERVE = `${SALE}replay/observe-payment.ts`
const JUDGE_REPEAT = `${SALE}limits/judge-repeat.ts`
const RUN = `${SALE}table/run-sale.ts`
const READ = `${SALE}settle/read-chain.ts`
const OUTCOME = `${SALE}table/settle-outcome.ts`
const WINDOW = `${SALE}purchase/replay-window.ts`
const RESOLVE = 'payments/recovery/resolve.ts'
const RECONCILE = 'payments/recovery/reconcile.ts'
const PAYMENTS = 'ledger/statements/payments.ts'
const LISTS = 'ledger/statements/payment-lists.ts'
const UNSETTLED = 'ledger/statements/unsettled-rows.ts'
const TASKS = 'ledger/statements/tasks.ts'
const CLAIMS = 'ledger/statements/claim.ts'
const CHARGE = 'payments/channels/charge/charge-course.ts'
const WRITE_CHARGE = 'payments/channels/charge/write-charge.ts'
const OBSERVE_VOUCHER = 'payments/channels/charge/observe-voucher.ts'
const CHANNEL_BALANCE = 'payments/channels/channel-balance.ts'
const LAND_DEPOSIT = 'payments/channels/deposits/land-deposit.ts'
const RESOLVE_DEPOSIT = 'payments/channels/deposits/resolve-deposit.ts'
const REFUND = 'payments/channels/refunds/refund-channel.ts'
const EXPOSURE = 'payments/channels/claims/exposure.ts'
const CHANNELS = 'ledger/statements/channels.ts'

/** Bugs in the code that moves money: a dropped guard, a widened comparison, a skipped write, a lost await. */
const LIST: readonly (readonly [
  file: string,
  from: string,
  to: string,
  what: string,
  otherwise?: Otherwise,
])[] = [
  // The table of the sale.
  [
    TABLE,
    "    accepted: 'record',\n    not_sent: 'let_go',",
    "    accepted: 'say_in_doubt',\n    not_sent: 'let_go',",
    'an accepted settlement is recorded as in doubt',
  ],
  [
    TABLE,
    "not_sent: 'let_go'",
    "not_sent: 'mark_refused'",
    'a settlement that never left is recorded as refused',
  ],
  [
    TABLE,
    "not_sent: 'let_go'",
    "not_sent: 'say_in_doubt'",
    'a settlement that never left is recorded as in doubt',
  ],
  [
    SETTLE,
    "return event(outcome.byItsWord ? 'doubtful' : 'not_sent', row)",
    "return event(outcome.byItsWord ? 'not_sent' : 'not_sent', row)",
    `a facilitator's "not sent" is believed`,
  ],
  [
    SETTLE,
    "return event(outcome.byItsWord ? 'doubtful' : 'not_sent', row)",
    "return event(outcome.byItsWord ? 'refused' : 'not_sent', row)",
    `a facilitator's "not sent" is recorded as a refusal`,
  ],
  [
    TABLE,
    "    refused: 'mark_refused',",
    "    refused: 'let_go',",
    'a refusal is released as if nothing had been sent',
  ],
  [
    TABLE,
    "    refused: 'mark_refused',",
    "    refused: 'read_chain',",
    'a refusal for a reason that proves it is not believed',
  ],
  [
    TABLE,
    "    doubtful: 'read_chain',\n    unused: 'weigh_refusal'",
    "    doubtful: 'mark_refused',\n    unused: 'weigh_refusal'",
    'an unknown outcome is recorded as a refusal',
  ],
  [
    TABLE,
    "    doubtful: 'read_chain',\n    unused: 'weigh_refusal'",
    "    doubtful: 'let_go',\n    unused: 'weigh_refusal'",
    'an unknown outcome is released as not sent',
  ],
  [
    TABLE,
    "unused: 'weigh_refusal'",
    "unused: 'mark_refused'",
    'an authorization that is unused after a doubtful reply counts as refused',
  ],
  [
    TABLE,
    "unused: 'weigh_refusal'",
    "unused: 'let_go'",
    'an authorization that is unused after a doubtful reply counts as not sent',
  ],
  [
    TABLE,
    "    held: 'wait',\n    same: 'take_over'",
    "    held: 'take_over',\n    same: 'take_over'",
    'a claim under a live lease is taken over',
  ],
  [
    TABLE,
    "    held: 'wait',\n    same: 'doubt'",
    "    held: 'doubt',\n    same: 'doubt'",
    'a settlement under a live lease is put in doubt',
  ],
  [
    TABLE,
    "    same: 'doubt'",
    "    same: 'say_in_doubt'",
    'an abandoned settlement is said to be in doubt and not recorded so',
  ],
  [
    TABLE,
    "    same: 'doubt',\n    other: 'say_used'",
    "    same: 'doubt',\n    other: 'doubt'",
    'a differing call is taken for the call of an abandoned settlement',
  ],
  [
    TABLE,
    "    same: 'answer_sold',\n    other: 'say_used'",
    "    same: 'answer_sold',\n    other: 'answer_sold'",
    'a differing call gets the verdict of a settled payment',
  ],
  [TABLE, "    late: 'say_late'", "    late: 'answer_sold'", 'the replay window never closes'],
  [
    TABLE,
    "    paid: 'answer_sold'",
    "    paid: 'say_in_doubt'",
    'a settlement in the ledger is answered as in doubt',
  ],
  [
    TABLE,
    "    unused: 'try_again'",
    "    unused: 'say_refused'",
    'a refused authorization is never tried again',
  ],
  [
    TABLE,
    "    same: 'read_chain',\n    other: 'say_used',\n    other_authorization: 'say_used',\n    throttled: 'say_throttled',\n    locked: 'say_refused'",
    "    same: 'say_refused',\n    other: 'say_used',\n    other_authorization: 'say_used',\n    throttled: 'say_throttled',\n    locked: 'say_refused'",
    'a repeat of a refused authorization does not read the chain',
  ],
  // What is recorded.
  [
    RECORD,
    "seen === null || seen.state === 'settled'",
    "seen === null || seen.state !== 'settling'",
    'a row in doubt counts as recorded',
  ],
  [
    RECORD,
    'if (moved !== null) return moved',
    'return moved',
    'the record is not tried again after another process moved the row',
  ],
  [
    RECORD,
    '{ ...change, ...NO_LEASE }, { durable',
    '{ ...change }, { durable',
    'the record keeps owner and lease',
  ],
  [
    RECORD,
    "const change = { state: 'settled', transaction, settledAt: now(), refusal: null } as const",
    "const change = { state: 'settled', transaction: `0x${'0'.repeat(64)}`, settledAt: now(), refusal: null } as const",
    'the record names no transaction',
  ],
  [
    RECORD,
    'for (const pause of [...timing.recordPausesMs, 0])',
    'for (const pause of [0])',
    'the record is tried once only when the store fails',
  ],
  [
    RECORD,
    "if (settled !== null) return event('paid', settled)",
    "return event('paid', settled ?? { ...row, state: 'settled', transaction: `0x${'0'.repeat(64)}`, settledAt: 0 })",
    'a record that failed counts as made',
  ],
  [
    CLAIM,
    "state: refusal === null ? 'claimed' : 'refused'",
    "state: 'claimed'",
    'a refused row that was not sent again goes back to `claimed`',
  ],
  [
    CLAIM,
    "state: refusal === null ? 'claimed' : 'refused'",
    "state: 'refused'",
    'a claim that was not sent goes back to `refused`',
  ],
  [CLAIM, 'attempts: attempts - 1', 'attempts: attempts', 'a try that reached no facilitator stays counted'],
  [
    RECORD,
    'return answer(released ? paused(run.context) : await inDoubt(run))',
    'return answer(paused(run.context))',
    'a row that was lost at the release is answered as not charged',
  ],
  [
    RECORD,
    'return answer(released ? refused(context, attempt, refusal) : await inDoubt(run))',
    'return answer(refused(context, attempt, refusal))',
    'a row that was lost at the refusal is answered as refused',
  ],
  [
    RECORD,
    "  const released = await release(run, row, { state: 'refused', refusal })",
    '  const released = true',
    'a refusal is not recorded',
  ],
  [
    RECORD,
    "  await release(run, row, { state: 'in_doubt', doubt: isDenied ? 'denied' : null })\n",
    '',
    'a doubt is not recorded',
  ],
  [
    RECORD,
    'await context.ledger.move(row, { ...change, ...NO_LEASE }, options)',
    'await context.ledger.move(row, { ...change }, options)',
    'a released row keeps owner and lease',
  ],
  [
    RECORD,
    'return row.leaseUntil > context.now()',
    'return true',
    'a release that failed counts as made after the lease too',
  ],
  [
    RECORD,
    'return row.leaseUntil > context.now()',
    'return false',
    'a release that failed never counts as made',
  ],
  // Settling.
  [
    SETTLE,
    "    state: 'settling',\n    settlingAt,\n    leaseUntil",
    '    settlingAt,\n    leaseUntil',
    'a claim that is sent again does not become `settling`',
  ],
  [
    SETTLE,
    'leaseUntil: settlingAt + LEASE_MS',
    'leaseUntil: settlingAt',
    'a claim that is sent again takes no lease',
  ],
  [
    SETTLE,
    'attempts: row.attempts + 1,\n  })',
    'attempts: row.attempts,\n  })',
    'a claim that is sent again does not count the try',
  ],
  [
    SETTLE,
    'return settling === null ? LOOK_AGAIN : send(run, settling)',
    'return send(run, settling ?? row)',
    'a row that another process took is sent',
  ],
  [SETTLE, '  run.sent = true\n', '', 'a sale forgets that it has sent'],
  [
    SETTLE,
    "return event(outcome.byItsWord ? 'doubtful' : 'not_sent', row)",
    "return event('doubtful', row)",
    `this machine's own "not sent" is taken for a facilitator's`,
  ],
  [
    SETTLE,
    'if (row.attempts >= MOST_TRIES_REFUSED)',
    'if (row.attempts > MOST_TRIES_REFUSED)',
    'a refused authorization is tried once too often',
  ],
  [
    SETTLE,
    'if (row.attempts >= MOST_TRIES_REFUSED)',
    'if (row.attempts >= 1)',
    'a refused authorization is tried only once',
  ],
  [
    SETTLE,
    'row.attempts < MOST_TRIES_IN_DOUBT',
    'row.attempts > 0 && row.attempts < 2',
    'a doubtful authorization is sent again at most once',
  ],
  [SETTLE, ' && untimely(run) === null', '', 'an expired authorization is sent again'],
  [
    SETTLE,
    'return owned === null ? LOOK_AGAIN : send(run, owned)',
    'return send(run, owned ?? row)',
    'a doubtful row that another process took is sent again',
  ],
  [
    SETTLE,
    "if (owned === null) return LOOK_AGAIN\n  const late = untimely(run)\n  return late === null ? event('owned', owned) : fenced(run, owned, answer(late))",
    "return event('owned', owned ?? row)",
    'a refused row is sent again without owning it and without a look at the time',
  ],
  [
    SETTLE,
    'lease(run, row, { attempts: row.attempts + 1 })',
    'lease(run, row, {})',
    'sending again is not counted',
  ],
  [
    SETTLE,
    'leaseUntil: context.now() + LEASE_MS, ...change',
    'leaseUntil: context.now(), ...change',
    'sending again takes no lease',
  ],
  // The request and its row.
  [
    OBSERVE,
    'row.leaseUntil > now && row.owner !== context.owner',
    'row.leaseUntil > now',
    'a process waits for a lease that it left behind itself',
  ],
  [OBSERVE, 'row.leaseUntil > now && row.owner !== context.owner', 'false', 'live leases are ignored'],
  [
    OBSERVE,
    'row.leaseUntil > now &&',
    'row.leaseUntil >= now - 40_000 &&',
    'a lease holds 40 seconds longer than it says',
  ],
  [
    OBSERVE,
    "run.mayBeCharged = row.state !== 'void'",
    'run.mayBeCharged = false',
    'a row that may be charged is not remembered when the store fails',
  ],
  [
    OBSERVE,
    "if (isWindowOver(row, windowTime(context))) return event('late', row)\n",
    '',
    'a repeat does not look whether the replay window is over',
  ],
  [
    OBSERVE,
    'isSame: async () => (await isSameCall(run, row)) && authorized',
    'isSame: async () => authorized',
    'the call of a repeat is not compared',
  ],
  [
    JUDGE_REPEAT,
    "return matches ? 'same' : 'other'",
    "return matches ? 'other' : 'same'",
    'the same call and a differing one are mixed up',
  ],
  [
    JUDGE_REPEAT,
    'if (mismatches >= LOCKED_FROM)',
    'if (mismatches >= 1)',
    'one differing call locks the row',
  ],
  [
    OBSERVE,
    'return bound && identified && task && isSamePurchase(call, row)',
    'return bound && identified && isSamePurchase(call, row)',
    'the task of a repeat is not compared',
  ],
  [
    OBSERVE,
    'return bound && identified && task && isSamePurchase(call, row)',
    'return identified && task && isSamePurchase(call, row)',
    'the value of a repeat is not compared',
  ],
  [
    OBSERVE,
    "return doubtful === null ? LOOK_AGAIN : event('same', doubtful)",
    "return event('same', doubtful ?? row)",
    'a row that another process moved counts as in doubt',
  ],
  [
    OBSERVE,
    "{ state: 'in_doubt', ...NO_LEASE }",
    "{ state: 'claimed', ...NO_LEASE }",
    'an abandoned settlement goes back to `claimed`',
  ],
  [
    RUN,
    'if (!run.sent && !run.mayBeCharged) throw error',
    'if (!run.mayBeCharged) throw error',
    'a store that fails after a send is answered as if nothing had been sent',
  ],
  [
    RUN,
    'if (!run.sent && !run.mayBeCharged) throw error',
    'if (!run.sent) throw error',
    'a store that fails after a look at a row is answered as if it had none',
  ],
  [
    RUN,
    '    await timing.sleep(course.lookMs(run))\n',
    '    return course.outOfTime(run)\n',
    'a request does not wait for the process that holds the row',
  ],
  // Claims, and other signatures for the same call.
  [
    CLAIM,
    'if (obstacle !== null) return fencedUnseen(run, obstacle)\n  call.verdicts()',
    'call.verdicts()',
    'a new authorization is claimed whatever its preconditions say',
  ],
  [
    CLAIM,
    'return unlessUsed(run, await fenced(run, row, obstacle))',
    'return unlessUsed(run, obstacle)',
    'an answer about an abandoned claim leaves the claim to its owner',
    { test: 'test/payments/sale/slow-owners.test.ts' },
  ],
  [
    FENCE,
    'present?.state === row.state && present.owner === null ? obstacle : LOOK_AGAIN',
    'obstacle',
    'an answer about a row without an owner is not fenced',
  ],
  [
    FENCE,
    '(await run.context.ledger.find(run.attempt.key)) === null ? said : LOOK_AGAIN',
    'said',
    'an answer about an authorization without a row is not fenced',
  ],
  [
    CLAIM,
    "const late = untimely(run)\n  if (late === null) return event('owned', row)",
    "return event('owned', row)",
    'the time is not looked at again before the send',
  ],
  [
    SETTLE,
    "  if (rival !== null && isBefore(rival, row)) return event('exhausted', row)\n",
    '',
    'of two doubtful authorizations for one call both are sent again',
    { test: 'test/payments/sale/slow-owners.test.ts' },
  ],
  [CLAIM, 'leaseUntil: now + LEASE_MS', 'leaseUntil: now', 'a claim takes no lease'],
  [CLAIM, 'owner: context.owner,', 'owner: null,', 'a claim has no owner'],
  [
    CLAIM,
    'yieldToRival(run, outcome.row)',
    "event('owned', outcome.row)",
    'a claim does not look for another signature of the buyer',
  ],
  [
    CLAIM,
    'if (rival === null && mayBeSentAtOnce(run, row))',
    'if (mayBeSentAtOnce(run, row))',
    'a new row does not yield to another signature of the buyer',
  ],
  [
    CLAIM,
    'if (rival === null && mayBeSentAtOnce(run, row))',
    'if (rival === null)',
    'a row that was written slowly is sent under what is left of its lease',
  ],
  [
    CLAIM,
    "const isFirst = row.state === 'claimed' &&",
    'const isFirst =',
    'a new row waits for a later claim instead of yielding',
  ],
  [CLAIM, "rival?.state === 'claimed' && isBefore(row, rival)", 'true', 'of two claims none yields'],
  [
    CLAIM,
    "...(row.state === 'settling' ? stateBefore(row) : {}),",
    '',
    'a row that is released before the send stays `settling`',
  ],
  [
    CLAIM,
    '      await release(run, row)\n      return LOOK_AGAIN',
    '      return LOOK_AGAIN',
    'a row that yields is not released',
  ],
  [CLAIM, 'taskKey: call.taskFor(key)?.key ?? null', 'taskKey: null', 'a claim forgets its task'],
  [
    REUSE,
    'if (!isOther(run, row) || isWindowOver(row, at) || !(await isSameCall(run, row))) continue',
    'if (!isOther(run, row) || isWindowOver(row, at)) continue',
    'a new signature is answered from a payment for another value',
  ],
  [
    REUSE,
    'if (!(await isAbandoned(run, row))) found.push(row)',
    "if (row.state !== 'claimed') found.push(row)",
    'a new signature waits for no claim',
  ],
  [
    REUSE,
    "if (row.state !== 'claimed' || row.leaseUntil > now()) return false",
    'return false',
    'a new signature waits for abandoned claims',
  ],
  [
    REUSE,
    'return (await ledger.move(row, NO_LEASE)) !== null',
    'return true',
    'a slow owner keeps its claim beside a new signature',
  ],
  [
    REUSE,
    '      if (isHeld) return LOOK_AGAIN\n      await run',
    '      await run',
    'a settlement under a live lease is put in doubt by a new signature',
  ],
  [
    REUSE,
    '      return isHeld ? LOOK_AGAIN : answerDoubtful(run, row)',
    '      return null',
    'a doubt about the first signature makes the second a purchase',
  ],
  [
    REUSE,
    '      return isHeld ? LOOK_AGAIN : answerDoubtful(run, row)',
    '      return answerDoubtful(run, row)',
    'a row that is sent again is looked at by a new signature as if no process held it',
  ],
  [
    REUSE,
    "    case 'claimed':\n      return LOOK_AGAIN",
    "    case 'claimed':\n      return null",
    'the claim of another signature does not hold up a new one',
  ],
  [
    REUSE,
    'return isWindowOver(row, windowTime(run.context)) ? null : answerSettled(run, row)',
    'return null',
    'an undelivered answer is not given to a new signature',
  ],
  [
    REUSE,
    'return (await attachTask(run, row)) ?? answer(await inDoubt(run, row))',
    'return null',
    'a doubtful payment does not answer a new signature',
  ],
  // What the chain says.
  [
    SETTLE,
    "  if (run.sent) return event('unknown', row)\n",
    '',
    'a settlement is sent again by the request that has sent it',
  ],
  [
    READ,
    "run.refusal === undefined ? 'unknown' : 'refused'",
    "'refused'",
    'an unused authorization counts as refused after any doubtful reply',
  ],
  [
    RESOLVE,
    '!usedThen && final.timestamp > row.validBefore',
    '!usedThen && final.timestamp > row.validBefore - 3_600',
    'an authorization is void an hour before its end',
  ],
  [
    RESOLVE,
    '!usedThen && final.timestamp > row.validBefore',
    '!usedThen',
    'an unused authorization is void at once',
  ],
  [RESOLVE, '!usedThen && final.timestamp > row.validBefore', 'false', 'no authorization is ever void'],
  [
    RESOLVE,
    "state: 'settled', transaction, logIndex, settledAt: now()",
    "state: 'in_doubt'",
    'a payment that the chain shows leaves the row in doubt',
  ],
  [
    RECONCILE,
    "{ state: 'in_doubt', ...NO_LEASE }",
    "{ state: 'claimed', ...NO_LEASE }",
    'the recovery loop puts an abandoned settlement back to `claimed`',
  ],
  [
    RECONCILE,
    "if (seen === null) return 'moved_on'",
    "if (seen !== null) return 'moved_on'",
    'the recovery loop leaves the rows it should look at',
  ],
  // What a reply means.
  [
    OUTCOME,
    "  ['insufficient_funds', 'payment_insufficient_funds'],",
    "  ['insufficient_funds', 'payment_insufficient_funds'],\n  ['settlement_simulation_failed', 'payment_refused'],",
    'a failed simulation counts as a proof that nothing was sent',
  ],
  [OUTCOME, 'if (success === true) {', 'if (success !== true) {', 'success and failure are mixed up'],
  [
    OUTCOME,
    "return notSent ? { kind: 'not_sent', byItsWord: error.byItsWord, symptom } : doubtful(false, symptom)",
    "return { kind: 'not_sent', byItsWord: false, symptom }",
    'no reply counts as not sent',
  ],
  [
    OUTCOME,
    "return notSent ? { kind: 'not_sent', byItsWord: error.byItsWord, symptom } : doubtful(false, symptom)",
    'return doubtful(false, symptom)',
    'what never left counts as doubtful',
  ],
  [
    OUTCOME,
    'byItsWord: error.byItsWord',
    'byItsWord: false',
    "a facilitator's word counts as this machine's knowledge",
  ],
  // How long an answer is kept.
  [
    WINDOW,
    'deliveredAt === null',
    'deliveredAt !== null',
    "delivered and undelivered answers are kept for each other's time",
  ],
  [WINDOW, 'undeliveredMs: 86_400_000', 'undeliveredMs: 3_600', 'undelivered answers are kept for seconds'],
  [
    WINDOW,
    "row.state === 'settled' && (row.binding === null || replayUntil(row) < now)",
    'replayUntil(row) < now',
    'the end of the replay window is asked of rows that are not settled',
  ],
  // The ledger.
  [PAYMENTS, '    `state in (${stateLiterals(state)})`,\n', '', 'a write does not compare the state'],
  [PAYMENTS, "    'lease_until = :leaseUntil',\n", '', 'a write does not compare the lease'],
  [
    PAYMENTS,
    "    owner === null ? 'owner is null' : 'owner = :owner',\n",
    '',
    'a write does not compare the owner',
    {
      test: 'test/ledger/sqlite/sqlite-ledger.test.ts',
      equivalent:
        'a row that is moved by another process than its owner was read with its lease over, and a process that took it since has a later one; under a live lease only its owner moves it on, and a process lets one request per authorization work',
    },
  ],
  [
    PAYMENTS,
    'on conflict (network, asset, payer, nonce) do nothing',
    'on conflict (network, asset, payer, nonce) do update set owner = excluded.owner',
    'a second claim takes the row over',
  ],
  [
    UNSETTLED,
    "'in_doubt', 'unconfirmed', 'refused', 'settling'",
    "'unconfirmed', 'refused', 'settling'",
    'the recovery loop does not see rows in doubt',
  ],
  [
    UNSETTLED,
    "'in_doubt', 'unconfirmed', 'refused', 'settling'",
    "'in_doubt', 'unconfirmed', 'settling'",
    'the recovery loop does not see refused rows',
  ],
  [
    UNSETTLED,
    "'in_doubt', 'unconfirmed', 'refused', 'settling'",
    "'in_doubt', 'unconfirmed', 'refused'",
    'the recovery loop does not see abandoned settlements',
  ],
  [LISTS, ".where('lease_until', '<=', now)", '', 'the recovery loop takes rows under a live lease'],
  [
    LISTS,
    "('settling', 'refused', 'in_doubt', 'settled')",
    "('refused', 'in_doubt', 'settled')",
    'a new signature does not see a settlement under way',
  ],
  [
    LISTS,
    "('settling', 'refused', 'in_doubt', 'settled')",
    "('settling', 'refused', 'in_doubt')",
    'a new signature does not see an undelivered answer',
  ],
  [
    LISTS,
    "('settling', 'refused', 'in_doubt', 'settled')",
    "('settling', 'refused', 'settled')",
    'a new signature does not see a payment in doubt',
  ],
  [
    LISTS,
    'delivered_at >= :deliveredSince',
    'delivered_at < 0',
    'a new signature does not see an answer that was delivered since it came in',
  ],
  [LISTS, 'awaits_answer = 1', 'awaits_answer = 0', 'a new signature sees only what needs no answer'],
  [
    TASKS,
    "await (except === null ? query : query.where('key', '!=', except)).execute()",
    'void (except === null ? query : query)',
    'a row that is taken over keeps its former task',
  ],
  [
    TASKS,
    '(nonce is null or (network = :network and asset = :asset and payer = :payer and nonce = :nonce))',
    '(nonce is null or nonce is not null)',
    'a task can be tied to a second payment',
    { test: 'test/ledger/sqlite/sqlite-ledger.test.ts' },
  ],
  [
    TASKS,
    "    .where('payments.state', 'in', ['claimed', 'void'])\n",
    '',
    'a task is taken from a payment that may be charged',
  ],
  [
    TASKS,
    "    .where('payments.lease_until', '<=', now)\n",
    '',
    'a task is taken from a payment under a live lease',
  ],
  [
    CLAIMS,
    "if (row !== null) return { kind: 'claimed', row }\n  if (task",
    "return { kind: 'claimed', row: row ?? (payment as never) }\n  if (task",
    'a claim that was not written counts as written',
  ],
  // Payment channels.
  [
    OBSERVE_VOUCHER,
    'isSame: () => isSameCall(run, row),',
    'isSame: async () => true,',
    'a voucher answers another call than the one it was charged for',
  ],
  [
    CHANNELS,
    'where id = :id and revision = :revision',
    'where id = :id',
    'a channel that another process changed is written over',
  ],
  [
    OBSERVE_VOUCHER,
    "if (amount > availableOf(state)) return 'out_of_step'",
    '',
    'a voucher is charged beyond the deposit',
  ],
  [
    OBSERVE_VOUCHER,
    'if (state.withdrawRequestedAt > 0) return',
    'if (state.withdrawRequestedAt < 0) return',
    'a call is sold to a payer who withdraws',
    { test: 'test/payments/channels/claims.test.ts' },
  ],
  [
    CHANNEL_BALANCE,
    'refunding: isOpen ? row.refunding : 0n',
    'refunding: 0n',
    'a refund that is signed is forgotten with the next look at the contract',
  ],
  [
    CHARGE,
    'if (row !== null && isOlder(row, state)) throw',
    'if (row === undefined) throw',
    'a state of the contract that is behind the row is believed',
    { test: 'test/payments/channels/claims.test.ts' },
  ],
  [
    WRITE_CHARGE,
    "if (outcome.kind !== 'charged') return notClaimed(outcome)",
    "if (outcome.kind === 'raced')\n    return (await import('./observe-voucher.ts')).observe(run, {\n      row: await context.ledger.findChannel(attempt.payment.voucher.channelId),\n      fresh: view.fresh,\n    })\n  if (outcome.kind !== 'charged') return notClaimed(outcome)",
    'after a write that came too late the contract is not read again',
  ],
  [
    EXPOSURE,
    'return exposed <= bounds.channel && sum <= bounds.all',
    'return true',
    'nothing bounds what is charged and not claimed',
    { test: 'test/payments/channels/claims.test.ts' },
  ],
  [
    LAND_DEPOSIT,
    "if (settled === 'open') return answer(inDoubtUntilRepeat())\n  }",
    '}',
    'another deposit for a call does not wait for the one before it',
  ],
  [
    LAND_DEPOSIT,
    'if ((await earlierDeposit(context, attempt, deposit, nonce, spent)) === null)\n    return send',
    'if (spent !== undefined)\n    return send',
    'a deposit of another replica is not looked for after the claim',
  ],
  [
    LAND_DEPOSIT,
    'return availableOf(stateNow(await ledger.findChannel(channelId), state))',
    'return ledger === undefined ? 0n : state.balance',
    'a deposit that a refund takes back stands for a new one',
  ],
  [
    LAND_DEPOSIT,
    'if (!isFirst) return release(context, row)',
    '',
    'a deposit that was sent before counts as not sent',
    { test: 'test/payments/channels/deposits.test.ts' },
  ],
  [
    RESOLVE_DEPOSIT,
    'if (block.timestamp < row.validBefore || ',
    'if (',
    'a deposit is void before its time is over',
  ],
  [
    REFUND,
    'if (row.refunded === row.charged) return refuse(quote, ONCE)',
    '',
    'a second refund is paid for on one voucher',
    { test: 'test/payments/channels/claims.test.ts' },
  ],
  [
    REFUND,
    'const signed = await context.ledger.moveChannel(row, { refunding: amount, refunded: row.charged })',
    'const signed = row',
    'a refund is sent without being written down',
  ],
  [
    CHANNEL_BALANCE,
    'charged < balance ? charged : balance',
    'charged',
    'more is claimed than is in the channel',
    { test: 'test/payments/channels/claims.test.ts' },
  ],
  [
    CHARGE,
    'if (row !== null && row.charged >= amount) return LOOK_AGAIN',
    'if (row === undefined) return LOOK_AGAIN',
    '"nothing was charged" is said of a voucher that another replica has charged',
    { test: 'test/payments/channels/charge.test.ts' },
  ],
  [
    CHARGE,
    'return answer(isDoubtful ? inDoubtUntilRepeat() : refusal)',
    'return answer(isDoubtful && row === undefined ? inDoubtUntilRepeat() : refusal)',
    '"nothing was charged" is said of a deposit that may be in',
  ],
]

export const MUTANTS: readonly Mutant[] = LIST.map(([file, from, to, what, otherwise = {}]) => ({
  ...{ file, from, to, what },
  ...otherwise,
}))
