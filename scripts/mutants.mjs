// What scripts/mutate.mjs breaks, by file: a name, a text that occurs once in the file, and what stands there instead. The
// tests are those that should notice, the fastest first.

/** Test files, without their ending, and how they are run: `only` is a pattern of test names. */
export const SUITES = {
  challenges: { file: 'crawl/challenges' },
  'earlier pages': { file: 'crawl/earlier-pages' },
  novelty: { file: 'crawl/novelty' },
  traps: { file: 'journey/traps' },
  collector: { file: 'crawl/collector' },
  committer: { file: 'crawl/committer' },
  'crawl folder': { file: 'crawl/crawl-folder' },
  eta: { file: 'crawl/eta' },
  'former visits': { file: 'crawl/former-visits' },
  'link rules': { file: 'crawl/link-rules' },
  ranks: { file: 'crawl/link-rank' },
  select: { file: 'extract/select' },
  focused: { file: 'crawl/focused' },
  'language of pages': { file: 'extract/language' },
  unreachable: { file: 'cli/unreachable', only: 'an outage begins' },
  'pattern sets': { file: 'settings/pattern-sets' },
  live: { file: 'crawl/live' },
  'network watch': { file: 'crawl/network-watch' },
  policy: { file: 'crawl/policy' },
  'robots gate': { file: 'crawl/robots-gate' },
  'slow disk': { file: 'crawl/slow-disk' },
  slots: { file: 'crawl/slots' },
  'small parts': { file: 'crawl/small-parts' },
  stats: { file: 'crawl/stats' },
  'stats file': { file: 'crawl/stats-file' },
  timeline: { file: 'crawl/timeline' },
  'worker pool': { file: 'crawl/worker-pool' },
  starvation: { file: 'crawl/starvation' },
  webs: { file: 'crawl/polite-in-random-webs', env: { ESCALONA_WEBS: '20' } },
  steering: { file: 'crawl/steering' },
  'host change': { file: 'crawl/host-change' },
  'revisit plan': { file: 'crawl/revisit-plan' },
  'change rate': { file: 'crawl/change-rate' },
  freshness: { file: 'simulate/freshness' },
  revisits: { file: 'crawl/revisits' },
  'sitemap book': { file: 'crawl/sitemap-book' },
  listed: { file: 'view/listed' },
  'audit/breaches': { file: 'audit/breaches' },
  'short-gaps': { file: 'audit/short-gaps' },
  'hostile-warc': { file: 'audit/hostile-warc' },
  'simulate worlds': { file: 'simulate/worlds' },
  'simulate measures': { file: 'simulate/measures' },
  'simulate graphs': { file: 'simulate/read-graph' },
  'simulate strategies': { file: 'simulate/strategies' },
  'link list': { file: 'view/indexes/link-list' },
  'sitemap policy': { file: 'crawl/sitemap-policy' },
  'server gate': { file: 'server/gate' },
  'server api': { file: 'server/api' },
  attacks: { file: 'server/attacks' },
  'waiting for': { file: 'view/waiting-for' },
  process: { file: 'view/process' },
  'host index': { file: 'view/indexes/host-index' },
  'line index': { file: 'view/indexes/line-index' },
  tables: { file: 'export/tables' },
  'export formats': { file: 'export/formats' },
  'whole crawl': { file: 'export/whole-crawl' },
  sentences: { file: 'contract/memory', only: 'memory, \\w+: (?!.* agree with)' },
  lives: { file: 'contract/memory', only: 'memory, (breadth|explore): (many short|long) lives' },
  'folder sentences': { file: 'contract/local', only: 'folder, \\w+: (?!.* agree with)' },
  'folder lives': { file: 'contract/local', only: 'folder, explore: many short lives' },
  important: { file: 'contract/memory', only: 'memory, important: ' },
  'folder important': { file: 'contract/local', only: 'folder, important: ' },
  columns: { file: 'frontier/columns' },
  backlog: { file: 'frontier/backlog' },
  down: { file: 'frontier/down' },
  gaps: { file: 'frontier/gaps' },
  acknowledging: { file: 'frontier/acknowledging' },
  journal: { file: 'frontier/journal' },
  torn: { file: 'crash/torn-or-damaged' },
  ledger: { file: 'frontier/ledger' },
  lock: { file: 'frontier/lock' },
  snapshots: { file: 'frontier/snapshots' },
  syncs: { file: 'frontier/syncs' },
  'taken over': { file: 'frontier/taken-over' },
  'redis sentences': { file: 'contract/redis', only: 'Redis, \\w+: (?!.* agree with)' },
  'redis lives': { file: 'contract/redis', only: 'Redis, \\w+: .* agree with' },
  'redis shard': { file: 'frontier/redis/shard' },
}

export const MUTANTS = [
  ...of('decide/policy.ts', ['policy'], {
    'policy: robots.txt is not looked at': [
      'const gate = this.deps.gate.ask(ticket.url, nowMs)',
      `const gate = { kind: 'open' }`,
    ],
    'policy: a page more per host': ['ticket.hostPages >= hosts.limit(host)', 'ticket.hostPages > hosts.limit(host)'],
    'policy: links are as far from the seed as their page': ['hops: hops + 1, of', 'hops, of'],
    'policy: a redirect too few': ['redirects > MOST_REDIRECTS &&', 'redirects >= MOST_REDIRECTS &&'],
    'policy: a retry too few': ['ticket.attempt > this.deps', 'ticket.attempt >= this.deps'],
    'policy: a noindex page is kept': [`isKept = keep === 'yes'`, `isKept = keep !== 'noarchive'`],
    'policy: an abandoned host may be asked at once': [
      'const block = { host: ticket.host, ms: this.pauseMs(ticket) }',
      'const block = undefined',
    ],
    'policy: whoever was in a thread that died is refused': [
      'if (!isCulprit) return',
      'if (isCulprit === undefined) return',
    ],
  }),
  ...of('decide/robots-policy.ts', ['policy'], {
    'robots: Crawl-delay is not passed on': ['delay: { host, ms: delayMs },', ''],
    'robots: a 500 allows everything': ['status >= 500 ||', 'status > 500 ||'],
    'robots: a redirect too few': ['redirects > MOST_REDIRECTS', 'redirects >= MOST_REDIRECTS'],
    'robots: rules are not noted': ['note: { host, key: noteKey(origin), bytes: rules, forMs: KEPT_MS },', ''],
  }),
  ...of('decide/decision.ts', ['policy'], {
    'pauses: 503 is no trouble': ['new Set([429, 502, 503, 504])', 'new Set([429, 502, 504])'],
    'pauses: a slow host gets no more time': ['answer.tookMs > SLOW_MS ? answer.tookMs : 0', '0'],
  }),
  ...of('decide/earlier-pages.ts', ['earlier pages'], {
    'earlier pages: a bit fewer': ['bits <= NEAR_BITS', 'bits < NEAR_BITS'],
    'earlier pages: the newest is found': [' && id < earliest &&', ' &&'],
    'earlier pages: short ones count': ['tokens < LEAST_WORDS', 'tokens < 1'],
    'earlier pages: a page repeats itself': ['earliest === page.url ? undefined : earliest', 'earliest'],
    'earlier pages: repetitions are kept': ['|| this.earliest(page) !== undefined', ''],
    'earlier pages: none is forgotten': ['this.young.count >= this.most', 'false'],
    'earlier pages: the older half is forgotten at once': ['this.old.find(host, key) ??', ''],
    'earlier pages: all parts are in one chain': ['return part * HEADS +', 'return'],
  }),
  ...of('decide/novelty.ts', ['novelty'], {
    'novelty: a site whose pages link to each other is slowed': ['links <= MANY_NEW_LINKS', 'links < 0'],
    'novelty: a host is judged at once': ['pages < LEAST_PAGES', 'pages < 1'],
    'novelty: words at random are not noticed': ['isRandom ? words - RANDOM_COUNTS : words', 'words'],
    'novelty: a delay is shortened': ['Math.max(delayMs, Math.min(LONGEST_MS', 'Math.max(0, Math.min(LONGEST_MS'],
    'novelty: a pause without bound': ['Math.min(LONGEST_MS, times', 'Math.min(Infinity, times'],
    'novelty: pages without links are new links': ['linksOut === 0 ? 0 :', 'linksOut === 0 ? 1 :'],
    'novelty: full sets are filled': ['if (this.isFull) return true', ''],
    'novelty: runs of a full set count as new': ['if (!sketch.runs.isFull) host.runs', 'host.runs'],
    'novelty: a sketch for every host': ['|| this.sketches >= MOST_SKETCHES', ''],
    'novelty: hosts without bound': ['this.hosts.size >= MOST_HOSTS', 'false'],
    'novelty: told again and again': ['before === 1 && timesOf(host) > 1', 'timesOf(host) > 1'],
  }),
  ...of('visit/challenges.ts', ['challenges'], {
    'challenges: an article is one': ['countWords() <= most', 'true'],
    'challenges: data is a script': ["if (!tag.includes('json')) return true", 'return true'],
    'challenges: text is a script': ["|| text.lastIndexOf('</script', at) > start", ''],
    'challenges: any value of a field': [
      ".includes(headerOf(headers, name)?.trim().toLowerCase() ?? '')",
      '.length > 0 && headerOf(headers, name) !== undefined',
    ],
    'challenges: one of several marks': ['scripts?.every(', 'scripts?.some('],
    'challenges: whole pages are searched': ['const SEARCHED_BYTES = 64 << 10', 'const SEARCHED_BYTES = 64 << 20'],
  }),
  ...of('run/opening/shorter-paths.ts', ['traps'], {
    'shorter paths: links of repeated pages never come back': [
      "'page-language', 'near-duplicate']",
      "'page-language']",
    ],
    'shorter paths: nobody hears of held links': ["if (refused === 'near-duplicate') this.hold(url)", ''],
  }),
  ...of('run/committer.ts', ['committer'], {
    'committer: the archive is not synced': ['if (records.length > 0) await archive.sync()', ''],
    'committer: nobody waits for the sync': ['await archive.sync()', 'void archive.sync()'],
    'committer: a round without bound': ['records < MOST_RECORDS_PER_ROUND', 'records >= 0'],
    'committer: a round that fails rejects nobody': ['rejectAll(round, error)', 'undefined'],
    'committer: two rounds are settled at once': ['Promise.all([archiving, settling])', 'archiving'],
    'committer: lines are never synced': ['await pages.sync()', ''],
    'committer: nobody waits for what is learned of hosts': ['await this.tellOfHosts', 'void this.tellOfHosts'],
    'committer: what waits for the disk only grows': ['this.waitingBytes -= bytes', ''],
    'committer: hosts that are gone come last': ['gone(a) - gone(b)', 'gone(b) - gone(a)'],
    'committer: late is not reported': ['late.has(settlement.ticketId)', 'false'],
    'committer: rounds run side by side': ['if (!this.isKeeping) void', 'void'],
  }),
  ...of('run/live.ts', ['live', 'webs', 'starvation'], {
    'live: no place is asked for': ['place !== server && !', 'server === null && !'],
    'live: a slot is never left': ['    slot.leave()\n    const isNext', '    const isNext'],
    'live: a lease that is too old is used': [' || context.isTooLate(ticket)', ''],
    'live: a slot is kept when it is too late': ['      slot?.leave()\n', ''],
    'live: an address that is dead comes first again': ['context.names.demote(place)', ''],
    'live: a host that was knocked at has no delay': [
      'if (tried > 0) await context.frontier.hold(host, { forMs: context.hosts.delayMs(host) })',
      '',
    ],
    'live: a page that could not be kept is closed as settled': ['visited.close(false)', 'visited.close(true)'],
    'live: nobody waits until a page is kept': ['await keep(decision, context, line)', 'keep(decision, context, line)'],
    'live: no connections left, and no fewer slots': ['context.slots.shrink()', ''],
    'live: a network that is away counts against hosts': [
      '(asked, result) ? result : abandoned',
      '(asked, result) ? result : result',
    ],
    'live: only the first address is tried': ['const MOST_ADDRESSES = 3', 'const MOST_ADDRESSES = 1'],
  }),
  ...of('run/collector.ts', ['collector', 'webs', 'starvation'], {
    'collector: nobody can hold it up': ['return !this.isEnding && this.deps.isHeldUp()', 'return false'],
    'collector: a failure ends nothing': ['      if (this.failure !== undefined) throw this.failure.error\n', ''],
    'collector: it sleeps through a change': ['if (this.isChanged) return', ''],
    'collector: at the limit it lets nobody go': [`if (taken?.end === 'limit') this.letGo()`, ''],
    'collector: leases are not renewed': ['await this.deps.leases.renewIfDue()', ''],
    'collector: it ends while tickets are open': ['this.open.size === 0 && ', ''],
    'collector: pages that ended still count as open': [`if (kind === 'page') this.openPages--`, ''],
    'collector: a network that is away is asked all the time': ['network.probeInMs === 0 ? PROBES : 0', 'PROBES'],
  }),
  ...of('run/slots.ts', ['slots'], {
    'slots: one too many for hosts that never answered': [
      'this.openOf.unproven < unproven',
      'this.openOf.unproven <= unproven',
    ],
    'slots: one too many': ['this.open < this.most', 'this.open <= this.most'],
    'slots: one that is left twice counts twice': ['if (!isOpen) return', ''],
    'slots: none are left after shrinking': ['Math.max(1, Math.min(this.most', 'Math.max(0, Math.min(this.most'],
  }),
  ...of('run/network-watch.ts', ['network watch'], {
    'network watch: two silent servers are enough': ['const LEAST_SILENT = 3', 'const LEAST_SILENT = 2'],
    'network watch: a short silence is enough': ['if (nowMs - this.answeredAtMs < QUIET_MS) return false', ''],
    'network watch: it is away for ever': ['nowMs - this.awaySinceMs < LONGEST_AWAY_MS', 'true'],
    'network watch: silence adds up over answers': ['if (this.silent.size > 0) this.silent.clear()', ''],
    'network watch: hosts that never answered count': ['if (isProven && this.silent', 'if (this.silent'],
  }),
  ...of('run/collector.ts', ['small parts'], {
    'leases: renewed when it is too late': ['< this.leaseMs / RENEWALS', '< this.leaseMs'],
    'leases: one that is over counts as renewed': ['late.has(id) ? 0 : nowMs + this.leaseMs', 'nowMs + this.leaseMs'],
  }),
  ...of('decide/robots-gate.ts', ['robots gate'], {
    'robots gate: rules are kept for ever': ['known !== undefined && known.untilMs > nowMs', 'known !== undefined'],
    'robots gate: no bound on memory': ['this.bytes <= MOST_KEPT_BYTES ||', 'true ||'],
    'robots gate: what is forgotten still weighs': ['this.bytes -= this.known.get(origin)?.bytes ?? 0', ''],
    'robots gate: a search never ends': [
      'sinceMs !== undefined && nowMs - sinceMs < LONGEST_SEARCH_MS',
      'sinceMs !== undefined',
    ],
    'robots gate: the other scheme’s delay does not hold': [
      'Math.max(secondsIn(rules), secondsIn(this.known.get(otherScheme(origin))?.rules))',
      'secondsIn(rules)',
    ],
  }),
  ...of('run/opening/former-visits.ts', ['former visits'], {
    'former visits: all pages are one link from a seed': ['hops: page.hops + 1', 'hops: 1'],
    'former visits: lines that are missing stay so': ['await completeLines(pages, deps)', ''],
    'former visits: of many links only the last are offered': [
      'await offerAll(deps.frontier, links.slice(0, most))',
      '',
    ],
    'former visits: the caller’s own rule does not hold': [
      '{ rules, held, ranks, filterLink })\n  return',
      '{ rules, held, ranks })\n  return',
    ],
    'former visits: lines that were missing are not synced': ['  await deps.pages.sync()\n', ''],
    'former visits: a line is written again': ['!deps.pages.isKnown(page)', 'true'],
  }),
  ...of('run/opening/crawl-folder.ts', ['crawl folder'], {
    'crawl folder: other things are in it': ['others.length > 0 && !isBegun', 'false'],
    'crawl folder: an opening that fails keeps the lock': [
      'catch (error) {\n    lock',
      'catch (error) {\n    if (false) lock',
    ],
    'crawl folder: who ends in good order keeps the lock': ['.finally(() => lock.release())', ''],
    'crawl folder: the archive has no fence': [
      'now: clock, onRepair, fence, tookOver',
      'now: clock, onRepair, tookOver',
    ],
    'crawl folder: the lines have no fence': [
      '{ files: newest, onRepair, fence, tookOver }',
      '{ files: newest, onRepair, tookOver }',
    ],
    'crawl folder: the statistics are not written at the end': ['writeStats(path, stats)', ''],
  }),
  ...of('run/opening/open-frontier.ts', ['crawl folder'], {
    'open frontier: it has no limit': ['    limit,\n', ''],
  }),
  ...of('run/conductor.ts', ['slow disk'], {
    'conductor: the disk holds nobody up': [`if (this.committer.waitingBytes > MOST_WAITING_BYTES) return 'disk'`, ''],
  }),
  ...of('folder/stats/stats-file.ts', ['stats file'], {
    'stats file: the last page is counted twice': ['at++ < known ?', '++at < known ?'],
    'stats file: statistics from the future count': ['kept.lines <= lines ? kept', 'lines >= 0 ? kept'],
  }),
  ...of('folder/stats/timeline.ts', ['timeline'], {
    'timeline: every second step is lost': ['row[i]! + (row[i + 1] ?? 0)', 'row[i]!'],
  }),
  ...of('folder/stats/stats.ts', ['stats'], {
    'stats: every page brings a new domain': ['if (this.domains.add(registrableDomain(hostOf(page.url))))', ''],
  }),
  ...of('folder/stats/eta.ts', ['eta'], {
    'eta: it is sure where it can’t be': ['isAtLeast: hostsMs === undefined', 'isAtLeast: false'],
  }),
  ...of('visit/worker-pool.ts', ['worker pool'], {
    'worker pool: a dead thread is not replaced': [
      'this.threads[this.threads.indexOf(thread)] = this.newThread(thread.isReady ? 0 : this.pauseMs())',
      '',
    ],
    'worker pool: nobody is suspected': ['else if (thread.isReady) this.suspects.add(job.url)', ''],
    'worker pool: who waited for a thread that could not start is suspected': [
      'else if (thread.isReady) this.suspects',
      'else this.suspects',
    ],
    'worker pool: suspects are visited side by side': ['this.quarantine.then(', 'Promise.resolve().then('],
    'worker pool: threads may die without end': ['++this.deaths <= MOST_DEATHS', '++this.deaths > 0'],
  }),
  ...of('visit/worker-pool.ts', ['worker pool'], {
    'thread: what was in it when it died never ends': [
      `      this.finishAll({ kind: 'lost', isCulprit: false })\n`,
      '',
    ],
  }),
  ...of('visit/visit.ts', ['former visits'], {
    'visit: links are as far from the seed as their page': [
      'rules.refusal(link, page.hops + 1)',
      'rules.refusal(link, page.hops)',
    ],
    'visit: a page may lead to any number of hosts': ['known.size >= MOST_HOSTS_PER_PAGE', 'false'],
  }),
  ...of('visit/recently-offered.ts', ['small parts'], {
    'recently offered: a link counts though its page was not settled': ['if (!isSettled) return', ''],
    'recently offered: a link counts before its page is settled': [
      'this.unsettled.set(visit, urls)',
      'for (const url of urls) this.young.add(url)',
    ],
    'recently offered: nothing is ever forgotten': ['this.young.size >= GENERATION', 'false'],
  }),
  ...of('settings/link-rules.ts', ['link rules'], {
    'link rules: a link too near': ['hops > this.options.maxDepth ?', 'hops >= this.options.maxDepth ?'],
    'link rules: seeds are no exception': ['why === undefined || this.seeds.has(url.href)', 'why === undefined'],
    'link rules: include is one of many': ['!this.include.some(', '!this.include.every('],
    'link rules: --loops changes nothing': ["this.options.loops === 'no' ?", 'true ?'],
  }),
  ...of('settings/url-loops.ts', ['link rules'], {
    'url loops: one mention is enough': ['const HOST_MENTIONS = 2', 'const HOST_MENTIONS = 1'],
    'url loops: a pair may come twice only': ['const PAIR_MENTIONS = 3', 'const PAIR_MENTIONS = 2'],
    'url loops: www. is another host': [
      "return name.startsWith('www.') ? name.slice('www.'.length) : name",
      'return name',
    ],
    'url loops: empty pairs count': [" && pair !== ''", ''],
    'url loops: different hosts count together': ['other === name', 'true'],
  }),
  ...of('folder/stats/outages.ts', ['unreachable'], {
    'outages: any answer ends one': ['if (event.status < 500 && event.status !== 429) this', 'this'],
    'outages: each failure begins a new one': ['this.hosts.get(host)?.sinceMs ?? atMs', 'atMs'],
    'outages: hosts without end': ['this.hosts.size >= MOST_HOSTS', 'false'],
  }),
  ...of('decide/link-rank.ts', ['ranks'], {
    'ranks: languages do not matter': ['isLast ? DEFERRED : byScore', 'byScore'],
  }),
  ...of('extract/select.ts', ['select'], {
    'select: pages may nest without end': ['&& depthOf.tagStack.length < MOST_DEPTH', ''],
    'select: names of attributes have a case': ['name.toLowerCase()', 'name'],
    'select: blanks stay': [".replaceAll(/\\s+/g, ' ')", ''],
  }),
  ...of('settings/languages.ts', ['language of pages'], {
    'languages: an unknown one is another': ['language !== undefined && wanted.length > 0', 'wanted.length > 0'],
    'languages: regions count': ["!wanted.includes(language.split('-', 1)[0]!)", '!wanted.includes(language)'],
  }),
  ...of('extract/detect-language.ts', ['language of pages'], {
    'languages: what is not sure is said': ['best.accuracy >= LEAST_SURE', 'best.accuracy >= 0'],
    'languages: the detector is always loaded': ['language.length === 0 && onlyLanguage.length === 0', 'false'],
  }),
  ...of('settings/url-patterns.ts', ['pattern sets'], {
    'url patterns: a set is a plain pattern': ['if (!isPatternSet(pattern)) return', 'return'],
  }),
  ...of('settings/list-checks.ts', ['pattern sets'], {
    'url patterns: any set is allowed': ["pattern.startsWith('@') && !isPatternSet(pattern)", 'false'],
    'url patterns: what contains @ is a set': [
      "pattern => pattern.startsWith('@')",
      "pattern => pattern.includes('@')",
    ],
  }),
  ...of('visit/parcel.ts', ['small parts'], {
    'parcel: all records lie at the same place': ['    at += part.length\n', ''],
  }),
  ...of('frontier/local/moves/settling.ts', ['sentences', 'lives'], {
    'settling: a host’s own delay is not kept': ['Math.max(delayMs, state.delayOf(lease.host))', 'delayMs'],
    'settling: late tickets are not reported': [
      'if (lease === undefined) late.push(settlement.ticketId)',
      'if (lease === undefined) ;',
    ],
    'settling: links of a late ticket are dropped': [
      'fresh.push(this.offering.add(settlement.links))',
      'fresh.push(this.offering.add(lease === undefined ? [] : settlement.links))',
    ],
  }),
  ...of('frontier/local/state/state.ts', ['gaps', 'sentences', 'lives'], {
    'state: setDelay is forgotten': [
      'Math.max(this.hosts.delays.get(host), this.settings.delayMs)',
      'this.settings.delayMs',
    ],
    'state: a lease leaves no gap at its server': ['const serverSetMs = nowMs + gapMs', 'const serverSetMs = nowMs'],
    'state: a place leaves no gap at its server': ['lease.serverSetMs = nowMs + gapMs', 'lease.serverSetMs = nowMs'],
    'state: what is given back goes to the end': [
      'this.lists.putBack(host, rank, link)',
      'this.lists.append(host, rank, link)',
    ],
    'state: an auxiliary link that is given back goes to the end': [
      'this.auxiliaries.putBack(auxiliary)',
      'this.auxiliaries.append(auxiliary)',
    ],
    'state: a server’s time is taken back though it was moved': ['!wasAsked && readyAtMs === serverSetMs', '!wasAsked'],
    'state: who is in line when a host is placed is not woken': ['      this.hostQueue.wake(server)\n', ''],
    'state: a host that is released stays down': ['      this.down.setFailures(host, 0)\n', ''],
    'state: a host that is released waits on': ['      this.hostQueue.hastened(host)\n', ''],
  }),
  ...of('frontier/local/moves/settling.ts', ['gaps', 'sentences', 'lives'], {
    'showing: visits that hang together count each': ['takenMs >= servers.lastFailureMs(server)', 'takenMs > 0'],
    'showing: a server rests a step too long': ['nowMs + restMs(failures - 1)', 'nowMs + restMs(failures)'],
  }),
  ...of('frontier/local/choice/host-queue.ts', ['gaps', 'sentences', 'lives'], {
    'host queue: a ticket too many at a server': [
      'this.servers.open(server) < this.perServer && ',
      'this.servers.open(server) <= this.perServer && ',
    ],
    'host queue: a server’s gap is not waited for': [
      'this.perServer && this.servers.readyAtMs(server) <= nowMs',
      'this.perServer',
    ],
    'host queue: auxiliary links have no class of their own': [
      'hosts.auxiliaries(host) > 0 ? AUXILIARY : page',
      'page',
    ],
    'host queue: a host pushes in at its server': [' && this.servers.lastInLine(server, hostClass) === 0', ''],
    'host queue: fewer tickets at a server hold nobody back': [
      'if (this.servers.open(server) >= perServer) this.stop(server)',
      'if (this.servers.open(server) >= perServer) continue',
    ],
    'host queue: more tickets at a server wake nobody': ['      else this.wake(server)\n', ''],
    'host queue: time that goes back is not noticed': [
      'if (server === 0 || this.servers.readyAtMs(server) <= nowMs) return true',
      'if (server >= 0) return true',
    ],
  }),
  ...of('frontier/local/moves/changing.ts', ['sentences', 'lives'], {
    'changing: the backlog keeps the old delay': ['moveInBacklog(state, former.delayMs)', 'state.settings = settings'],
    'changing: another strategy takes over the turns': ['if (!isOther) for (const', 'for (const'],
    'changing: who was first in a domain stays there': ['  domains.forgetFirsts()\n', ''],
    'changing: visited domains are new again': [
      '    if (hosts.isVisited(host)) domains.setVisited(hosts.domain(host))\n',
      '',
    ],
  }),
  ...of('frontier/local/snapshot/replay.ts', ['folder sentences', 'folder lives'], {
    'replay: a change of strategy is forgotten': ['this.state.choice.clear()]', '{}]'],
    'replay: what was given is forgotten': [
      'give(state, this.readHost(), from.f64())',
      '[this.readHost(), from.f64()]',
    ],
    'replay: a release is forgotten': ['this.readHeld(true)', 'this.readHeld(false)'],
  }),
  ...of('frontier/local/moves/taking.ts', ['sentences', 'lives'], {
    'taking: an auxiliary link too many': ['leases.auxiliaries < auxiliaries', 'leases.auxiliaries <= auxiliaries'],
    'taking: a host too many that never answered': ['leases.unproven >= unproven', 'leases.unproven > unproven'],
    'taking: open pages don’t count for the limit': ['pages + leases.pages < limit', 'pages < limit'],
    'taking: what is down keeps the crawl open': ['waiting - down.waiting', 'waiting'],
    'taking: leases that ran out don’t come back': ['state.leases.runOut(nowMs)', '[]'],
  }),
  ...of('frontier/local/memory/leases.ts', ['sentences', 'lives'], {
    'frontier leases: a lease ends a moment too late': ['dueMs <= nowMs; dueMs = this', 'dueMs < nowMs; dueMs = this'],
    'frontier leases: one that is renewed never ends': [
      'lease.dueMs = dueMs\n    this.due.push(dueMs, lease.ticketId)',
      'lease.dueMs = dueMs',
    ],
  }),
  ...of('frontier/local/memory/waiting-counts.ts', ['down', 'sentences', 'lives'], {
    'down count: a server is down a failure too soon': [
      'this.servers.failures(server) > this.retries',
      'this.servers.failures(server) >= this.retries',
    ],
    'down count: auxiliary links at a server that is down are not counted': [
      'this.auxiliaries += sign * this.servers.auxiliaries(server)',
      '',
    ],
  }),
  ...of('frontier/local/memory/waiting-lists.ts', ['sentences', 'lives'], {
    'waiting lists: what was settled before is leased': ['if (this.links.state(link) !== WAITING) {', 'if (false) {'],
  }),
  ...of('frontier/local/moves/settling.ts', ['sentences', 'lives'], {
    'ending: a former visit still counts as waiting': ['    state.lists.passOver(host, link)\n', ''],
  }),
  ...of('frontier/local/moves/tickets.ts', ['sentences', 'lives'], {
    'returning: a ticket named twice is given back twice': [
      'const open = new Set(leases)',
      'const open = Object.assign(leases, { size: leases.length })',
    ],
  }),
  ...of('frontier/local/moves/offering.ts', ['sentences', 'lives'], {
    'offering: a host too many': ['hosts.known >= maxHosts', 'hosts.known > maxHosts'],
    'offering: new hosts add up over calls': ['    this.hostsBefore = this.state.hosts.known\n', ''],
    'giving: only new links give': ['if (gives > 0 && link', 'if (gives > 0 && !isKnown && link'],
    'giving: links that are refused give, too': [' && link.refused === undefined) this.give', ') this.give'],
    'giving: what the last link of a page gives is all': ['(this.given.get(host) ?? 0) + importance', 'importance'],
    'giving: a host that can be leased keeps its place': [
      'if (hosts.isAble(host) && hosts.classOf(host) !== AUXILIARY) choice.received(host)',
      '',
    ],
    'giving: sums have no end': [
      'Math.min(received.get(host) + importance, Number.MAX_VALUE)',
      'received.get(host) + importance',
    ],
  }),
  ...of('frontier/importance.ts', ['important', 'sentences'], {
    'important: hosts that have received nothing have no share': ['const FLOOR = 2 ** -10', 'const FLOOR = 0'],
    'important: turns don’t count': ['/ (turns + 1)', '/ 1'],
    'important: no turn goes to all': ['IN_TURN = 1 / 8', 'IN_TURN = 0'],
  }),
  ...of('frontier/local/choice/most-important.ts', ['important', 'sentences'], {
    'important: every turn moves the turn of all': ['if (this.isInTurn()) super.served(host)', 'super.served(host)'],
    'important: who was leased can be leased': ['if (count === 0) this.shares.set(host, 0)', ''],
  }),
  ...of('frontier/local/snapshot/snapshot.ts', ['folder important', 'folder sentences'], {
    'snapshot: what was received is forgotten': ['(received === 0 ? 0 : HAS_RECEIVED)', '0'],
    'snapshot: turns are forgotten': ['(turns === 0 ? 0 : HAS_TURNS)', '0'],
  }),
  ...of('frontier/local/memory/hosts.ts', ['columns'], {
    'sparse numbers: a copy is no copy': ['if (chunk !== undefined) this.kept.add(n)', ''],
  }),
  ...of('frontier/checks.ts', ['sentences', 'lives'], {
    'checks: links of a settlement are not checked': ['for (const { links } of settlements) checkLinks(links)', ''],
  }),
  ...of('frontier/local/memory/notes.ts', ['sentences', 'lives'], {
    'notes: they hold for ever': ['note !== undefined && nowMs < note.untilMs', 'note !== undefined'],
  }),
  ...of('frontier/local/choice/page-choice.ts', ['sentences', 'lives'], {
    'explore: a domain keeps the turn': [
      'this.turns[this.kindOf(domain)] = domain + 1',
      'this.turns[this.kindOf(domain)] = domain',
    ],
    'explore: the chance is turned round': ['this.isFreshTurn() ? FRESH : SEEN', 'this.isFreshTurn() ? SEEN : FRESH'],
    'explore: a visited domain gets lost': ['kinds[SEEN].add(domain)', ''],
  }),
  ...of('frontier/local/memory/waiting-counts.ts', ['backlog', 'sentences'], {
    'backlog: delays are not counted': ['this.delaysMs[cell]! += change * delayMs', ''],
    'backlog: who has left is still an example': ['else if (this.examples[cell] === host) this.examples[cell] = 0', ''],
  }),
  ...of('frontier/local/memory/rows.ts', ['sentences', 'snapshots'], {
    'rows: growing copies nothing': ['chunk.set(this.chunks[0]!)', ''],
    'rows: a copy is no copy': ['if (this.kept?.delete(n)) this.put(n, this.chunks[n]!.slice())', ''],
  }),
  ...of('frontier/local/memory/links.ts', ['sentences', 'snapshots'], {
    'links: growing forgets what became of them': ['larger.set(before)', ''],
    'links: a copy is no copy': ['else if (states === this.keptStates[n]) this.states[n] = states.slice()', ''],
  }),
  ...of('frontier/local/local-frontier.ts', ['sentences', 'acknowledging', 'syncs'], {
    'frontier: settlements are not checked': ['    checkSettlements(settlements)\n', ''],
    'frontier: nobody waits until the journal is safe': ['await this.deps.log.commit()', 'void this.deps.log.commit()'],
    'frontier: that all were known is said at once': [
      '    await this.safe()\n    return added',
      '    if (added > 0) await this.safe()\n    return added',
    ],
  }),
  ...of('frontier/local/journal/journal.ts', ['syncs', 'journal', 'lock'], {
    'journal: nothing is synced': ['await sync(this.files.get(segment)!)', ''],
    'journal: the name of a segment is not synced': ['    syncFolder(this.folder)\n', ''],
    'journal: a full segment is not synced': ['      fdatasyncSync(this.files.get(this.segment)!)\n', ''],
    'journal: what a killed process left is not synced': [
      '    fdatasyncSync(this.files.get(segment)!)\n    this.segment',
      '    this.segment',
    ],
    'journal: what came during a sync counts as synced': ['this.end === end && this.segment === segment', 'true'],
    'journal: the fence is not asked': ['      this.fence()\n', ''],
    'journal: a torn tail stays': ['    ftruncateSync(this.files.get(segment)!, end)\n', ''],
    'journal: the mark is not written': [
      '    for (const mark of this.marks) mark.write({',
      '    for (const mark of []) mark.write({',
    ],
  }),
  ...of('frontier/local/journal/journal-reader.ts', ['journal', 'torn'], {
    'journal: what a former owner wrote counts': ['this.bytesBefore(number + 1) || all.length', 'all.length'],
    'journal: less than was acknowledged is enough': [
      "    if (end < mustReach) throw damaged(path, end, message('local/acknowledged-missing', { bytes: mustReach }))\n",
      '',
    ],
  }),
  ...of('frontier/local/moves/reopening.ts', ['folder sentences', 'folder lives'], {
    'reopening: a clock that went back stops hosts': ['if (movedMs > 0) moveBack(state, movedMs, nowMs)', ''],
    'reopening: a visit that was cut off leaves no delay': [
      'state.hosts.holdUntil(lease.host, opening.nowMs + delayOf(state, lease.host, opening), false)',
      '',
    ],
    'reopening: who was down stays down': ['    down.setFailures(host, retries)\n', ''],
  }),
  ...of('frontier/local/snapshot/snapshot.ts', ['syncs', 'folder sentences', 'folder lives'], {
    'snapshot: auxiliary links are lost': ['state.auxiliaries.all()', '[]'],
    'snapshot: open tickets are lost': ['state.leases.all()', '[]'],
    'snapshot: what came back loses its place': ['state.requeued.copy()', 'new Int32Array(0)'],
    'snapshot: turns begin anew': ['out.varint(turn)', 'out.varint(1)'],
    'snapshot: it is not synced before it gets its name': ['await this.handle.sync()', ''],
    'snapshot: its name is not synced': [`await syncPath(folder, 'r')`, ''],
    'snapshot: its ledger is not synced': ['await ledger.makeSafe(mark)', ''],
  }),
  ...of('frontier/local/snapshot/snapshot-keeper.ts', ['folder sentences', 'folder lives'], {
    'snapshot keeper: segments that are needed go': ['state.needed.of(one) === 0', 'state.needed.of(one) >= 0'],
  }),
  ...of('frontier/local/open.ts', ['lock', 'journal'], {
    'open: an opening that fails keeps the lock': ['for (const { letGo } of held.toReversed()) letGo()', ''],
    'open: files that a former owner has open are written to': [
      'if (lock.tookOver) leaveOpenFiles(folder, lock)',
      '',
      ['taken over'],
    ],
  }),
  ...of('frontier/local/snapshot/replay.ts', ['journal', 'lock'], {
    'read folder: a missing segment is not noticed': ['links > 0 && !journal.has(segment)', 'false'],
  }),
  ...of('frontier/local/journal/ledger.ts', ['ledger'], {
    'ledger: its checksum is not looked at': ['sum !== crc', 'false'],
  }),
  ...of('frontier/local/journal/link-texts.ts', ['journal'], {
    'link texts: what is not what was offered is leased': [
      'this.links.isOf(link, fingerprintLow(written.url, this.seed))',
      'true',
    ],
  }),
  ...of('frontier/redis/engine/lua/parts/call.lua', ['redis shard'], {
    'redis: a call that is repeated is done again': ['SEQ and SEQ <= last[1] then', 'SEQ and SEQ < last[1] then'],
  }),
  ...of('frontier/redis/engine/lua/shard/take.lua', ['redis sentences'], {
    'redis: a lease expires a moment later': [
      `T .. 'e', '-inf', now, 'LIMIT', 0, 256`,
      `T .. 'e', '-inf', '(' .. now, 'LIMIT', 0, 256`,
    ],
    'redis: the turn stays at a host': ['numberOf(chosen[#chosen]) + 1', 'numberOf(chosen[#chosen])'],
    'redis: unproven hosts have no quota': ['min(wanted, unproven)) or {}', 'wanted) or {}'],
    'redis: a domain is never visited': [
      `and strategy == 'explore' then visit(h[hDomain])`,
      `and strategy == 'none' then visit(h[hDomain])`,
    ],
    'redis: important: the next chance is taken': [
      'chanceAt(N[nTickets] + #chosen)',
      'chanceAt(N[nTickets] + #chosen + 1)',
    ],
    'redis: important: who was chosen is chosen again in turn': [`call('ZREM', T .. set .. 'i', id)`, ''],
    'redis: important: who was chosen in turn is chosen again': ['isChosen[id] = true', ''],
    'redis: important: turns are not counted': ['h[hTurns] = h[hTurns] + 1', ''],
    'redis: the next chance is taken': ['chanceAt(N[nTickets]) <', 'chanceAt(N[nTickets] + 1) <'],
    'redis: a limit bounds visits again': [
      'N[nFull] == N[nHosts] then pages = math.huge end',
      'N[nFull] == N[nHosts] then end',
    ],
    'redis: nobody waits for a planned visit': [`'e', 'u', 't' }`, `'e', 'u' }`],
    'redis: nobody waits for a lease to expire': [`{ 'r', 'p', 'e', 'u' }`, `{ 'r', 'p', 'u' }`],
  }),
  ...of('frontier/redis/engine/lua/parts/hosts.lua', ['redis sentences'], {
    'redis: important: a host that can be leased keeps its place': ['h[hReceived] ~= was[wasReceived]', 'false'],
    'redis: important: who has left can be leased in turn': [
      `if strategy == 'important' and class ~= 'j' then removed[class .. 'i'] = list end`,
      '',
    ],
  }),
  ...of('frontier/redis/shard/pack-links.ts', ['redis sentences'], {
    'redis: links that are refused give, too': [`kind === 'page' && refused === undefined`, `kind === 'page'`],
  }),
  ...of('frontier/redis/engine/lua/shard/settle.lua', ['redis sentences'], {
    'redis: a host that fails does not rest': ['if ownRestMs > pauseMs then', 'if false then'],
    'redis: a host that is gone does not rest for its planned visits': [' or h[hPlans] and h[hPlans][pAll] > 0', ''],
    'redis: another try is no attempt': ['queue(id, h, rank, tried(text))', 'queue(id, h, rank, text)'],
    'redis: a host has no pages': ['h[hPages] = h[hPages] + 1', ''],
    'redis: what is found on another try is not offered': [
      'if #list[k + 6] > 0 then',
      'if #list[k + 6] > 0 and how > 0 then',
    ],
  }),
  ...of('frontier/redis/engine/lua/parts/plans.lua', ['redis sentences'], {
    'redis: the gain of a visit counts for nothing': ['numeral(-v[vGain])', 'numeral(0)'],
    'redis: due visits of a gain come as they were planned': [
      "spack('>d', max(0, v[vDue])) .. number",
      "spack('>d', 0) .. number",
    ],
    'redis: a visit that is tried again is no attempt': ['if isTried then', 'if false then'],
    'redis: a note is not replaced': ['v[vNote] = again[3]', 'v[vNote] = v[vNote]'],
    'redis: a link has no note when it is planned': ['again[3] or note, visited', 'again[3], visited'],
    'redis: what is visited for the last time stays planned': ["call('HDEL', T .. 'l:' .. id, number)", ''],
    'redis: a visit that comes back is lost': [
      '    keepVisit(id, number, v)\n  end\n  comes(id, number, v)',
      '    keepVisit(id, number, v)\n  end',
    ],
    'redis: new and due links take no turns': ['plans[pTurn] == 1 or h[hWaiting]', 'h[hWaiting]'],
    'redis: new links are leased when enough pages are done': [
      'h[hWaiting] == 0 or numberOf(id) <= N[nFull]',
      'h[hWaiting] == 0',
    ],
  }),
  ...of('frontier/redis/engine/lua/parts/hosts.lua', ['redis sentences'], {
    'redis: links wait when enough pages are done': [
      'numberOf(id) <= N[nFull] then return due end',
      'false then return due end',
    ],
  }),
  ...of('frontier/redis/engine/lua/shard/plan.lua', ['redis sentences'], {
    'redis: a page that was visited meanwhile is planned anew': ['if v and v[vVisited] == visited then', 'if v then'],
  }),
  ...of('frontier/redis/engine/lua/shard/hint.lua', ['redis sentences'], {
    'redis: a hint of an old change is believed': ['v[vVisited] < input[4 * k] then', 'true then'],
    'redis: a hint comes before its least time': ['v[vVisited] + input[4 * k + 1])', '0)'],
  }),
  ...of('frontier/redis/engine/lua/shard/settle-former.lua', ['redis sentences'], {
    'redis: an earlier visit is settled after a later one': ['v[vVisited] >= date', 'false'],
  }),
  ...of('frontier/redis/engine/lua/shard/revive.lua', ['redis lives'], {
    'redis: links are due before the first take': ["input[1] == 'all' and undue() or 0", '0'],
  }),
  ...of('frontier/redis/engine/lua/shard/give-back.lua', ['redis sentences'], {
    'redis: what is given back goes to the end': [
      `call('LPUSH', T .. 'q:' .. id .. ':'`,
      `call('RPUSH', T .. 'q:' .. id .. ':'`,
    ],
  }),
  ...of('frontier/redis/engine/lua/shard/former.lua', ['redis sentences'], {
    'redis: a visit that was cut off has no delay': ['holdUntil(h, now + delayOf(h), 0)', ''],
  }),
  ...of('frontier/redis/engine/lua/shard/renew.lua', ['redis sentences'], {
    'redis: a lease is renewed for no time': ['numeral(now + leaseMs)', 'numeral(now)'],
  }),
  ...of('frontier/redis/engine/lua/shard/admit.lua', ['redis sentences'], {
    'redis: one ticket too many at a server': ['called = perServer - openAt(s)', 'called = perServer + 1 - openAt(s)'],
    'redis: a newcomer overtakes those who were called': ['and (wasCalled or gapMs == 0 or called == 0) then', 'then'],
    'redis: a server has no gap': ['    s[sReady] = now + gapMs\n', ''],
  }),
  ...of('frontier/redis/engine/lua/shard/release.lua', ['redis sentences'], {
    'redis: a ticket that is closed unasked leaves a gap': ['if how == 0 and s[sReady] == set then', 'if false then'],
    'redis: visits that hang together count each': ['how == 3 and takenAt >= s[sFailedAt]', 'how == 3'],
  }),
  ...of('frontier/redis/engine/lua/shard/set-host.lua', ['redis sentences'], {
    'redis: a host that is released waits on': ['min(h[hReady], now)', 'h[hReady]'],
    'redis: a host that is released stays down': ['now), 0, 0', 'now), 0, h[hFails]'],
  }),
  ...of('frontier/redis/engine/lua/parts/offering.lua', ['redis sentences'], {
    'redis: a host too many per domain': ['>= mostOfDomain', '> mostOfDomain'],
    'redis: a bucket is split the wrong way': ['% (level * 2) == to then', '% (level * 2) ~= to then'],
  }),
  ...of('frontier/redis/engine/lua/crawl/permit.lua', ['redis sentences'], {
    'redis: open tickets need no permit': ['limit - pages - own[5] - open - own[6]', 'limit - pages - own[5] - open'],
  }),
  ...of('frontier/redis/taking.ts', ['redis sentences'], {
    'redis: a crawl with plans ends': ['({ remaining }) => remaining.planned > 0', '() => false'],
    'redis: what waits is wanted when enough pages are done': [
      'if (!shard.isWeighed(this.isFull)) await',
      'if (!shard) await',
    ],
  }),
  ...of('frontier/redis/work.ts', ['redis sentences'], {
    'redis: the first crawler revives nobody': ['if (arrival.isFirst) {', 'if (!arrival) {'],
  }),
  ...of('frontier/redis/looking.ts', ['redis sentences'], {
    'redis: a reason is counted in one shard only': [
      "added(typeof before === 'object' ? before : {}, count)",
      'before ?? count',
    ],
  }),
  ...of('run/steering.ts', ['steering'], {
    'steering: actions are done at the same time': [
      'const done = this.turn.then(() => this.perform(action))',
      'const done = this.perform(action)',
    ],
    'steering: a crawl that ends can be changed': ['if (this.deps.isEnding()) throw', 'if (false) throw'],
    'steering: a pause does not hold': ['if (isPaused) conductor?.pause()', 'if (isPaused) conductor?.resume()'],
    'steering: an action has no line': ['await folder.actions.append({ ...written, atMs: clock(), result: done })', ''],
    'steering: an action is no event': ["emit({ kind: 'action', action: written, result: done })", ''],
    'steering: seeds are not offered': [
      'const links = await offerSeeds(frontier, urls, run.config.ranks)',
      'const links = []',
    ],
    'steering: links that a seed lets in stay out': [
      "Object.hasOwn(refusedFor, 'scope')",
      "Object.hasOwn(refusedFor, 'x')",
    ],
    'steering: open requests do not end before rules change': [
      'if (other.needsQuiet && conductor',
      'if (false && conductor',
    ],
    'steering: an unknown host is changed': [
      "if (view === undefined) throw new EscalonaError('CRAWL_BAD_ACTION/no-host'",
      "if (false) throw new EscalonaError('CRAWL_BAD_ACTION/no-host'",
    ],
    'steering: links that are cleared are not written down': [
      "failures.append(linesOfEnded(links, 'cleared', this.deps.clock()))",
      '',
    ],
  }),
  ...of('decide/change-rate.ts', ['change rate'], {
    'rates: a change makes a page slower': ['const changes = isChanged', 'const changes = !isChanged'],
    'rates: the half of the formula is missing': ['Math.log1p(1 / (visits + 0.5))', 'Math.log1p(1 / (visits + 1))'],
    'rates: old visits count for ever': ['const MOST_VISITS = 20', 'const MOST_VISITS = 2e9'],
    'rates: evidence counts the same at every interval': ['(evidence * (1 + expected)) / expected', 'evidence'],
    'rates: time that went back counts': ['if (!(sinceMs > 0 && sinceMs < Infinity)) return rate', ''],
  }),
  ...of('decide/revisit-worth.ts', ['change rate'], {
    'worth: small gains have no digits': ['if (changes < 1e-3) return', 'if (changes < 0) return'],
    'worth: freshness is worth as much at every page': ["return (goal === 'freshness' ? meanMs : 1) *", 'return'],
    'worth: a page that changes too fast has an interval': ['if (gain >= 1) return Infinity', ''],
  }),
  ...of('decide/revisit-budget.ts', ['change rate', 'revisit plan'], {
    'budget: a page that changes too fast is visited often': [
      'isLeft ? LONGEST_BY_WORTH * worth : everyMs',
      'isLeft ? worth : everyMs',
    ],
    'budget: a slow host gets as many visits': ['Math.max(this.worth, this.hosts.get(host)?.worth ?? 0)', 'this.worth'],
    'budget: the rate of the crawl does not limit it': [
      'Math.min(entitled, maxRequestsPerSecond / 1000 / this.pages)',
      'entitled',
    ],
    'budget: what earlier runs planned by is forgotten': [
      'this.former = this.worthBefore(before)',
      'this.former = undefined',
    ],
    'budget: it is for the other goal': [
      'if (settings.recrawlFor !== this.settings.recrawlFor) return new',
      'if (false) return new',
    ],
  }),
  ...of('decide/policy.ts', ['freshness'], {
    'budget: nothing is learned from a visit': [
      'return { ...decision, entry, events: [answered',
      'return { entry, events: [answered',
    ],
  }),
  ...of('decide/revisit-plan.ts', ['revisit plan'], {
    'revisits: the worth of a visit in a run is forgotten': ['this.budget?.worthAt(hostOf(visit.url)) ??', ''],
    'revisits: the interval has no bounds': ['return Math.min(Math.max(ms, recrawlMinMs), recrawlMaxMs)', 'return ms'],
    'revisits: a missing page is gone at once': ['misses < MOST_MISSES ?', 'misses < 1 ?'],
    'revisits: a failed visit is no reason to ask for the whole page': [
      'misses: 0, isAfterError: true }',
      'misses: 0, isAfterError: false }',
    ],
    'revisits: a server is never caught': [
      'const isCaught = isChanged && wasWhole && page.unchanged > 0',
      'const isCaught = false',
    ],
    'revisits: a caught server is believed at once': [
      'const isDoubted = caught > 0 && calm',
      'const isDoubted = caught > 9 && calm',
    ],
    'revisits: the whole page is never asked for': [
      'const isFullDue = unchanged + 1 >=',
      'const isFullDue = unchanged - 1e9 >=',
    ],
    'revisits: all due pages gain as much': ['gain: worthOf(goal, page.meanMs, page.intervalMs)', 'gain: 1'],
    'revisits: all are due at the same time': ['const SPREAD = 0.1', 'const SPREAD = 0'],
    'revisits: a page that was not asked for is due at its interval': [
      'return this.again(link, page, this.settings.recrawlMaxMs)',
      'return this.again(link, page)',
    ],
  }),
  ...of('decide/revisit-policy.ts', ['policy', 'revisits'], {
    'revisits: a page that is the same has changed': [
      "same === 'payload' || same === 'text' ? 'same' : 'changed'",
      "'changed'",
    ],
    'revisits: a 404 is a failure as any other': [
      'const isMissing = answer !== undefined && MISSING.has(answer.status)',
      'const isMissing = false',
    ],
    'revisits: the line of a page that is gone is missing': [
      "...(isGone && { page: lineOf(ticket, page, answer!, 'gone') }),",
      '',
    ],
    'revisits: a failed visit again is a failed link': [
      "return [{ kind: 'revisit failed', url: events.url, why: events.why }]",
      'return [events]',
    ],
    'revisits: a host that is gone takes its pages along': [
      "settlement.shown === 'gone' ? 'silence' : settlement.shown",
      'settlement.shown',
    ],
  }),
  ...of('decide/sitemap-book.ts', ['sitemap book'], {
    'sitemaps: a file is read twice a day': ["if (files.has(keyOf(url, host, of))) return 'read'", ''],
    'sitemaps: a file too many at a host': ['files.size >= MOST_FILES', 'files.size > MOST_FILES'],
    'sitemaps: hosts send the crawl anywhere': [
      'foreign < MOST_FOREIGN_FILES && maySend',
      'foreign < MOST_FOREIGN_FILES',
    ],
    'sitemaps: what was read is never read again': ['agoMs >= 0 && agoMs < KEPT_MS', 'agoMs >= 0'],
    'sitemaps: a clock that went back says read': ['agoMs >= 0 && agoMs', 'agoMs'],
  }),
  ...of('decide/link-rank.ts', ['ranks', 'focused'], {
    'ranks: preferring counts nothing': [
      '=> pattern.matches(url))) return PREFERRED',
      '=> pattern.matches(url))) return MIDDLE',
    ],
    'ranks: deep paths come with the deferred links': ['DEFERRED - 1)', 'DEFERRED)'],
    'ranks: a page that is visited again gives again': [' && page?.isAgain !== true', ''],
    'ranks: farms of links pay': ['    this.given.add(domain)\n', ''],
    'ranks: pages give to their own domain': ['new Set([registrableDomain(hostOf(from))])', 'new Set()'],
    'ranks: any number is a rank': ["typeof value === 'number' && value >= 0 && value <= 1", 'true'],
    'ranks: redirects count as pages': ['if (!isRedirect) this.shares', 'this.shares'],
    'ranks: the worst score comes first': ['LEVELS - Math.floor(value * LEVELS), 1', 'Math.floor(value * LEVELS), 1'],
  }),
  ...of('decide/importance.ts', ['ranks'], {
    'importance: a share is as much as the whole': ['return share[0] / share[1]', 'return share[0]'],
    'importance: unknown pages count as seeds': [
      'SEED_IMPORTANCE : this.importance / this.pages',
      'SEED_IMPORTANCE : SEED_IMPORTANCE',
    ],
    'importance: levels without end': [', 1), LEVELS)', ', 1), 2 ** 20)'],
  }),
  ...of('library/page-scores.ts', ['focused'], {
    'scores: no page waits': ['this.hasScores || !this.hasAnswered', 'false'],
    'scores: programs without scores hold the crawl up': ['if (!this.hasScores) this.resolveAll()', ''],
    'scores: any number is a score': ['score >= 0 && score <= 1', 'true'],
    'scores: pages wait for a loop that was left': ['return !this.isOver && ', 'return '],
    'scores: a score that comes early is lost': [
      'if (resolve === undefined) this.hearEarly(key, score)',
      'if (resolve === undefined) {}',
    ],
    'scores: a page waits after the end': ['if (this.isOver || this.isReleased ||', 'if ('],
  }),
  ...of('decide/sitemap-policy.ts', ['sitemap policy'], {
    'sitemaps: indexes may name indexes for ever': ['level >= DEEPEST_LEVEL ?', 'level >= 99 ?'],
    'sitemaps: a redirect too many': ['if (redirects > MOST_REDIRECTS)', 'if (redirects > MOST_REDIRECTS + 1)'],
    'sitemaps: the setting does not hold': ["isSeed === true || settings.sitemaps === 'yes'", 'true'],
    'sitemaps: a 503 is final': ['if (status === 429 || status >= 500) {', 'if (status === 429) {'],
    'sitemaps: robots.txt is not asked': ['return unread(ticket, gate.reason)', 'return undefined'],
    'sitemaps: tried once too often': [
      '!isWorthAgain || ticket.attempt > settings.retries',
      '!isWorthAgain || ticket.attempt > settings.retries + 1',
    ],
  }),
  ...of('server/access-control.ts', ['server gate', 'attacks'], {
    'server: any name is ours': ['if (!isAddress && !this.names.includes(name))', 'if (false)'],
    'server: other sites may ask': ['if (!isOwnSite(context, host, origin))', 'if (false)'],
    'server: any token is right': ["if (isSame(given, this.token)) return 'right'", "return 'right'"],
    'server: tokens may be guessed for ever': ["if (isGuessable && !this.mayGuess()) return 'slow down'", ''],
    'server: a cookie is used by other sites': ["if (origin === undefined && site !== 'same-origin')", 'if (false)'],
    'server: a token leads to another host': ["pathname.replace(/^[/\\\\]+/, '')", 'pathname.slice(1)'],
  }),
  ...of('server/read-request.ts', ['server api'], {
    'server: unknown parameters are taken': ['if (!Object.hasOwn(types, name)) throw', 'if (false) throw'],
    'server: the last of two parameters counts': ['if (Object.hasOwn(values, name)) throw', 'if (false) throw'],
    'server: bodies without end are read': ['if (bytes > MOST_BODY_BYTES)', 'if (false)', ['attacks']],
    'server: a body may be anything': ['if (validator.Check(value)) return', 'if (validator) return'],
    'server: forms of other sites are JSON': ["throw new EscalonaError('UI_NOT_JSON')", 'void 0', ['attacks']],
  }),
  ...of('view/process/waiting-for.ts', ['waiting for'], {
    'view: trouble is said while pages come': ["if (!isStalled) return ''", ''],
    'view: a pause is not said': ['if (isPaused || isChanging) {', 'if (isChanging) {'],
    'view: a network that is down is not said': ['if (network.missing !== undefined) return', 'if (false) return'],
  }),
  ...of('simulate/world.ts', ['simulate worlds'], {
    'simulate: all hosts are of one size': ['sum += 1 / (order[host]! + 1)', 'sum += all / count'],
    'simulate: the largest host comes first': [
      'const order = shuffled(count, seed)',
      'const order = [...Array(count).keys()]',
    ],
    'simulate: addresses of hosts are not used': ['addresses?.get(name) ?? registrableDomain', 'registrableDomain'],
    'simulate: a page with as many links as --start-links is a start page': [
      '> startLinks) able',
      '>= startLinks) able',
    ],
    'simulate: all sets of start pages are one': ['set * 1_000_003 + n', 'n'],
  }),
  ...of('simulate/graph-web.ts', ['simulate worlds'], {
    'simulate: a gap is that between the beginnings': [
      'startMs - this.lastEndMs[host]!)',
      'startMs - this.lastStartMs[server]!)',
    ],
    'simulate: open requests are not summed': ['this.openMs += this.openNow * (nowMs - this.lastMs)', ''],
    'simulate: no request fails': ['return chance >= 1 ? undefined', 'return chance >= 0 ? undefined'],
    'simulate: nobody asks for a Crawl-delay': [
      '< crawlDelays ? CRAWL_DELAY_SECONDS : known?.[host]',
      '< crawlDelays ? undefined : known?.[host]',
    ],
    'simulate: the Crawl-delay of an archived robots.txt is not kept': [
      'CRAWL_DELAY_SECONDS : known?.[host]',
      'CRAWL_DELAY_SECONDS : undefined',
    ],
    'simulate: all answers come at once': ['Math.max(1, Math.round(own * (0.5 + chance())))', '1'],
  }),
  ...of('simulate/run-simulation.ts', ['simulate worlds'], {
    'simulate: PageRank orders links the wrong way': ['ranks[b]! - ranks[a]!', 'ranks[a]! - ranks[b]!'],
    'simulate: links have no random order': ["run.order === 'random'", 'false'],
    'simulate: an order that only the simulator has is not used': ['order: run.order,', 'order: undefined,'],
  }),
  ...of('simulate/virtual-clock.ts', ['simulate worlds'], {
    'virtual clock: what an alarm sets rings before the others of its instant': [' && queue.topId <= lastAlarm', ''],
    'virtual clock: cancelled alarms are kept wrongly': [
      'if (this.alarms.has(alarm)) kept',
      'if (!this.alarms.has(alarm)) kept',
    ],
    'virtual clock: no end to waiting': ['if (atMs > endMs) throw', 'if (atMs < 0) throw'],
  }),
  ...of('simulate/measures.ts', ['simulate worlds', 'simulate strategies'], {
    'simulate: shares are of the whole graph': [
      'const all = reachableFrom(world, starts)',
      'const all = Uint32Array.from({ length: world.graph.pages }, (_, page) => page)',
    ],
    'simulate: a point is a page late': ['if (!wanted.has(n + 1)) continue', 'if (!wanted.has(n)) continue'],
  }),
  ...of('simulate/page-rank.ts', ['simulate measures'], {
    'simulate: PageRank of pages without links is lost': ['DAMPING * loose', '0 * loose'],
    'simulate: links to pages that are not there count': ['if (to >= 0) keep(n, to)', 'keep(n, Math.max(0, to))'],
  }),
  ...of('simulate/kendall-tau.ts', ['simulate measures'], {
    'simulate: τ counts ties twice': ['- tiedB + tiedBoth - 2 * swaps', '- tiedB - 2 * swaps'],
    'simulate: τ of equal keys counts as out of order': ['<= keys[from[right]!]!', '< keys[from[right]!]!'],
  }),
  ...of('simulate/changes.ts', ['simulate measures'], {
    'simulate: every visit is fresh': ['this.freshMs += changeMs - sinceMs', 'this.freshMs += nowMs - sinceMs'],
    'simulate: pages that never change count as stale': [
      'if (meanMs === Infinity) return 1',
      'if (meanMs === Infinity) return 0',
    ],
    'simulate: the best that can be done ignores the delays of hosts': [
      'const here = Math.max(worth, least[n]!)',
      'const here = worth',
    ],
    'simulate: all hosts allow as many visits': ['Math.min(perPage, visits.mostPerMs(host) / own.length)', 'perPage'],
  }),
  ...of('simulate/read-graph.ts', ['simulate graphs'], {
    'simulate: a page too few is no error': [
      'this.done < this.pages) {\n      const missing',
      'this.done < 0) {\n      const missing',
    ],
    'simulate: any number is a page': ['if (number >= this.pages) throw', 'if (number < 0) throw'],
    'simulate: packed graphs are not unpacked': ['first.value[0] === GZIP', 'first.value[0] === 0'],
    'simulate: comments are read': ['this.isComment = true', 'this.isComment = false'],
  }),
  ...of('simulate/graph.ts', ['simulate measures', 'simulate graphs'], {
    'simulate: loops are links': ['if (to === this.page) {', 'if (to < 0) {'],
    'simulate: a link may come twice': ['if (this.linkedFrom[to] === this.page + 1) {', 'if (to < 0) {'],
  }),
  ...of('simulate/crawl-world.ts', ['simulate worlds'], {
    'simulate: what a redirect led to is not found': [
      'return page === undefined ? (foundOn.get(url) ?? []) : [page]',
      'return page === undefined ? [] : [page]',
    ],
    'simulate: a crawl begins anywhere': ['seeds: seeds.length > 0 ? seeds : [0]', 'seeds: [0]'],
    'simulate: hosts of a crawl ask for no delay': [
      'crawlDelays.push(file && ',
      'crawlDelays.push(undefined && file && ',
    ],
  }),
  ...of('simulate/simulate.ts', ['simulate strategies'], {
    'simulate: depth-first is breadth-first': ["'random' : 'newest') : undefined", "'random' : undefined) : undefined"],
    'simulate: the rank is that of a crawl': ["rank: rank === 'pagerank' ? 'pagerank' : undefined", 'rank: undefined'],
  }),
  ...of('audit/host-audit.ts', ['audit/breaches', 'short-gaps'], {
    'audit: the error of times is not allowed for': ['if (lack >= errorMs)', 'if (lack > 0)'],
    'audit: only neighbours are compared': ['} else if (lack <= 0) start = at', '} else start = at'],
    'audit: Retry-After is forgotten': ['if (waits[next]!.untilMs > longest.untilMs)', 'if (false)'],
    'audit: retries are not told apart': [
      'if (status === 0 || status === 429 || status >= 500) retries++',
      'if (false) retries++',
    ],
    'audit: overlaps are not seen': ['if (time + errorMs <= endMs) overlaps++', ''],
  }),
  ...of('audit/robots-files.ts', ['audit/breaches'], {
    'audit: robots.txt that comes late is not applied': ['if (origin.judgedMs >= timeMs) this.isLate = true', ''],
    'audit: the oldest robots.txt decides': ['version.timeMs <= timeMs', 'version.timeMs < 0'],
    'audit: after 5xx all is allowed': [
      "const allowed = version.kind === 'allows all' || isRobots",
      'const allowed = true',
    ],
  }),
  ...of('audit/exchanges.ts', ['audit/breaches'], {
    'audit: a request and its answer are two': [
      'if (other === undefined) this.keep(half)',
      'if (true) this.keep(half)',
    ],
    'audit: chunks are not undone': ['const wire = isChunked ? unchunked(body) : body', 'const wire = body'],
  }),
  ...of('archive/any-warc.ts', ['hostile-warc'], {
    'any-warc: a block is kept whole': ['const wanted = part.subarray(0, this.wanted)', 'const wanted = part'],
    'any-warc: anything is a record': ['if (!start.equals(START.subarray(0, start.length))) this.isDamaged = true', ''],
    'any-warc: heads have no limit': ['if (bytes.length - at > MOST_HEAD_BYTES) this.isDamaged = true', ''],
  }),
  ...of('view/listed.ts', ['listed'], {
    'view: a page is listed once per visit': ["page.change === 'new' && isChosen", 'isChosen'],
    'view: a list ends with its first page': [
      '    if (after === undefined) return\n    limit = LINKS_AT_ONCE',
      '    if (after !== undefined) return\n    return',
    ],
    'view: links of all hosts and texts are listed': ['if (isChosen(link)) yield', 'yield'],
  }),
  ...of('settings/link-choice.ts', ['listed'], {
    'choice: a reason lists all links': ['isWanted(one) && states', 'states'],
    'choice: seeds are those that were found': ["(origin === 'seed')", "(origin === 'found')"],
    'choice: what a text chooses is counted as everything': ["q.trim() !== ''", "q.trim() === ' '"],
  }),
  ...of('view/indexes/link-list.ts', ['link list'], {
    'link list: the last of an order are kept': ['sign * (a.key', '-sign * (a.key'],
    'link list: a known count is not used': ['this.total = Math.max(total, this.total)', 'this.total += 0'],
    'link list: a scan that nobody asks about goes on': ['if (!isAsked()) return', 'isAsked()'],
  }),
]

/** The mutants of one file. The third of an entry: tests of its own, before those of the file. */
function of(file, tests, mutants) {
  return Object.entries(mutants).map(([name, [find, put, own = []]]) => ({
    name,
    file,
    find,
    put,
    tests: [...own, ...tests],
  }))
}
