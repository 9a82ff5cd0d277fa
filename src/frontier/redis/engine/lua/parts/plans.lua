-- The next visits of done links. A visit: when its link was visited last, when it is due, what it is worth, flags (1: a hint made it due, 2: its link
-- is a page, 4: it has a note), rank and fingerprint of the link, note, and the text of the link without a note.
-- const: vVisited = 1, vDue = 2, vGain = 3, vFlags = 4, vRank = 5, vPrint = 6, vNote = 7, vText = 8, VISIT = '>ddfBBc8Hc0'
local function visitAt(id, number)
  local record = call('HGET', T .. 'l:' .. id, number)
  if not record then return nil end
  local visited, due, gain, flags, rank, fp, note, at = sunpack(VISIT, record)
  return { visited, due, gain, flags, rank, fp, note, sub(record, at) }
end

local function keepVisit(id, number, v)
  local record = spack(VISIT, v[vVisited], v[vDue], v[vGain], v[vFlags], v[vRank], v[vPrint], #v[vNote], v[vNote])
  call('HSET', T .. 'l:' .. id, number, record .. v[vText])
end

-- Ordered as the times are.
local function dueMember(v, number)
  return spack('>d', max(0, v[vDue])) .. number
end

local function isLeasedVisit(h, number)
  return h[hState] == 1 and h[hRank] == -2 and h[hText] == number
end

local function isDue(id, v, number)
  return call('ZSCORE', T .. 't:' .. id, dueMember(v, number))
end

-- The visit comes when its time has come.
local function comes(id, number, v)
  call('ZADD', T .. 't', numeral(v[vDue]), number .. id)
end

local function becomesDue(id, h, number, v)
  call('ZADD', T .. 't:' .. id, numeral(-v[vGain]), dueMember(v, number))
  h[hPlans][pDue], N[nDue] = h[hPlans][pDue] + 1, N[nDue] + 1
end

-- It comes no more, and is not due. It was not leased.
local function withdraw(id, h, number, v)
  if call('ZREM', T .. 't', number .. id) == 1 then return end
  if call('ZREM', T .. 't:' .. id, dueMember(v, number)) == 0 then return end
  local plans = h[hPlans]
  plans[pDue], N[nDue] = plans[pDue] - 1, N[nDue] - 1
end

-- The link is not visited again any more.
local function forgetVisit(id, h, number, v)
  call('HDEL', T .. 'l:' .. id, number)
  call('HSET', bucketOf(v[vPrint]), v[vPrint], floor(v[vFlags] / 2) % 2 == 1 and '1' or '2')
  h[hPlans][pAll], N[nPlanned] = h[hPlans][pAll] - 1, N[nPlanned] - 1
end

local function flagsOf(isPage, isHinted, note)
  return (isHinted and 1 or 0) + (isPage and 2 or 0) + (note and 4 or 0)
end

-- A done link is visited again. `note`: false if it has none.
local function planVisit(id, h, fp, isPage, rank, text, note, visited, due, gain, isHinted)
  N[nPlans], N[nPlanned] = N[nPlans] + 1, N[nPlanned] + 1
  local number = idOf(N[nPlans])
  local v = { visited, due, gain, flagsOf(isPage, isHinted, note), rank, fp, note or '', text }
  h[hPlans] = h[hPlans] or { 0, 0, 0 }
  h[hPlans][pAll] = h[hPlans][pAll] + 1
  call('HSET', bucketOf(fp), fp, -2 * N[nPlans] - (isPage and 0 or 1))
  keepVisit(id, number, v)
  comes(id, number, v)
end

-- The visit was made, and there is a next one: {after ms, gain, note or false}.
local function planNext(id, number, v, again, visited)
  local flags = v[vFlags] - v[vFlags] % 2
  if again[3] then
    v[vNote] = again[3]
    if flags < 4 then flags = flags + 4 end
  end
  v[vVisited], v[vDue], v[vGain], v[vFlags], v[vText] = visited, now + again[1], again[2], flags, untried(v[vText])
  keepVisit(id, number, v)
  comes(id, number, v)
end

-- The text of a link without its note, as if it had never been tried; and the note.
local function withoutNote(text)
  local flags, at, number = byte(text, 1), 2, nil
  if floor(flags / 8) % 2 == 1 then
    flags, at = flags - 8, 4
  end
  if floor(flags / 4) % 2 == 1 then
    flags = flags - 4
    number, at = varint(text, at)
  end
  return char(flags) .. sub(text, at), number and call('HGET', T .. 'b', number)
end

-- A link that waited, or was leased, is done and visited again.
local function planFirst(id, h, fp, isPage, rank, text, again, visited)
  local bare, note = withoutNote(text)
  planVisit(id, h, fp, isPage, rank, bare, again[3] or note, visited, now + again[1], again[2], false)
end

-- A leased visit was not made: it is planned with the time that it had. `isTried`: it is tried again.
function visitComesBack(id, number, isTried)
  N[nRevisiting] = N[nRevisiting] - 1
  local v = visitAt(id, number)
  if not v then return end
  if isTried then
    v[vText] = tried(v[vText])
    keepVisit(id, number, v)
  end
  comes(id, number, v)
end

-- A leased visit waits for its host's server. It is due all the while: a host with nothing to lease would lose its place in the server's queue.
-- It comes before links that wait, as if it had not been leased: of a host that is refused room every second time one kind would never be visited.
local function waitsForServer(id, h, number)
  N[nRevisiting] = N[nRevisiting] - 1
  local v = visitAt(id, number)
  if not v then return end
  becomesDue(id, h, number, v)
  h[hPlans][pTurn] = 1
end

-- Whether the next page of a host is a due one: they take turns with those that wait.
local function isDueNext(id, h)
  local plans = h[hPlans]
  if not plans or plans[pDue] == 0 then return false end
  return plans[pTurn] == 1 or h[hWaiting] == 0 or numberOf(id) <= N[nFull]
end

-- The due visit of a host with the highest gain is leased.
local function leaseVisit(id, h)
  local plans = h[hPlans]
  local number = sub(call('ZPOPMIN', T .. 't:' .. id)[1] or '', 9)
  plans[pDue], plans[pTurn], N[nDue] = plans[pDue] - 1, 0, N[nDue] - 1
  local visit = call('HGET', T .. 'l:' .. id, number)
  if visit then N[nRevisiting] = N[nRevisiting] + 1 end
  return visit, number
end
