#!lua
-- Adds servers of a dump: records as in server.lua. input: {server, 1 if it has a time, that time in ms from now, failures, 1 if it has
-- failed, how long ago in ms, …}.
for k = 1, #input, 6 do
  local ready = input[k + 1] == 1 and now + input[k + 2] or 0
  local failedAt = input[k + 4] == 1 and now - input[k + 5] or 0
  call('HSET', T .. 'v', input[k], pack({ ready, input[k + 3], failedAt, revivals, 0, {}, {}, { 0, 0, 0 }, 0 }))
end
return finish()
