#!lua flags=no-writes
-- One step through the links of this shard, by host. input: {'waiting', 'leased' or 'refused', a host or '', host's number, its rank or the cursor
-- of a scan, how many to skip there, limit, reasons (numbers; none: all)}. Returns {links, next}: links are {host, rank and text, reason or -1, note
-- or false, …} with 4 entries each; next is {number, rank or cursor, how many to skip}, or empty at the end.
local MOST_HOSTS, MOST_LOOKED = 200, 2000
local state, only, number, position, skip, limit = unpack(input, 1, 6)
local isWanted
for _, reason in ipairs(input[7]) do
  isWanted = isWanted or {}
  isWanted[reason] = true
end
local links, count, looked = {}, 0, 0
local function add(name, text, reason)
  local note = noteOf(sub(text, 2))
  local n = #links
  links[n + 1], links[n + 2], links[n + 3] = name, text, reason
  links[n + 4] = note and call('HGET', T .. 'b', note) or false
  count = count + 1
end

-- Each returns where to go on, or nothing when the host has no more.
local function listWaiting(id, h)
  for k = 1, #h[hRanks] do
    local rank = byte(h[hRanks], k)
    if rank >= position then
      if rank > position then position, skip = rank, 0 end
      local texts = call('LRANGE', T .. 'q:' .. id .. ':' .. char(rank), skip, skip + limit - count - 1)
      for _, text in ipairs(texts) do add(h[hName], char(rank) .. text, -1) end
      skip = skip + #texts
      if count >= limit then return true end
    end
  end
end
local function listLeased(_, h)
  if h[hState] == 1 and h[hRank] >= 0 then add(h[hName], char(h[hRank]) .. h[hText], -1) end
end
local function listRefused(id, h)
  repeat
    local scanned = call('HSCAN', T .. 'x:' .. id, string.format('%.0f', position), 'COUNT', 100)
    local all = scanned[2]
    looked = looked + #all / 2 - skip
    while skip * 2 < #all do
      if count >= limit then return true end
      local fp, text = all[skip * 2 + 1], all[skip * 2 + 2]
      local reason = tonumber(call('HGET', bucketOf(fp), fp) or 0) - 3
      if reason >= 0 and (not isWanted or isWanted[reason]) then add(h[hName], text, reason) end
      skip = skip + 1
    end
    position, skip = tonumber(scanned[1]), 0
    if position ~= 0 and looked >= MOST_LOOKED then return true end
  until position == 0
end

local listOf = { waiting = listWaiting, leased = listLeased, refused = listRefused }
local last = N[nHosts]
if only ~= '' then
  local id = call('HGET', T .. 'h', only)
  if not id then return pack({ {}, {} }) end
  last = numberOf(id)
  if number <= 1 then number = last end
end
local tried = 0
while number <= last do
  if tried >= MOST_HOSTS or looked >= MOST_LOOKED or count >= limit then return pack({ links, { number, position, skip } }) end
  local id = idOf(number)
  local h = decoded(call('HGET', T .. 'i', id))
  if h and listOf[state](id, h) then return pack({ links, { number, position, skip } }) end
  number, position, skip, tried = number + 1, 0, 0, tried + 1
end
return pack({ links, {} })
