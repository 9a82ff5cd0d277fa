#!lua flags=no-writes
-- The fingerprints of done links. input: {first bucket, how many}. Returns {fingerprint, 1 a page or 2, …}.
local done = {}
for n = input[1], min(input[1] + input[2], N[nBuckets]) - 1 do
  local all = call('HGETALL', T .. 's:' .. n)
  for k = 1, #all, 2 do
    local state = tonumber(all[k + 1])
    if state == 1 or state == 2 or state < 0 then
      done[#done + 1] = all[k]
      done[#done + 1] = state < 0 and 1 + state % 2 or state
    end
  end
end
return pack(done)
