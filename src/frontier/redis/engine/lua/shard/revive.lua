#!lua flags=allow-oom
-- The crawl was opened by a first crawler: no link is due, no host has joined, what is parked tries again, hosts that are down get one more try.
-- input: {'all' or 'parked' (only what is parked), most hosts}. One step. Returns {…, 1 if there may be more}.
local MOST = input[2]
local function back(set, size)
  local members = call('ZRANGE', T .. set, 0, MOST - 1)
  if #members == 0 then return 0 end
  call('ZREM', T .. set, unpack(members))
  -- In the same step: what others lease meanwhile must not be chosen by a set that it is no longer in.
  if set == 'a' or set == 'f' then call('ZREM', T .. set .. 'i', unpack(members)) end
  local some, queued = {}, {}
  for k, member in ipairs(members) do some[k] = sub(member, size - 3, size) end
  read(some)
  for _, id in ipairs(some) do
    local h = touch(id)
    if h then h[hLined], h[hServerDown] = 0, 0 end
    if h and before[id][wasClass] then
      queued[#queued + 1] = h[hReady]
      queued[#queued + 1] = id .. before[id][wasClass]
    end
  end
  if #queued > 0 then call('ZADD', T .. 'r', unpack(queued)) end
  return #members
end

-- Due visits come once more, if they are wanted.
local function undue()
  local id = call('SRANDMEMBER', T .. 'td')
  local h = id and touch(id)
  if not h then return id and call('SREM', T .. 'td', id) or 0 end
  local members = call('ZPOPMIN', T .. 't:' .. id, MOST)
  for k = 1, #members, 2 do
    local number = sub(members[k], 9)
    local v = visitAt(id, number)
    if v then comes(id, number, v) end
  end
  local due = #members / 2
  h[hPlans][pDue], N[nDue] = h[hPlans][pDue] - due, N[nDue] - due
  if h[hPlans][pDue] == 0 then h[hPlans][pTurn] = 0 end
  return 1
end
local moved = input[1] == 'all' and undue() or 0
if moved == 0 then moved = back('p', 4) end
if moved == 0 and input[1] == 'all' then
  for _, set in ipairs({ 'j', 'a', 'f', 'A', 'F' }) do
    local first = call('ZRANGE', T .. set, 0, 0)[1]
    if first then
      moved = back(set, #first)
      break
    end
  end
end
if moved == 0 and input[1] == 'all' then
  call('DEL', T .. 'g', T .. 'ai', T .. 'fi')
  local down = call('SRANDMEMBER', T .. 'o', MOST)
  moved = #down
  read(down)
  for _, id in ipairs(down) do
    local h = touch(id)
    if h then h[hServerDown] = 0 end
    if h and h[hFails] > retries then
      h[hFails] = retries
      if h[hResting] == 1 then h[hReady] = min(h[hReady], now + delayOf(h)) end
    end
  end
end
flush()
return finish(moved > 0 and 1 or 0)
