#!lua flags=allow-oom
-- Leases links. input: {max, pages, unproven, auxiliary links, first ticket}; less than 0: this many too many are open. Returns {…, tickets, places of those with notes (from 0), notes,
-- wait in ms or -1, expired, wake, left, joined, clearings, 1 if the owner is to look for losses}. Tickets: id, host, server, rank (-1: an auxiliary link, -2: a visit
-- again), pages of the host, proven, text or visit (see plans.lua); written by `struct` one after the other. Expired: {ticket, 0 a page, 1 an auxiliary link, 2 a visit
-- again, server, …}.
local most, pages, unproven, auxiliaries, ticket = unpack(input, 1, 5)
if isHeld then most = 0 end
-- const: MOST_JOINING = 2000

-- Leases that ran out come back, each to the end of its list.
local expired = {}
local over = call('ZRANGEBYSCORE', T .. 'e', '-inf', now, 'LIMIT', 0, 256)
if #over > 0 then
  read(over)
  for _, id in ipairs(over) do
    local h = touch(id)
    if h and h[hState] == 1 then
      local kind, n = leaseComesBack(id, h), #expired
      expired[n + 1], expired[n + 2], expired[n + 3] = h[hTicket], kind, h[hServer]
      if h[hOwner] == OWNER then
        if kind == 1 then auxiliaries = auxiliaries + 1 end
        if kind == 0 then pages = pages + 1 end
        if kind ~= 1 and h[hProven] == 0 then unproven = unproven + 1 end
      end
    end
  end
  closeLeases(over)
  flush()
end

-- Visits whose time has come are due: DUE_AT_ONCE of visits.ts.
-- const: DUE_AT_ONCE = 256
if recrawl == 1 and N[nPlanned] > 0 then
  local come = call('ZRANGEBYSCORE', T .. 't', '-inf', now, 'LIMIT', 0, DUE_AT_ONCE)
  for _, member in ipairs(come) do
    local number, id = sub(member, 1, 4), sub(member, 5)
    local h = touch(id)
    local v = h and visitAt(id, number)
    if v then becomesDue(id, h, number, v) end
  end
  if #come > 0 then
    call('ZREM', T .. 't', unpack(come))
    flush()
  end
end

-- Hosts whose time has come join.
local function join(set)
  local due = call('ZRANGEBYSCORE', T .. set, '-inf', now, 'LIMIT', 0, MOST_JOINING)
  if #due == 0 then return end
  if #due < MOST_JOINING then
    call('ZREMRANGEBYSCORE', T .. set, '-inf', now)
  else
    call('ZREM', T .. set, unpack(due))
  end
  local added, places = {}, {}
  local some, found
  if strategy == 'best' or strategy == 'explore' or strategy == 'important' then
    some = {}
    for k, member in ipairs(due) do some[k] = sub(member, 1, 4) end
    found = call('HMGET', T .. 'i', unpack(some))
  end
  for k, member in ipairs(due) do
    local id, class = sub(member, 1, 4), sub(member, 5, 5)
    local score
    N[nJoins] = N[nJoins] + 1
    -- Without a record it joins like the others, and is set aside when it is leased.
    local h = found and decoded(found[k])
    if class == 'j' then
      score = N[nJoins]
    elseif strategy == 'best' then
      score = h and -pagesOf(sub(member, 1, 4), h) or 0
    elseif strategy == 'important' then
      score = h and numeral(scoreOf(h)) or 0
      local byId = added[class .. 'i'] or {}
      added[class .. 'i'] = byId
      byId[#byId + 1] = '0'
      byId[#byId + 1] = id
    elseif strategy == 'explore' then
      h = h or touch(id) or { [hDomain] = 0, [hVisited] = 1 }
      score = h[hDomain]
      if h[hVisited] == 0 and call('GETBIT', T .. 'dv', score) == 0 then class = string.upper(class) end
      local place = struct.pack('>I6', N[nJoins]) .. id
      places[#places + 1] = id
      places[#places + 1] = class .. place
      id = place
    else
      score = '0'
    end
    local list = added[class]
    if not list then
      list = {}
      added[class] = list
    end
    list[#list + 1] = score
    list[#list + 1] = id
  end
  for class, list in pairs(added) do call('ZADD', T .. class, unpack(list)) end
  if #places > 0 then call('HSET', T .. 'g', unpack(places)) end
end
join('r')
join('p')

-- A command with as many arguments as it takes: Lua's stack holds some 8,000.
local function inSteps(list, command, key)
  for from = 1, #list, 1000 do call(command, key, unpack(list, from, min(from + 999, #list))) end
end

-- Explore: a domain is visited now; its other hosts that have joined move.
local function visit(domain)
  for _, set in ipairs({ 'A', 'F' }) do
    local members = call('ZRANGEBYSCORE', T .. set, domain, domain)
    if #members > 0 then
      local to, scores, places = string.lower(set), {}, {}
      for k, member in ipairs(members) do
        scores[2 * k - 1], scores[2 * k] = domain, member
        places[2 * k - 1], places[2 * k] = sub(member, 7), to .. member
      end
      inSteps(members, 'ZREM', T .. set)
      inSteps(scores, 'ZADD', T .. to)
      inSteps(places, 'HSET', T .. 'g')
    end
  end
end

-- Leases the next link of each of these hosts, which have left their sets already. Returns how many of them are not visited again.
-- const: TICKET = '>c4Hc0Hc0hI3BI4'
local tickets, noted, notes = {}, {}, {}
local function lease(chosen, isAuxiliary)
  if #chosen == 0 then return 0 end
  local due, over = {}, numeral(now + leaseMs)
  local leasedNow, revisiting = 0, 0
  for _, id in ipairs(chosen) do
    local h = touch(id)
    before[id][wasClass] = false
    local rank, text, number = -1, nil, nil
    local isAgain = N[nDue] > 0 and not isAuxiliary and isDueNext(id, h)
    if isAgain then
      rank = -2
      text, number = leaseVisit(id, h)
    elseif isAuxiliary then
      text = call('LPOP', T .. 'q:' .. id)
      h[hAuxiliaries] = h[hAuxiliaries] - 1
    else
      local ranks, plans = h[hRanks], h[hPlans]
      local at = 0
      if plans then plans[pTurn] = plans[pDue] > 0 and 1 or 0 end
      while not text and at < #ranks do
        at = at + 1
        rank = byte(ranks, at)
        text = call('LPOP', T .. 'q:' .. id .. ':' .. char(rank))
      end
      h[hWaiting] = h[hWaiting] - 1
      if h[hWaiting] == 0 then
        h[hRanks] = ''
      elseif at > 1 then
        h[hRanks] = sub(ranks, at)
      end
    end
    if text then
      leasedNow = leasedNow + 1
      if isAgain then revisiting = revisiting + 1 end
      if not isAuxiliary then h[hTurns] = h[hTurns] + 1 end
      h[hState], h[hLined] = 1, 0
      h[hOwner], h[hTicket], h[hRank], h[hWoken], h[hText] = OWNER, ticket, rank, 0, number or text
      if h[hVisited] == 0 then
        h[hVisited] = 1
        if call('SETBIT', T .. 'dv', h[hDomain], 1) == 0 and strategy == 'explore' then visit(h[hDomain]) end
      end
      due[#due + 1] = over
      due[#due + 1] = id
      ticket = ticket + 1
      local note = rank >= 0 and noteOf(text)
      if note then
        notes[#notes + 1] = note
        noted[#noted + 1] = #tickets
      end
      local name, server = h[hName], h[hServer]
      tickets[#tickets + 1] =
        spack(TICKET, id, #name, name, #server, server, rank, h[hPages], h[hProven], #text) .. text
    else
      -- Its texts are gone.
      damaged = damaged + 1
      N[nDamaged] = N[nDamaged] + 1
      if isAgain then
        N[nPlanned], h[hPlans][pAll] = N[nPlanned] - 1, h[hPlans][pAll] - 1
      elseif isAuxiliary then
        N[nAuxiliaries] = N[nAuxiliaries] - h[hAuxiliaries] - 1
        call('DEL', T .. 'y:' .. id)
        h[hAuxiliaries] = 0
      else
        N[nWaiting] = N[nWaiting] - h[hWaiting] - 1
        h[hWaiting], h[hRanks] = 0, ''
      end
    end
  end
  N[nTickets] = N[nTickets] + leasedNow
  if not isAuxiliary then
    N[nWaiting] = N[nWaiting] - leasedNow + revisiting
    N[nLeased] = N[nLeased] + leasedNow - revisiting
  end
  if #due > 0 then call('ZADD', T .. 'e', unpack(due)) end
  return leasedNow - revisiting
end

-- Hosts leave their set to be leased. Returns those whose records can be read.
local function leave(set, chosen)
  local whole = {}
  if #chosen == 0 then return whole end
  read(chosen)
  call('ZREM', T .. set, unpack(chosen))
  for _, id in ipairs(chosen) do
    if touch(id) then whole[#whole + 1] = id end
  end
  return whole
end

-- Those of the chosen that leave each set, in the order in which they were chosen.
local function leaveBoth(chosen, fromA, fromF)
  local isWhole = {}
  for _, id in ipairs(leave('a', fromA)) do isWhole[id] = true end
  for _, id in ipairs(leave('f', fromF)) do isWhole[id] = true end
  local whole = {}
  for _, id in ipairs(chosen) do
    if isWhole[id] then whole[#whole + 1] = id end
  end
  return whole
end

-- Auxiliary links: the first to join.
local wanted = min(most, auxiliaries)
if wanted > 0 then
  local chosen = call('ZRANGE', T .. 'j', 0, wanted - 1)
  lease(leave('j', chosen), true)
  most = most - #chosen
end

-- Depth, breadth and best: proven and unproven hosts are in the same order; leasing one changes nothing for the others.
local isBest = strategy == 'best'
local function firstIn(set, from, to, wanted)
  if not isBest then return call('ZRANGEBYLEX', T .. set, from, to, 'LIMIT', '0', wanted) end
  return call('ZRANGE', T .. set, '0', wanted - 1, 'WITHSCORES')
end
local function inOrder(from, to, wanted)
  local proven = firstIn('a', from, to, wanted)
  local others = unproven > 0 and firstIn('f', from, to, min(wanted, unproven)) or {}
  local a, f, chosen, fromA, fromF = 1, 1, {}, {}, {}
  local stride = isBest and 2 or 1
  while #chosen < wanted do
    local x, y = proven[a], others[f]
    if not x and not y then break end
    local isProven = x
    if x and y then
      local sx, sy = 0, 0
      if isBest then sx, sy = tonumber(proven[a + 1]), tonumber(others[f + 1]) end
      isProven = sx < sy or sx == sy and numberOf(x) < numberOf(y)
    end
    if isProven then
      chosen[#chosen + 1], fromA[#fromA + 1] = x, x
      a = a + stride
    else
      chosen[#chosen + 1], fromF[#fromF + 1] = y, y
      f = f + stride
    end
  end
  unproven = unproven - #fromF
  return leaveBoth(chosen, fromA, fromF)
end

-- chanceAt of src/base/random.ts.
local function imul(x, y)
  local high, low = bit.rshift(x, 16), bit.band(x, 65535)
  y = y % 4294967296
  return bit.tobit((high * y) % 65536 * 65536 + low * y)
end
local function chanceAt(n)
  local mixed = bit.tobit(imul(bit.bxor(seed, bit.rshift(seed, 15)), 0x2c1b3c6d) + imul((n + 1) % 4294967296, 0x9e3779b1))
  mixed = imul(bit.bxor(mixed, bit.rshift(mixed, 16)), 0x85ebca6b)
  mixed = imul(bit.bxor(mixed, bit.rshift(mixed, 13)), 0xc2b2ae35)
  return bit.bxor(mixed, bit.rshift(mixed, 16)) % 4294967296 / 4294967296
end

local function isBefore(x, y)
  return struct.unpack('>I6', x) < struct.unpack('>I6', y)
end

-- Explore: the first of these sets from a domain's number on: its set, member and domain.
local function firstFrom(sets, from)
  local set, member, domain
  for _, one in ipairs(sets) do
    local found = call('ZRANGEBYSCORE', T .. one, from, '+inf', 'WITHSCORES', 'LIMIT', 0, 1)
    local number = tonumber(found[2])
    if number and (not domain or number < domain or number == domain and isBefore(found[1], member)) then
      set, member, domain = one, found[1], number
    end
  end
  return set, member, domain
end
local function firstOf(sets, turn)
  local set, member, domain = firstFrom(sets, turn)
  if set then return set, member, domain end
  return firstFrom(sets, '-inf')
end

local function exploreOne()
  local freshSets, visitedSets = { 'A' }, { 'a' }
  if unproven > 0 then freshSets, visitedSets = { 'A', 'F' }, { 'a', 'f' } end
  local wantsFresh = chanceAt(N[nTickets]) < exploreChance
  local turn = nFreshTurn
  local set, member, domain
  if wantsFresh then set, member, domain = firstOf(freshSets, N[nFreshTurn]) end
  if not set then
    set, member, domain = firstOf(visitedSets, N[nVisitedTurn])
    turn = nVisitedTurn
  end
  if not set and not wantsFresh then
    set, member, domain = firstOf(freshSets, N[nFreshTurn])
    turn = nFreshTurn
  end
  if not set then return nil end
  N[turn] = domain + 1
  local id = sub(member, 7)
  call('ZREM', T .. set, member)
  call('HDEL', T .. 'g', id)
  if set == 'F' or set == 'f' then unproven = unproven - 1 end
  return touch(id) and lease({ id }, false) or 0
end

-- Important: the first of these two sets by id, and which it is of.
local function firstById(from, to)
  local x = call('ZRANGEBYLEX', T .. 'ai', from, to, 'LIMIT', '0', '1')[1]
  local y = unproven > 0 and call('ZRANGEBYLEX', T .. 'fi', from, to, 'LIMIT', '0', '1')[1]
  if x and (not y or numberOf(x) < numberOf(y)) then return x, 'a' end
  return y, 'f'
end

-- Important: by share, and some in turn; see importance.ts.
-- const: IN_TURN = 0.125
local function mostImportant(wanted)
  local byShare = { a = call('ZRANGE', T .. 'a', '0', wanted - 1, 'WITHSCORES'), f = {} }
  if unproven > 0 then byShare.f = call('ZRANGE', T .. 'f', '0', min(wanted, unproven) - 1, 'WITHSCORES') end
  local at, chosen, from, isChosen = { a = 1, f = 1 }, {}, { a = {}, f = {} }, {}
  local function first(set)
    local list = byShare[set]
    while isChosen[list[at[set]]] do at[set] = at[set] + 2 end
    return list[at[set]], tonumber(list[at[set] + 1])
  end
  while #chosen < wanted do
    local id, set
    if chanceAt(N[nTickets] + #chosen) < IN_TURN then
      id, set = firstById('[' .. idOf(N[nTurn]), '+')
      if not id then id, set = firstById('-', '+') end
      if id then N[nTurn] = numberOf(id) + 1 end
    else
      local x, sx = first('a')
      local y, sy = nil, nil
      if unproven > 0 then y, sy = first('f') end
      id, set = x, 'a'
      if y and (not x or sy < sx or sy == sx and numberOf(y) < numberOf(x)) then id, set = y, 'f' end
    end
    if not id then break end
    call('ZREM', T .. set .. 'i', id)
    isChosen[id] = true
    chosen[#chosen + 1] = id
    from[set][#from[set] + 1] = id
    if set == 'f' then unproven = unproven - 1 end
  end
  return leaveBoth(chosen, from.a, from.f)
end

-- Visits again are not bounded: when enough pages are done, there is nothing else.
if N[nFull] > 0 and N[nFull] == N[nHosts] then pages = math.huge end
wanted = min(most, pages)
while wanted > 0 do
  local count, fresh
  if strategy == 'explore' then
    fresh = exploreOne()
    count = fresh and 1 or 0
  elseif strategy == 'breadth' then
    local turn = idOf(N[nTurn])
    local chosen = inOrder('[' .. turn, '+', wanted)
    local more = #chosen < wanted and inOrder('-', '(' .. turn, wanted - #chosen) or {}
    for _, id in ipairs(more) do chosen[#chosen + 1] = id end
    if #chosen > 0 then N[nTurn] = numberOf(chosen[#chosen]) + 1 end
    count, fresh = #chosen, lease(chosen, false)
  else
    local chosen = strategy == 'important' and mostImportant(wanted) or inOrder('-', '+', wanted)
    count, fresh = #chosen, lease(chosen, false)
  end
  -- All that can be chosen were, unless some of them were visits again, which take no room.
  if count == 0 or fresh == count and strategy ~= 'explore' then
    most = most - count
    break
  end
  most, pages = most - count, pages - fresh
  wanted = min(most, pages)
end

if #notes > 0 then notes = call('HMGET', T .. 'b', unpack(notes)) end
flush()

-- Queues of this shard's servers in which a host did not come.
for _, name in ipairs(call('ZRANGEBYSCORE', T .. 'u', '-inf', now, 'LIMIT', 0, 16)) do
  call('ZREM', T .. 'u', name)
  serverNamed(name)
end
saveServers()

-- What a client began to refuse and did not continue for this long.
-- const: ABANDONED_MS = 5000
local clearings, nextClearing = {}, math.huge
if N[nClearings] > 0 then
  local all = call('HGETALL', T .. 'z')
  for k = 1, #all, 2 do
    local inMs = unpacked(all[k + 1])[3] + ABANDONED_MS - now
    if inMs <= 0 then clearings[#clearings + 1] = tonumber(all[k]) else nextClearing = min(nextClearing, inMs) end
  end
end

-- const: HELD_WAIT_MS = 100
local waitMs = 0
if most > 0 or input[1] < 1 or isHeld then
  waitMs = nextClearing
  for _, set in ipairs(recrawl == 1 and N[nPlanned] > 0 and { 'r', 'p', 'e', 'u', 't' } or { 'r', 'p', 'e', 'u' }) do
    local first = call('ZRANGE', T .. set, 0, 0, 'WITHSCORES')
    if first[2] then waitMs = min(waitMs, max(0, tonumber(first[2]) - now)) end
  end
  if isHeld then waitMs = HELD_WAIT_MS end
  if waitMs == math.huge then waitMs = -1 end
end
local joined = { call('ZCARD', T .. 'j'), call('ZCARD', T .. 'a'), call('ZCARD', T .. 'f') }
if strategy == 'explore' then
  joined[2] = joined[2] + call('ZCARD', T .. 'A')
  joined[3] = joined[3] + call('ZCARD', T .. 'F')
end
if isHeld then joined = { 0, 0, 0 } end
local left = { N[nKnown], N[nWaiting], N[nDown], N[nLeased], N[nAuxiliaries] - N[nDownAuxiliaries] }
local again = { N[nPlanned], N[nDue], N[nDownDue], N[nRevisiting], N[nFull], N[nHosts] }
local isToLook = isHeld and call('SISMEMBER', T .. 'ok', OWNER) == 0
return finish(table.concat(tickets), noted, notes, waitMs, expired, wake, left, joined, clearings, isToLook and 1 or 0, again)
