#!lua flags=no-writes
-- The fingerprints that do not wait. input: {first bucket, how many}. Returns {fingerprint, state, …}.
local over = {}
for n = input[1], min(input[1] + input[2], N[nBuckets]) - 1 do
  local all = call('HGETALL', T .. 's:' .. n)
  for k = 1, #all, 2 do
    local state = tonumber(all[k + 1])
    if state > 0 then
      over[#over + 1] = all[k]
      over[#over + 1] = state
    end
  end
end
return pack(over)
