/** Words that readers type, each group meaning the same, and words that say nothing: data alone. */

export const SYNONYMS = [
  'price cost pricing fee charge expensive cheap',
  'operations hosting deploy docker kubernetes',
  'csv excel xlsx workbook spreadsheet upload file list lists batch bulk',
  'sandbox testnet sepolia demo play rehearse',
  'store stored database disk kept retention',
  'update upgrade rollback migrate downgrade deploy',
  'restore backup recovery copy',
  'limit quota throttle 429 flood',
  'receipt invoice bill proof',
  'repeat replay retry idempotency again',
  'setting environment variable configuration config env',
  'vulnerability weakness hole weaknesses unknown',
  'licence license',
  'processor subprocessor dpa gdpr person',
  'performance benchmark speed fast latency throughput',
  'wrong false incorrect better accurate',
  'lost missing lose killed crash crashed',
  'changelog changes breaking version',
  'compare comparison library libraries differ',
  'memory ram cpu size machine hardware',
  'rotate rotating change leaked',
  'key secret password token',
  'publish publishing release listing registry directory index discover',
  'contact support help mail liable',
  'cors origin browser',
  'framework langchain crewai autogen llamaindex',
  'wallet metamask coinbase usdc dollar dollars',
  'chain blockchain network base',
  'accounting bookkeeping revenue earn euro euros',
  'node nodejs platform mac macos windows linux',
  'proxy nginx caddy haproxy',
  'monitoring dashboard grafana prometheus metrics alerts',
  'bank bic swift',
  'availability sla uptime',
  'test tests coverage mutation mutants',
  'agent bot assistant claude cursor',
].map((group) => group.split(' '))

export const IGNORED = new Set(
  `a about an and any are as at be can do does for from had has have how i if in into is it its me much my no not of on one or
  our say so take than that the their them then there they this to up us use used was we what when where which who why will
  with without you your`.split(/\s+/),
)
