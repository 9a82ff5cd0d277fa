#!lua flags=allow-oom
-- The owner asks whether the engine has forgotten any of its calls. input: {number of its last call that was answered, of those that wait
-- for memory; crawler, …}: with crawlers, the owner has recovered what was lost, and once all of these have, the shard is held no longer.
-- Returns {…, pages that the owner has settled here}.
local waiting = call('HGET', M, 'k+' .. OWNER)
local known = waiting and unpacked(waiting)[1] or 0
if input[1] > known then return lost(known) end
if isHeld and #input > 1 then
  call('SADD', T .. 'ok', OWNER)
  isHeld = false
  for k = 2, #input do
    if call('SISMEMBER', T .. 'ok', input[k]) == 0 then isHeld = true end
  end
  if not isHeld then
    N[nHeldUntil] = 0
    call('DEL', T .. 'ok')
  end
end
return finish(tonumber(call('HGET', M, 'p:' .. OWNER) or 0))
