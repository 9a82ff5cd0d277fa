-- Servers. A record: its time; failures in a row; when the last was; the revival it has seen; how many ever waited in a queue; open
-- tickets {token, due, since, its time before, its time set, …}; hosts that were called {class and SHARD:HOST, place, due, …}; how
-- many wait in the queue of each class (j, a, f); 1 if `u` has it.
--
-- A host that finds no room or comes too early waits in the queue of its class, in the order of arrival. As many of each class as there is
-- room for are called: each may come from a time on, and then needs only room and the server's time. A called one that does not come
-- within CALLED_MS is forgotten. `u` has the servers whose queue needs a look at some time even if no client asks.
if N[nWiped] > 0 then return 'WIPING' end
-- const: sReady = 1, sFails = 2, sFailedAt = 3, sRevival = 4, sPlaces = 5, sOpen = 6, sCalled = 7, sLine = 8, sLooked = 9
-- A host that finds no room asks again after PARKED_MS if it is not called, since what calls it may be forgotten; of a longer queue than ASKING,
-- only this many ask in that time.
-- const: CALLED_MS = 10000, TOLD_AT_ONCE = 1000, OPEN = 5, CALLED = 3, PARKED_MS = 30000, ASKING = 1000
local CLASSES = { 'j', 'a', 'f' }

local servers, names, wake = {}, {}, {}

-- The entries of a list, `stride` values each, of which the one at `at` is later than `atLeast`.
local function since(list, stride, at, atLeast)
  local kept
  for k = 1, #list, stride do
    if list[k + at] <= atLeast then
      kept = kept or {}
    end
  end
  if not kept then return list end
  for k = 1, #list, stride do
    if list[k + at] > atLeast then
      for n = 0, stride - 1 do kept[#kept + 1] = list[k + n] end
    end
  end
  return kept
end

local function lineOf(name, class)
  return T .. 'w:' .. class .. ':' .. name
end

local function serverNamed(name)
  local s = servers[name]
  if s then return s end
  local record = call('HGET', T .. 'v', name)
  s = record and unpacked(record) or { 0, 0, 0, revivals, 0, {}, {}, { 0, 0, 0 }, 0 }
  if s[sRevival] < revivals then
    -- A server that was down has one more try. Tickets stay open: a crawler that did not report may still visit.
    s[sRevival] = revivals
    if s[sFails] > retries then
      s[sFails] = retries
      s[sReady] = min(s[sReady], now)
    end
  end
  s[sOpen] = since(s[sOpen], OPEN, 1, now)
  s[sCalled] = since(s[sCalled], CALLED, 2, now - CALLED_MS)
  servers[name] = s
  names[#names + 1] = name
  return s
end

local function openAt(s)
  return #s[sOpen] / OPEN
end

-- How many of a class were called, whose place is before this one (or all).
local function calledOf(s, class, place)
  local called = 0
  for k = 1, #s[sCalled], CALLED do
    if sub(s[sCalled][k], 1, 1) == class and s[sCalled][k + 1] < (place or math.huge) then called = called + 1 end
  end
  return called
end

-- Calls a host: it may come after those of its class that were called and stood before it. Returns when.
local function callUp(s, class, member, place)
  local due = max(now, s[sReady]) + gapMs * calledOf(s, class, place)
  local n = #s[sCalled]
  s[sCalled][n + 1], s[sCalled][n + 2], s[sCalled][n + 3] = class .. member, place, due
  return due
end

local function uncall(s, member)
  for k = 1, #s[sCalled], CALLED do
    if s[sCalled][k] == member then
      local place = s[sCalled][k + 1]
      for _ = 1, CALLED do table.remove(s[sCalled], k) end
      return place
    end
  end
end

local function tell(member, inMs, s)
  local n = #wake
  wake[n + 1], wake[n + 2], wake[n + 3] = member, inMs, s[sFails] > retries and 1 or 0
end

-- Calls as many as there is room for.
local function callNext(name, s)
  for c, class in ipairs(CLASSES) do
    local free = perServer - openAt(s) - calledOf(s, class)
    while free > 0 and s[sLine][c] > 0 do
      local first = call('ZPOPMIN', lineOf(name, class))
      s[sLine][c] = first[1] and s[sLine][c] - 1 or 0
      if first[1] then tell(first[1], callUp(s, class, first[1], tonumber(first[2])) - now, s) end
      free = free - 1
    end
  end
end

-- A server went down, or came back: all in line learn of it.
local function tellAll(name, s)
  for k = 1, #s[sCalled], CALLED do tell(sub(s[sCalled][k], 2), max(0, s[sCalled][k + 2] - now), s) end
  for c, class in ipairs(CLASSES) do
    if s[sLine][c] > 0 then
      for _, member in ipairs(call('ZRANGE', lineOf(name, class), 0, TOLD_AT_ONCE - 1)) do tell(member, PARKED_MS, s) end
    end
  end
end

-- Calls those who may come, and writes the servers.
local function saveServers()
  for _, name in ipairs(names) do
    local s = servers[name]
    callNext(name, s)
    local line = s[sLine][1] + s[sLine][2] + s[sLine][3]
    local look = math.huge
    for k = 1, #s[sCalled], CALLED do look = min(look, s[sCalled][k + 2] + CALLED_MS) end
    if line > 0 then
      for k = 1, #s[sOpen], OPEN do look = min(look, s[sOpen][k + 1]) end
    end
    if look < math.huge then
      call('ZADD', T .. 'u', look, name)
      s[sLooked] = 1
    elseif s[sLooked] == 1 then
      call('ZREM', T .. 'u', name)
      s[sLooked] = 0
    end
    if #s[sOpen] + #s[sCalled] + line + s[sFails] == 0 and s[sReady] <= now then
      call('HDEL', T .. 'v', name)
    else
      call('HSET', T .. 'v', name, pack(s))
    end
  end
  servers, names = {}, {}
end
