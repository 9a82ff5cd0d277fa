#!lua flags=allow-oom
-- Settles waiting links by URL, and offers the links that were found. input: {groups, reason names, notes, visits, host names}; visits
-- are {host, fingerprint, end of the text, scheme, is a page (1 or 0), blocks, …}. Returns {…, fresh by group, hosts that became known, pages,
-- places of those that did not wait (from 0)}.
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

local pages, missing = 0, {}
for k = 1, #list, 6 do
  local id, fp = idByName[list[k]], list[k + 1]
  local isWaiting = id and tonumber(call('HGET', bucketOf(fp), fp) or -1) == 0
  local key, text
  local h = isWaiting and touch(id)
  if h then
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
      dropNote(text)
      addBlocks(list[k + 5], input[2], #input[3] > 0)
    end
  end
  if not key then missing[#missing + 1] = (k - 1) / 6 end
end
N[nPages] = N[nPages] + pages
if pages > 0 then call('HINCRBY', M, 'p:' .. OWNER, pages) end
flush()
keepNotes(input[3])
growBuckets()
return finish(fresh, became, pages, missing)
