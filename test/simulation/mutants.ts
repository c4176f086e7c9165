// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are pieces of source code
/** One seeded bug: the text that is replaced once in a file of `src`, and what stands there then. */
export type Mutant = readonly [file: string, from: string, to: string]

const SALE = 'payments/sale/'
const TABLE = `${SALE}sale-table.ts`
const RECORD = `${SALE}record-outcome.ts`
const CLAIM = `${SALE}claim-payment.ts`
const REUSE = `${SALE}reuse-earlier-payment.ts`
const SETTLE = `${SALE}settle-payment.ts`
const FENCE = `${SALE}fence.ts`
const OBSERVE = `${SALE}observe-payment.ts`
const RUN = `${SALE}run-sale.ts`
const READ = `${SALE}read-chain.ts`
const OUTCOME = `${SALE}settle-outcome.ts`
const WINDOW = `${SALE}replay-window.ts`
const RESOLVE = 'payments/recovery/resolve.ts'
const RECONCILE = 'payments/recovery/reconcile.ts'
const PAYMENTS = 'ledger/statements/payments.ts'
const LISTS = 'ledger/statements/payment-lists.ts'
const TASKS = 'ledger/statements/tasks.ts'
const CLAIMS = 'ledger/statements/claim.ts'

/** Bugs in the code that moves money: a dropped guard, a widened comparison, a skipped write, a lost await. */
export const MUTANTS: readonly Mutant[] = [
  // The table of the sale.
  [
    TABLE,
    "    accepted: 'record',\n    accepted_unproven: 'await_proof',\n    not_sent: 'let_go',",
    "    accepted: 'mark_in_doubt',\n    accepted_unproven: 'await_proof',\n    not_sent: 'let_go',",
  ],
  [TABLE, "not_sent: 'let_go'", "not_sent: 'mark_refused'"],
  [TABLE, "not_sent: 'let_go'", "not_sent: 'mark_in_doubt'"],
  [TABLE, "not_sent: 'let_go',\n    denied: 'check_denial'", "not_sent: 'let_go',\n    denied: 'let_go'"],
  [
    TABLE,
    "not_sent: 'let_go',\n    denied: 'check_denial'",
    "not_sent: 'let_go',\n    denied: 'mark_refused'",
  ],
  [TABLE, "    refused: 'mark_refused',", "    refused: 'let_go',"],
  [TABLE, "    refused: 'mark_refused',", "    refused: 'read_chain_after',"],
  [
    TABLE,
    "    refused_unproven: 'read_chain_after',\n    doubtful: 'read_chain_after',\n    pending: 'read_chain_after',\n    still_unused: 'weigh_refusal'",
    "    refused_unproven: 'read_chain_after',\n    doubtful: 'mark_refused',\n    pending: 'read_chain_after',\n    still_unused: 'weigh_refusal'",
  ],
  [
    TABLE,
    "    refused_unproven: 'read_chain_after',\n    doubtful: 'read_chain_after',\n    pending: 'read_chain_after',\n    still_unused: 'weigh_refusal'",
    "    refused_unproven: 'read_chain_after',\n    doubtful: 'let_go',\n    pending: 'read_chain_after',\n    still_unused: 'weigh_refusal'",
  ],
  [TABLE, "still_unused: 'weigh_refusal'", "still_unused: 'mark_refused'"],
  [TABLE, "still_unused: 'weigh_refusal'", "still_unused: 'let_go'"],
  [TABLE, "    held: 'wait',\n    same: 'take_over'", "    held: 'take_over',\n    same: 'take_over'"],
  [TABLE, "    held: 'wait',\n    same: 'doubt'", "    held: 'doubt',\n    same: 'doubt'"],
  [TABLE, "    same: 'doubt'", "    same: 'say_in_doubt'"],
  [TABLE, "    same: 'doubt',\n    other: 'say_used'", "    same: 'doubt',\n    other: 'doubt'"],
  [
    TABLE,
    "    same: 'answer_sold',\n    other: 'say_used'",
    "    same: 'answer_sold',\n    other: 'answer_sold'",
  ],
  [TABLE, "    late: 'say_late'", "    late: 'answer_sold'"],
  [TABLE, "    recorded: 'answer_sold'", "    recorded: 'say_in_doubt'"],
  [TABLE, "    paid: 'answer_sold'", "    paid: 'say_in_doubt'"],
  [TABLE, "    unused: 'try_again'", "    unused: 'say_refused'"],
  [
    TABLE,
    "    same: 'read_chain',\n    other: 'say_used',\n    other_authorization: 'say_used',\n    throttled: 'say_throttled',\n    locked: 'say_refused'",
    "    same: 'say_refused',\n    other: 'say_used',\n    other_authorization: 'say_used',\n    throttled: 'say_throttled',\n    locked: 'say_refused'",
  ],
  // What is recorded.
  [RECORD, "seen === null || seen.state === 'settled'", "seen === null || seen.state !== 'settling'"],
  [RECORD, 'if (moved !== null) return moved', 'return moved'],
  [RECORD, '{ ...change, ...free }', '{ ...change }'],
  [
    RECORD,
    "const change = { state: 'settled', transaction, settledAt: now(), refusal: null } as const",
    "const change = { state: 'settled', transaction: `0x${'0'.repeat(64)}`, settledAt: now(), refusal: null } as const",
  ],
  [RECORD, 'for (const pause of [...timing.recordPausesMs, 0])', 'for (const pause of [0])'],
  [
    RECORD,
    "if (settled !== null) return event('recorded', settled)",
    "return event('recorded', settled ?? row)",
  ],
  [RECORD, "state: refusal === null ? 'claimed' : 'refused'", "state: 'claimed'"],
  [RECORD, "state: refusal === null ? 'claimed' : 'refused'", "state: 'refused'"],
  [RECORD, 'attempts: attempts - 1', 'attempts: attempts'],
  [
    RECORD,
    "return answer(released ? declined('facilitator_unavailable') : await inDoubt(run))",
    "return answer(declined('facilitator_unavailable'))",
  ],
  [
    RECORD,
    'return answer(released ? refused(context, attempt, refusal) : await inDoubt(run))',
    'return answer(refused(context, attempt, refusal))',
  ],
  [
    RECORD,
    "  const released = await release(run, row, { state: 'refused', refusal })",
    '  const released = true',
  ],
  [RECORD, "  await release(run, row, { state: 'unconfirmed' })\n", ''],
  [
    RECORD,
    "  await release(run, row, { state: 'unconfirmed' })",
    "  await release(run, row, { state: 'in_doubt' })",
  ],
  [RECORD, "  await release(run, row, { state: 'in_doubt' })\n", ''],
  [
    RECORD,
    'await context.ledger.move(row, { ...change, owner: null, leaseUntil: 0 })',
    'await context.ledger.move(row, { ...change })',
  ],
  [RECORD, 'return row.leaseUntil > context.now()', 'return true'],
  [RECORD, 'return row.leaseUntil > context.now()', 'return false'],
  // Settling.
  [SETTLE, "    state: 'settling',\n    settlingAt,", '    settlingAt,'],
  [SETTLE, 'leaseUntil: settlingAt + LEASE_MS', 'leaseUntil: settlingAt'],
  [SETTLE, 'attempts: row.attempts + 1,\n  } as const', 'attempts: row.attempts,\n  } as const'],
  [
    SETTLE,
    'return settling === null ? LOOK_AGAIN : send(run, settling)',
    'return send(run, settling ?? row)',
  ],
  [SETTLE, '  run.sent = true\n', ''],
  [SETTLE, "return event(outcome.byItsWord ? 'denied' : 'not_sent', row)", "return event('not_sent', row)"],
  [SETTLE, "return event(outcome.byItsWord ? 'denied' : 'not_sent', row)", "return event('denied', row)"],
  [SETTLE, 'if (row.attempts >= MOST_TRIES_REFUSED)', 'if (row.attempts > MOST_TRIES_REFUSED)'],
  [SETTLE, 'if (row.attempts >= MOST_TRIES_REFUSED)', 'if (row.attempts >= 1)'],
  [SETTLE, 'row.attempts < MOST_TRIES_IN_DOUBT', 'row.attempts > 0 && row.attempts < 2'],
  [SETTLE, '    judgeWindow(attempt.payment.authorization, now) === null &&\n', ''],
  [SETTLE, 'return owned === null ? LOOK_AGAIN : send(run, owned)', 'return send(run, owned ?? row)'],
  [
    SETTLE,
    "if (owned === null) return LOOK_AGAIN\n  const late = runOut(run)\n  return late === null ? event('owned', owned) : fenced(run, owned, answer(late))",
    "return event('owned', owned ?? row)",
  ],
  [SETTLE, 'lease(run, row, { attempts: row.attempts + 1 })', 'lease(run, row, {})'],
  [SETTLE, 'leaseUntil: context.now() + LEASE_MS, ...change', 'leaseUntil: context.now(), ...change'],
  [SETTLE, '      .then((released) => released ?? ledger.move({ ...row, ...change }, before))\n', ''],
  // The request and its row.
  [OBSERVE, 'row.leaseUntil > now && row.owner !== context.owner', 'row.leaseUntil > now'],
  [OBSERVE, 'row.leaseUntil > now && row.owner !== context.owner', 'false'],
  [OBSERVE, 'row.leaseUntil > now &&', 'row.leaseUntil >= now - 40_000 &&'],
  [OBSERVE, "run.mayBeCharged = row.state !== 'void'", 'run.mayBeCharged = false'],
  [OBSERVE, "if (isWindowOver(row, now)) return event('late', row)\n", ''],
  [OBSERVE, 'const matches = (await isSameCall(run, row)) && authorized', 'const matches = authorized'],
  [OBSERVE, "return event(matches ? 'same' : 'other', row)", "return event(matches ? 'other' : 'same', row)"],
  [OBSERVE, 'if (mismatches >= LOCKED_FROM)', 'if (mismatches >= 1)'],
  [
    OBSERVE,
    'return bound && identified && task && isSamePurchase(call, row)',
    'return bound && identified && isSamePurchase(call, row)',
  ],
  [
    OBSERVE,
    'return bound && identified && task && isSamePurchase(call, row)',
    'return identified && task && isSamePurchase(call, row)',
  ],
  [
    OBSERVE,
    "return doubtful === null ? LOOK_AGAIN : event('same', doubtful)",
    "return event('same', doubtful ?? row)",
  ],
  [
    OBSERVE,
    "{ state: 'in_doubt', owner: null, leaseUntil: 0 }",
    "{ state: 'claimed', owner: null, leaseUntil: 0 }",
  ],
  [RUN, 'if (run.sent || run.mayBeCharged) return inDoubt(run)', 'if (run.mayBeCharged) return inDoubt(run)'],
  [RUN, 'if (run.sent || run.mayBeCharged) return inDoubt(run)', 'if (run.sent) return inDoubt(run)'],
  [RUN, '    await timing.sleep(timing.lookMs)\n', '    return inDoubt(run)\n'],
  // Claims, and other signatures for the same call.
  [CLAIM, 'if (obstacle !== null) return fencedUnseen(run, obstacle)\n  call.verdicts()', 'call.verdicts()'],
  [
    CLAIM,
    'if (obstacle !== null) return fenced(run, row, obstacle)',
    'if (obstacle !== null) return obstacle',
  ],
  [FENCE, 'present?.state === row.state && present.owner === null ? obstacle : LOOK_AGAIN', 'obstacle'],
  [FENCE, '(await run.context.ledger.find(run.attempt.key)) === null ? obstacle : LOOK_AGAIN', 'obstacle'],
  [FENCE, 'return untimely === null ? null : unpaid(context, attempt, untimely)', 'return null'],
  [SETTLE, "  if (rival !== null && isBefore(rival, row)) return event('exhausted', row)\n", ''],
  [CLAIM, 'leaseUntil: now + LEASE_MS', 'leaseUntil: now'],
  [CLAIM, 'owner: context.owner,', 'owner: null,'],
  [CLAIM, 'return yieldToRival(run, outcome.row)', "return event('owned', outcome.row)"],
  [CLAIM, 'if (rival === null && mayBeSentAtOnce(run, row))', 'if (mayBeSentAtOnce(run, row))'],
  [CLAIM, 'if (rival === null && mayBeSentAtOnce(run, row))', 'if (rival === null)'],
  [CLAIM, "const isFirst = row.state === 'claimed' &&", 'const isFirst ='],
  [CLAIM, "rival?.state === 'claimed' && isBefore(row, rival)", 'true'],
  [CLAIM, "...(row.state === 'settling' ? stateBefore(row) : {}),", ''],
  [CLAIM, '      await release(run, row)\n      return LOOK_AGAIN', '      return LOOK_AGAIN'],
  [CLAIM, 'taskKey: call.taskFor(key)?.key ?? null', 'taskKey: null'],
  [
    REUSE,
    'if (!isOther(run, row) || isWindowOver(row, at) || !(await isSameCall(run, row))) continue',
    'if (!isOther(run, row) || isWindowOver(row, at)) continue',
  ],
  [
    REUSE,
    'if (!(await isAbandoned(run, row))) found.push(row)',
    "if (row.state !== 'claimed') found.push(row)",
  ],
  [REUSE, "if (row.state !== 'claimed' || row.leaseUntil > now()) return false", 'return false'],
  [REUSE, 'return (await ledger.move(row, { owner: null, leaseUntil: 0 })) !== null', 'return true'],
  [REUSE, '      if (isHeld) return LOOK_AGAIN\n      await run', '      await run'],
  [REUSE, '      return isHeld ? LOOK_AGAIN : answerDoubtful(run, row)', '      return null'],
  [
    REUSE,
    '      return isHeld ? LOOK_AGAIN : answerDoubtful(run, row)',
    '      return answerDoubtful(run, row)',
  ],
  [REUSE, "    case 'claimed':\n      return LOOK_AGAIN", "    case 'claimed':\n      return null"],
  [REUSE, 'return isWindowOver(row, run.context.now()) ? null : answerSettled(run, row)', 'return null'],
  [REUSE, 'return (await attachTask(run, row)) ?? answer(await inDoubt(run, row))', 'return null'],
  // What the chain says.
  [READ, "unused: 'still_unused', unknown: 'still_unknown'", "unused: 'unused', unknown: 'unknown'"],
  [READ, "run.refusal === undefined ? 'still_unknown' : 'refused'", "'refused'"],
  [
    RESOLVE,
    '!usedThen && final.timestamp > row.validBefore',
    '!usedThen && final.timestamp > row.validBefore - 3_600',
  ],
  [RESOLVE, '!usedThen && final.timestamp > row.validBefore', '!usedThen'],
  [RESOLVE, '!usedThen && final.timestamp > row.validBefore', 'false'],
  [RESOLVE, "state: 'settled', transaction, logIndex, settledAt: now()", "state: 'in_doubt'"],
  [
    RECONCILE,
    "{ state: 'in_doubt', owner: null, leaseUntil: 0 }",
    "{ state: 'claimed', owner: null, leaseUntil: 0 }",
  ],
  [RECONCILE, "if (seen === null) return 'moved_on'", "if (seen !== null) return 'moved_on'"],
  // What a reply means.
  [
    OUTCOME,
    "  insufficient_funds: 'payment_insufficient_funds',",
    "  insufficient_funds: 'payment_insufficient_funds',\n  settlement_simulation_failed: 'payment_refused',",
  ],
  [OUTCOME, 'if (success === true) {', 'if (success !== true) {'],
  [
    OUTCOME,
    "return notSent ? { kind: 'not_sent', byItsWord: error.byItsWord } : doubtful(false)",
    "return { kind: 'not_sent', byItsWord: false }",
  ],
  [
    OUTCOME,
    "return notSent ? { kind: 'not_sent', byItsWord: error.byItsWord } : doubtful(false)",
    'return doubtful(false)',
  ],
  [OUTCOME, 'byItsWord: error.byItsWord', 'byItsWord: false'],
  // How long an answer is kept.
  [WINDOW, 'deliveredAt === null', 'deliveredAt !== null'],
  [WINDOW, 'undeliveredMs: 86_400_000', 'undeliveredMs: 3_600'],
  [
    WINDOW,
    "row.state === 'settled' && (row.binding === null || replayUntil(row) < now)",
    'replayUntil(row) < now',
  ],
  // The ledger.
  [PAYMENTS, '    `state = ${stateLiterals(state)}`,\n', ''],
  [PAYMENTS, "    'lease_until = :leaseUntil',\n", ''],
  [PAYMENTS, "    owner === null ? 'owner is null' : 'owner = :owner',\n", ''],
  [
    PAYMENTS,
    'on conflict (network, asset, payer, nonce) do nothing',
    'on conflict (network, asset, payer, nonce) do update set owner = excluded.owner',
  ],
  [LISTS, "'in_doubt', 'unconfirmed', 'refused', 'settling'", "'unconfirmed', 'refused', 'settling'"],
  [LISTS, "'in_doubt', 'unconfirmed', 'refused', 'settling'", "'in_doubt', 'refused', 'settling'"],
  [LISTS, "'in_doubt', 'unconfirmed', 'refused', 'settling'", "'in_doubt', 'unconfirmed', 'settling'"],
  [LISTS, "'in_doubt', 'unconfirmed', 'refused', 'settling'", "'in_doubt', 'unconfirmed', 'refused'"],
  [LISTS, ".where('lease_until', '<=', now)", ''],
  [
    LISTS,
    "('settling', 'refused', 'unconfirmed', 'in_doubt', 'settled')",
    "('refused', 'unconfirmed', 'in_doubt', 'settled')",
  ],
  [
    LISTS,
    "('settling', 'refused', 'unconfirmed', 'in_doubt', 'settled')",
    "('settling', 'refused', 'unconfirmed', 'in_doubt')",
  ],
  [
    LISTS,
    "('settling', 'refused', 'unconfirmed', 'in_doubt', 'settled')",
    "('settling', 'refused', 'unconfirmed', 'settled')",
  ],
  [LISTS, 'delivered_at >= :deliveredSince', 'delivered_at < 0'],
  [LISTS, 'awaits_answer = 1', 'awaits_answer = 0'],
  [
    TASKS,
    "await (except === null ? query : query.where('key', '!=', except)).execute()",
    'void (except === null ? query : query)',
  ],
  [
    TASKS,
    "or([eb('nonce', 'is', null), and(columnsOf(payment))])",
    "or([eb('nonce', 'is', null), eb('nonce', 'is not', null)])",
  ],
  [TASKS, "    .where('payments.state', 'in', ['claimed', 'void'])\n", ''],
  [TASKS, "    .where('payments.lease_until', '<=', now)\n", ''],
  [
    CLAIMS,
    "if (row !== null) return { kind: 'claimed', row }\n  if (task",
    "return { kind: 'claimed', row: row ?? (payment as never) }\n  if (task",
  ],
]
