#!lua flags=allow-oom
-- Forgets everything, in steps; until the last, no other move is made. Kept: the numbers of the last call of each owner, of tickets,
-- notes and clearings, so that nothing of before is taken for something of after. Returns {…, 1 if there is more}.
local STEP = 128
local function forget(keys)
  for from = 1, #keys, 1000 do call('UNLINK', unpack(keys, from, min(from + 999, #keys))) end
end
N[nWiped] = 1

if N[nHosts] > 0 then
  local ids, keys = {}, {}
  for number = N[nHosts], max(1, N[nHosts] - STEP + 1), -1 do ids[#ids + 1] = idOf(number) end
  for k, record in ipairs(call('HMGET', T .. 'i', unpack(ids))) do
    local id = ids[k]
    for _, key in ipairs({ 'q:' .. id, 'y:' .. id, 'x:' .. id, 'l:' .. id, 't:' .. id }) do keys[#keys + 1] = T .. key end
    if record then
      local h = decode(record)
      keys[#keys + 1] = T .. 'n:' .. h[hName]
      for at = 1, #h[hRanks] do keys[#keys + 1] = T .. 'q:' .. id .. ':' .. sub(h[hRanks], at, at) end
    end
  end
  forget(keys)
  N[nHosts] = max(0, N[nHosts] - STEP)
  return finish(1)
end
if N[nBuckets] > 0 then
  local keys = {}
  for n = N[nBuckets] - 1, max(0, N[nBuckets] - 2 * STEP), -1 do keys[#keys + 1] = T .. 's:' .. n end
  forget(keys)
  N[nBuckets] = max(0, N[nBuckets] - 2 * STEP)
  return finish(1)
end
local servers = call('HRANDFIELD', T .. 'v', STEP)
if #servers > 0 then
  local keys = {}
  for _, name in ipairs(servers) do
    for _, class in ipairs({ 'j', 'a', 'f' }) do keys[#keys + 1] = T .. 'w:' .. class .. ':' .. name end
  end
  forget(keys)
  call('HDEL', T .. 'v', unpack(servers))
  return finish(1)
end
local noted = call('SRANDMEMBER', T .. 'nn', STEP)
if #noted > 0 then
  local keys = {}
  for k, host in ipairs(noted) do keys[k] = T .. 'n:' .. host end
  forget(keys)
  call('SREM', T .. 'nn', unpack(noted))
  return finish(1)
end
local aside = call('HGETALL', T .. 'z')
for k = 1, #aside, 2 do
  local ranks = unpacked(aside[k + 1])[4]
  for at = 1, #ranks do call('UNLINK', T .. 'z:' .. aside[k] .. ':' .. byte(ranks, at)) end
end
local rest = { 'c', 'h', 'i', 'r', 'p', 'j', 'a', 'f', 'A', 'F', 'ai', 'fi', 'g', 'e', 't', 'td', 'd', 'dv', 'o', 'x', 'ok', 'b', 'bn', 'bk', 'z', 'u' }
for k, key in ipairs(rest) do rest[k] = T .. key end
forget(rest)
for _, field in ipairs(call('HKEYS', M)) do
  if sub(field, 1, 2) == 'p:' then call('HDEL', M, field) end
end
local tickets = N[nTickets]
for k = 1, #N do N[k] = 0 end
N[nTickets], N[nBuckets] = tickets, 1
return finish(0)
