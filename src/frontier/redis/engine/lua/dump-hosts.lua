#!lua flags=no-writes
-- Hosts and what they hold, a little at a time. input: {number of a host, part of it, place there, 1 for records only}. Part 0 is
-- the record; then come the lists in their order; the last part is the refused links, whose place is a cursor of HSCAN.
-- Returns {pieces, {number of a note, note, …}, number, part and place to go on with}; the number 0: that was all. Pieces:
--   {0, number, record, 1 if its domain was visited, depth (-1: errand) and text of its leased link or -2, {key, end in ms and note, …}}
--   {1, texts} errands; {2, depth, texts} waiting links; {3, depth, reason, texts} links that are being refused;
--   {4, {fingerprint, depth and text, state, …}} refused links
local MOST_LINKS, MOST_HOSTS = 256, 64
local number, part, place, isBrief = input[1], input[2], input[3], input[4] == 1
local pieces, links, looked = {}, 0, 0
local noteNumbers, isNoted = {}, {}

local function add(piece)
  pieces[#pieces + 1] = piece
end

local function seeNote(text)
  local note = noteOf(text)
  if note and not isNoted[note] then
    isNoted[note] = true
    noteNumbers[#noteNumbers + 1] = note
  end
end

local clearings = N[nClearings] > 0 and call('HGETALL', T .. 'z') or {}

-- {kind, depth, reason, key} of each list of a host.
local function listsOf(id, h)
  local lists = {}
  if h[hErrands] > 0 then lists[1] = { 1, 0, 0, T .. 'q:' .. id } end
  for k = 1, #h[hDepths] do
    local depth = byte(h[hDepths], k)
    lists[#lists + 1] = { 2, depth, 0, T .. 'q:' .. id .. ':' .. char(depth) }
  end
  for k = 1, #clearings, 2 do
    local clearing = unpacked(clearings[k + 1])
    if clearing[1] == id then
      for n = 1, #clearing[4] do
        local depth = byte(clearing[4], n)
        lists[#lists + 1] = { 3, depth, clearing[2], T .. 'z:' .. clearings[k] .. ':' .. depth }
      end
    end
  end
  return lists
end

local function addList(list)
  local kind, depth, reason = list[1], list[2], list[3]
  local texts = call('LRANGE', list[4], place, place + MOST_LINKS - links - 1)
  if #texts == 0 then return true end
  if kind > 1 then
    for _, text in ipairs(texts) do seeNote(text) end
  end
  if kind == 1 then
    add({ 1, texts })
  elseif kind == 2 then
    add({ 2, depth, texts })
  else
    add({ 3, depth, reason, texts })
  end
  links = links + #texts
  place = place + #texts
  return #texts < MOST_LINKS - links + #texts
end

local function addRefused(id)
  local scanned = call('HSCAN', T .. 'x:' .. id, place, 'COUNT', 200)
  local all, refused = scanned[2], {}
  for k = 1, #all, 2 do
    local fp, text = all[k], all[k + 1]
    seeNote(sub(text, 2))
    local n = #refused
    refused[n + 1], refused[n + 2], refused[n + 3] = fp, text, tonumber(call('HGET', bucketOf(fp), fp) or 0)
  end
  if #refused > 0 then add({ 4, refused }) end
  links = links + #all / 2
  place = scanned[1]
  return place == '0'
end

while number <= N[nHosts] and links < MOST_LINKS and looked < MOST_HOSTS do
  local id = idOf(number)
  local record = call('HGET', T .. 'i', id)
  if not record then error('a host has no record') end
  local h = decode(record)
  looked = looked + 1
  if part == 0 then
    local depth, text = -2, ''
    if h[hState] == 1 then depth, text = h[hDepth], h[hText] end
    if depth >= 0 then seeNote(text) end
    local visited = h[hVisited] == 1 and 1 or call('GETBIT', T .. 'dv', h[hDomain])
    add({ 0, number, record, visited, depth, text, isBrief and {} or call('HGETALL', T .. 'n:' .. h[hName]) })
    part, place = 1, 0
  end
  local isOver = isBrief
  if not isBrief then
    local lists = listsOf(id, h)
    while part <= #lists and links < MOST_LINKS do
      if addList(lists[part]) then part, place = part + 1, 0 end
    end
    if part > #lists and links < MOST_LINKS then isOver = addRefused(id) end
  end
  if isOver then number, part, place = number + 1, 0, 0 end
end

local noteTexts = {}
if #noteNumbers > 0 then
  for k, text in ipairs(call('HMGET', T .. 'b', unpack(noteNumbers))) do
    noteTexts[2 * k - 1], noteTexts[2 * k] = noteNumbers[k], text or ''
  end
end
return pack({ pieces, noteTexts, number <= N[nHosts] and number or 0, part, place })
