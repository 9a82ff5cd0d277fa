-- The hosts of a shard: their records, their lists, and the sets that they are in.
if N[nWiped] > 0 then return 'WIPING' end

-- Fingerprints: linear hashing. There are nBuckets of them; those below (nBuckets - level) and from level on are split.
-- const: PER_BUCKET = 48
local level = 1
while level * 2 <= N[nBuckets] do level = level * 2 end
local function lowOf(fp)
  local a, b, c, d = byte(fp, 1, 4)
  return a + b * 256 + c * 65536 + d * 16777216
end
local S = T .. 's:'
local function bucketOf(fp)
  local a, b, c, d = byte(fp, 1, 4)
  local low = a + b * 256 + c * 65536 + d * 16777216
  local at = low % (level * 2)
  if at >= N[nBuckets] then at = low % level end
  return S .. at
end

-- Hosts that were touched, and what they were like before. `flush` writes them. A host's class: j with auxiliary links, a proven, f unproven.
-- const: wasClass = 1, wasDown = 2, wasWaiting = 3, wasAuxiliaries = 4, wasDelay = 5, wasReady = 6, wasPages = 7, wasDue = 8, wasTurned = 9
-- const: wasReceived = 10
local hosts, ids, before = {}, {}, {}
local leaving, parkedUntil = {}, {}

-- How many page links of a host can be leased.
local function pagesOf(id, h)
  local plans = h[hPlans]
  local due = plans and plans[pDue] or 0
  if N[nFull] > 0 and numberOf(id) <= N[nFull] then return due end
  return h[hWaiting] + due
end

local function keep(id, h)
  hosts[id] = h
  ids[#ids + 1] = id
  local pages, auxiliaries, plans = h[hWaiting], h[hAuxiliaries], h[hPlans]
  if plans or N[nFull] > 0 then pages = pagesOf(id, h) end
  local class = false
  if h[hState] == 0 then class = auxiliaries > 0 and 'j' or pages > 0 and (h[hProven] == 1 and 'a' or 'f') end
  local was = { class, h[hDown] == 1, h[hWaiting], auxiliaries, h[hDelay], h[hReady], pages, 0, false, h[hReceived] }
  if plans then was[wasDue], was[wasTurned] = plans[pDue], plans[pDue] + plans[pTurn] > 0 end
  before[id] = was
  return h
end

-- Reads records that will be touched, in one call.
local records = {}
local function read(some)
  if #some == 0 then return end
  local found = call('HMGET', T .. 'i', unpack(some))
  for k, id in ipairs(some) do records[id] = found[k] end
end

-- A host whose record is missing or can't be read is set aside: it is in no set any more, its auxiliary links are dropped, and what waits there
-- counts as waiting at a host that is down, for which no crawl stays open. Its ranks are in its record, so all there may be are tried.
local function setApart(id)
  if call('SADD', T .. 'x', id) == 0 then return end
  damaged = damaged + 1
  N[nDamaged] = N[nDamaged] + 1
  for _, set in ipairs({ 'r', 'p' }) do call('ZREM', T .. set, id .. 'j', id .. 'a', id .. 'f') end
  for _, set in ipairs({ 'j', 'a', 'f', 'ai', 'fi' }) do call('ZREM', T .. set, id) end
  local place = call('HGET', T .. 'g', id)
  if place then call('ZREM', T .. sub(place, 1, 1), sub(place, 2)) end
  call('HDEL', T .. 'g', id)
  local isCounted = call('SREM', T .. 'o', id) == 1
  local auxiliaries, queued = call('SCARD', T .. 'y:' .. id), call('LLEN', T .. 'q:' .. id)
  local planned = call('HKEYS', T .. 'l:' .. id)
  local due, coming = call('ZCARD', T .. 't:' .. id), 0
  for _, number in ipairs(planned) do coming = coming + call('ZREM', T .. 't', number .. id) end
  local revisiting = #planned - due - coming
  N[nPlanned], N[nDue], N[nRevisiting] = N[nPlanned] - #planned, N[nDue] - due, N[nRevisiting] - revisiting
  call('DEL', T .. 'l:' .. id, T .. 't:' .. id)
  call('SREM', T .. 'td', id)
  local waiting, more = 0, 0
  for rank = 0, 255 do waiting = waiting + call('LLEN', T .. 'q:' .. id .. ':' .. char(rank)) end
  -- All its auxiliary links are in `y`; if neither one of these nor a visit again is leased, a page is.
  if call('ZREM', T .. 'e', id) == 1 and auxiliaries == queued and revisiting == 0 then more = 1 end
  N[nAuxiliaries] = N[nAuxiliaries] - auxiliaries
  call('DEL', T .. 'q:' .. id, T .. 'y:' .. id)
  N[nLeased], N[nWaiting] = N[nLeased] - more, N[nWaiting] + more
  if isCounted then
    N[nDown], N[nDownAuxiliaries], N[nDownDue] = N[nDown] + more, N[nDownAuxiliaries] - queued, N[nDownDue] - due
  else
    N[nDown] = N[nDown] + waiting + more
  end
  if waiting + more > 0 and not (isCounted and waiting > 0) then N[nDownHosts] = N[nDownHosts] + 1 end
end

-- What a record says; nothing if it can't be read.
local function decoded(record)
  if not record then return nil end
  local isRead, h = pcall(decode, record)
  return isRead and h[hState] <= 1 and h or nil
end

-- The record of a host that is about to be changed; nothing for one that is set aside.
local function touch(id)
  local h = hosts[id]
  if h then return h end
  h = decoded(records[id] or call('HGET', T .. 'i', id))
  if h then return keep(id, h) end
  setApart(id)
end

-- The record of a host whose lease has this ticket of this owner; nothing when it is not open. `read` before.
local function leased(id, ticket)
  local h = records[id] and touch(id)
  return h and h[hState] == 1 and h[hOwner] == OWNER and h[hTicket] == ticket and h
end

-- {number, hosts} of a known domain. A domain whose only host is itself has no entry: most have none.
local function domainOf(domain)
  local known = call('HGET', T .. 'd', domain)
  if known then return unpacked(known) end
  local id = call('HGET', T .. 'h', domain)
  if not id then return nil end
  local h = hosts[id] or decoded(records[id] or call('HGET', T .. 'i', id))
  return h and { h[hDomain], 1 }
end

local function create(name, domain)
  if N[nFull] > 0 and N[nFull] == N[nHosts] then N[nFull] = N[nFull] + 1 end
  N[nHosts] = N[nHosts] + 1
  local id = idOf(N[nHosts])
  local known = domainOf(domain)
  if not known then
    N[nDomains] = N[nDomains] + 1
    known = { N[nDomains], 0 }
  end
  known[2] = known[2] + 1
  if known[2] > 1 or domain ~= name then call('HSET', T .. 'd', domain, pack(known)) end
  call('HSET', T .. 'h', name, id)
  keep(id, { name, max(0, now), 0, 0, 0, '', known[1], 0, 0, 0, 0, 0, 0, '', 0, 0, 0, 0, 0, 0 })
  return id
end

-- Numbers as the engine gets them. It writes out every number that it gets from Lua, which costs more than most commands; most of
-- those in a call are the same few.
local numerals = {}
local function numeral(number)
  local text = numerals[number]
  if not text then
    text = string.format('%.17g', number)
    numerals[number] = text
  end
  return text
end

-- A later time is never taken back. Whether it was set by nothing but a rest is remembered.
local function holdUntil(h, at, isRest)
  if at > h[hReady] then
    h[hReady], h[hResting] = at, isRest
  elseif at == h[hReady] and isRest == 0 then
    h[hResting] = 0
  end
end

local function delayOf(h)
  return max(h[hDelay], leastDelayMs)
end

-- Texts that go to the end of a list; written by `flush`, or before a list is read.
local pushes, pushKeys = {}, {}
local function pushTo(key, text)
  local list = pushes[key]
  if list then
    list[#list + 1] = text
  else
    pushes[key] = { text }
    pushKeys[#pushKeys + 1] = key
  end
end

local function writeTexts()
  for k = 1, #pushKeys do call('RPUSH', pushKeys[k], unpack(pushes[pushKeys[k]])) end
  pushes, pushKeys = {}, {}
end

-- `ranks` may name ranks at which nothing waits any more.
local function addRank(h, rank)
  local ranks, letter = h[hRanks], char(rank)
  if find(ranks, letter, 1, true) then return end
  local k = 1
  while k <= #ranks and byte(ranks, k) < rank do k = k + 1 end
  h[hRanks] = sub(ranks, 1, k - 1) .. letter .. sub(ranks, k)
end

local function queue(id, h, rank, text)
  if rank < 0 then
    h[hAuxiliaries] = h[hAuxiliaries] + 1
    pushTo(T .. 'q:' .. id, text)
    return
  end
  N[nWaiting] = N[nWaiting] + 1
  h[hWaiting] = h[hWaiting] + 1
  addRank(h, rank)
  pushTo(T .. 'q:' .. id .. ':' .. char(rank), text)
end

-- Link texts: flags (1 and 2: scheme, 4: has a note, 8: was tried, from 16 on: hops), how often it was tried (two bytes, if
-- it was), number of its note (a varint, if it has one), and so on: see link-text.ts. Those of auxiliary links have 10 bytes in front.
local function tried(text, isAuxiliary)
  if isAuxiliary then return sub(text, 1, 10) .. tried(sub(text, 11)) end
  local flags = byte(text, 1)
  if floor(flags / 8) % 2 == 0 then return char(flags + 8, 0, 1) .. sub(text, 2) end
  local times = min(byte(text, 2) * 256 + byte(text, 3) + 1, 65535)
  return char(flags, floor(times / 256), times % 256) .. sub(text, 4)
end

local function untried(text)
  local flags = byte(text, 1)
  return floor(flags / 8) % 2 == 1 and char(flags - 8) .. sub(text, 4) or text
end

local function varint(text, at)
  local number, unit, part = 0, 1, nil
  repeat
    part = byte(text, at)
    number = number + part % 128 * unit
    unit = unit * 128
    at = at + 1
  until part < 128
  return number, at
end

local function noteOf(text)
  local flags = byte(text, 1)
  if floor(flags / 4) % 2 == 0 then return nil end
  return (varint(text, floor(flags / 8) % 2 == 1 and 4 or 2))
end

-- Whether a text is that of a URL with this scheme (0 to 2) and this ending after the host.
local function isText(text, scheme, ending)
  local flags = byte(text, 1)
  if flags % 4 ~= scheme or sub(text, -#ending) ~= ending and ending ~= '' then return false end
  local at = floor(flags / 8) % 2 == 1 and 4 or 2
  local _
  if floor(flags / 4) % 2 == 1 then _, at = varint(text, at) end
  if floor(flags / 16) == 15 then _, at = varint(text, at) end
  return #text - at + 1 == #ending
end

-- One link less refers to its note.
local function dropNote(text)
  local number = noteOf(text)
  if not number then return end
  local left = call('HINCRBY', T .. 'bn', number, -1)
  if left <= 0 then call('HDEL', T .. 'bn', number) end
  if left < 0 then call('HDEL', T .. 'b', number) end
end

-- The numbers of reasons, by name; how many links more (or fewer) were refused for each number.
local reasons, refusedFor = {}, {}
local function reasonOf(name)
  local number = reasons[name]
  if number then return number end
  number = tonumber(call('HGET', T .. 'c', '#' .. name) or nil)
  if not number then
    N[nReasons] = N[nReasons] + 1
    number = N[nReasons]
    call('HSET', T .. 'c', '#' .. name, number)
  end
  reasons[name] = number
  return number
end

local function countRefused(reason, links)
  refusedFor[reason] = (refusedFor[reason] or 0) + links
  N[nRefused] = N[nRefused] + links
end

-- Hosts with about as many waiting links and about the same delay: how many more, and the sum of their delays.
local frexp = math.frexp
local cells, cellDelays = {}, {}
local function countCell(waiting, delayMs, change)
  if waiting == 0 then return end
  local _, links = frexp(waiting)
  local _, delay = frexp(min(floor(delayMs), 4294967295))
  local cell = links - 1 .. ':' .. delay
  cells[cell] = (cells[cell] or 0) + change
  if delayMs > 0 then cellDelays[cell] = (cellDelays[cell] or 0) + change * delayMs end
end

-- Strategy `important`, as in importance.ts: the host with the lowest of these is next.
local function scoreOf(h)
  return -(h[hReceived] + 0.0009765625) / (h[hTurns] + 1)
end

local function unjoin(id, class, removed)
  local set, member = class, id
  if strategy == 'explore' and class ~= 'j' then
    local place = call('HGET', T .. 'g', id)
    if not place then return end
    set, member = sub(place, 1, 1), sub(place, 2)
    call('HDEL', T .. 'g', id)
  end
  removed[set] = removed[set] or {}
  local list = removed[set]
  list[#list + 1] = member
  if strategy == 'important' and class ~= 'j' then removed[class .. 'i'] = list end
end

-- Writes the touched hosts, moves them between the sets, and writes the texts.
local function flush()
  local written, fromQueue, toQueue, toPark, removed = {}, {}, {}, {}, {}
  local scores = { a = {}, f = {} }
  for k = 1, #ids do
    local id = ids[k]
    local h = hosts[id]
    local waiting, auxiliaries, plans = h[hWaiting], h[hAuxiliaries], h[hPlans]
    local pages = waiting
    local was = before[id]
    local waited, class = was[wasWaiting], false
    if plans or N[nFull] > 0 then pages = pagesOf(id, h) end
    if h[hState] == 0 then class = auxiliaries > 0 and 'j' or pages > 0 and (h[hProven] == 1 and 'a' or 'f') end
    if plans and (plans[pDue] + plans[pTurn] > 0) ~= (was[wasTurned] or false) then
      call(was[wasTurned] and 'SREM' or 'SADD', T .. 'td', id)
    end
    local down = h[hFails] > retries or h[hServerDown] == 1
    h[hDown] = down and 1 or 0
    if down or was[wasDown] then
      if was[wasDown] then
        N[nDown] = N[nDown] - waited
        N[nDownAuxiliaries] = N[nDownAuxiliaries] - was[wasAuxiliaries]
        N[nDownDue] = N[nDownDue] - (was[wasDue] or 0)
        if waited > 0 then N[nDownHosts] = N[nDownHosts] - 1 end
      end
      if down then
        N[nDown] = N[nDown] + waiting
        N[nDownAuxiliaries] = N[nDownAuxiliaries] + auxiliaries
        if plans then N[nDownDue] = N[nDownDue] + plans[pDue] end
        if waiting > 0 then N[nDownHosts] = N[nDownHosts] + 1 end
      end
      if down ~= was[wasDown] then call(down and 'SADD' or 'SREM', T .. 'o', id) end
    end
    if waiting ~= waited or h[hDelay] ~= was[wasDelay] then
      local _, power = frexp(waiting)
      local _, formerPower = frexp(waited)
      if power ~= formerPower or h[hDelay] ~= was[wasDelay] then
        countCell(waited, was[wasDelay], -1)
        countCell(waiting, h[hDelay], 1)
      end
    end
    local former, leaves = was[wasClass], leaving[id]
    if former and (leaves or former ~= class) then
      fromQueue[#fromQueue + 1] = id .. former
      unjoin(id, former, removed)
    end
    if h[hLined] == 1 and (leaves or not class) and h[hState] == 0 then
      h[hLined] = 0
      dequeued[#dequeued + 1] = h[hServer]
      dequeued[#dequeued + 1] = h[hName]
    end
    if class then
      if leaves or former ~= class then
        local list = parkedUntil[id] and toPark or toQueue
        list[#list + 1] = numeral(parkedUntil[id] or h[hReady])
        list[#list + 1] = id .. class
      else
        if was[wasReady] ~= h[hReady] then call('ZADD', T .. 'r', 'XX', h[hReady], id .. class) end
        if strategy == 'best' and pages ~= was[wasPages] and class ~= 'j' then
          local list = scores[class]
          list[#list + 1] = -pages
          list[#list + 1] = id
        elseif strategy == 'important' and h[hReceived] ~= was[wasReceived] and class ~= 'j' then
          local list = scores[class]
          list[#list + 1] = numeral(scoreOf(h))
          list[#list + 1] = id
        end
      end
    end
    written[#written + 1] = id
    written[#written + 1] = encode(h)
  end
  if #written > 0 then call('HSET', T .. 'i', unpack(written)) end
  if #fromQueue > 0 then
    call('ZREM', T .. 'r', unpack(fromQueue))
    call('ZREM', T .. 'p', unpack(fromQueue))
  end
  for set, members in pairs(removed) do call('ZREM', T .. set, unpack(members)) end
  for set, pairs in pairs(scores) do
    if #pairs > 0 then call('ZADD', T .. set, 'XX', unpack(pairs)) end
  end
  if #toQueue > 0 then call('ZADD', T .. 'r', unpack(toQueue)) end
  if #toPark > 0 then call('ZADD', T .. 'p', unpack(toPark)) end
  writeTexts()
  for number, links in pairs(refusedFor) do call('HINCRBY', T .. 'c', '+' .. number, links) end
  for cell, change in pairs(cells) do
    if change ~= 0 and call('HINCRBY', T .. 'bk', cell, change) == 0 then call('HDEL', T .. 'bk', cell, cell .. '+') end
  end
  for cell, change in pairs(cellDelays) do
    if change ~= 0 and call('HEXISTS', T .. 'bk', cell) == 1 then call('HINCRBYFLOAT', T .. 'bk', cell .. '+', change) end
  end
  hosts, ids, before, records, leaving, parkedUntil = {}, {}, {}, {}, {}, {}
  refusedFor, cells, cellDelays = {}, {}, {}
end

-- A lease that is over, unless its ticket was settled or given back: the link goes to the end of its list. Returns what it was: 0 a page, 1 an
-- auxiliary link, 2 a visit again. Without plans.lua, none of these is leased.
local visitComesBack
local function leaseComesBack(id, h)
  h[hState] = 0
  if h[hRank] == -2 then
    visitComesBack(id, h[hText])
    return 2
  end
  queue(id, h, h[hRank], h[hText])
  if h[hRank] < 0 then return 1 end
  N[nLeased] = N[nLeased] - 1
  return 0
end

-- The records of the hosts say so already.
local function closeLeases(closed)
  if #closed > 0 then call('ZREM', T .. 'e', unpack(closed)) end
end
