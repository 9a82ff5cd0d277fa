#!lua flags=allow-oom
-- Closes tickets, one after the other, each with the links that were found and belong to this shard.
-- input: {groups, reason names, notes, settlements, host names}; settlements are {id, ticket, fingerprint, end, shown, delay in ms,
-- blocks, next visit, …}; an id that is empty is of a ticket that is not open. End: 0 again, 1 done and a page, 2 done, 2 + n refused for the
-- n-th reason. Shown: 0 not asked, 1 answer, 2 trouble, 3 silence, 4 gone. Next visit: 0: none, or {after ms, gain, note or false}.
-- Returns {…, fresh by group, hosts that became known, places of those that were late (from 0), clearings}.
local list, reasonNames = input[4], input[2]
-- const: STRIDE = 8
for k = 1, input[1] do fresh[k] = 0 end

local some = {}
for k = 1, #list, STRIDE do
  if list[k] ~= '' then some[#some + 1] = list[k] end
end
read(some)
findHosts(input[5])

local pages = 0
local function endPage(id, h, fp, text, rank, how, again)
  N[nLeased] = N[nLeased] - 1
  if how == 0 then
    queue(id, h, rank, tried(text))
  elseif how <= 2 then
    call('HSET', bucketOf(fp), fp, how == 1 and '1' or '2')
    N[nDone] = N[nDone] + 1
    if how == 1 then
      h[hPages] = h[hPages] + 1
      pages = pages + 1
    end
    if again ~= 0 then planFirst(id, h, fp, how == 1, rank, text, again, now) end
    dropNote(text)
  else
    local reason = reasonOf(reasonNames[how - 2])
    call('HSET', bucketOf(fp), fp, reason + 3)
    call('HSET', T .. 'x:' .. id, fp, char(rank) .. tried(text))
    countRefused(reason, 1)
  end
end

-- A visit again: its link stays done, however it ends.
local function endVisit(id, h, number, how, again)
  if how == 0 then return visitComesBack(id, number, true) end
  N[nRevisiting] = N[nRevisiting] - 1
  local v = visitAt(id, number)
  if not v then return end
  if again ~= 0 then planNext(id, number, v, again, now) else forgetVisit(id, h, number, v) end
end

local function endAuxiliary(id, h, text, how)
  if how == 0 then
    queue(id, h, -1, tried(text, true))
  else
    N[nAuxiliaries] = N[nAuxiliaries] - 1
    call('SREM', T .. 'y:' .. id, sub(text, 1, 8))
  end
end

local function show(h, shown, delayMs)
  h[hProven] = shown == 1 and 1 or 0
  h[hFails] = shown == 1 and 0 or min(h[hFails] + 1, 65535)
  if shown < 3 then h[hServerDown] = 0 end
  local pauseMs = max(delayMs, delayOf(h))
  local ownRestMs = restMs(h[hFails])
  if ownRestMs > pauseMs then
    holdUntil(h, now + ownRestMs, 1)
  else
    holdUntil(h, now + pauseMs, 0)
  end
end

local late, closed = {}, {}
local hasNotes = #input[3] > 0
for k = 1, #list, STRIDE do
  local id, how, shown = list[k], list[k + 3], list[k + 4]
  local h = leased(id, list[k + 1])
  if h then
    closed[#closed + 1] = id
    h[hState] = 0
    if h[hRank] >= 0 then
      endPage(id, h, list[k + 2], h[hText], h[hRank], how, list[k + 7])
    elseif h[hRank] == -2 then
      endVisit(id, h, h[hText], how, list[k + 7])
    else
      endAuxiliary(id, h, h[hText], how)
    end
    if shown == 4 then
      setAside(id, h, reasonOf(reasonNames[how - 2]))
    end
    -- A host that is gone may come back, so its planned visits stay; while it has any, it rests as after a failure.
    if shown > 0 and (shown < 4 or h[hPlans] and h[hPlans][pAll] > 0) then show(h, shown, list[k + 5]) end
  else
    late[#late + 1] = (k - 1) / STRIDE
  end
  if #list[k + 6] > 0 then addBlocks(list[k + 6], reasonNames, hasNotes) end
end
N[nPages] = N[nPages] + pages
if pages > 0 then call('HINCRBY', M, 'p:' .. OWNER, pages) end
closeLeases(closed)
flush()
keepNotes(input[3])
growBuckets()
return finish(fresh, became, late, clearings)
