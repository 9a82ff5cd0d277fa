#!lua flags=no-writes
-- What became of page links. input: {host, fingerprint, scheme, end of the text, …}. Returns, for each, {state, …}: -1 unknown; 0 waiting:
-- {0, links before it, 1 if that is exact, host's record, rank and text or false, note or false}; -2 leased: {-2, ticket, how long in ms, text, rank, note
-- or false}; 1 or 2 done: {state}, or, if it is planned, {state, ticket or 0, how long it is leased or until it comes, visit (see plans.lua)}; 3 and more
-- refused: {state, text with its rank, note or false}.
local MOST_PLACES = 1000
local function noteFor(text)
  local number = text and noteOf(text)
  return number and call('HGET', T .. 'b', number)
end

local function waiting(id, record, h, scheme, ending)
  local place = 0
  for k = 1, #h[hRanks] do
    local rank = byte(h[hRanks], k)
    local texts = call('LRANGE', T .. 'q:' .. id .. ':' .. char(rank), 0, MOST_PLACES - place)
    for n, text in ipairs(texts) do
      if isText(text, scheme, ending) then return { 0, place + n - 1, 1, record, char(rank) .. text, noteFor(text) or false } end
    end
    place = place + #texts
    if place > MOST_PLACES then break end
  end
  return { 0, min(place, MOST_PLACES), 0, record, false, false }
end

local function planned(id, state)
  local number, isPage = idOf(floor(-state / 2)), state % 2 == 0
  local visit, h = call('HGET', T .. 'l:' .. id, number), decoded(call('HGET', T .. 'i', id))
  local one = { isPage and 1 or 2 }
  if not visit or not h then return one end
  one[2], one[3], one[4] = 0, max(0, visitAt(id, number)[vDue] - now), visit
  if isLeasedVisit(h, number) then
    one[2], one[3] = h[hTicket], max(0, tonumber(call('ZSCORE', T .. 'e', id) or now) - now)
  end
  return one
end

local found = {}
for k = 1, #input, 4 do
  local fp, scheme, ending = input[k + 1], input[k + 2], input[k + 3]
  local state = tonumber(call('HGET', bucketOf(fp), fp) or -1)
  local id = state ~= -1 and call('HGET', T .. 'h', input[k])
  local one = { state }
  if not id then
    one = { -1 }
  elseif state == 0 then
    local record = call('HGET', T .. 'i', id)
    local h = decoded(record)
    if not h then
      one = { -1 }
    elseif h[hState] == 1 and h[hRank] >= 0 and isText(h[hText], scheme, ending) then
      local due = tonumber(call('ZSCORE', T .. 'e', id) or now)
      one = { -2, h[hTicket], max(0, due - now), char(h[hRank]) .. h[hText], noteFor(h[hText]) or false }
    else
      one = waiting(id, record, h, scheme, ending)
    end
  elseif state < 0 then
    one = planned(id, state)
  elseif state >= 3 then
    local text = call('HGET', T .. 'x:' .. id, fp)
    one = { state, text, text and noteFor(sub(text, 2)) or false }
  end
  found[#found + 1] = one
end
return pack(found)
