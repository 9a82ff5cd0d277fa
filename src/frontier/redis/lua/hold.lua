-- Whether this shard is held. A process that starts, or takes over, may have forgotten what it had acknowledged: who was asked, and
-- when. Whether it is another one is looked at now and then, since that costs more than most moves; it can't be another so soon.
-- const: LOOK_MS = 100
if now - N[nLookedAt] >= LOOK_MS or now < N[nLookedAt] then
  N[nLookedAt] = now
  -- Without the right to ask, the shard is held only after a loss was noticed.
  local info = redis.pcall('INFO', 'server')
  local run = type(info) == 'string' and string.match(info, 'run_id:(%x+)') or ''
  local former = call('HGET', M, 'run')
  if former ~= run then
    call('HSET', M, 'run', run)
    if former then hold() end
  end
end
local isHeld = N[nHeldUntil] > now
