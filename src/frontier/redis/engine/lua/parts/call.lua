-- In front of every move of a shard. KEYS[1] is the shard's `m`; KEYS[2] never exists: while a slot is being moved, a call with
-- two keys of which one is missing is answered with TRYAGAIN until everything has moved, so no move sees half a shard.
--
-- ARGV: now in ms (empty: the engine's clock), owner, number of the call (after a + if it waits for memory), rules (msgpack), input (msgpack),
--   number of the owner's last call that was answered, of those that wait for memory or of the others (0: none).
-- Returns msgpack {dequeued, damaged, …}: dequeued are {server, host, …} that left a server's queue without having tried it; damaged, how many
-- hosts were set aside because their records can't be read. Or a text: FENCED; WIPING; LOST and the number of the owner's last call
-- that is known here, when calls that were answered are not: the engine has forgotten them. Nothing else was done then.
--
-- Keys of a shard, after its tag. An id is a host's number, 4 bytes big-endian, so that sorted sets order ties by number.
--   m         hash: c = counters (msgpack, the n… below); notes, clearings = the last number of one; p:OWNER = pages it has settled;
--             k:OWNER = msgpack {number of its last call, what that returned}; k+OWNER: the same of calls that wait for memory;
--             run = the id of the process that this shard was last used in
--   ok        set: owners that have looked for losses since this shard is held (see hold.lua)
--   s:N       hash: fingerprint (8 bytes) → 0 waiting or leased, 1 done and a page, 2 done, 3 and more: refused, for reason n - 3;
--             less than 0: done, and visit -n / 2 (rounded down) is planned; odd: not a page
--   c         hash: #REASON → its number; +NUMBER → how many links were refused for it
--   h, i      hash: host → id; id → record (the h… of hosts.lua)
--   q:ID:D    list: texts of the page links that wait at rank D (a byte);  q:ID: of its auxiliary links
--   y:ID      set: fingerprints of its auxiliary links
--   x:ID      hash: fingerprint → rank (a byte) and text of a refused link
--   l:ID      hash: number of a planned visit (4 bytes) → the visit, as in plans.lua
--   t         sorted set: number and id of planned visits that are neither due nor leased, by their time
--   t:ID      sorted set: time (a double, 8 bytes) and number of the due visits of a host, the highest gain first
--   td        set: ids of hosts with due visits, or whose next page is to be a due one
--   r         sorted set: id and class (a letter) of hosts with something waiting and no ticket that have not joined, by their time
--   p         the same for hosts that wait in the queue of their server, by the time at which they try again (or +inf)
--   j, a, f   sorted sets: hosts that have joined. j: with auxiliary links, by order of joining; a: proven; f: unproven; by
--             what the strategy chooses first (depth, breadth: by id alone)
--   A, F      with explore, those of domains never visited; members of a, f, A, F are then order of joining (6 bytes) and id
--   ai, fi    with important, the same as a and f, by id alone
--   g         hash: with explore, id → set (a letter) and member
--   e         sorted set: ids of leased hosts, by the end of the lease
--   d, dv     hash: domain → msgpack {number from 1, hosts}, unless its only host has the same name; bitmap of the visited ones by number
--   o         set: ids of hosts that are down
--   x         set: ids of hosts that were set aside
--   b, bn     hash: number → note of links; number → how many links share it, minus 1, if more than one does
--   bk        hash: waiting links and delay, as powers of 2 → hosts; the same with + → sum of their delays
--   z, z:N:D  hash: number → msgpack {id, reason, since, ranks} of what is being refused in steps; their texts by rank
--   n:HOST    hash: key → end in ms (8 bytes, a double) and note about the host;  nn: set of hosts not known with such notes
--   v         hash: server → msgpack record (see server.lua);  w:C:SERVER: sorted sets, the queue of each class;  u: servers by time
local M, T = KEYS[1], string.sub(KEYS[1], 1, -2)
local call, pack, unpacked = redis.call, cmsgpack.pack, cmsgpack.unpack
local byte, char, sub, find = string.byte, string.char, string.sub, string.find
local floor, max, min = math.floor, math.max, math.min

local now = tonumber(ARGV[1])
if not now then
  local time = call('TIME')
  now = time[1] * 1000 + floor(time[2] / 1000)
end
local OWNER, SEQ = ARGV[2], tonumber(ARGV[3])
local K = (byte(ARGV[3]) == 43 and 'k+' or 'k:') .. OWNER
local N, kept = unpack(call('HMGET', M, 'c', K))
local last = kept and unpacked(kept) or { 0 }
if SEQ and SEQ <= last[1] then
  if SEQ < last[1] then return 'FENCED' end
  -- Written once more: WAIT covers only what its own connection wrote, and the first answer may have been lost with another.
  call('HSET', M, K, kept)
  return last[2]
end
local rules = unpacked(ARGV[4])
local input = unpacked(ARGV[5])

-- A line `-- const: NAME = VALUE, …` names values; scripts.ts puts them in place of their names. As locals they would cost: every
-- local that a function refers to makes every call slower.
-- const: strategy = rules[1], exploreChance = rules[2], seed = rules[3], leaseMs = rules[4], leastDelayMs = rules[5]
-- const: retries = rules[6], mostOfDomain = rules[7], perServer = rules[8], gapMs = rules[9], revivals = rules[10], recrawl = rules[11]

-- The counters.
-- const: nKnown = 1, nWaiting = 2, nLeased = 3, nDone = 4, nPages = 5, nRefused = 6, nAuxiliaries = 7, nHosts = 8, nDomains = 9
-- const: nDown = 10, nDownHosts = 11, nDownAuxiliaries = 12, nBuckets = 13, nTickets = 14, nJoins = 15
-- const: nTurn = 16, nFreshTurn = 17, nVisitedTurn = 18, nReasons = 19, nClearings = 20, nWiped = 21
-- const: nMaxHosts = 22, nDomainHosts = 23, nPageHosts = 24, nDamaged = 25, nLookedAt = 26, nHeldUntil = 27
-- Planned visits, with leased ones; those that are due; at hosts that are down; leased; the last number. Up to host nFull, links that wait do
-- not count as waiting: enough pages are done.
-- const: nPlanned = 28, nDue = 29, nDownDue = 30, nRevisiting = 31, nPlans = 32, nFull = 33

-- The id of the process; empty without the right to ask for it.
local function runId()
  local info = redis.pcall('INFO', 'server')
  return type(info) == 'string' and string.match(info, 'run_id:(%x+)') or ''
end
if N then
  N = unpacked(N)
else
  N = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1 }
  for k = #N + 1, nFull do N[k] = 0 end
  if SEQ then call('HSET', M, 'run', runId()) end
end

-- Nothing is leased here until every crawler has looked for losses, or for this long.
-- const: HELD_MS = 10000
local function hold()
  N[nHeldUntil] = now + HELD_MS
  call('DEL', T .. 'ok')
end

local function lost(known)
  if N[nHeldUntil] <= now then hold() end
  call('HSET', M, 'c', pack(N))
  return 'LOST ' .. string.format('%.0f', known)
end
if SEQ and tonumber(ARGV[6]) > last[1] then return lost(last[1]) end

local dequeued, damaged = {}, 0
local function finish(...)
  local result = pack({ dequeued, damaged, ... })
  call('HSET', M, 'c', pack(N), K, pack({ SEQ, result }))
  return result
end
