#!lua
-- Puts hosts and links of a dump into a shard that nobody works on. input: {reason names, {number of a note, note, …}, the highest
-- number of a note, blocks}. Blocks are {host, its domain (as in offering.lua), record, links, …}; the record is empty for a host
-- that came before, else {since, 1 if it has a time, that time in ms from now, resting, proven, visited, delay, failures, pages,
-- server, 1 if that is down}. Links are {fingerprint, depth (as in offering.lua), text, how often it was tried (as in its text), …}. Returns {…, links that were
-- there already}.
local reasonNames, blocks = input[1], input[4]
local hasNotes = #input[2] > 0
local twice = 0

local function triedOften(text, attempts)
  return attempts == '' and text or char(byte(text, 1) + 8) .. attempts .. sub(text, 2)
end

local function refer(text)
  local number = hasNotes and noteOf(text)
  if number then references[number] = (references[number] or 0) + 1 end
end

local function fill(h, given)
  h[hSince] = given[1]
  if given[2] == 1 then h[hReady] = now + given[3] end
  h[hResting], h[hProven], h[hVisited], h[hDelay] = given[4], given[5], given[6], given[7]
  h[hFails], h[hPages] = min(given[8], 65535), given[9]
  h[hServer], h[hServerDown] = given[10], given[11]
  if given[6] == 1 then call('SETBIT', T .. 'dv', h[hDomain], 1) end
end

for b = 1, #blocks, 4 do
  local name, domain, record, links = blocks[b], blocks[b + 1], blocks[b + 2], blocks[b + 3]
  local id = call('HGET', T .. 'h', name)
  if not id then
    if type(domain) == 'number' then domain = sub(name, -domain) end
    id = create(name, domain)
    fill(touch(id), record)
  end
  local h = touch(id)
  for k = 1, #links, 4 do
    local fp, depth, text, attempts = links[k], links[k + 1], links[k + 2], links[k + 3]
    if depth < 0 then
      if call('SADD', T .. 'y:' .. id, fp) == 1 then
        N[nErrands] = N[nErrands] + 1
        queue(id, h, depth, sub(text, 1, 10) .. triedOften(sub(text, 11), attempts))
      else
        twice = twice + 1
      end
    else
      text = triedOften(text, attempts)
      local reason = depth >= 256 and reasonOf(reasonNames[floor(depth / 256)])
      if call('HSETNX', bucketOf(fp), fp, reason and reason + 3 or 0) == 0 then
        twice = twice + 1
      else
        N[nKnown] = N[nKnown] + 1
        refer(text)
        if reason then
          countRefused(reason, 1)
          call('HSET', T .. 'x:' .. id, fp, char(depth % 256) .. text)
        else
          queue(id, h, depth, text)
        end
      end
    end
  end
end
flush()
keepNotes(input[2])
if input[3] > 0 then call('HSET', M, 'notes', input[3]) end
growBuckets()
return finish(twice)
