#!lua flags=allow-oom
-- Settles waiting links by URL, and planned ones that were visited before, and offers the links that were found. input: {groups, reason names, notes, visits,
-- host names}; visits are {host, fingerprint, end of the text, scheme, is a page (1 or 0), blocks, when it was (false: now), next visit (as in settle.lua), …}.
-- Returns {…, fresh by group, hosts that became known, pages, places of those that settled nothing (from 0)}.
-- const: STRIDE = 8
local list = input[4]
for k = 1, input[1] do fresh[k] = 0 end
findHosts(input[5])

-- Searched from the end: what came back after a crash is there. A link further off than this stays.
local MOST_SEARCHED, STEP = 8192, 256
local function findText(id, h, ending, scheme)
  local searched = 0
  for k = 1, #h[hRanks] do
    local rank = byte(h[hRanks], k)
    local key = T .. 'q:' .. id .. ':' .. char(rank)
    local to = -1
    while searched < MOST_SEARCHED do
      local texts = call('LRANGE', key, to - STEP + 1, to)
      if #texts == 0 then break end
      for n = #texts, 1, -1 do
        if isText(texts[n], scheme, ending) then return key, texts[n] end
      end
      searched = searched + #texts
      if #texts < STEP then break end
      to = to - STEP
    end
  end
end

-- Returns whether the link was planned and visited before this time.
local function endPlanned(id, state, date, again)
  local h, number = touch(id), idOf(floor(-state / 2))
  local v = h and not isLeasedVisit(h, number) and visitAt(id, number)
  if not v or v[vVisited] >= date then return false end
  withdraw(id, h, number, v)
  if again ~= 0 then planNext(id, number, v, again, date) else forgetVisit(id, h, number, v) end
  return true
end

local pages, missing = 0, {}
for k = 1, #list, STRIDE do
  local id, fp, again = idByName[list[k]], list[k + 1], list[k + 7]
  local state = id and tonumber(call('HGET', bucketOf(fp), fp) or 3) or 3
  local date = list[k + 6] or now
  local key, text
  local h = state == 0 and touch(id)
  if state < 0 then
    key = endPlanned(id, state, date, again)
    if key then addBlocks(list[k + 5], input[2], #input[3] > 0) end
  elseif h then
    writeTexts()
    key, text = findText(id, h, list[k + 2], list[k + 3])
    if key then
      call('LREM', key, -1, text)
      h[hWaiting] = h[hWaiting] - 1
      if h[hWaiting] == 0 then h[hRanks] = '' end
      N[nWaiting], N[nDone] = N[nWaiting] - 1, N[nDone] + 1
      local isPage = list[k + 4] == 1
      call('HSET', bucketOf(fp), fp, isPage and 1 or 2)
      if isPage then
        h[hPages] = h[hPages] + 1
        pages = pages + 1
      end
      if again ~= 0 then planFirst(id, h, fp, isPage, byte(key, -1), text, again, date) end
      dropNote(text)
      addBlocks(list[k + 5], input[2], #input[3] > 0)
    end
  end
  if not key then missing[#missing + 1] = (k - 1) / STRIDE end
end
N[nPages] = N[nPages] + pages
if pages > 0 then call('HINCRBY', M, 'p:' .. OWNER, pages) end
flush()
keepNotes(input[3])
growBuckets()
return finish(fresh, became, pages, missing)
